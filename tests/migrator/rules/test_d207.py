"""Methods that StreamingContext never had."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes

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
