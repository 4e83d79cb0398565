"""The only object of a class dissolves, others stay."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.unfold import unfold

JOB = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Job:
    def __init__(self, name):
        self.name = name
        self.ssc = StreamingContext(SparkContext(appName=name), 1)

    def run(self):
        self.ssc.socketTextStream(self.name, 9999).pprint()
        self.ssc.start()


{use}
"""


def after(text: str) -> str:
    return unfold(SourceModule(text, ast.parse(text))).text


@pytest.mark.parametrize("use", ["Job('a').run()", "job = Job('a')\njob.run()"])
def test_the_only_object_dissolves(use: str) -> None:
    text = after(JOB.format(use=use))
    assert "class Job" not in text
    assert "ssc = StreamingContext(SparkContext(appName='a'), 1)\n" in text
    assert "ssc.start()\n" in text


@pytest.mark.parametrize(
    "use",
    [
        "Job('a').run()\nJob('b').run()",
        "for name in ('a', 'b'):\n    Job(name).run()",
        "job = Job('a')\njob.run()\nprint(vars(job))",
        "job = Job('a')\njob.run()\njob.run()",
        "job = Job('a')\nrun = job.run\nrun()",
        "class Other(Job, dict):\n    pass\n\n\nOther('a').run()",
        "make = Job\nmake('a').run()",
    ],
)
def test_other_objects_stay(use: str) -> None:
    assert "class Job" in after(JOB.format(use=use))


def test_an_attribute_that_others_read_stays() -> None:
    text = JOB.format(use="for name in ('a', 'b'):\n    Job(name).run()")
    assert "self.ssc = " in after(text)


PROPERTY = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Source:
    def __init__(self, ssc):
        self.ssc = ssc

    @property
    def lines(self):
        return self.ssc.socketTextStream("a", 1)


ssc = StreamingContext(SparkContext(), 1)
source = Source(ssc)
{use}
"""


def test_a_property_is_a_method() -> None:
    text = after(PROPERTY.format(use="source.lines.pprint()"))
    assert 'ssc.socketTextStream("a", 1).pprint()\n' in text
    assert "class" not in text


@pytest.mark.parametrize(
    "use",
    [
        "source.lines = None\nsource.lines.pprint()",
        "getattr(source, NAME)\nsource.lines.pprint()",
        "print(vars(source))\nsource.lines.pprint()",
    ],
)
def test_an_object_with_a_property_stays(use: str) -> None:
    assert "class Source" in after(PROPERTY.format(use=use))


ATTRIBUTE = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Job:
    kind = None

    def run(self, name):
        {first}
        self.sc = SparkContext(appName=name)
        self.ssc = StreamingContext(self.sc, 1)
        self.ssc.start()


for name in NAMES:
    Job().run(name)
"""


def test_an_attribute_of_one_method_is_a_name() -> None:
    text = after(ATTRIBUTE.format(first="pass"))
    assert "        ssc = StreamingContext(sc, 1)\n        ssc.start()\n" in text


@pytest.mark.parametrize(
    "first", ["if self.sc:\n            return", "print(self.sc)", "print(getattr(self, 'sc'))"]
)
def test_an_attribute_that_is_read_before_stays(first: str) -> None:
    assert "        self.sc = SparkContext(" in after(ATTRIBUTE.format(first=first))
