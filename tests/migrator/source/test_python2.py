"""Python 2 that is kept: analysed like Python 3, and only its imports are rewritten."""

from __future__ import annotations

import json
from functools import partial

import pytest

from migrator.source.problems import RewriteProblem
from migrator.source.python2 import ConvertProblem, convert
from tests.support.migrator import reports

# `--python2 keep`
report = partial(reports.report, convert=False)
codes = partial(reports.codes, convert=False)

JOB = """\
# -*- coding: utf-8 -*-
import sys
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils


def swap((word, n)):
\tprint >>sys.stderr, "got", word,
        return n, word


sc = SparkContext(appName="café")
ssc = StreamingContext(sc, 0010)
lines = KafkaUtils.createStream(ssc, `sys.argv[1]`, "g", {"t": 1})
lines.map(lambda (k, v): v).map(swap).toDF()
print "count", lines.count()
"""


def test_a_job() -> None:
    found = report(JOB)
    assert found.content == JOB.replace("pyspark.streaming", "dstream_compat").encode()
    left = [f"{f.at.line}:{f.at.column}:{f.code}" for f in found.findings if not f.fixed]
    assert left == ["8:10:D001", "15:20:D201", "16:39:D301", "17:16:D303"]
    assert [(s.at.line, s.name) for s in found.sites if s.name in ("toDF", "count")] == [
        (16, "toDF"),
        (17, "count"),
    ]


def test_a_migrated_job_is_left_alone() -> None:
    content = report(JOB).content
    assert content is not None
    assert report(content).content is None


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("tail", ["", "\n", "\n\n  \n"])
def test_line_ends_are_kept(end: str, tail: str) -> None:
    source = ("x = 1\nfrom pyspark.streaming import DStream # c \nprint 'x'" + tail).replace(
        "\n", end
    )
    found = report(source.encode())
    assert found.content == source.replace("pyspark.streaming", "dstream_compat").encode()


def test_an_import_at_either_end() -> None:
    source = "from pyspark.streaming import DStream\nprint 1\nimport pyspark.streaming as s"
    assert report(source).content == (
        b"from dstream_compat import DStream\nprint 1\nimport dstream_compat as s"
    )


def test_encodings_are_kept() -> None:
    source = "# coding: cp1252\nfrom pyspark.streaming import DStream\nprint 'é'\n"
    content = report(source.encode("cp1252")).content
    assert content == source.replace("pyspark.streaming", "dstream_compat").encode("cp1252")


def test_a_second_import_behind_the_first() -> None:
    """The module that is still used keeps an import of its own."""
    source = "import pyspark.streaming\nprint pyspark.SparkContext\nprint pyspark.VERSION\n"
    content = report(source).content
    assert content is None or b"print pyspark.SparkContext" in content


def test_lines_that_only_python2_understands_are_not_edited() -> None:
    source = "import pyspark.streaming\nprint pyspark.streaming.StreamingContext\n"
    found = report(source)
    assert found.content is None
    assert {"D001", "D004"} == {f.code for f in found.findings if not f.fixed}


def test_restore_refuses_such_lines() -> None:
    origin = convert("a = 1\nprint 2\nb = 3\n")
    with pytest.raises(RewriteProblem, match="only Python 2 understands"):
        origin.restore(origin.converted.replace("(2)", "(4)"))
    assert origin.restore(origin.converted.replace("a = 1", "a = 1\nc")) == (
        "a = 1\nc\nprint 2\nb = 3\n"
    )


@pytest.mark.parametrize("source", ["def f(", "print 1\n  x\n y", "a ? b", "\x0cx\x0cprint 1"])
def test_neither_python(source: str) -> None:
    with pytest.raises(ConvertProblem):
        convert(source)


SILENT = [
    "print 'streams'\n",
    "from streaming import StreamingContext\nprint StreamingContext\n",
    "import Queue\nprint Queue.Queue().join()\n",
    "# pyspark.streaming\nprint 'no'\n",
    "print 'spark.streaming. of something else'\n",
]


@pytest.mark.parametrize("source", SILENT)
def test_nothing_is_found_where_nothing_is(source: str) -> None:
    found = report(source)
    assert found.sites == []
    assert found.content is None


def test_cells_of_a_notebook() -> None:
    cells = ["%matplotlib inline\nfrom pyspark.streaming import StreamingContext\nprint 'a'\n"]
    cells += ["ssc = StreamingContext(sc, 1)\n", "print ssc._jssc\n"]
    book = {
        "cells": [{"cell_type": "code", "source": c.splitlines(keepends=True)} for c in cells],
        "metadata": {"kernelspec": {"name": "python2", "language": "python"}},
    }
    found = report(json.dumps(book, indent=1).encode(), "a.ipynb")
    left = [(f.at.cell, f.at.line, f.at.column, f.code) for f in found.findings if not f.fixed]
    assert left == [(1, 3, 1, "D001"), (3, 1, 11, "D601")]
    assert found.content is not None
    after = json.loads(found.content)
    assert after["cells"][0]["source"][1:] == [
        "from dstream_compat import StreamingContext\n",
        "print 'a'\n",
    ]
    assert after["cells"][1:] == book["cells"][1:]


def test_codes_are_those_of_python3() -> None:
    body = "from pyspark.streaming import StreamingContext\nStreamingContext(sc, 1)._jssc\n"
    assert codes("print 1\n" + body) == ["1:D001", "3:D601"]
    assert codes("print(1)\n" + body) == ["3:D601"]
