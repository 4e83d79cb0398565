"""Tests start no program that a machine may lack, but through `tests.support.programs`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import programs

TESTS = Path(__file__).parents[1]
STARTING = re.compile(r"subprocess\.(run|Popen|call|check_call|check_output)|run_command")
# of every Debian, and Java's, without which nothing runs
ALWAYS = {"bash", "env", "sh", "java"}
# where tests are skipped if the program does not do its work, too
CHECKED = {"unshare": "support/mounts.py"}


def programs_of(code: str) -> Iterator[str]:
    """Yield the programs that code starts by a name that it spells out."""
    if not STARTING.search(code):
        return
    tree = ast.parse(code)
    lists = {
        target.id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        if STARTING.fullmatch(ast.unparse(node.func)):
            yield from _first(node.args[0], lists)


def _first(node: ast.expr, lists: dict[str, ast.expr]) -> Iterator[str]:
    match node:
        case ast.Name(id=name) if name in lists:
            yield from _first(lists[name], {n: v for n, v in lists.items() if n != name})
        case ast.List(elts=[first, *_]) | ast.Tuple(elts=[first, *_]):
            yield from _first(first, lists)
        case ast.Starred(value=value):
            yield from _first(value, lists)
        case ast.BinOp(left=left, op=ast.Add()):
            yield from _first(left, lists)
        case ast.IfExp(body=body, orelse=orelse):
            yield from _first(body, lists)
            yield from _first(orelse, lists)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _first(value, lists)
        case ast.Constant(value=str(text)):
            yield text.split()[0] if text.split() else ""
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]) if " " in text:
            yield text.split()[0]


@pytest.mark.slow
def test_no_test_starts_a_program_that_a_machine_may_lack() -> None:
    found = {
        (name, str(path.relative_to(TESTS)))
        for path in TESTS.rglob("*.py")
        if not {"fixtures", "golden", "goldens"} & set(path.parts) and "projects" not in str(path)
        for name in programs_of(path.read_text("utf-8"))
        if name not in ALWAYS
    }
    assert found == set(CHECKED.items())


def test_programs_that_code_starts() -> None:
    code = """
import subprocess, sys
GIT = ["git", "-c", "a=b"]
FOUND = which("mosquitto_passwd") or "mosquitto_passwd"
subprocess.run(["patch", "-p1"], check=True)
subprocess.Popen("pgrep java", shell=True)
subprocess.check_output((*GIT, "status"))
subprocess.run([FOUND, "-U"])
run_command("perl", "-e", "1")
subprocess.run(["javac" if new else "jikes", "a"] + files)
subprocess.call(f"curl {url}")
subprocess.run([sys.executable, "-m", "pip"])
subprocess.run([program("openssl"), "x509"])
subprocess.run(command)
run(["keytool"])
"""
    assert list(programs_of(code)) == [
        *("patch", "pgrep", "git", "mosquitto_passwd", "perl", "javac", "jikes", "curl"),
    ]


def test_a_program_that_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "there").touch(0o755)
    assert programs.program("there") == str(tmp_path / "there")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"no gone here; .*apt-get install gone`"):
        programs.program("gone")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match=r"no gone here; .*apt-get install more`"):
        programs.program("gone", "more")
    (tmp_path / "sbin").mkdir()
    (tmp_path / "sbin" / "gone").touch(0o755)
    assert programs.program("gone", places=str(tmp_path / "sbin")).endswith("sbin/gone")
