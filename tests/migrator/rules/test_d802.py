"""RDD code of batches."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes, report

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "lines.foreachRDD(lambda rdd: rdd.collect())\n",
    STREAM + "lines.transform(lambda rdd: rdd.sortByKey()).pprint()\n",
    STREAM + "def save(time, rdd):\n    if not rdd.isEmpty():\n        rdd.map(f).toDF()\n"
    "lines.foreachRDD(save)\n",
    STREAM + "class A:\n    def go(self, rdd):\n        self.save(rdd)\n"
    "    def save(self, x):\n        x.saveAsTextFile('y')\nlines.foreachRDD(A().go)\n",
    STREAM + "lines.transformWith(lambda a, b: a.join(b), lines).pprint()\n",
    STREAM + "ssc.transform([lines], lambda rdds: rdds[0].distinct()).pprint()\n",
]
SILENT = [
    STREAM + "lines.foreachRDD(lambda rdd: print(rdd))\n",
    STREAM + "lines.foreachRDD(save)\n",
    STREAM + "lines.map(f).count().pprint()\n",
    STREAM + "rdd = ssc.sparkContext.textFile('x')\nrdd.collect()\n",
    STREAM + "lines.map(lambda x: x.collect()).pprint()\n",
    STREAM + "for rdd in lines.slice(a, b):\n    rdd.collect()\n",
    STREAM + "lines.foreachRDD(lambda rdd: rdd.setName('x'))\n",
    "def f(rdd):\n    rdd.collect()  # DStream\n",
]


def test_one_finding_for_a_function() -> None:
    source = STREAM + (
        "def save(rdd):\n    rdd.cache()\n    n = rdd.count()\n    rdd.map(f).toDF().show()\n"
        "    rdd.map(g).foreach(h)\nlines.foreachRDD(save)\n"
    )
    (finding,) = [f for f in report(source).findings if f.code == "D802"]
    assert finding.at.line == 5
    assert "save works on the RDD of each batch (count, map, toDF, foreach)" in finding.message
    assert finding.evidence == (
        "StreamingContext() (line 2)",
        "textFileStream (line 3)",
        "foreachRDD() (line 9)",
        "passed to save() (line 9)",
    )


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D802" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D802" not in [c.partition(":")[2] for c in codes(source)]
