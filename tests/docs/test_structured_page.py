"""docs/structured.md: its commands run, and each result is the one that `migrate` writes."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.fenced import README, ROOT, blocks, commands, languages
from tests.support.page_commands import run

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "structured.md"
EXPECTED = {
    "migrate legacy_examples --target structured --check": ("as Structured Streaming", 1),
    "migrate legacy_examples/network_wordcount.py --target structured --diff": (
        "+    query = words.writeStream.foreachBatch(process_batch)",
        0,
    ),
    "migrate legacy_examples/network_wordcount.py --target structured --check --explain": (
        "-> spark.readStream",
        1,
    ),
    "migrate legacy_examples --target structured --unsafe-fixes --output moved": (
        "legacy_examples was not changed",
        1,
    ),
}


def test_every_command_is_known() -> None:
    assert languages(PAGE) == {"sh", "python", "text"}
    assert commands(PAGE) == list(EXPECTED)


@pytest.mark.parametrize("command", EXPECTED)
def test_command(command: str, tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "legacy_examples", tmp_path / "legacy_examples", ignore=ignored)
    words = [sys.executable, "-m", "migrator", *shlex.split(command)[1:]]
    done = run(words, tmp_path)
    expected, code = EXPECTED[command]
    assert expected in done.stdout
    assert done.returncode == code, done.stderr


def examples() -> list[tuple[str, str]]:
    """Return the jobs of the page: before, and after."""
    code = blocks(PAGE, "python")
    assert len(code) == 12
    return [*pairwise(code)][::2]


def test_the_code_of_batches_is_that_of_migrate() -> None:
    for before, after in examples()[:2]:
        assert isinstance(rewrite(before), Reason)
        found = rewrite(before, batch_code=True)
        assert isinstance(found, Rewritten)
        assert found.text == after


def test_results_are_those_of_migrate() -> None:
    for before, after in examples()[2:]:
        found = rewrite(before)
        assert isinstance(found, Rewritten)
        assert found.text == after
        # the page says so of `pprint`, of several queries and of states
        known = "more records than are printed|run side by side|the state is not given in intervals"
        assert all(re.search(known, each) for each in found.differences)
        states = [line for line in before.splitlines() if line == "totals.pprint()"]
        idle = [each for each in found.differences if "is not given in intervals" in each]
        assert len(idle) == len(states)


def test_the_example_of_the_readme_is_the_first_one() -> None:
    before, after = examples()[2]
    shown = blocks(README, "diff")[1].splitlines()
    assert {line[1:] for line in shown if line[0] == "-"} <= {*before.splitlines()}
    assert {line[1:] for line in shown if line[0] == "+"} <= {*after.splitlines(), ""}
    assert {line[0] for line in shown} == {"-", "+"}
