"""Every command of docs/reports.md is run; what it says about options and settings is true."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from migrator.report.formats import FORMATS
from migrator.rules.registry import rules
from migrator.select.config import _KEYS
from tests.support.fenced import ROOT, blocks, commands, languages
from tests.support.page_commands import run
from tests.support.programs import program

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "reports.md"

# what each command prints, its exit code, and the files that it writes
EXPECTED: dict[str, tuple[str, int, set[str]]] = {
    "migrate legacy_examples": ("Written to", 1, {"legacy_examples-migrated"}),
    "migrate legacy_examples --output elsewhere": ("Written to", 1, {"elsewhere"}),
    "migrate legacy_examples --in-place": ("rewritten in place", 1, set()),
    "migrate undo legacy_examples": ("as before the run of", 0, set()),
    "migrate legacy_examples --diff": ("+from dstream_compat import StreamingContext", 1, set()),
    "migrate 'legacy_examples/*_wordcount.py' legacy_examples/conf --check": (
        "would be rewritten",
        1,
        set(),
    ),
    "migrate legacy_examples --check --group-by rule": ("D201 kafka-receiver  1 finding", 1, set()),
    "migrate legacy_examples --check --report report.html": (
        "Report: report.html",
        1,
        {"report.html"},
    ),
    "migrate legacy_examples --report report.html --report report.sarif --report report.md "
    "--report report.json --report report.txt": (
        "Report: report.txt",
        1,
        {
            *("report.html", "report.sarif", "report.md", "report.json", "report.txt"),
            "legacy_examples-migrated",
        },
    ),
    "migrate legacy_examples --check --format github": (
        "::error file=legacy_examples/kafka_receiver_wordcount.py,line=",
        1,
        set(),
    ),
    "migrate legacy_examples --check --format json": ('"schema_version": 2', 1, set()),
    "migrate legacy_examples --unsafe-fixes --diff": ("+++ b/submit.sh", 1, set()),
    "migrate rules": ("D204  warning", 0, set()),
    "migrate explain D204": ("# D204: mqtt", 0, set()),
    "migrate legacy_examples --check --select D2,D7": ("D201", 1, set()),
    "migrate legacy_examples --check --ignore D704": ("D201", 1, set()),
    "migrate legacy_examples --write-baseline baseline.json": (
        "baseline.json lists",
        0,
        {"baseline.json"},
    ),
    "migrate legacy_examples --check --baseline baseline.json": (
        "No manual work remains.",
        0,
        set(),
    ),
    "migrate jobs --check --diff-base main": ("1 finding needs manual work", 1, set()),
}


def words(command: str) -> list[str]:
    return [sys.executable, "-m", "migrator", *shlex.split(command)[1:]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with old jobs, and with a setting that is not committed yet."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "legacy_examples", tmp_path / "legacy_examples", ignore=ignored)
    shutil.copytree(ROOT / "legacy_examples", tmp_path / "jobs", ignore=ignored)
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("add", "-A"),
        ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "jobs"),
    ):
        subprocess.run([program("git"), *arguments], cwd=tmp_path, check=True, capture_output=True)
    with (tmp_path / "jobs" / "conf" / "spark-defaults.conf").open("a") as stream:
        stream.write("spark.streaming.raw.maxBlockSizeBytes 5\n")
    return tmp_path


def test_every_command_is_known() -> None:
    assert languages(PAGE) == {"sh", "python", "toml", "yaml"}
    assert commands(PAGE) == list(EXPECTED)


@pytest.mark.parametrize("command", EXPECTED)
def test_command(command: str, project: Path) -> None:
    if "--baseline" in command:
        written = run(words("migrate legacy_examples --write-baseline baseline.json"), project)
        assert written.returncode == 0, written.stderr
    if command.startswith("migrate undo"):
        run(words("migrate legacy_examples --in-place"), project)
    expected, code, files = EXPECTED[command]
    before = {path.name for path in project.iterdir()}

    done = run(words(command), project)

    assert done.returncode == code, done.stderr
    assert expected in done.stdout
    assert {path.name for path in project.iterdir()} - before == files


def test_comment(project: Path) -> None:
    (line,) = [line for code in blocks(PAGE, "python") for line in code.splitlines()]
    job = project / "job.py"
    job.write_text(
        f"from dstream_compat import StreamingContext\nssc = StreamingContext(sc, 1)\n{line}\n"
    )

    done = run(words("migrate job.py --check --format json"), project)

    assert done.returncode == 0, done.stderr
    (finding,) = [f for f in json.loads(done.stdout)["findings"] if f["code"] == "D601"]
    assert finding["suppression"]["reason"] == "only read, for the log"


def test_settings(project: Path) -> None:
    (text,) = blocks(PAGE, "toml")
    assert set(tomllib.loads(text)["tool"]["migrate"]) == set(_KEYS)
    written = run(words("migrate legacy_examples --write-baseline baseline.json"), project)
    assert written.returncode == 0
    (project / "pyproject.toml").write_text(text)

    done = run(words("migrate legacy_examples --check --format json"), project)

    assert done.returncode == 0, done.stderr
    assert {f["code"][:2] for f in json.loads(done.stdout)["findings"]} == {"D2", "D7"}


def test_formats_and_codes() -> None:
    text = PAGE.read_text("utf-8")
    for form in FORMATS.values():
        endings = ", ".join(f"`{suffix}`" for suffix in form.suffixes)
        assert f"| `{form.name}` | {endings}{' ' if endings else ''}|" in text
    for code in ("D009", "D101", "D204", "D601", "D704"):
        assert code in rules()
    (hook,) = blocks(PAGE, "yaml")
    assert "id: migrate-check" in hook
