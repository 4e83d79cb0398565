"""Programs inside other files: cells in another language, or that are written to a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.model.report import Status
from tests.support.migrator.notebooks import PYTHON, cells, ipynb, open_findings
from tests.support.migrator.reports import codes, project, report

SCALA = "import org.apache.spark.streaming._\nval ssc = new StreamingContext(sc, Seconds(1))\n"


def test_scala_cells() -> None:
    found = ipynb("x = 1", f"%%scala\n{SCALA}")
    assert open_findings(found) == [(3, 2, "D101")]
    assert [(s.name, s.at.cell, s.at.line, s.at.column) for s in found.sites] == [
        ("org.apache.spark.streaming._", 3, 2, 1),
        ("StreamingContext", 3, 3, 11),
    ]


def test_a_kernel_of_scala_shares_its_names_between_cells() -> None:
    imports, rest = SCALA.split("\n", 1)
    likely = "def f(a: X) = a.updateStateByKey(g)"
    metadata = {"kernelspec": {"language": "scala"}}
    found = ipynb(imports, "%AddDeps a b\n" + rest, likely, metadata=metadata)
    assert open_findings(found) == [(2, 1, "D101")]
    assert [(s.name, s.at.cell, s.at.line) for s in found.sites[1:]] == [
        ("StreamingContext", 3, 2),
        ("updateStateByKey", 4, 1),
    ]
    assert found.sites[2].evidence == ("only a DStream has updateStateByKey (cell 4, line 1)",)


def test_cells_that_write_a_program() -> None:
    found = ipynb("x = 1", f"%%writefile jobs/job.py\n{PYTHON}ssc.fileStream('x')\n")
    assert open_findings(found) == [(3, 2, "D004"), (3, 4, "D207")]
    assert found.content is None
    assert [s.outcome for s in found.sites] == ["reported", "kept", "reported"]
    assert found.sites[2].evidence == ("StreamingContext() (cell 3, line 3)",)


def test_programs_that_are_written_do_not_share_their_names() -> None:
    found = ipynb(f"%%writefile a.py\n{PYTHON}", "%%writefile b.py\nssc = f()\nssc.fileStream(1)\n")
    assert open_findings(found) == [(2, 2, "D004")]


def test_the_notebook_itself_is_rewritten() -> None:
    found = ipynb("from pyspark.streaming import DStream", f"%%scala\n{SCALA}")
    assert found.status is Status.REWRITTEN
    assert open_findings(found) == [(3, 2, "D101")]


@pytest.mark.parametrize("kind", ["writefile run.sh", "bash", "writefile job.conf"])
def test_other_cells_are_searched(kind: str) -> None:
    assert open_findings(ipynb(f"%%{kind}\nx --conf spark.streaming.receiver.maxRate=5\n")) == [
        (2, 2, "D703")
    ]


def test_a_broken_program_is_reported() -> None:
    found = ipynb(f"%%writefile job.py\n{PYTHON}print x y\nx._jssc\n")
    assert open_findings(found) == [(2, 4, "D001"), (2, 5, "D601")]
    assert found.status is Status.UNREADABLE


def test_a_program_in_python_2() -> None:
    found = ipynb(f"%%writefile job.py\n{PYTHON}print 'x'\nssc._jssc\n")
    assert open_findings(found) == [(2, 2, "D004"), (2, 4, "D001"), (2, 5, "D601")]


SILENT = [
    "%%scala\nval x = 1\n",
    "%%scala\nimport org.apache.spark.sql.streaming._\nval t = x.start()\n",
    "%%writefile job.py\nprint(1)\n",
    "%%writefile job.py\nprint 1\n",
    "%%writefile notes.md\nspark.streaming.StreamingContext\n",
    "%%writefile\nx\n",
    "%%writefile job.py\nx = ('%s'\n  % x)\n# StreamingContext\n",
    "%%html\n<b>pyspark.streaming</b>\n",
    "%%R\nlibrary(SparkR)\n",
]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    found = ipynb(source)
    assert (found.findings, found.sites) == ([], [])


def test_scala_in_a_python_notebook_of_databricks() -> None:
    found = report(cells("x = 1", f"%scala\n{SCALA}"))
    assert open_findings(found) == [(None, 7, "D101")]
    assert [(s.at.line, s.at.column) for s in found.sites] == [(7, 9), (8, 19)]


@pytest.mark.parametrize(("name", "mark"), [("a.scala", "//"), ("a.sql", "--")])
def test_python_in_other_notebooks_of_databricks(name: str, mark: str, tmp_path: Path) -> None:
    parts = ("x", f"%python\n{PYTHON}", "%python\nssc._jssc", "%sql\nselect 1", "%python\nx = (")
    source = cells(*parts, mark=mark)
    found = report(source.encode(), name)
    assert open_findings(found) == [(None, 7, "D004"), (None, 13, "D601")]
    assert [s.at.column for s in found.sites][-1] == len(mark) + 7 + 5
    assert found.content is None
    assert [x.code for _, x in project(tmp_path, {name: source}).findings()] == ["D004", "D601"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.sql", "SET spark.streaming.receiver.maxRate=5;\n"),
        ("a.sql", "-- MAGIC %python\n-- MAGIC import pyspark.streaming\n"),
        ("a.sql", "insert into t values ('pyspark.streaming.StreamingContext');\n"),
        ("a.sql", "-- Databricks notebook source\n-- MAGIC %md\n-- MAGIC pyspark.streaming\n"),
        ("a.scala", "// MAGIC %python\n// MAGIC import pyspark.streaming\n"),
        ("a.scala", "// Databricks notebook source\n// MAGIC %md pyspark.streaming\n"),
    ],
)
def test_no_notebooks(name: str, text: str) -> None:
    assert codes(text.encode(), name) == []


def test_a_large_dump(tmp_path: Path) -> None:
    (tmp_path / "a.sql").write_bytes(b"-- pyspark.streaming\n" + b"x" * 6 * 1024 * 1024)
    assert project(tmp_path, {}).files == []
