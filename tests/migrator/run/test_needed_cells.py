"""Cells of a notebook that do not parse: which of them count."""

from __future__ import annotations

import time
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
    # words that are no names
    "# count the lines of the file, which ssc reads\ntotal = <FILL IN>\n",
    "total = <FILL IN>  # as parse and lines do\n",
    "print('all lines of ssc', <FILL IN>)\n",
    'total = <FILL IN> + """Count\nthe lines\n"""\n',
    "total = text.lines(<FILL IN>)\n",
    "# def parse(line):\ntotal = <FILL IN>\n",
    "text = 'it is \\\\'\ntotal = <FILL IN>\n",
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
    "print(f'{lines} of a job', <FILL IN>)\n",
    "x = 'a' + lines.<FILL IN> + '#'\n",
    "seen['a'], parse = <FILL IN>\n",
    "parse **= <FILL IN>\n",
    "parse: object = <FILL IN>\n",
    "if (parse := <FILL IN>):\n    pass\n",
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


# these parse, and do not compile
UNCOMPILED = [
    "def f():\n    count = 1\n    global count\n",
    "def f(a, a):\n    pass\n",
    "def f(a):\n    global a\n",
    "nonlocal a\n",
    "class A:\n    x = [(y := 1) for _ in (1, 2)]\n",
]


@pytest.mark.parametrize("cell", UNCOMPILED)
def test_a_cell_that_does_not_compile_is_a_cell(cell: str) -> None:
    blank = "def clean(line):\n    return <FILL IN>\n"
    found = ipynb(SETUP, cell, "def parse(line):\n    return line\n", STREAM, blank)
    assert (found.status, found.error) == ("rewritten", None)
    parse = f"{cell}\ndef parse(line):\n    return clean(line)\n"
    assert counted(SETUP, blank, parse, STREAM) == [3]
    assert counted(SETUP, blank, cell, "def parse(line): return 1\n", STREAM) == []


@pytest.mark.parametrize(
    "line",
    [
        *(" " * 4000 + "%", "x" + " " * 4000 + "%", "for" + " " * 4000, "(" * 4000 + "%"),
        *("x" * 40_000, "\n" * 40_000 + "%", "'" * 4001, '"' + '\\\\"' * 4000, "as " * 4000),
    ],
)
def test_long_lines_are_read_quickly(line: str) -> None:
    start = time.process_time()
    assert counted(SETUP, f"parse = <FILL IN>\n{line}\n", STREAM) == [3]
    assert time.process_time() - start < 3
