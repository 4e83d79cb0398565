"""Methods that StreamingContext never had."""

from __future__ import annotations

from unittest.mock import AsyncMock

import pytest
from pyspark import SparkContext

from migrator.collect.api_uses import is_of_mock
from migrator.spark import api
from migrator.spark.names import NAMES
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


MOCKS = [
    "def test(ssc: StreamingContext):\n    ssc.assert_not_called()\n",
    "def test(ssc: StreamingContext):\n    ssc.configure_mock(a=1)\n    ssc.reset_mock()\n",
    "with patch.object(job, 'StreamingContext'):\n    StreamingContext.assert_called_once()\n",
    "StreamingContext.return_value.start.assert_called_once_with()\n",
    "assert StreamingContext.mock_calls == []\n",
    "ssc.start = Mock()\nssc.start.assert_called_once()\n",
    "ssc = create_autospec(StreamingContext)\nssc.assert_called()\n",
    "def test(ssc: StreamingContext):\n    assert ssc.call_count == 0 and not ssc.called\n",
]
# mocks of a class have no more names than the class
SPECIFIED = [
    "def test(ssc: StreamingContext):\n    ssc.assert_not_called()\n    ssc.fileStream('x')\n",
    "def test(ssc: StreamingContext):\n    ssc.assert_started()\n",
    "StreamingContext.getOrMake.assert_called_once()\n",
]


@pytest.mark.parametrize("source", MOCKS)
def test_mocks(source: str) -> None:
    found = report(CONTEXT + source)
    assert "D207" not in [f.code for f in found.findings]
    assert {s.name for s in found.sites} <= {"pyspark.streaming.StreamingContext"} | {
        *("StreamingContext", "start")
    }


@pytest.mark.parametrize("source", SPECIFIED)
def test_names_that_mocks_lack_too(source: str) -> None:
    assert [f.code for f in report(CONTEXT + source).findings if not f.is_fixed] == ["D207"]


def test_the_names_of_mocks_are_known() -> None:
    public = {n for n in dir(AsyncMock()) if not n.startswith("_")}
    assert {n for n in public if is_of_mock(n)} == public
    assert not any(is_of_mock(n) for n in (*api.STREAMING_CONTEXT, *api.DSTREAM))


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
