"""Every command and every piece of Python in README.md is run, some of them in a cheaper form."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import dstream_compat
from tests.support.fenced import README, ROOT, blocks, commands, languages
from tests.support.page_commands import run, words
from tests.support.programs import program

pytestmark = pytest.mark.slow

MIGRATE = [command for command in commands(README) if command.startswith("migrate ")]
JOBS = [command for command in commands(README) if command.startswith("python -m dstream_compat ")]
MAKE = [command for command in commands(README) if command.startswith("make ")]
INSTALL = "python -m pip install ."
PYTHON = blocks(README, "python")

# what each form of migrate prints, its exit code, and the folder that it writes
MIGRATIONS = {
    "migrate legacy_examples": ("Written to", 1, "legacy_examples-migrated"),
    "migrate legacy_examples --in-place": ("rewritten in place", 1, "legacy_examples"),
    "migrate undo legacy_examples": ("as before the run of", 0, None),
    "migrate legacy_examples --check --report report.html": ("Report: report.html", 1, None),
    "migrate explain D204": ("# D204: mqtt", 0, None),
}
# what `make -n` shows for a target: the script itself is tested in test_demo.py, and the tests
# are running now
TARGETS = {"make demo": "scripts/demo.py", "make test": "-m pytest"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder as a new user has it, but of which nothing is missed."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "legacy_examples", tmp_path / "legacy_examples", ignore=ignored)
    return tmp_path


def test_every_block_is_known() -> None:
    known = {*MIGRATIONS, *TARGETS, *JOBS, INSTALL}

    assert languages(README) == {"diff", "sh", "python"}
    assert set(commands(README)) == known
    assert len(JOBS) == 2
    assert len(PYTHON) == 1


@pytest.mark.parametrize("command", MIGRATE)
def test_migrate(command: str, project: Path) -> None:
    expected, code, written = MIGRATIONS[command]
    before = (project / "legacy_examples" / "queue_stream.py").read_text()
    if command.startswith("migrate undo"):
        run(words("migrate legacy_examples --in-place"), project)

    done = run(words(command), project)

    assert done.returncode == code, done.stderr
    assert expected in done.stdout
    changed = {
        path.parent.name for path in project.glob("*/queue_stream.py") if path.read_text() != before
    }
    assert changed == ({written} if written else set())
    if "--report" in command:
        assert (project / "report.html").read_text().startswith("<!DOCTYPE html>")


def test_migrate_exit_codes(project: Path) -> None:
    (project / "done.py").write_text("from dstream_compat import StreamingContext\n")

    assert run(words("migrate legacy_examples/queue_stream.py"), project).returncode == 0
    assert run(words("migrate done.py"), project).returncode == 0
    assert run(words("migrate legacy_examples"), project).returncode == 1
    check = run(words("migrate legacy_examples/queue_stream.py --check"), project)
    assert check.returncode == 1
    assert run(words("migrate missing"), project).returncode == 2


def test_migrate_help(project: Path) -> None:
    done = run(words("migrate --help"), project)

    assert done.returncode == 0
    for option in ("--output", "--in-place", "--check", "--diff", "--format"):
        assert option in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", JOBS)
def test_job(command: str, project: Path) -> None:
    done = run(words(command), project, timeout=180)

    assert done.returncode == 0, done.stderr
    assert "kitchen" in done.stdout
    assert done.stdout.count("Time: ") >= 5


@pytest.mark.parametrize("code", PYTHON, ids=["install"])
def test_python(code: str, project: Path) -> None:
    script = project / "readme.py"
    script.write_text(f"{code}\nprint(StreamingContext.__module__)\n")

    done = run([sys.executable, str(script)], project)

    assert done.stdout == "dstream_compat.context\n", done.stderr


@pytest.mark.parametrize("command", MAKE)
def test_make(command: str) -> None:
    done = run([program("make"), "-n", *command.split()[1:]], ROOT)

    assert done.returncode == 0, done.stderr
    assert TARGETS[command] in done.stdout


@pytest.mark.slow
def test_install(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    for name in ("dstream_compat", "migrator"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)

    # into a folder of its own and without what it needs, which is installed here already
    command = [*words(INSTALL), "--quiet", "--no-deps", "--target", str(target)]
    done = run(command, source, timeout=600)  # it may fetch what it is built with

    assert done.returncode == 0, done.stderr
    env = {**os.environ, "PYTHONPATH": str(target)}
    for script in ("migrate", "dstream-compat"):
        shown = subprocess.run(
            [sys.executable, str(target / "bin" / script), "--version"],
            cwd=tmp_path,
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert shown.returncode == 0, shown.stderr
        assert dstream_compat.__version__ in shown.stdout
