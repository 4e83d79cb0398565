"""Names of unknown values, and parameters that no call sets: what their use says about them."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import report

METHOD = "class Job:\n    def run(self, s):\n"
FIRES = [
    # what follows a call that only streams have
    "s = make()\ns.foreachRDD(f)\ns.zip(t)\n",
    "s = make()\ns.foreachRDD(f)\ns.map(g).toDebugString()\n",
    "def run(s):\n    s.foreachRDD(f)\n    s.zip(t)\n",
    "def run(s):\n    s.foreachRDD(f)\n    if x:\n        s.zip(t)\n",
    # and what stands before it, in a function that nobody calls
    METHOD + "        s.zip(t)\n        s.foreachRDD(f)\n",
    METHOD + "        s.toDebugString()\n        s.map(g).foreachRDD(f)\n",
    METHOD + "        for x in y:\n            s.zip(t)\n        return s.updateStateByKey(f)\n",
    "def run(ssc):\n    ssc.union(a, b).zip(c)\n    ssc.textFileStream('x').pprint()\n",
]
SILENT = [
    "s = make()\ns.zip(t)\ns.map(g).toDebugString()\n",
    "s = make()\nif x:\n    s.foreachRDD(f)\nelse:\n    s.zip(t)\n",
    "s = make()\nif x:\n    s.foreachRDD(f)\ns.zip(t)\n",
    "s = make()\nif x and s.foreachRDD(f):\n    pass\ns = other()\ns.zip(t)\n",
    "s = make()\ns.foreachRDD(f)\ns = other()\ns.zip(t)\n",
    "s = make()\ndef run():\n    s.zip(t)\ns.foreachRDD(f)\n",
    "s = make()\nfor x in y:\n    s.zip(t)\n    s = s.other()\n    s.foreachRDD(f)\n",
    METHOD + "        s.zip(t)\n        s.foreach(f)\n",
    METHOD + "        if x:\n            s.zip(t)\n            return\n        s.foreachRDD(f)\n",
    METHOD + "        if x:\n            s.zip(t)\n        else:\n            s.foreachRDD(f)\n",
    METHOD + "        s.zip(t)\n        s = s.other()\n        s.foreachRDD(f)\n",
    METHOD + "        s.zip(t)\n        return lambda: s.foreachRDD(f)\n",
    METHOD + "        s.zip(t)\n        x and s.foreachRDD(f)\n",
    METHOD + "        s.zip(t)\n        s.stream().foreachRDD(f)\n",
    METHOD + "        s.zip(t)\n        self.s.foreachRDD(f)\n",
    METHOD + "        if hasattr(s, 'zip'):\n            s.zip(t)\n        s.foreachRDD(f)\n",
    METHOD + "        s.foreachRDD(f)\nJob().run([1])\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    found = report(source)
    (finding,) = [f for f in found.findings if f.code == "D301"]
    assert finding.confidence == "probable"
    assert finding.evidence[0].startswith("only a ")
    assert {s.confidence for s in found.sites} == {"probable"}


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D301" not in [f.code for f in report(source).findings]


def test_the_uses_of_such_a_parameter_are_sites() -> None:
    source = METHOD + "        s.window(10).pprint()\n        s.map(g).foreachRDD(f)\n"
    names = [s.name for s in report(source).sites]
    assert names == ["window", "pprint", "map", "foreachRDD"]


def test_a_value_that_is_known_is_not_guessed() -> None:
    source = (
        "from pyspark.streaming import StreamingContext\n"
        "def run(s):\n    s.map(g)\n    s.foreachRDD(f)\n"
        "run(StreamingContext(sc, 1).textFileStream('x'))\n"
    )
    uses = [s for s in report(source).sites if s.name in ("map", "foreachRDD")]
    assert [s.confidence for s in uses] == ["proven", "proven"]
