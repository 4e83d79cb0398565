"""docs/accept.md: its commands run, the one that asks on a terminal."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.support.fenced import ROOT, blocks, commands, languages
from tests.support.migrator.answers import answered
from tests.support.page_commands import run, words

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "accept.md"
ASKS = "migrate legacy_examples --interactive --in-place"
# what each command prints, and its exit code
EXPECTED: dict[str, tuple[str, int]] = {
    "migrate legacy_examples --check --report report.html": ("Report: report.html", 1),
    "migrate legacy_examples --in-place --accept accepted.json": ("1 file rewritten in place", 1),
    "migrate legacy_examples --in-place --accept accepted.json --add-ignores": (
        "rejected findings from now on",
        1,
    ),
    "migrate legacy_examples --add-ignores": ("Comments ignore 6 findings from now on.", 0),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__")
    work = tmp_path / "work"
    shutil.copytree(ROOT / "legacy_examples", work / "legacy_examples", ignore=ignored)
    return work


def accept_one(folder: Path, path: str) -> None:
    """Write what the browser would of a report in which one change is accepted."""
    run(words("migrate legacy_examples --check --report report.html"), folder)
    page = (folder / "report.html").read_text("utf-8")
    (key,) = re.findall(rf'data-key="(\w+)" data-path="{path}"', page)
    accepted = {"migrate_accepted": 1, "changes": [{"key": key, "path": path}]}
    (folder / "accepted.json").write_text(json.dumps(accepted))


def test_every_command_is_known() -> None:
    assert languages(PAGE) == {"sh", "python"}
    assert commands(PAGE) == [ASKS, *EXPECTED]


def test_answers_of_the_page(folder: Path) -> None:
    dialog = answered(words(ASKS)[3:], ["?", "y", "q"], folder)

    assert dialog.code == 1
    table = re.findall(r"^\| `(.)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert re.findall(r"^(.)  \w", dialog.text, re.MULTILINE)[: len(table)] == table
    assert "1 file rewritten in place" in dialog.text


@pytest.mark.parametrize("command", EXPECTED)
def test_command(command: str, folder: Path) -> None:
    if "--accept" in command:
        accept_one(folder, "queue_stream.py")
    expected, code = EXPECTED[command]

    done = run(words(command), folder)

    assert done.returncode == code, done.stderr
    assert expected in done.stdout


def test_comment_of_the_page(folder: Path) -> None:
    accept_one(folder, "queue_stream.py")
    run(words("migrate legacy_examples --in-place --accept accepted.json --add-ignores"), folder)
    (line,) = [line for code in blocks(PAGE, "python") for line in code.splitlines()]

    assert line in (folder / "legacy_examples" / "network_wordcount.py").read_text().splitlines()
