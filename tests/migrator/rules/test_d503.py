"""Results of calls that give none."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes, report

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "lines.pprint().map(f)\n",
    STREAM + "lines.map(f).pprint().saveAsTextFiles('x')\n",
    STREAM + "lines.foreachRDD(f).map(g)\n",
    STREAM + "lines.saveAsTextFiles('x').pprint()\n",
    STREAM + "counts = lines.count().pprint()\ncounts.foreachRDD(f)\n",
    STREAM + "def show(s):\n    return s.pprint()\nshow(lines).map(f)\n",
    STREAM + "lines.pprint()\nssc.start().awaitTermination()\n",
    STREAM + "getattr(lines, 'pprint')().map(f)\n",
    STREAM + "lines = lines.pprint()\nlines.map(f)\n",
]
SILENT = [
    STREAM + "lines.pprint()\nlines.map(f).pprint()\n",
    STREAM + "ssc.start()\nssc.awaitTermination()\n",
    STREAM + "lines.cache().checkpoint(10).persist(x).pprint()\n",
    STREAM + "x = lines.pprint()\nif x:\n    x.map(f)\n",
    STREAM + "x = lines.pprint()\nx is not None and x.map(f)\n",
    STREAM + "x = lines.pprint()\nx = lines\nx.map(f).pprint()\n",
    STREAM + "x = lines.pprint() if quiet else lines\nx.map(f)\n",
    STREAM + "x = lines.pprint() or lines\nx.map(f)\n",
    STREAM + "x = other() if quiet else lines.pprint()\nx.map(f)\n",
    STREAM + "x = None\nx.map(f)\n",
    STREAM + "class A:\n    s = None\n    def go(self):\n        self.s.map(f)\n",
    STREAM + "try:\n    lines.pprint().map(f)\nexcept AttributeError:\n    pass\n",
    STREAM + "DStream.pprint = mine\nlines.pprint().map(f)\n",
    STREAM + "class S(DStream):\n    def pprint(self):\n        return self\n"
    "S(None, ssc, None).pprint().map(f)\n",
    STREAM + "class J:\n    def start(self):\n        ssc.start()\n        return self\n"
    "    def wait(self): pass\nJ().start().wait()\n",
    STREAM + "def show(s):\n    s.pprint()\n    return s\nshow(lines).map(f)\n",
    STREAM + "query.start().awaitTermination()\n",
    STREAM + "df.writeStream.start().awaitTermination()\n",
    STREAM + "lines.foreachRDD(lambda rdd: rdd.saveAsTextFile('x'))\n",
    STREAM + "getattr(lines.pprint(), 'map', None)\n",
    "def f(s):\n    s.pprint().map(g)  # DStream\n",
]


def test_message_and_evidence() -> None:
    (finding,) = [
        f for f in report(STREAM + "lines.pprint().map(f)\n").findings if f.code == "D503"
    ]
    assert finding.message == "pprint() gives None: taking `map` from it raises AttributeError"
    assert (finding.at.line, finding.at.column) == (4, 16)
    assert finding.evidence[-1] == "pprint (line 4)"


def test_a_probable_stream_is_named_as_such() -> None:
    source = "def f(s):\n    s.foreachRDD(g).map(h)\n"
    (finding,) = [f for f in report(source).findings if f.code == "D503"]
    assert finding.confidence == "probable"


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D503" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D503" not in [c.partition(":")[2] for c in codes(source)]
