"""`migrate explain` and `migrate rules`, and paths with names of subcommands."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.rules.registry import rules, rules_of_page
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
ROOT = Path(__file__).parents[3]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("code", sorted(rules()))
def test_explain_prints_the_page(migrate: Migrate, code: str) -> None:
    run = migrate("explain", code)
    assert (run.code, run.err) == (0, "")
    page = (ROOT / "docs" / "rules" / f"{code}.md").read_text("utf-8")
    first = rules_of_page(rules()[code])[0].code
    if first != code:
        # its file names the page that it shares
        whole = (ROOT / "docs" / "rules" / f"{first}.md").read_text("utf-8")
        assert f"[{first}]({first}.md)" in page
        page = page.partition("\nSee ")[0] + whole[whole.index("\n## What") :]
    assert run.out == page


def test_explain_takes_names_small_letters_and_several(migrate: Migrate) -> None:
    assert migrate("explain", "mqtt").out == migrate("explain", "d204").out
    assert migrate("explain", "D204", "D203").out.count("## What") == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["explain"], "the following arguments are required: CODE"),
        (["explain", "D999"], "there is no rule D999; `migrate rules` lists them"),
        (["explain", "\x1b[31m"], "there is no rule \\x1b[31m"),
        (["explain", "D204", "--check"], "unrecognized arguments: --check"),
        (["rules", "."], "unrecognized arguments: ."),
        (["rules", "--format", "html"], "invalid choice: 'html'"),
    ],
)
def test_wrong_use(migrate: Migrate, arguments: list[str], message: str) -> None:
    run = migrate(*arguments)
    assert (run.code, run.out) == (2, "")
    assert message in run.err


def test_help_tells_about_paths_of_that_name(migrate: Migrate) -> None:
    for name in ("explain", "rules", "undo"):
        run = migrate(name, "--help")
        assert run.code == 0
        assert f"migrate ./{name}" in run.out
        assert f"migrate {name}" in migrate("--help").out


def test_rules(migrate: Migrate) -> None:
    lines = migrate("rules").out.splitlines()
    assert [line.split()[0].rstrip("*+") for line in lines] == sorted(rules())
    assert any(line.startswith("D101* error") for line in lines)
    marks = {line[:4]: line[4] for line in lines}
    assert {code for code, mark in marks.items() if mark == "+"} == {"D201", "D907"}
    assert {code for code, mark in marks.items() if mark == "*"} >= {"D101", "D902"}
    (line,) = (line for line in lines if line.startswith("D201"))
    assert line.endswith("(fixed with --kafka-brokers)")


def test_rules_as_json(migrate: Migrate) -> None:
    found = json.loads(migrate("rules", "--format", "json").out)
    assert [rule["code"] for rule in found] == sorted(rules())
    assert set(found[0]) == {
        *(
            "code",
            "name",
            "family",
            "severity",
            "category",
            "effort_minutes",
            "safety",
            "option",
            "what",
        ),
    }


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["rules"], ["explain", "D204"]])
def test_on_a_terminal(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    from migrator.cli.main import main

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("NO_COLOR", raising=False)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    assert main(arguments) == 0
    assert "\x1b[" in terminal.getvalue()
    assert "MQTT" in terminal.getvalue()
    plain = Terminal()
    monkeypatch.setattr(sys, "stdout", plain)
    assert main([*arguments, "--no-color"]) == 0
    assert "\x1b[31m" not in plain.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["rules", "explain", "undo"])
def test_paths_of_that_name(
    migrate: Migrate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "job.py").write_text(JOB)
    monkeypatch.chdir(tmp_path)
    for arguments in ([f"./{name}", "--check"], ["--check", name], ["--check", "--", name]):
        run = migrate(*arguments)
        assert run.code == 1
        assert "  runs    job.py" in run.out
    assert "D101* error" in migrate("rules").out
