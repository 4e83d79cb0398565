"""Methods that DStreams never had."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "lines.toDF()\n",
    STREAM + "lines.map(f).sortByKey()\n",
    STREAM + "lines.collect()\n",
    STREAM + "def f(s):\n    s.zip(s)\nf(lines)\n",
    STREAM + "class A:\n    def __init__(self):\n        self.s = lines\n"
    "    def go(self):\n        self.s.take(1)\n",
    STREAM + "[s.distinct() for s in [lines, lines]]\n",
    STREAM + "print(lines.colect)\n",
]
SILENT = [
    STREAM + "lines.foreachRDD(lambda rdd: rdd.toDF())\n",
    STREAM + "lines.transform(lambda rdd: rdd.sortByKey().zipWithIndex())\n",
    STREAM + "def f(time, rdd):\n    rdd.collect()\nlines.foreachRDD(f)\n",
    STREAM + "def f(rdd):\n    rdd.toDF()\nlines.transform(f)\n",
    STREAM + "lines.transformWith(lambda a, b: a.zip(b), lines)\n",
    STREAM + "ssc.transform([lines], lambda rdds: rdds[0].sortByKey())\n",
    STREAM + "lines.map(lambda x: x.collect())\n",
    STREAM + "lines = sc.textFile('x')\nlines.collect()\n",
    STREAM + "DStream.toDF = f\nlines.toDF()\n",
    STREAM + "for r in lines.slice(a, b):\n    r.collect()\n",
    "def f(lines):\n    lines.collect()  # DStream\n",
    "class DStream:\n    pass\nDStream().collect()\n",
    STREAM + "rdd = ssc.sparkContext.parallelize([])\nrdd.toDF()\n",
]


def test_probable_receivers_are_named_as_such() -> None:
    from tests.migrator.helpers import report

    source = "def f(s):\n    t = s.updateStateByKey(g)\n    t.toDF()\n"
    finding = next(f for f in report(source).findings if f.code == "D301")
    assert finding.confidence == "probable"
    assert finding.evidence[0] == "only a DStream has updateStateByKey() (line 2)"


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D301" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D301" not in [c.partition(":")[2] for c in codes(source)]
