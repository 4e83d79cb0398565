"""What dstream_compat does not have yet."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes, report

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "lines.slice(a, b)\n",
    STREAM + "lines.map(f).window(2).slice(a, b)\n",
    STREAM + "lines.foreach(f)\n",
    STREAM + "ssc.addStreamingListener(L())\n",
    STREAM + "def f(s):\n    s.addStreamingListener(L())\nf(ssc)\n",
    STREAM + "lines.transform(f).updateStateByKey(g)\n",
    STREAM + "lines.transform(f).map(g).window(10)\n",
    STREAM + "t = lines.transform(f)\nu = t.reduceByKey(g)\nu.reduceByKeyAndWindow(g, None, 2)\n",
    STREAM + "lines.transformWith(f, lines).mapWithState(spec)\n",
    STREAM + "ssc.transform([lines], f).countByWindow(2, 2)\n",
    STREAM + "def f(s):\n    return s.window(2)\nf(lines.transform(g))\n",
    STREAM + "t = lines.transform(f).union(lines)\nt.groupByKeyAndWindow(2, 2)\n",
    STREAM + "if x:\n    lines = lines.transform(f)\nlines.countByValueAndWindow(2, 2)\n",
]
SILENT = [
    STREAM + "lines.window(2).transform(f)\n",
    STREAM + "lines.updateStateByKey(g).transform(f).map(h).pprint()\n",
    STREAM + "lines.transform(f).reduceByKey(g).groupByKey().pprint()\n",
    STREAM + "lines.transform(lambda rdd: rdd.window(2))\n",
    STREAM + "lines.transform(f).foreachRDD(g)\nlines.window(2)\n",
    STREAM + "t = lines.transform(f)\nt = lines\nt.updateStateByKey(g)\n",
    STREAM + "names = [1, 2].slice(a, b)\n",
    STREAM + "lines.foreachRDD(lambda rdd: rdd.slice(1, 2))\n",
    STREAM + "class L(StreamingContext):\n    def addStreamingListener(self, x): pass\n"
    "L(None, 1).addStreamingListener(1)\n",
    STREAM + "DStream.slice\n".replace("DStream", "Frame"),
    STREAM + "spark.streams.addListener(L())\n",
    STREAM + "lines.join(lines).leftOuterJoin(lines).cogroup(lines).window(2)\n",
    STREAM + "lines.mapPartitionsWithIndex(f).reduceByWindow(g, None, 2, 2)\n",
    "def f(lines):\n    return lines.transform(g).window(2)  # DStream\n",
    "df.transform(f).window(2)  # StreamingContext\n",
]


def severities(source: str) -> list[str]:
    return [str(f.severity) for f in report(source).findings if f.code == "D302"]


def test_only_the_first_operator_with_state_is_reported() -> None:
    assert severities(STREAM + "lines.transform(f).window(2).window(4).window(8)\n") == ["error"]


def test_what_is_not_certain_is_a_warning() -> None:
    listener = "def f(s):\n    s.addStreamingListener(1)\n"
    assert severities(listener) == ["warning"]
    branch = STREAM + "if x:\n    lines = lines.transform(f)\nlines.window(2)\n"
    assert severities(branch) == ["warning"]
    assert severities(STREAM + "ssc.addStreamingListener(1)\n") == ["error"]


def test_the_use_counts_as_reported() -> None:
    found = report(STREAM + "lines.transform(f).window(2)\n")
    assert {s.name: s.outcome for s in found.sites}["window"] == "reported"
    assert {s.name: s.receiver for s in found.sites}["window"] == "DStream"


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D302" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D302" not in [c.partition(":")[2] for c in codes(source)]
