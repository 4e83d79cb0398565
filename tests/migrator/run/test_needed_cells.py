"""Cells of a notebook that do not parse: which of them count."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.notebooks import ipynb, notebook
from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]
SETUP = "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
STREAM = "lines = ssc.socketTextStream('h', 1)\nlines.map(parse).pprint()\n"


def counted(*cells: str) -> list[int | None]:
    """The cells of which a person has to repair the source."""
    found = ipynb(*cells)
    return [f.at.cell for f in found.findings if f.code == "D001" and f.needs_person]


BLANKS = [
    "total = <FILL IN>\nprint(total)\n",
    "def parse2(line):\n    return <FILL IN>\n",
    "# TODO: Replace <FILL IN> with appropriate code\nx = = 1\n",
    "pip install a\npip install b\n",
    "test = parse(1\n",
    "from helpers import (a, <FILL IN>)\n",
    # this statement parses
    "from helpers import *\nx = <FILL IN>\n",
]


@pytest.mark.parametrize("blank", BLANKS)
def test_a_cell_that_nothing_needs_is_a_note(blank: str) -> None:
    found = ipynb(SETUP, "def parse(line):\n    return line\n", STREAM, blank)
    assert counted(SETUP, "def parse(line):\n    return line\n", STREAM, blank) == []
    (note,) = [f for f in found.findings if f.code == "D001"]
    assert (note.severity, note.effort, note.at.cell) == ("info", 0, 5)
    assert found.status == "rewritten" and found.error is None


NEEDED = [
    # beside streaming code
    "ssc.textFileStream('x').pprint()\nx = <FILL IN>\n",
    "def parse(line):\n    return <FILL IN>\n",
    "parse = <FILL IN>\n",
    "parse, other = <FILL IN>\n",
    "from helpers import (parse, <FILL IN>)\n",
    "import numpy\nparse = <FILL IN>\n",
    "for parse in <FILL IN>:\n    pass\n",
    "with <FILL IN> as parse:\n    pass\n",
    "class parse:\n    <FILL IN>\n",
    "if x:\n    parse = <FILL IN>\n",
    "lines.<FILL IN>\n",
    "ssc.<FILL IN>\n",
    "words = lines.flatMap(<FILL IN>)\n",
    "x = <FILL IN>\nfrom pyspark.streaming import DStream\n",
]


@pytest.mark.parametrize("blank", NEEDED)
def test_a_cell_that_streaming_code_needs_counts(blank: str) -> None:
    assert counted(SETUP, blank, STREAM) == [3]


def test_what_is_needed_by_what_is_needed_counts() -> None:
    parse = "def parse(line):\n    return clean(line)\n"
    assert counted(SETUP, "def clean(x):\n    <FILL IN>\n", parse, STREAM) == [3]
    assert counted(SETUP, "def clean(x):\n    <FILL IN>\n", STREAM) == []


def test_the_value_before_the_use_counts() -> None:
    good, bad = "def parse(line):\n    return line\n", "parse = <FILL IN>\n"
    assert counted(SETUP, bad, good, STREAM) == []
    assert counted(SETUP, good, bad, STREAM) == [4]
    assert counted(SETUP, good, STREAM, bad) == []


def test_the_estimate(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "job.ipynb").write_text(
        notebook(SETUP, "def parse(x): return x\n", STREAM, *("x = <FILL IN>\n" for _ in range(9)))
    )
    run = migrate(tmp_path, "--check", "--format", "json")
    assert run.json["summary"]["effort_minutes"] == 0
    assert run.json["summary"]["files_unreadable"] == 0
    assert "No manual work remains" in migrate(tmp_path, "--check").out
