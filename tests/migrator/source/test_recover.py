"""Broken files: what parses of them is analysed, nothing is rewritten."""

from __future__ import annotations

import pytest

from migrator.source.document import recover_source
from tests.support.migrator.reports import report

JOB = """\
from pyspark.streaming import StreamingContext
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("a", 1)
def broken(:
    return KafkaUtils.createStream(ssc, z, g, t)
@decorated
def fine(rdd):
    return rdd.toDF()
lines.toDF()
"""


def test_the_rest_is_analysed() -> None:
    found = report(JOB)
    assert [f"{f.at.line}:{f.code}" for f in found.findings] == ["4:D001", "5:D201", "9:D301"]
    assert [(s.at.line, s.name) for s in found.sites if s.use == "call"] == [
        (3, "socketTextStream"),
        (9, "toDF"),
    ]
    assert found.content is None
    assert found.status == "unreadable"


def test_nothing_is_reported_twice() -> None:
    setting = "conf.set('spark.streaming.receiver.maxRate', '5')\n"
    found = report(setting + "x = = 1\n" + setting + "y(" + setting)
    assert [f"{f.at.line}:{f.code}" for f in found.findings] == [
        *("1:D703", "2:D001", "3:D703", "4:D703"),
    ]


@pytest.mark.parametrize(
    ("text", "good"),
    [
        ("a = 1\nb = = 2\nc = 3", "a = 1\n\nc = 3"),
        ("if x:\n    a\nelse:\n    b\nc(", "if x:\n    a\nelse:\n    b\n"),
        ("x = '''\ny(\n'''\nz(", "x = '''\ny(\n'''\n"),
        ("x = '''\ny = 1\nz = 2", "\ny = 1\nz = 2"),
        ("f(\na,\n)\ng(", "f(\na,\n)\n"),
        ("@a\ndef f():\n    pass\nx y", "@a\ndef f():\n    pass\n"),
        ("@a\ndef f(:\n    pass\nb", "\n\n\nb"),
        ("try:\n    a\nexcept E, e:\n    b\nc", "\n\n\n\nc"),
        # comments of another language
        ("a\n// b\nc", "a\n\nc"),
        ("// a\nb\nc", "\nb\nc"),
        ("def f():\n    // a\n    b\nc", "def f():\n\n    b\nc"),
        ("def f():\n    a\n// b\n    c\nd", "def f():\n    a\n\n    c\nd"),
        ("a\n// b\n// c(\n\nd(", "a\n"),
        ("f(a,\n  // b\n  c)\nd", "f(a,\n\n  c)\nd"),
        # and no comments
        ("x = '''\n// a\n'''\ny(", "x = '''\n// a\n'''\n"),
        ("x = (a\n  // b)\ny(", "x = (a\n  // b)\n"),
        ("x = (a\n// b)\ny(", "x = (a\n// b)\n"),
        ("x = a \\\n// b\ny(", "x = a \\\n// b\n"),
        ("x = 'http://a'\ny(", "x = 'http://a'\n"),
        ("a // b\nc(", "a // b\n"),
    ],
)
def test_statements(text: str, good: str) -> None:
    found = recover_source(text)
    assert found is not None
    assert found[0].rstrip("\n") == good.rstrip("\n")
    assert found[0].count("\n") == found[1].count("\n") == text.count("\n")


@pytest.mark.parametrize("text", ["", "(", "def f(", "  x\n y", "\0", "x" * 400_000 + " y"])
def test_nothing_parses(text: str) -> None:
    assert recover_source(text) is None


def test_statements_around_a_comment_of_another_language() -> None:
    found = report(
        "from pyspark.streaming import StreamingContext\n"
        "// conf.set('spark.streaming.receiver.maxRate', '5')\n"
        "ssc = StreamingContext(sc, 1)\n// the source\n"
        "lines = ssc.socketTextStream('a', 1)\n// lines.pprint()\nssc.start()\n"
    )
    assert [f"{f.at.line}:{f.code}" for f in found.findings] == ["2:D001", "5:D502", "7:D501"]
    assert len([s for s in found.sites if s.use == "call"]) == 2


@pytest.mark.slow
def test_a_source_torn_into_many_pieces() -> None:
    assert recover_source("x = '''\n" + "y\n" * 30_000) is not None


def test_random_text_is_given_up() -> None:
    found = recover_source("x y z\n" * 1000 + "a = 1\n")
    assert found is None


@pytest.mark.parametrize(
    ("name", "broken", "codes"),
    [
        ("lines", "lines.pprint(", ["D001"]),
        ("lines", "x = = lines", ["D001"]),
        ("words", "x = = lines", ["D502", "D001"]),
        ("words", "x = = 1", ["D502", "D001"]),
    ],
)
def test_what_is_broken_may_have_the_output(name: str, broken: str, codes: list[str]) -> None:
    source = (
        "from pyspark.streaming import StreamingContext\n"
        "ssc = StreamingContext(sc, 1)\n"
        f"{name} = ssc.socketTextStream('a', 1)\n"
        f"ssc.start()\n{broken}\n"
    )
    assert [f.code for f in report(source).findings] == codes
