"""Classes of a job have the code of their base class, if that is the same."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.objects import unfold_base

HEAD = """from abc import ABC, abstractmethod
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

"""
BASE = '''
class Base(ABC):
    """Runs."""

    seconds = 1

    def __init__(self, name):
        self.ssc = StreamingContext(SparkContext(appName=name), self.seconds)

    @abstractmethod
    def build(self): ...

    # goes on
    def run(self):
        self.build()
        self.ssc.start()

'''
JOB = '''
class Job(Base):
    """Counts."""

    seconds = 2

    def __init__(self):
        super().__init__("Job")
        self.port = 1

    def build(self):
        self.ssc.socketTextStream("h", self.port).pprint()

'''
TAIL = "\nJob().run()\n"


def after(text: str) -> str | None:
    text = HEAD + text + TAIL
    made = next(unfold_base(SourceModule(text, ast.parse(text))), None)
    return None if made is None else made.text.removeprefix(HEAD).removesuffix(TAIL)


def test_the_code_of_the_base() -> None:
    text = after(BASE + JOB)
    assert text is not None and "Base" not in text and "super" not in text
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.ClassDef) and not node.bases
    names = [each.name for each in node.body if isinstance(each, ast.FunctionDef)]
    assert names == ["base_init", "run", "__init__", "build"]
    assert 'self.base_init("Job")' in text
    assert text.count("seconds = ") == 1 and "seconds = 2" in text
    assert "    # goes on\n    def run(self):\n" in text


@pytest.mark.parametrize("call", ['Base.__init__(self, "Job")', 'super(Job, self).__init__("Job")'])
def test_other_calls_of_the_base(call: str) -> None:
    text = after(BASE + JOB.replace('super().__init__("Job")', call))
    assert text is not None and 'self.base_init("Job")' in text


def test_a_base_of_several_classes_stays() -> None:
    text = after(f"{BASE}{JOB}\nclass Other(Base):\n    pass\n")
    assert text is not None and "class Base(ABC):" in text and "class Other(Base)" in text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("class Base(ABC):", "class Base(Unknown):"),
        ("class Base(ABC):", "@decorated\nclass Base(ABC):"),
        ("class Job(Base):", "class Job(Base, Mixin):"),
        ("self.ssc.start()", "self.ssc.start()\n        super().run()"),
        ("self.port", "self.__port"),
        (
            "    def build(self):\n        self.ssc",
            "    @property\n    def build(self):\n        self.ssc",
        ),
        ("self.port = 1", "self.port = super().port"),
        ('super().__init__("Job")', 'getattr(super(), "__init__")("Job")'),
    ],
)
def test_a_class_that_stays(old: str, new: str) -> None:
    assert old in BASE + JOB
    assert after((BASE + JOB).replace(old, new)) is None
