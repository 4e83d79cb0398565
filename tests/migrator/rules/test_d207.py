"""Methods that StreamingContext never had."""

from __future__ import annotations

import pytest
from pyspark import SparkContext

from migrator.spark import api
from migrator.spark.spark_context import NAMES
from tests.support.migrator.reports import codes, report

CONTEXT = "from pyspark.streaming import StreamingContext\nssc = StreamingContext(None, 1)\n"
FIRES = [
    CONTEXT + 'ssc.fileStream("x")\n',
    CONTEXT + "ssc.receiverStream(r)\n",
    CONTEXT + "ssc.awaitTerminationOrTimeOut(1)\n",
    CONTEXT + "StreamingContext.getOrMake(1)\n",
]
SILENT = [
    CONTEXT + 'ssc.textFileStream("x")\n',
    CONTEXT + "ssc.awaitTerminationOrTimeout(1)\n",
    CONTEXT + "ssc.sparkContext.fileStream\n",
    CONTEXT + "ssc.mine = 1\nssc.mine\n",
    CONTEXT + "StreamingContext.more = f\nssc.more()\n",
    CONTEXT + "ssc._jvm.org.apache.log4j\nssc._sc.setLogLevel('ERROR')\n",
    CONTEXT + "class C(StreamingContext):\n    def go(self): pass\nC(None, 1).go()\n",
    "ssc = object()\nssc.fileStream()  # StreamingContext\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D207" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D207" not in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("sc", "use ssc.sparkContext"),
        ("conf", "use ssc.sparkContext.getConf()"),
        ("parallelize", "use ssc.sparkContext.parallelize"),
        ("broadcast", "use ssc.sparkContext.broadcast"),
        ("setLogLevel", "use ssc.sparkContext.setLogLevel"),
        ("isStopped", "awaitTerminationOrTimeout(0) is true once the context has stopped"),
        ("getState", "awaitTerminationOrTimeout(0) is true once the context has stopped"),
        ("textFile", "use textFileStream() for a stream, ssc.sparkContext.textFile() for an RDD"),
        ("awaittermination", "did you mean awaitTermination?"),
        ("sockettextstream", "did you mean socketTextStream?"),
        ("socketTextStreams", "did you mean socketTextStream?"),
        ("awaitTerminationOrTimeOut", "the name is awaitTerminationOrTimeout"),
        ("frobnicate", "remove the call: it never worked"),
        ("stopAll", "remove the call: it never worked"),
    ],
)
def test_advice(name: str, advice: str) -> None:
    (finding,) = [f for f in report(f"{CONTEXT}ssc.{name}\n").findings if f.code == "D207"]
    assert finding.advice == advice


def test_the_names_of_a_spark_context_are_known() -> None:
    public = {n for n in dir(SparkContext) if not n.startswith("_") and not n.isupper()}
    assert public == NAMES | (public & api.STREAMING_CONTEXT.keys())
