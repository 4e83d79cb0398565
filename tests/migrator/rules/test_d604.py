"""Classes and objects of the API that are patched."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "DStream.countDistinct = f\n",
    STREAM + "DStream.pprint = f\n",
    STREAM + "StreamingContext.stop = lambda self: None\n",
    STREAM + "setattr(DStream, 'toDF', f)\n",
    STREAM + "lines.pprint = f\n",
    STREAM + "import pyspark.streaming.dstream as d\nd.DStream.extra = f\n",
]
SILENT = [
    STREAM + "lines.name = 'x'\n",
    STREAM + "class S(DStream):\n    pass\nS.extra = f\n",
    STREAM + "class A:\n    pass\nA.pprint = f\n",
    STREAM + "setattr(A, 'pprint', f)\n",
    STREAM + "setattr(DStream, name, f)\n",
    STREAM + "x = DStream.pprint\n",
    STREAM + "self.pprint = lines\n",
    STREAM + "getattr(DStream, 'pprint')\n",
    "DStream.extra = f\n",
    "from mylib import DStream\nDStream.extra = f\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D604" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D604" not in [c.partition(":")[2] for c in codes(source)]
