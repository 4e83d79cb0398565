"""Private handles."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes

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
    "def f(anything):\n    getattr(anything, '_jssc', None)\n",
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
    "def getattr(x, name): pass\nx = getattr(1, '_jssc')\n",
    "def hasattr(x, name): pass\nhasattr(x, '_jssc')\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D601" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D601" not in [c.partition(":")[2] for c in codes(source)]
