"""Python 2 that is not converted: analysed like Python 3, and not rewritten."""

from __future__ import annotations

import json
from functools import partial

import pytest

from migrator.source.problems import RewriteProblem
from migrator.source.python2 import ConvertProblem, read_as_python3
from tests.support.migrator import reports

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
    assert found.content is None
    left = [f"{f.at.line}:{f.at.column}:{f.code}" for f in found.findings if not f.is_fixed]
    assert left == ["8:10:D001", "15:20:D201", "16:39:D301", "17:16:D303"]
    assert [(s.at.line, s.name) for s in found.sites if s.name in ("toDF", "count")] == [
        (16, "toDF"),
        (17, "count"),
    ]


def test_restore_refuses_edits() -> None:
    origin = read_as_python3("a = 1\nprint 2\nb = 3\n")
    assert origin.text.text == "a = 1\nprint(2)\nb = 3\n"
    assert origin.restore(origin.text.text) == origin.original
    with pytest.raises(RewriteProblem, match="only Python 2 understands"):
        origin.restore(origin.text.text.replace("(2)", "(4)"))


@pytest.mark.parametrize("source", ["def f(", "print 1\n  x\n y", "a ? b", "\x0cx\x0cprint 1"])
def test_neither_python(source: str) -> None:
    with pytest.raises(ConvertProblem):
        read_as_python3(source)


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
    left = [(f.at.cell, f.at.line, f.at.column, f.code) for f in found.findings if not f.is_fixed]
    assert left == [(1, 3, 1, "D001"), (3, 1, 11, "D601")]
    assert found.content is None


def test_codes_are_those_of_python3() -> None:
    body = "from pyspark.streaming import StreamingContext\nStreamingContext(sc, 1)._jssc\n"
    assert codes("print 1\n" + body) == ["1:D001", "3:D601"]
    assert codes("print(1)\n" + body) == ["3:D601"]
