"""Checkpoints that nothing needs."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "ssc.checkpoint('x')\nlines.pprint()\nssc.start()\n",
    STREAM + "ssc.checkpoint('x')\nlines.window(30, 10).count().pprint()\n",
    STREAM + "def setup(c):\n    c.checkpoint('x')\nsetup(ssc)\n",
]
SILENT = [
    STREAM + "ssc.checkpoint('x')\nlines.updateStateByKey(f).pprint()\n",
    STREAM + "ssc.checkpoint('x')\nlines.reduceByKeyAndWindow(f, g, 30, 10).pprint()\n",
    STREAM + "ssc.checkpoint('x')\nlines.countByWindow(30, 10).pprint()\n",
    STREAM + "ssc.checkpoint('x')\ndef f(s):\n    return s.mapWithState(g)\nf(lines).pprint()\n",
    STREAM + "def make():\n    c = StreamingContext(None, 1)\n    c.checkpoint('x')\n    return c\n"
    "StreamingContext.getOrCreate('x', make)\n",
    STREAM + "ssc.checkpoint('x')\nfrom mylib import build\nbuild(ssc)\n",
    STREAM + "ssc.checkpoint('x')\nfrom mylib import build\nbuild([lines])\n",
    STREAM + "lines.checkpoint(10)\n",
    STREAM + "rdd.checkpoint()\n",
    "def f(ssc):\n    ssc.checkpoint('x')\n    ssc.textFileStream('x')\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D401" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D401" not in [c.partition(":")[2] for c in codes(source)]
