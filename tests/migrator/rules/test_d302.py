"""What dstream_compat does not have yet."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes, report

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "lines.foreach(f)\n",
    STREAM + "lines.map(f).window(2).foreach(f)\n",
    STREAM + "def f(s):\n    s.foreach(g)\nf(lines)\n",
    STREAM + "lines.transform(f).updateStateByKey(g).foreach(h)\n",
]
SILENT = [
    STREAM + "lines.foreachRDD(f)\n",
    STREAM + "lines.slice(a, b)\n",
    STREAM + "ssc.addStreamingListener(L())\n",
    STREAM + "lines.transform(f).updateStateByKey(g)\n",
    STREAM + "lines.transform(f).window(2)\n",
    STREAM + "lines.transformWith(f, lines).mapWithState(spec)\n",
    STREAM + "ssc.transform([lines], f).countByWindow(2, 2)\n",
    STREAM + "lines.foreachRDD(lambda rdd: rdd.foreach(f))\n",
    STREAM + "names = frame.foreach(f)\n",
    STREAM + "class L(DStream):\n    def foreach(self, x): pass\nL(None).foreach(1)\n",
    STREAM + "DStream.foreach\n".replace("DStream", "Frame"),
    STREAM + "lines = [1]\nlines.foreach(f)\n",
    STREAM + "# lines.foreach(f)\n",
    STREAM + 'text = "lines.foreach(f)"\n',
    "def f(lines):\n    return lines.foreach(g)  # DStream\n",
    "df.foreach(f)  # StreamingContext\n",
]


def severities(source: str) -> list[str]:
    return [str(f.severity) for f in report(source).findings if f.code == "D302"]


def test_what_is_certain_is_an_error() -> None:
    assert severities(STREAM + "lines.foreach(f)\n") == ["error"]


def test_the_use_counts_as_reported() -> None:
    found = report(STREAM + "lines.transform(f).foreach(g)\n")
    assert {s.name: s.outcome for s in found.sites}["foreach"] == "reported"
    assert {s.name: s.receiver for s in found.sites}["foreach"] == "DStream"


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D302" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D302" not in [c.partition(":")[2] for c in codes(source)]
