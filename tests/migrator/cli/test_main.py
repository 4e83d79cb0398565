"""The command line as a new user would try it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import migrator.discover.walk
import migrator.run.migrate
import migrator.run.programs
from migrator import __version__
from migrator.cli.main import main
from tests.support.migrator.reports import tree_hash
from tests.support.migrator.runs import JOB, Run
from tests.support.programs import program

Migrate = Callable[..., Run]
ROOT = Path(__file__).parents[3]
PROJECTS = ROOT / "tests" / "migrator" / "projects"


def fresh(code: str) -> subprocess.CompletedProcess[str]:
    """Runs code in a new interpreter."""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_imports_nothing_heavy(option: str) -> None:
    done = fresh(
        "import sys\nfrom migrator.cli.main import main\n"
        f"try:\n    main([{option!r}])\nexcept SystemExit as e:\n    assert not e.code\n"
        "heavy = {'libcst', 'rich', 'pyspark', 'ast', 'asyncio'} & set(sys.modules)\n"
        "print('heavy:', sorted(heavy))\n"
    )
    assert done.stderr == ""
    assert done.stdout.endswith("heavy: []\n")


@pytest.mark.slow
def test_a_run_without_edits_imports_no_libcst(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("spark.streaming.blockInterval 1\n")
    done = fresh(
        "import sys\nfrom migrator.cli.main import main\n"
        f"main([{str(tmp_path)!r}, '--check', '--format', 'json'])\n"
        "assert not {'libcst', 'rich', 'pyspark'} & set(sys.modules)\n"
    )
    assert done.stderr == ""


def test_version(migrate: Migrate) -> None:
    assert migrate("--version").out == f"migrate {__version__}\n"


def test_help_explains_exit_codes(migrate: Migrate) -> None:
    run = migrate("--help")
    assert run.code == 0
    assert "exit codes:" in run.out
    assert "needs manual work if" in run.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{tree}", "--no-such-option"], "unrecognized arguments: --no-such-option"),
        (["--no-such-option"], "unrecognized arguments: --no-such-option"),
        (["--check", "--out=x", "-x"], "unrecognized arguments: --out=x -x"),
        (["--", "--no-such-file"], "--no-such-file: no such file or folder"),
        (["-1"], "-1: no such file or folder"),
        (["--output"], "argument --output: expected one argument"),
        ([], "the following arguments are required: PATH"),
        (["--check"], "the following arguments are required: PATH"),
        (["{tree}", "more"], "more: no such file or folder"),
        (["{tree}", "--check", "--in-place"], "cannot be used together"),
        (["{tree}", "--check", "--diff"], "cannot be used together"),
        (["{tree}", "--in-place", "--output", "x"], "--output has no effect with --in-place"),
        (["{tree}", "--check", "--output", "x"], "--output has no effect with --check"),
        (["{tree}", "--diff", "--format", "sarif"], "both print on standard output"),
        (["{tree}", "--format", "xml"], "invalid choice: 'xml'"),
        (["{tree}", "--out", "x"], "unrecognized arguments"),
        (["{tree}/missing"], "missing: no such file or folder"),
        (["{tree}/missing.py", "--check"], "no such file or folder"),
        ([""], "PATH is empty"),
        (["{tree}", "--output", ""], "--output is empty"),
        (["{tree}", "--output", "{tree}"], "is inside"),
        (["{tree}", "--output", "{tree}/out"], "is inside"),
        (["{tree}/jobs", "--output", "{tree}"], "is inside the output"),
        (["{tree}", "--output", "{tree}/../no/such/place"], "does not exist"),
        (["/dev/null"], "neither a file nor a folder"),
    ],
)
def test_wrong_use(migrate: Migrate, tree: Path, arguments: list[str], message: str) -> None:
    before = tree_hash(tree.parent)
    run = migrate(*[a.format(tree=tree) for a in arguments])
    assert run.code == 2
    assert message in run.err
    assert run.out == ""
    assert "Traceback" not in run.err
    assert tree_hash(tree.parent) == before


def test_dangling_link(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("nowhere")
    run = migrate(tmp_path / "link")
    assert (run.code, run.out) == (2, "")
    assert "a symbolic link to nothing" in run.err


def test_control_characters_in_a_path_are_escaped(migrate: Migrate) -> None:
    run = migrate("no\x1b31msuch\nfile")
    assert run.err == "migrate: no\\x1b31msuch\\x0afile: no such file or folder\n"


def test_empty_folder(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    run = migrate(tmp_path / "empty")
    assert run.code == 0
    assert "No DStream code found" in run.out
    assert sorted(p.name for p in tmp_path.iterdir()) == ["empty"]


def test_folder_without_dstreams(migrate: Migrate, tree: Path) -> None:
    (tree / "jobs" / "job.py").write_text("print('structured')\n")
    run = migrate(tree)
    assert run.code == 0
    assert "No DStream code found" in run.out
    assert not tree.with_name("legacy-migrated").exists()


def test_nothing_left_for_a_person(migrate: Migrate, tree: Path) -> None:
    run = migrate(tree)
    assert run.code == 0
    assert run.err == ""
    assert "No manual work remains." in run.out


def test_something_left_for_a_person(migrate: Migrate, tree: Path) -> None:
    (tree / "a.conf").write_text("spark.streaming.raw.maxBlockSizeBytes 5\n")
    run = migrate(tree)
    assert run.code == 1
    assert "1 finding needs manual work" in run.out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(["--check"], 1), (["--check", "--format", "json"], 1), (["--diff"], 0)],
)
def test_reading_modes_write_nothing(
    migrate: Migrate, tree: Path, arguments: list[str], code: int
) -> None:
    before = tree_hash(tree.parent)
    assert migrate(tree, *arguments).code == code
    assert tree_hash(tree.parent) == before


def test_check_is_satisfied_by_migrated_code(migrate: Migrate, tree: Path) -> None:
    assert migrate(tree).code == 0
    assert migrate(tree.with_name("legacy-migrated"), "--check").code == 0


def test_check_counts_info_as_done(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("spark.streaming.blockInterval 100ms\n")
    run = migrate(tmp_path, "--check", "--notes")
    assert run.code == 0
    assert "D704" in run.out
    assert "D704" not in migrate(tmp_path, "--check").out


def test_diff_is_a_patch(migrate: Migrate, tree: Path) -> None:
    (tree / "crlf.py").write_bytes(b"from pyspark.streaming import DStream\r\nx = 1")
    run = migrate(tree, "--diff")
    assert "files: " in run.err
    assert "1:31  D101 fixable" in run.err
    subprocess.run([program("git"), "apply"], input=run.out.encode(), cwd=tree, check=True)
    assert (tree / "crlf.py").read_bytes() == b"from dstream_compat import DStream\r\nx = 1"
    assert migrate(tree, "--check").code == 0


WORK = (
    "from dstream_compat import StreamingContext\nssc = StreamingContext(sc, 1)\nssc._jssc.x()\n"
    "ssc.start()\n"
)


def test_quiet_prints_the_jobs_and_the_totals(migrate: Migrate, tree: Path) -> None:
    (tree / "work.py").write_text(WORK)
    run = migrate(tree, "--check", "--quiet")
    lines = run.out.splitlines()
    assert lines[0] == "2 jobs, once rewritten: 1 runs, 1 needs something"
    assert lines[2] == "  needs   work.py  1 finding, 45 min: use the public API (D601)"
    assert "-> " not in run.out
    assert lines[4].startswith("files: ")


def test_quiet_and_verbose_contradict_each_other(tree: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main([str(tree), "--check", "--quiet", "--verbose"])
    assert ended.value.code == 2


def unreadable(run: Run) -> list[tuple[str, str]]:
    files = run.json["files"]
    return [(f["path"], f["error"]) for f in files if f["status"] == "unreadable"]


def test_unreadable_files_are_listed(
    migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path.name == "plain.py":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    run = migrate(tree, "--check", "--format", "json")
    assert run.code == 1
    assert unreadable(run) == [("jobs/plain.py", "Permission denied")]


@pytest.mark.parametrize("mode", [["--check"], [], ["--in-place"]], ids=str)
def test_folder_without_permission_is_listed(
    migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch, mode: list[str]
) -> None:
    scandir, stat = os.scandir, os.stat

    def scan(path: Any) -> object:
        if not isinstance(path, int) and Path(path) == tree / "data":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    def look(path: Any, **options: Any) -> object:
        if not isinstance(path, int) and Path(path).parent == tree / "data":
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, **options)

    monkeypatch.setattr(os, "scandir", scan)
    monkeypatch.setattr(os, "stat", look)
    access = os.access
    monkeypatch.setattr(os, "access", lambda p, mode: p != tree / "data" and access(p, mode))
    run = migrate(tree, *mode, "--format", "json")
    assert run.code == 1
    assert unreadable(run) == [("data", "Permission denied")]


def test_an_internal_error_ends_with_2_and_keeps_the_report(
    migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "other.py").write_text(JOB)
    real = migrator.run.programs.analyse

    def analyse(relative: str, *rest: object) -> object:
        if relative == "other.py":
            raise KeyError("x")
        return real(relative, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(migrator.run.programs, "analyse", analyse)
    run = migrate(tree, "--check", "--format", "json")
    assert run.code == 2
    assert [f["status"] for f in run.json["files"]] == ["rewritten", "unreadable"]
    assert "internal error: KeyError: 'x' (test_main.py, line " in run.json["files"][1]["error"]
    assert run.err == ""


def test_ctrl_c(migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = tree_hash(tree.parent)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(migrator.run.migrate, "scan", interrupted)
    run = migrate(tree)
    assert run.code == 130
    assert run.err == "migrate: interrupted; no file was left half-written\n"
    assert run.out == ""
    assert tree_hash(tree.parent) == before


@pytest.mark.slow
def test_a_real_signal_leaves_nothing_behind(tree: Path) -> None:
    code = (
        "import os, signal, migrator.output.tree as t, migrator.cli.main as c\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # it is inherited\n"
        "real = t._publish\n"
        "def publish(*a):\n    os.kill(os.getpid(), signal.{0})\n    real(*a)\n"
        "t._publish = publish\n"
        f"raise SystemExit(c.main([{str(tree)!r}]))\n"
    )
    for name, expected in (("SIGINT", 130), ("SIGTERM", 143)):
        done = fresh(code.format(name))
        assert done.returncode == expected
        assert "Traceback" not in done.stderr
        assert [p.name for p in tree.parent.iterdir()] == ["legacy"]


@pytest.mark.slow
def test_closed_pipe() -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = f"{sys.executable} -m migrator {PROJECTS} --check | head -c 1 >/dev/null"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, env=env
    )
    assert done.stderr == ""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", ["{} --check", "{} --check --format json", "explain D204"])
def test_a_full_disk(tree: Path, arguments: str) -> None:
    command = [sys.executable, "-m", "migrator", *arguments.format(tree).split()]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, env=env)
    assert done.returncode == 2
    assert done.stderr == "migrate: No space left on device\n"


def test_an_error_of_ours(migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(migrator.run.migrate, "scan", failing)
    run = migrate(tree)
    assert run.code == 2
    assert "KeyError: 'x'" in run.err
    assert run.err.endswith("migrate: internal error; please report it with the lines above\n")


@pytest.mark.slow
def test_ascii_terminal(tmp_path: Path) -> None:
    (tmp_path / "ünï.py").write_text("import pyspark.streaming\nx = pyspark.streaming.é\n")
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [sys.executable, "-m", "migrator", str(tmp_path), "--check"], capture_output=True, env=env
    )
    assert done.returncode == 1
    assert done.stderr == b""
    assert b"\\xfcn\\xef.py" in done.stdout


def test_a_second_signal_interrupts_no_clean_up() -> None:
    program = (
        "import os, signal, sys\nfrom migrator.cli import main\n"
        "def work():\n"
        "    try:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "        signal.pause()\n"
        "    finally:\n"
        "        os.kill(os.getpid(), signal.SIGTERM)\n"
        "        print('all is ended', flush=True)\n"
        "main._run = lambda arguments: work()\n"
        "sys.exit(main.main([]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (143, "all is ended\n")
