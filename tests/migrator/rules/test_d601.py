"""Private handles."""

from __future__ import annotations

import pytest

from migrator.model.report import Migration, Outcome, Severity
from tests.support.migrator.reports import codes, report

CONTEXT = "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
FIRES = [
    CONTEXT + "ssc._jssc.start()\n",
    CONTEXT + "ssc.queueStream([])._jdstream\n",
    "def f(anything):\n    anything._jssc\n",
    CONTEXT + "ssc._jduration(1)\n",
    CONTEXT + "StreamingContext._activeContext\n",
    CONTEXT + "getattr(ssc, '_jssc').x()\n",
    CONTEXT + "getattr(ssc, '_jssc', None)\n",
    CONTEXT + "hasattr(ssc.queueStream([]), '_jdstream')\n",
    "from lib import Base\nclass Box(Base):\n    def f(self):\n        self._jssc\n",
    "class Box:\n    pass\ndef f(x):\n    x._jssc\nf(Box() if y else other())\n",
    CONTEXT + "class Mine(StreamingContext):\n    def f(self):\n        self._jssc\n",
    "def f(anything):\n    getattr(anything, '_jssc', None)\n",
]
STREAM = "from pyspark.streaming import DStream\n"
WRAPPED = [
    STREAM + "DStream(jdstream, ssc, serializer)\n",
    STREAM + "lines = DStream(j, ssc, jrdd_deserializer=s).map(f)\n",
    "import pyspark.streaming as st\nst.DStream(*args)\n",
    "from pyspark.streaming.kafka import KafkaDStream\nKafkaDStream(j, ssc, s)\n",
    "from dstream_compat.dstream import DStream\nDStream(j, ssc, s)\n",
]
NOT_WRAPPED = [
    STREAM + "isinstance(x, DStream)\n",
    STREAM + "class Mine(DStream): pass\n",
    STREAM + "def f(x: DStream) -> DStream: pass\n",
    STREAM + "DStream.pprint(x)\nDStream.map(x, f)\n",
    STREAM + "x.make(DStream)\n",
    STREAM + "DStream.more = f\n",
    "from pyspark.streaming.dstream import TransformedDStream\nTransformedDStream(s, f)\n",
    "from pyspark.streaming.kafka import KafkaTransformedDStream\nKafkaTransformedDStream(s, f)\n",
    "class DStream: pass\nDStream(j, ssc, s)\n",
    "from lib import DStream\nDStream(j, ssc, s)\n",
]
SILENT = [
    CONTEXT + "ssc._jvm.org.apache.log4j.LogManager\n",
    CONTEXT + "ssc._sc.setLogLevel('x')\n",
    CONTEXT + "sc._jsc.hadoopConfiguration()\n",
    CONTEXT + "ssc.sparkContext._jvm\n",
    CONTEXT + "ssc.__class__\n",
    "x._other\n# _jssc\n",
    CONTEXT + "getattr(ssc, '_jvm')\n",
    CONTEXT + "getattr(ssc, '_name', None)\n",
    CONTEXT + "hasattr(ssc, '_name')\nhasattr(ssc, '__len__')\n",
    CONTEXT + "getattr(sc, '_jsc')\n",
    "class StreamingContext(object):\n    def __init__(self):\n        self._jssc = 1\n"
    "    def start(self):\n        print(self._jssc)\n",
    "class StreamingContext:\n    def start(self):\n        print(self._jssc)\n",
    "class Box:\n    def __init__(self):\n        self._jdstream = None\n"
    "    def get(self):\n        return getattr(self, '_jdstream', None)\n",
    "class Box:\n    _jssc = None\nBox._jssc = 1\nBox()._jssc\n",
    "import threading\nclass Box(threading.Thread):\n    def run(self):\n        self._jssc\n",
    "class A:\n    pass\nclass B(A):\n    @classmethod\n    def f(cls):\n        cls._jssc\n",
    "import logging\nclass Box(logging.Handler):\n    def emit(self, r):\n        self._jssc\n",
    "class Box(dict):\n    def f(self):\n        self._jssc\nd = [Box()]\nd[0]._jssc\n",
    "def getattr(x, name): pass\nx = getattr(1, '_jssc')\n",
    "def hasattr(x, name): pass\nhasattr(x, '_jssc')\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D601" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", WRAPPED)
def test_wraps_a_stream_of_the_jvm(source: str) -> None:
    found = report(source)
    (finding,) = [f for f in found.findings if f.code == "D601"]
    assert finding.severity is Severity.ERROR
    assert "the call raises" in finding.message
    (site,) = [s for s in found.sites if s.use == "construct"]
    assert (site.outcome, site.migration) == (Outcome.REPORTED, Migration.MANUAL)


@pytest.mark.parametrize("source", NOT_WRAPPED)
def test_wraps_nothing(source: str) -> None:
    assert "D601" not in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize(
    ("name", "severity", "said"),
    [
        ("_jssc", Severity.ERROR, "has no Java object behind it"),
        ("_jduration", Severity.WARNING, "still has it"),
        ("_other", Severity.WARNING, "is not the class that had it"),
    ],
)
def test_what_works_is_a_warning(name: str, severity: Severity, said: str) -> None:
    (finding,) = [f for f in report(CONTEXT + f"ssc.{name}\n").findings if f.code == "D601"]
    assert finding.severity == severity
    assert said in finding.message


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D601" not in [c.partition(":")[2] for c in codes(source)]
