"""What is known across the modules of a tree."""

from __future__ import annotations

from pathlib import Path

import pytest

import migrator.infer.fixpoint
import migrator.run.programs
from tests.support.migrator.inference import HEAD, value_in
from tests.support.migrator.reports import CONTEXT, project


def uses(root: Path, files: dict[str, str], name: str = "pprint") -> list[str]:
    """`file:line confidence` of every use of a name."""
    report = project(root, {"context.py": CONTEXT, **files})
    assert report.internal_errors == 0
    return [
        f"{f.path}:{s.at.line} {s.confidence}" for f in report.files for s in f.sites
        if s.name == name
    ]  # fmt: skip


PROVEN: dict[str, tuple[dict[str, str], list[str]]] = {
    "a helper that imports nothing": (
        {
            "job.py": "from context import ssc\nimport h\nh.show(ssc.textFileStream('x'))\n",
            "h.py": "def show(s):\n    s.pprint()\n",
        },
        ["h.py:2"],
    ),
    "a stream comes back": (
        {
            "job.py": "from context import ssc\nfrom h import f\nf(ssc.queueStream([])).pprint()\n",
            "h.py": "def f(s):\n    return s.map(len)\n",
        },
        ["job.py:3"],
    ),
    "through three helpers": (
        {
            "job.py": "from context import ssc\nimport a\na.f(ssc.textFileStream('x')).pprint()\n",
            "a.py": "from b import g\ndef f(s): return g(s)\n",
            "b.py": "import c\ndef g(s): return c.h(s)\n",
            "c.py": "def h(s):\n    s.pprint()\n    return s\n",
        },
        ["c.py:2", "job.py:3"],
    ),
    "an inherited method": (
        {
            "job.py": "from context import ssc\nfrom base import Job\nclass My(Job):\n"
            "    def build(self): return self.ssc.textFileStream('x')\nMy(ssc).run()\n",
            "base.py": "from root import Root\nclass Job(Root):\n"
            "    def run(self): self.build().pprint()\n",
            "root.py": "class Root(object):\n    def __init__(self, c): self.ssc = c\n"
            "    def build(self): raise NotImplementedError\n",
        },
        ["base.py:3"],
    ),
    "a base class that its user sets up": (
        {
            "base.py": "class Job:\n    def run(self, ssc):\n        self.ssc = ssc\n"
            "        self.build()\n",
            "sub.py": "from base import Job\nclass Sub(Job):\n    def build(self):\n"
            "        self.ssc.textFileStream('x').pprint()\n",
            "job.py": "from context import ssc\nfrom sub import Sub\nSub().run(ssc)\n",
        },
        ["sub.py:4"],
    ),
    "a decorator that injects the context": (
        {
            "inject.py": "import functools\nfrom context import make_context\n"
            "def streaming(seconds):\n    def deco(f):\n        @functools.wraps(f)\n"
            "        def wrapper(*a, **k):\n            return f(make_context(), *a, **k)\n"
            "        return wrapper\n    return deco\n",
            "job.py": "from inject import streaming\n@streaming(5)\ndef main(c):\n"
            "    c.queueStream([]).pprint()\nmain()\n",
        },
        ["job.py:4"],
    ),
    "a decorator class on a method": (
        {
            "inject.py": "from context import make_context\nclass Inject:\n"
            "    def __init__(self, n): self.n = n\n    def __call__(self, f):\n"
            "        def inner(me): return f(me, make_context())\n        return inner\n",
            "job.py": "from inject import Inject\nclass Job:\n    @Inject(1)\n"
            "    def go(self, c):\n        c.queueStream([]).pprint()\nJob().go()\n",
        },
        ["job.py:5"],
    ),
    "a callback": (
        {
            "h.py": "from context import ssc\ndef with_stream(f):\n"
            "    f(ssc.textFileStream('x'))\n",
            "job.py": "from h import with_stream\ndef show(s): s.pprint()\nwith_stream(show)\n",
        },
        ["job.py:2"],
    ),
    "a star import of a star import": (
        {
            "a.py": "from b import *\n",
            "b.py": "from context import *\n",
            "job.py": "from a import *\nssc.textFileStream('x').pprint()\n",
        },
        ["job.py:2"],
    ),
    "what a package passes on": (
        {
            "pkg/__init__.py": "from .inner import build\nfrom . import steps as s\n",
            "pkg/inner.py": "from ..context import ssc\n"
            "def build(): return ssc.textFileStream('x')\n",
            "pkg/steps.py": "def clean(s): return s.map(len)\n",
            "job.py": "import pkg\npkg.s.clean(pkg.build()).pprint()\n",
        },
        ["job.py:2"],
    ),
    "an import in a circle": (
        {
            "a.py": "import b\ndef make():\n    from context import ssc\n"
            "    return ssc.textFileStream('x')\nb.go()\n",
            "b.py": "import a\ndef go():\n    a.make().pprint()\n",
        },
        ["b.py:3"],
    ),
    "a module that shadows a package": (
        {
            "jobs/kafka.py": "from context import ssc\n"
            "def stream(): return ssc.textFileStream('x')\n",
            "jobs/job.py": "import kafka\nkafka.stream().pprint()\n",
        },
        ["jobs/job.py:2"],
    ),
    "a name set from outside": (
        {
            "state.py": "current = None\n",
            "job.py": "from context import ssc\nimport state\n"
            "state.current = ssc.textFileStream('x')\n",
            "show.py": "import state\ndef show(): state.current.pprint()\n",
            "main.py": "import job, show\nshow.show()\n",
        },
        ["show.py:2"],
    ),
    "a registry filled elsewhere": (
        {
            "registry.py": "STREAMS = {}\ndef register(name, s): STREAMS[name] = s\n",
            "job.py": "from context import ssc\nfrom registry import STREAMS, register\n"
            "register('a', ssc.textFileStream('x'))\nSTREAMS['b'] = ssc.textFileStream('y')\n",
            "show.py": "from registry import STREAMS\nfor s in STREAMS.values():\n    s.pprint()\n",
        },
        ["show.py:3"],
    ),
    "a list filled by a function": (
        {
            "h.py": "def fill(ssc, to):\n    to.append(ssc.textFileStream('x'))\n",
            "job.py": "from context import ssc\nfrom h import fill\nfound = []\nfill(ssc, found)\n"
            "for s in found:\n    s.pprint()\n",
        },
        ["job.py:6"],
    ),
    "a module named in a string": (
        {
            "job.py": "import importlib\nm = importlib.import_module('steps.one')\n"
            "from context import ssc\nm.run(ssc)\n",
            "steps/one.py": "def run(c): c.textFileStream('x').pprint()\n",
        },
        ["steps/one.py:1"],
    ),
    "an isinstance test": (
        {
            "job.py": "from context import ssc\nfrom h import show\nshow(ssc.textFileStream('x'))\n"
            "show(ssc.sparkContext.textFile('y'))\n",
            "h.py": "from pyspark.streaming import DStream\nfrom pyspark import RDD\n"
            "def show(s):\n    if isinstance(s, RDD):\n        return s.pprint()\n"
            "    s.pprint()\n",
        },
        ["h.py:6"],
    ),
    "a closure": (
        {
            "h.py": "def printer(s):\n    def go():\n        s.pprint()\n    return go\n",
            "job.py": "from context import ssc\nfrom h import printer\n"
            "printer(ssc.textFileStream('x'))()\n",
        },
        ["h.py:3"],
    ),
    "fields of a dataclass": (
        {
            "h.py": "from dataclasses import dataclass\n@dataclass\nclass D:\n    n: int\n"
            "    s: object = None\n    def show(self): self.s.pprint()\n",
            "job.py": "from context import ssc\nfrom h import D\n"
            "D(1, ssc.textFileStream('x')).show()\nD(1, s=ssc.queueStream([])).s.pprint()\n",
        },
        ["h.py:6", "job.py:4"],
    ),
    "keywords passed on": (
        {
            "h.py": "def go(**kw):\n    kw['s'].pprint()\n    inner(**kw)\n"
            "def inner(s, n=1):\n    s.pprint()\n",
            "job.py": "from context import ssc\nfrom h import go\ngo(s=ssc.textFileStream('x'))\n",
        },
        ["h.py:2", "h.py:5"],
    ),
    "setattr": (
        {
            "h.py": "class X: pass\nx = X()\ndef show(): x.s.pprint()\n",
            "job.py": "from context import ssc\nimport h\n"
            "setattr(h.x, 's', ssc.textFileStream('x'))\nh.show()\n",
        },
        ["h.py:3"],
    ),
    "classes that register themselves": (
        {
            "base.py": "class Base:\n    known = []\n    def __init_subclass__(cls, **kw):\n"
            "        Base.known.append(cls)\n    def build(self, c): raise NotImplementedError\n",
            "one.py": "from base import Base\nclass One(Base):\n"
            "    def build(self, c): return c.textFileStream('x')\n",
            "job.py": "import one\nfrom base import Base\nfrom context import ssc\n"
            "for cls in Base.known:\n    cls().build(ssc).pprint()\n",
        },
        ["job.py:5"],
    ),
    "a default of a lambda": (
        {
            "job.py": "from context import ssc\nshow = [lambda s=s: s.pprint() for s in "
            "(ssc.queueStream([]),)]\nfor f in show: f()\n"
        },
        ["job.py:2"],
    ),
    "an attribute that is None at first": (
        {
            "base.py": "class Job:\n    def __init__(self):\n        self.s = None\n"
            "    def run(self):\n        self.s = self.source()\n        self.process(self.s)\n"
            "    def source(self): pass\n    def process(self, s): pass\n",
            "job.py": "from context import ssc\nfrom base import Job\nclass A(Job):\n"
            "    def source(self): return ssc.textFileStream('x')\n"
            "    def process(self, s): return s.map(len)\nclass B(A):\n"
            "    def process(self, s): super().process(s).pprint()\nB().run()\n",
        },
        ["job.py:7"],
    ),
    "a method that a patch adds": (
        {
            "patch.py": "from pyspark.streaming import DStream\n"
            "def show(self): self.pprint()\nDStream.show = show\n",
        },
        ["patch.py:2"],
    ),
    "a context that a class keeps": (
        {
            "h.py": "class Pool:\n    _ssc = None\n    @classmethod\n    def get(cls):\n"
            "        if cls._ssc is None:\n            from context import make_context\n"
            "            cls._ssc = make_context()\n        return cls._ssc\n",
            "job.py": "from h import Pool\nPool.get().textFileStream('x').pprint()\n",
        },
        ["job.py:2"],
    ),
}


@pytest.mark.parametrize("name", PROVEN)
def test_proven(tmp_path: Path, name: str) -> None:
    files, expected = PROVEN[name]
    assert uses(tmp_path, files) == [f"{place} proven" for place in expected]


PROBABLE: dict[str, tuple[dict[str, str], list[str]]] = {
    "one of several modules": (
        {
            "job.py": "import importlib, sys\nfrom context import ssc\n"
            "importlib.import_module('steps.' + sys.argv[1]).run(ssc)\n",
            "steps/one.py": "def run(c): c.textFileStream('x').pprint()\n",
            "steps/two.py": "def go(): pass\n",
        },
        ["steps/one.py:1 proven"],
    ),
    "a class chosen by getattr": (
        {
            "job.py": "import sys\nfrom context import ssc\nimport pipelines\n"
            "getattr(pipelines, sys.argv[1])().build(ssc).pprint()\n",
            "pipelines.py": "class A:\n    def build(self, c): return c.textFileStream('x')\n",
        },
        ["job.py:4 probable"],
    ),
    "a module that only its name finds": (
        {
            "deploy/zip/tools/text.py": "def words(s): return s.map(len)\n",
            "deploy/zip/tools/__init__.py": "",
            "job.py": "from context import ssc\nfrom tools.text import words\n"
            "words(ssc.textFileStream('x')).pprint()\n",
        },
        ["job.py:3 proven"],
    ),
    "bound again to something else": (
        {"job.py": "from context import ssc\nssc = object()\nssc.textFileStream('x').pprint()\n"},
        ["job.py:3 probable"],
    ),
    "one of two modules": (
        {
            "fast.py": "from context import ssc\ndef make(): return ssc.textFileStream('x')\n",
            "slow.py": "def make(): return [1]\n",
            "job.py": "try:\n    from fast import make\nexcept ImportError:\n"
            "    from slow import make\nmake().pprint()\n",
        },
        ["job.py:5 probable"],
    ),
    "a subclass that takes it from elsewhere": (
        {
            "base.py": "from context import ssc\nclass J:\n    def src(self):\n"
            "        return ssc.textFileStream('x')\n    def run(self): self.src().pprint()\n",
            "job.py": "from base import J\nimport numpy\nclass K(J):\n"
            "    def src(self): return numpy.zeros(1)\nK().run()\n",
        },
        ["base.py:5 probable"],
    ),
    "also given something unknown": (
        {
            "h.py": "def show(s):\n    s.pprint()\n",
            "job.py": "from context import ssc\nfrom h import show\nshow(ssc.textFileStream('x'))\n"
            "import numpy\nshow(numpy.zeros(1))\n",
        },
        ["h.py:2 probable"],
    ),
}


@pytest.mark.parametrize("name", PROBABLE)
def test_probable(tmp_path: Path, name: str) -> None:
    files, expected = PROBABLE[name]
    assert uses(tmp_path, files) == expected


SILENT: dict[str, dict[str, str]] = {
    "another class of the same shape": {
        "h.py": "class S:\n    def pprint(self): pass\n",
        "job.py": "from context import ssc\nfrom h import S\nS().pprint()\n",
    },
    "a function that gets other things": {
        "h.py": "def show(s):\n    s.pprint()\n",
        "job.py": "from context import ssc\nfrom h import show\nshow('text')\n",
    },
    "the standard library": {
        "app/__init__.py": "",
        "app/pprint.py": "from context import ssc\npprint = ssc.textFileStream('x')\n",
        "app/job.py": "import pprint\nfrom context import ssc\npprint.pprint(1)\n",
    },
    "a module beside a folder": {
        "kafka/__init__.py": "class Client:\n    def pprint(self): pass\n",
        "job.py": "from context import ssc\nimport kafka\nkafka.Client().pprint()\n",
    },
}


@pytest.mark.parametrize("name", SILENT)
def test_silent(tmp_path: Path, name: str) -> None:
    assert uses(tmp_path, SILENT[name]) == []


M = {
    "m.py": HEAD + "x = s\n_y = rdd\ndef f(v): return v\n",
    "pkg/__init__.py": "from .a import z\n",
    "pkg/a.py": HEAD + "z = s\n",
    "pkg/b.py": "from . import a\nfrom .a import z as y\n",
}
IMPORTS = [
    # file, text, value of its last expression
    ("job.py", "import m\nm.x", "DStream"),
    ("job.py", "import m as n\nn.x", "DStream"),
    ("job.py", "from m import x\nx", "DStream"),
    ("job.py", "from m import x as y\ny", "DStream"),
    ("job.py", "from m import *\nx", "DStream"),
    ("job.py", "from m import *\n_y", "unknown"),
    ("job.py", "from m import f\nf(1)", "other"),
    ("job.py", "import m\nm.missing", "unknown"),
    ("job.py", "import m\nm.__name__", "other"),
    ("job.py", "import m\nm", "m"),
    ("job.py", "import pkg.a\npkg.a.z", "DStream"),
    ("job.py", "import pkg\npkg.z", "DStream"),
    ("job.py", "from pkg import a\na.z", "DStream"),
    ("job.py", "from pkg.b import y\ny", "DStream"),
    ("job.py", "from pkg import b\nb.a.z", "DStream"),
    ("job.py", "import elsewhere\nelsewhere.x", "elsewhere.x"),
    ("job.py", "from elsewhere import *\nx", "unknown"),
    ("job.py", "def f():\n    from m import x\n    return x\nf()", "DStream"),
    ("job.py", "try:\n    from m import x\nexcept ImportError: x = 1\nx", "DStream | other"),
    ("job.py", "import m\nm.x = 1\nm.x", "DStream | other"),
    ("job.py", "import m\nsetattr(m, 'x', 1)\nm.x", "DStream | other"),
    ("job.py", "import m\ngetattr(m, 'x')", "DStream"),
    ("job.py", "import importlib\nimportlib.import_module('m').x", "DStream"),
    ("job.py", "__import__('m').x", "DStream"),
    # relative
    ("pkg/c.py", "from . import a\na.z", "DStream"),
    ("pkg/c.py", "from .a import z\nz", "DStream"),
    ("pkg/c.py", "from .. import m\nm.x", "DStream"),
    ("pkg/c.py", "from ..m import x\nx", "DStream"),
    ("pkg/c.py", "from ...m import x\nx", "...m.x"),
    # what shadows what
    ("job.py", "from m import x\nx = 1\nx", "other"),
    ("job.py", "x = 1\nfrom m import *\nx", "DStream"),
    ("pkg/c.py", "import m\nm.x", "DStream"),
    ("job.py", "import json\njson", "json"),
]


@pytest.mark.parametrize(("file", "text", "value"), IMPORTS)
def test_imports(file: str, text: str, value: str) -> None:
    assert value_in({**M, file: text}, file) == value


CIRCLES = [
    ({"a.py": HEAD + "import b\nx = s\ny = b.y\n", "b.py": "import a\ny = a.x\n"}, "a.y"),
    ({"a.py": HEAD + "x = s\nfrom b import *\n", "b.py": "from a import *\ny = x\n"}, "a.y"),
    ({"a.py": HEAD + "from b import f\ndef g(v): return f(v)\n",
      "b.py": "import a\ndef f(v): return a.g(v) if v else a.s\n"}, "a.g(1)"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "text"), CIRCLES)
def test_circles(files: dict[str, str], text: str) -> None:
    assert value_in({**files, "job.py": f"import a\n{text}"}) == "DStream"
    assert value_in({"job.py": f"import a\n{text}", **files}) == "DStream"


def test_all_names_what_a_star_brings() -> None:
    module = HEAD + "x = s\ny = rdd\n__all__ = ['x']\n__all__ += ['_z']\n_z = 1\n"
    source = "from m import *\n(x, _z, y)"
    assert value_in({"m.py": module, "job.py": source}) == "(DStream, other, unknown)"


def test_evidence_names_the_files(tmp_path: Path) -> None:
    report = project(
        tmp_path,
        {
            "context.py": CONTEXT,
            "job.py": "from context import ssc\nimport h\nh.show(ssc.textFileStream('x'))\n",
            "h.py": "def show(s):\n    s.toDF()\n",
        },
    )
    (finding,) = [f for _, f in report.findings() if f.code == "D301"]
    assert finding.evidence == (
        "StreamingContext() (context.py, line 5)",
        "make_context() (context.py, line 7)",
        "ssc from context.py (job.py, line 1)",
        "textFileStream (job.py, line 3)",
        "passed to show() (job.py, line 3)",
    )


def test_a_module_without_streams_is_not_reported(tmp_path: Path) -> None:
    files = {
        "context.py": CONTEXT,
        "job.py": "from context import ssc\nimport config, report\n",
        "config.py": "from deeper import x\n",
        "deeper.py": "x = 1\n",
        "report.py": "import csv\ndef show(rows): rows.pprint()\n",
    }
    assert [f.path for f in project(tmp_path, files).files] == ["context.py"]


def test_a_broken_module_does_not_matter(tmp_path: Path) -> None:
    files = {
        "h.py": "def broken(:\n",
        "job.py": "from context import ssc\nimport h\nh.f(ssc)\nssc.queueStream([]).pprint()\n",
    }
    assert uses(tmp_path, files) == ["job.py:4 proven"]


def test_what_leads_through_another_module_stays(tmp_path: Path) -> None:
    """A name that leads through another module cannot be moved here, nor its import there."""
    files = {
        "common.py": "import pyspark\nimport pyspark.streaming\n",
        "job.py": "from common import pyspark\nssc = pyspark.streaming.StreamingContext(sc, 1)\n",
        "job2.py": "import common\nssc = common.pyspark.streaming.StreamingContext(sc, 1)\n",
        "job3.py": "import pyspark\nx = pyspark\nssc = x.streaming.StreamingContext(sc, 1)\n",
    }
    report = project(tmp_path, files)
    assert [f.path for f in report.files if f.content is not None] == []
    codes = {f.path: [x.code for x in f.findings] for f in report.files}
    assert codes == {
        "common.py": ["D105"],
        "job.py": ["D105"],
        "job2.py": ["D105"],
        "job3.py": ["D105"],
    }


LOOPS = [
    {"a.py": "from b import *\nfrom a import *\n", "b.py": "from a import *\nfrom b import f\n"},
    {"a.py": "from b import f\ng = f\n", "b.py": "from a import g\nf = g\n"},
    {"a.py": "import b\nclass A(b.B): pass\n", "b.py": "import a\nclass B(a.A): pass\n"},
    {"a.py": "import a\na.a = [a.a]\n", "b.py": "import b as a, a as b\nb.x = a\na.x = b\n"},
    {"a/__init__.py": "from . import a\nfrom .a import *\n", "a/a.py": "from . import *\n"},
    {
        "a.py": "from b import g\nfrom functools import partial\n"
        "def f(x): return g(partial(f, x))\n",
        "b.py": "from a import f\ndef g(x): return f([x, g])\nf(g)\n",
    },
    {f"m{i}.py": f"from m{(i + 1) % 30} import f{(i + 1) % 30}\ndef f{i}(s):\n"
     f"    return f{(i + 1) % 30}(s.map(len))\n" for i in range(30)},
]  # fmt: skip


@pytest.mark.parametrize("files", LOOPS)
def test_circles_end(tmp_path: Path, files: dict[str, str]) -> None:
    first = min(files).removesuffix(".py").partition("/")[0]
    job = f"import {first}\nfrom context import ssc\nssc.queueStream([]).pprint()\n"
    if first == "m0":
        job += "m0.f0(ssc.queueStream([]))\n"
    found = uses(tmp_path, {**files, "job.py": job})
    assert found[0] == "job.py:3 proven"


SIMPLE = {
    "job.py": "from context import ssc\nimport h\nh.show(ssc.textFileStream('x'))\n",
    "h.py": "def show(s):\n    s.pprint()\n",
}


def test_what_is_not_settled_in_time_is_probable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrator.infer.fixpoint, "MAX_RUNS", 1)
    report = project(tmp_path, {"context.py": CONTEXT, **SIMPLE})
    sites = [s for f in report.files for s in f.sites if s.receiver != "module"]
    assert sites
    assert {s.confidence.value for s in sites} == {"probable"}


def test_no_more_is_pulled_in_than_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrator.infer.fixpoint, "MAX_ADDED", 0)
    assert uses(tmp_path, SIMPLE) == []


def test_an_error_in_all_modules_together_is_reported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file is then reported by itself."""

    def fails(programs: object) -> None:
        if len(programs.programs) > 1:  # type: ignore[attr-defined]
            raise KeyError("x")

    monkeypatch.setattr(migrator.run.programs, "infer", fails)
    report = project(tmp_path, {"context.py": CONTEXT, **SIMPLE})
    assert report.internal_errors == 1
    errors = [f.error for f in report.files if f.error]
    assert len(errors) == 1
    assert str(errors[0]).startswith("internal error: KeyError: 'x'")
    assert [f.path for f in report.files if f.error is None] == ["context.py"]
