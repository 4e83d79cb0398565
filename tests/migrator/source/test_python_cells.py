"""`%python` cells of Python notebooks of Databricks, and statements behind a magic."""

from __future__ import annotations

import pytest

from migrator.model.report import Status
from migrator.source.magics import neutralise, python_cells
from tests.support.migrator.notebooks import EDGE, PYTHON, cells, ipynb, open_findings, sources
from tests.support.migrator.reports import report

HEAD = "# Databricks notebook source\n"


def test_they_are_read_with_the_rest_and_rewritten() -> None:
    source = cells(f"%python\n{PYTHON}", "ssc.fileStream(1)", "%python\nssc._jssc", "%md\nssc")
    found = report(source)
    assert open_findings(found) == [(None, 8, "D207"), (None, 13, "D601")]
    assert [f.at.column for f in found.findings] == [39, 5, 13]
    assert found.sites[2].evidence == ("StreamingContext() (line 4)",)
    assert found.content == source.replace("pyspark.streaming", "dstream_compat").encode()


LAYOUTS = [
    HEAD + "# MAGIC %python\n# MAGIC import pyspark.streaming as s",
    HEAD + "# MAGIC %python\n# MAGIC\n# MAGIC import pyspark.streaming as s\n# MAGIC \n",
    HEAD + "# MAGIC %python\n# MAGIC import pyspark.streaming as s\n# MAGIC\n" + EDGE + "x\n",
    HEAD + "# DBTITLE 1,x\n# MAGIC %python\n# MAGIC import pyspark.streaming as s\n\n\n" + EDGE,
    HEAD + "# MAGIC %python\n# MAGIC if 1:\n# MAGIC     import pyspark.streaming as s\n",
    HEAD + "# MAGIC %python\n# MAGIC '''\n# MAGIC\n# MAGIC '''\n# MAGIC import pyspark.streaming\n",
    HEAD + "x = 1\n" + EDGE + "# MAGIC %python\n# MAGIC import pyspark.streaming as s\n" + EDGE,
]


@pytest.mark.parametrize("source", LAYOUTS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_layout_stays(source: str, end: str) -> None:
    source = source.replace("\n", end)
    found = report(source.encode())
    assert found.content == source.replace("pyspark.streaming", "dstream_compat").encode()


def test_new_lines_get_the_mark() -> None:
    source = cells("%python\nimport pyspark\npyspark.streaming.DStream", "y = 1")
    found = report(source)
    assert found.content is not None
    lines = found.content.decode().splitlines()
    assert lines[:5] == [
        "# Databricks notebook source",
        "# MAGIC %python",
        "# MAGIC import pyspark",
        "# MAGIC import dstream_compat",
        "# MAGIC dstream_compat.DStream",
    ]
    assert report(found.content).content is None


NOT_READ = [
    "import x\n# MAGIC %python x = 1\n",
    HEAD + "# MAGIC %md\n# MAGIC x\n",
    HEAD + "# MAGIC %python\n",
    HEAD + "# MAGIC x = 1\n",
    HEAD + "# MAGIC %sql\n# MAGIC %python\n".replace("%python", "select"),
    # a cell that goes on in plain code: it cannot be put back
    HEAD + "# MAGIC %python\n# MAGIC x = 1\ny = 1\n",
]


@pytest.mark.parametrize("source", NOT_READ)
def test_other_cells(source: str) -> None:
    assert python_cells(source) is None


def test_a_broken_cell_does_not_hide_the_rest() -> None:
    source = cells("%python\nx = (\nimport pyspark.streaming", PYTHON, f"%python\n{PYTHON}")
    found = report(source)
    assert open_findings(found) == [(None, 3, "D001"), (None, 14, "D004")]
    assert found.content is not None
    assert found.content.count(b"dstream_compat") == 1


def test_python_2() -> None:
    source = cells(f"%python\nprint 'x'\n{PYTHON}", "ssc._jssc", "%python\nssc.fileStream(1)")
    found = report(source, convert=False)
    assert open_findings(found)[0] == (None, 3, "D001")
    assert open_findings(found)[-2:] == [(None, 9, "D601"), (None, 14, "D207")]
    assert found.content is None
    moved = source.replace("pyspark.streaming", "dstream_compat")
    found = report(source)
    assert open_findings(found) == [(None, 9, "D601"), (None, 14, "D207")]
    assert found.content == moved.replace("print 'x'", "print('x')").encode()
    assert report(found.content).content is None


def test_a_broken_cell_without_streams() -> None:
    found = report(cells("%python\nx = (", PYTHON))
    assert (open_findings(found), found.status) == ([], Status.REWRITTEN)


def test_statements_behind_a_magic() -> None:
    cell = (
        "%time from pyspark.streaming import StreamingContext\n"
        "%time   ssc = StreamingContext(sc, 1)  # now\n"
        "if True:\n"
        "    %timeit ssc._jssc\n"
        "%prun import pyspark.streaming as s, os\n"
        "%timeit -n 3 f()\n"
        "%time"
    )
    found = ipynb(cell)
    assert open_findings(found) == [(2, 4, "D601")]
    assert [f.at.column for f in found.findings] == [37, 17, 14]
    assert sources(found) == [cell.replace("pyspark.streaming", "dstream_compat")]


def test_below_a_cell_magic() -> None:
    cell = "%%capture\n%time import pyspark.streaming as s\n"
    assert sources(ipynb(cell)) == [cell.replace("pyspark.streaming", "dstream_compat")]


@pytest.mark.parametrize(
    "line",
    ["%time", "%time for x in y: f(x)", "%time f(", "%timeit -n 3 f()", "%timex f()", "%run a"],
)
def test_no_statement(line: str) -> None:
    found = neutralise(f"{line}\n")
    assert found is not None
    assert (found.kept, found.timed) == (((1, f"{line}\n"),), ())


def test_a_magic_that_would_be_lost() -> None:
    found = neutralise("%time f()\n")
    assert found is not None
    assert found.restore(found.text) == "%time f()\n"
    assert found.restore(found.text.replace("pass; ", "")) is None
    assert found.restore("f()\n") is None


def test_an_import_that_becomes_two_lines() -> None:
    cell = "%time import pyspark\n%time pyspark.streaming.DStream\n"
    found = ipynb(cell)
    if found.content is None:
        assert [code for *_, code in open_findings(found)] == ["D004"]
    else:
        text = sources(found)[0]
        assert "dstream_compat.DStream" in text
        assert "pass" not in text


def test_a_broken_one_may_have_the_output() -> None:
    job = f"{PYTHON}lines = ssc.socketTextStream('a', 1)\n"
    found = report(cells(job, "%python\nlines.pprint(", "ssc.start()"))
    assert "D501" not in [f.code for f in found.findings]


@pytest.mark.parametrize("cell", ["%python\nlines.map(", "%python\nlines.map(f)", "%md\nlines"])
def test_cells_that_cannot_have_the_output(cell: str) -> None:
    job = f"{PYTHON}lines = ssc.socketTextStream('a', 1)\n"
    found = report(cells(job, cell, "ssc.start()"))
    assert ("D501" in [f.code for f in found.findings]) == (not cell.endswith("("))
