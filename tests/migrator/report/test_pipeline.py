"""Pipelines: which calls feed which, and where they are drawn."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from migrator.model.report import Report
from migrator.report.html_report import render
from migrator.report.page.picture import Box, layout
from migrator.report.pipeline import Pipeline, Role, pipelines
from tests.support.migrator.reports import report
from tests.support.migrator.samples import FORK, reported

HEAD = "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"


def of_source(source: str) -> list[Pipeline]:
    return pipelines(Report("", "check", files=[report(source)]))


def drawn(source: str) -> list[Pipeline]:
    return of_source(HEAD + source)


def edges(source: str) -> list[list[str]]:
    found = []
    for pipeline in drawn(source):
        names = {node.origin: node.name for node in pipeline.nodes}
        found.append([f"{names[a]}-{names[b]}" for a, b in pipeline.edges])
    return found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("ssc.textFileStream('x').map(f).pprint()", [["textFileStream-map", "map-pprint"]]),
        (
            "a = ssc.textFileStream('x')\nb = a.map(f)\nb.pprint()\na.count().pprint()",
            [["textFileStream-map", "map-pprint", "textFileStream-count", "count-pprint"]],
        ),
        (
            "a = ssc.textFileStream('x')\nb = ssc.queueStream(q)\na.join(b).pprint()",
            [["textFileStream-join", "queueStream-join", "join-pprint"]],
        ),
        (
            "def clean(s):\n    return s.filter(f)\nclean(ssc.textFileStream('x')).pprint()",
            [["textFileStream-filter", "filter-pprint"]],
        ),
        (
            "s = [ssc.queueStream(q) for q in qs]\nssc.union(*s).pprint()",
            [["queueStream-union", "union-pprint"]],
        ),
        (
            "class J:\n    def __init__(self):\n        self.s = ssc.queueStream(q)\n"
            "    def run(self):\n        self.s.pprint()\n",
            [["queueStream-pprint"]],
        ),
        # of a stream that is made in several ways, one is drawn
        (
            "s = ssc.queueStream(q)\nfor f in fs:\n    s = s.map(f)\ns.pprint()",
            [["queueStream-map", "queueStream-pprint"]],
        ),
        (
            "ssc.queueStream(a).pprint()\nssc.textFileStream(b).pprint()",
            [["queueStream-pprint"], ["textFileStream-pprint"]],
        ),
        ("ssc.queueStream(q)", []),
        ("ssc.start()\nx.map(f).count()", []),
    ],
)
def test_edges(source: str, expected: list[list[str]]) -> None:
    assert edges(source) == expected


def test_roles() -> None:
    (pipeline,) = of_source(FORK)
    roles = {node.name: node.role for node in pipeline.nodes}
    assert roles["createStream"] is Role.SOURCE
    assert roles["socketTextStream"] is Role.SOURCE
    assert roles["union"] is Role.OPERATOR
    assert roles["foreachRDD"] is Role.OUTPUT


def overlap(a: Box, b: Box) -> bool:
    across = a.x < b.x + b.width and b.x < a.x + a.width
    return across and a.y < b.y + b.height and b.y < a.y + a.height


@pytest.mark.parametrize(
    "source",
    [
        FORK,
        HEAD + "a = ssc.queueStream(q)\n" + "a.map(f).pprint()\n" * 9,
        HEAD + "".join(f"s{i} = ssc.queueStream(q)\n" for i in range(9)) + "ssc.union("
        "s0, s1, s2, s3, s4, s5, s6, s7, s8).pprint()\n",
        HEAD + "a = ssc.queueStream(q)\n" + "a = a.join(a.map(f)).union(a)\n" * 6 + "a.pprint()\n",
        HEAD + "s = ssc.queueStream(q)\nwhile x:\n    s = s.map(f).union(s)\ns.pprint()\n",
    ],
)
def test_nothing_overlaps_and_streams_flow_to_the_right(source: str) -> None:
    for pipeline in of_source(source):
        found = layout(pipeline)
        assert set(found.boxes) == {node.origin for node in pipeline.nodes}
        for a, b in itertools.combinations(found.boxes.values(), 2):
            assert not overlap(a, b)
        for box in found.boxes.values():
            assert box.x >= 0
            assert box.y >= 0
            assert box.x + box.width <= found.width
            assert box.y + box.height <= found.height
        if "while" not in source:
            for a, b in pipeline.edges:
                assert found.boxes[a].x < found.boxes[b].x


SOURCES = """\
from pyspark.streaming.kafka import KafkaUtils


class Sources:
    def __init__(self, ssc):
        self.lines = ssc.socketTextStream("localhost", 9999)
        self.events = KafkaUtils.createDirectStream(ssc, ["t"], {})
"""
STEPS = """\
def clean(stream):
    return stream.filter(bool).map(str)
"""
JOB = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

from sources import Sources
from steps import clean

ssc = StreamingContext(SparkContext(), 5)
sources = Sources(ssc)
both = sources.lines.union(sources.events)
clean(both).pprint()
ssc.start()
"""


def project(root: Path) -> Report:
    for name, text in (("job", JOB), ("sources", SOURCES), ("steps", STEPS)):
        (root / f"{name}.py").write_text(text)
    return reported(root)


def test_across_modules(tmp_path: Path) -> None:
    (pipeline,) = pipelines(project(tmp_path))
    names = {node.origin: f"{node.origin.path}:{node.name}" for node in pipeline.nodes}
    assert {(names[a], names[b]) for a, b in pipeline.edges} == {
        ("sources.py:socketTextStream", "job.py:union"),
        ("sources.py:createDirectStream", "job.py:union"),
        ("job.py:union", "steps.py:filter"),
        ("steps.py:filter", "steps.py:map"),
        ("steps.py:map", "job.py:pprint"),
    }
    assert pipeline.paths == {"job.py", "sources.py", "steps.py"}


def test_a_picture_across_modules_is_in_each_of_their_files(tmp_path: Path) -> None:
    page = render(project(tmp_path))
    assert page.count('class="pipeline"') == 3
    assert page.count(">sources.py, line 6</text>") == 3
