"""docs/benchmarks.md names what there is, and its commands are accepted."""

from __future__ import annotations

import re
import shlex

import pytest

from benchmarks.__main__ import options
from benchmarks.harness.job import Measure, names
from benchmarks.harness.results import row
from benchmarks.harness.schedule import Rounds
from tests.support.fenced import ROOT, commands

PAGE = ROOT / "docs" / "benchmarks.md"
TEXT = PAGE.read_text(encoding="utf-8")


def section(title: str) -> str:
    """Return the text under a heading."""
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_every_job_has_a_row() -> None:
    assert re.findall(r"^\| `([a-z-]+)` \|", section("Jobs"), re.MULTILINE) == names()


@pytest.mark.parametrize("command", commands(PAGE))
def test_commands_are_accepted(command: str) -> None:
    words = shlex.split(command)

    assert words[:2] == ["make", "bench"]
    arguments = [word.removeprefix("ARGS=") for word in words[2:]]
    assert options(shlex.split(" ".join(arguments))).jobs


def test_every_option_has_a_row(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        options(["--help"])

    known = set(re.findall(r"--[a-z]+", capsys.readouterr().out)) - {"--help"}
    assert known <= set(re.findall(r"--[a-z]+", section("Running them")))


def test_every_key_of_a_measure_is_explained() -> None:
    keys = set(row(Rounds(Measure("cycle", "what", 1, size=1)))) - {"what"}

    assert keys <= set(re.findall(r"`([a-z_]+)`", section("Reading the results")))
