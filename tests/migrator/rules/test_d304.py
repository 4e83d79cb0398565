"""What foreachRDD and transform are given."""

from __future__ import annotations

from typing import Any

import pytest

from dstream_compat.api.arity import with_time
from migrator.discover.filetypes import FileType
from migrator.infer.fixpoint import infer_alone
from migrator.model.events import RddFunction, Use
from migrator.rules.d304_rdd_functions import _fits, takes_time
from migrator.run.analyse_file import _examine
from migrator.source.document import read_document
from tests.support.migrator.reports import codes, report

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
PARTIAL = STREAM + "from functools import partial\n"
INFO = [
    PARTIAL + "def f(rdd, x): pass\nlines.foreachRDD(partial(f, x=1))\n",
    PARTIAL + "def f(x, rdd): pass\nlines.transform(partial(f, 1))\n",
    PARTIAL + "def f(x, time, rdd): pass\nlines.foreachRDD(func=partial(f, 1))\n",
    STREAM + "lines.foreachRDD(print)\n",
    STREAM + "class A:\n    def go(self, rdd): pass\nlines.foreachRDD(A().go)\n",
    STREAM + "class A:\n    def go(self, time, rdd): pass\nlines.transform(A().go)\n",
    STREAM + "class A:\n    def __call__(self, rdd): pass\nlines.foreachRDD(A())\n",
    STREAM + "class A:\n    def go(self, rdd): pass\n    def run(self):\n"
    "        lines.foreachRDD(self.go)\n",
]
WARNING = [
    STREAM + "lines.foreachRDD(lambda rdd, x=1: rdd)\n",
    STREAM + "def save(rdd, table='t'): pass\nlines.map(f).foreachRDD(save)\n",
    STREAM + "lines.foreachRDD(lambda: 1)\n",
    STREAM + "lines.foreachRDD(lambda a, b, c: 1)\n",
    STREAM + "lines.transform(lambda time, rdd, x=1: rdd)\n",
    STREAM + "class A:\n    def go(self): pass\nlines.foreachRDD(A().go)\n",
    STREAM + "class A:\n    def go(self, a, b, c): pass\nlines.foreachRDD(A().go)\n",
    STREAM + "class A:\n    def go(self, time, rdd=None): pass\nlines.foreachRDD(A().go)\n",
    STREAM + "class A:\n    def go(self, rdd): pass\nlines.foreachRDD(A.go)\n",
    STREAM + "class A:\n    def go(self): pass\nlines.foreachRDD(A.go)\n",
    STREAM + "class A:\n    def go(self, time, rdd): pass\nlines.transform(A.go)\n",
    PARTIAL + "def f(a, b, rdd): pass\nlines.foreachRDD(partial(f, 1, 2, 3))\n",
    STREAM + "async def f(rdd): pass\nlines.foreachRDD(f)\n",
    STREAM + "async def f(time, rdd): pass\nlines.transform(f)\n",
    STREAM + "class A:\n    async def go(self, rdd): pass\nlines.foreachRDD(A().go)\n",
    PARTIAL + "async def f(x, rdd): pass\nlines.foreachRDD(partial(f, 1))\n",
]
FIRES = [*INFO, *WARNING]
SILENT = [
    STREAM + "lines.foreachRDD(lambda rdd: rdd)\n",
    STREAM + "lines.foreachRDD(lambda time, rdd: rdd)\n",
    STREAM + "lines.foreachRDD(lambda time, rdd, x=1: rdd)\n",
    STREAM + "lines.foreachRDD(lambda t, rdd=None: rdd)\n",
    STREAM + "lines.foreachRDD(lambda *args: args)\n",
    STREAM + "lines.foreachRDD(lambda rdd=None: rdd)\n",
    STREAM + "lines.transform(lambda rdd: rdd)\n",
    STREAM + "class A:\n    def go(self, time, rdd): pass\nlines.foreachRDD(A().go)\n",
    STREAM + "class A:\n    @staticmethod\n    def go(rdd): pass\nlines.foreachRDD(A().go)\n",
    STREAM + "from mylib import f, partial\nlines.foreachRDD(f)\nlines.foreachRDD(partial(f))\n",
    STREAM + "@wrapped\ndef f(): pass\nlines.foreachRDD(f)\n",
    STREAM + "f = a if x else b\ndef a(): pass\nlines.foreachRDD(f)\n",
    STREAM + "lines.map(lambda a, b, c: 1)\nlines.map(print)\n",
    STREAM + "lines.foreachRDD(*args)\nlines.foreachRDD()\n",
    STREAM + "def print(rdd): pass\nlines.foreachRDD(print)\n",
    STREAM + "ssc.transform([lines], lambda rdds, x=1: rdds[0])\n",
    STREAM + "lines.transformWith(lambda a, b: a, lines)\n",
    STREAM + "rdd = sc.parallelize([])\nrdd.foreach(print)\n",
    STREAM + "df.transform(lambda: 1)\n",
    STREAM + "import asyncio\nasync def f(rdd): pass\n"
    "lines.foreachRDD(lambda rdd: asyncio.run(f(rdd)))\n",
    STREAM + "@wrapped\nasync def f(rdd): pass\nlines.foreachRDD(f)\n",
    STREAM + "async def main():\n    lines.foreachRDD(lambda rdd: rdd)\n",
    STREAM + "async def f(x): pass\nlines.map(f)\n",
    "def f(s):\n    s.foreachRDD(lambda: 1)\n",
]


def severity(source: str) -> list[str]:
    return [str(f.severity) for f in report(source).findings if f.code == "D304"]


@pytest.mark.parametrize("source", INFO)
def test_what_works_now_is_a_note(source: str) -> None:
    assert severity(source) == ["info"]


@pytest.mark.parametrize("source", WARNING)
def test_what_does_not_work_is_a_warning(source: str) -> None:
    assert severity(source) == ["warning"]


def test_a_coroutine_is_named_as_such() -> None:
    source = STREAM + "async def f(rdd): pass\nlines.foreachRDD(f)\n"
    (finding,) = [f for f in report(source).findings if f.code == "D304"]
    assert finding.message == (
        "foreachRDD is given a function that only makes a coroutine, which nobody awaits: its body "
        "never runs"
    )


@pytest.mark.parametrize("source", SILENT)
def test_nothing_at_all(source: str) -> None:
    assert severity(source) == []


DEFINITIONS = (
    "from functools import partial\n"
    "def f(a, b, c=1): pass\n"
    "def g(a=1, b=2): pass\n"
    "def h(a, /, b, *, c=1): pass\n"
    "class A:\n"
    "    def m0(self): pass\n"
    "    def m1(self, a): pass\n"
    "    def m2(self, a, b): pass\n"
    "    def m3(self, a, b=1, c=2): pass\n"
    "    def __call__(self, a, b): pass\n"
    "    @classmethod\n"
    "    def c(cls, a): pass\n"
    "    @staticmethod\n"
    "    def s(a, b): pass\n"
)
GIVEN = [
    *("f", "g", "h", "lambda a: 1", "lambda a=1: 1", "lambda: 1", "lambda a, b: 1"),
    *("lambda a, b, c: 1", "lambda a, *, b=1: 1", "A().m0", "A().m1", "A().m2", "A().m3", "A()"),
    *("A.c", "A().c", "A.s", "A.m1", "A.m2", "print", "len", "pow", "isinstance"),
    *("partial(f, 1)", "partial(f, 1, 2)", "partial(f, b=1)", "partial(f, c=1)", "partial(f, a=1)"),
    *("partial(g)", "partial(g, 1)", "partial(g, b=3)", "partial(h, 1)", "partial(A().m2, 1)"),
    *("partial(f, 1, 2, 3)", "partial(lambda a: 1)", "partial(lambda a, b: 1, b=2)"),
]


def described(given: str) -> RddFunction | None:
    source = f"{STREAM}{DEFINITIONS}lines.foreachRDD({given})\n"
    unit = read_document(FileType.PYTHON, source.encode()).unit
    assert unit is not None
    _, events = _examine(unit, infer_alone(unit))
    return next(e.function for e in events if isinstance(e, Use) and e.name == "foreachRDD")


def accepts(function: Any) -> bool:
    try:
        function(1, 2)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("given", GIVEN)
def test_it_agrees_with_the_runtime(given: str) -> None:
    function = described(given)
    assert function is not None
    scope: dict[str, Any] = {}
    exec(DEFINITIONS, scope)
    real = eval(given, scope)

    wrapped = with_time(real, "transform")
    assert (wrapped is real) == takes_time(function)
    if function.kind != "builtin":
        assert accepts(wrapped) == _fits(function)


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D304" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D304" not in [c.partition(":")[2] for c in codes(source)]
