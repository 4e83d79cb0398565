"""Rewritten programs run like the old ones: nothing they import or name is missing.

Both run against fakes of PySpark and dstream_compat whose classes are the same objects; modules of
dstream_compat exist only once they are imported.
"""

from __future__ import annotations

import builtins
import random
import signal
import sys
import types
from pathlib import Path
from unittest.mock import MagicMock

import pytest

from migrator.spark import api
from migrator.spark import names as tables
from tests.support.migrator.mutations import SEEDS, mutate
from tests.support.migrator.reports import report, rewritten

GOLDEN = Path(__file__).parents[1] / "golden"
CLASSES: dict[str, MagicMock] = {}


def thing(name: str) -> MagicMock:
    return CLASSES.setdefault(name, MagicMock(name=name))


def fake(path: str, names: list[str]) -> types.ModuleType:
    module = types.ModuleType(path)
    module.__path__ = []
    for name in names:
        setattr(module, name, thing(name))
    return module


# what a program may wait for, or change in the process of the test
WAITING = ("os", "signal", "subprocess", "threading", "time")
# a loop that a mutation made endless
LONGEST = 10


class Fakes:
    """An import system in which only the fakes and the standard library exist."""

    def __init__(self) -> None:
        self.loaded: dict[str, types.ModuleType] = {}
        spark = self.load("pyspark")
        for name in ("SparkContext", "SparkConf", "StorageLevel"):
            setattr(spark, name, thing(name))
        for sub in ("streaming", "sql"):
            self.load(f"pyspark.{sub}")
        for sub in tables.STAR:
            self.load(f"pyspark.streaming.{sub}" if sub else "pyspark.streaming")

    def load(self, path: str) -> types.ModuleType:
        if path not in self.loaded:
            sub = api.submodule(api.canonical(path))
            names = (
                []
                if sub is None
                else [n for n in tables.exported_names(sub) if n not in tables.STAR]
            )
            module = fake(path, names)
            if sub is not None and api.star_names(path):
                module.__all__ = list(api.star_names(path))  # type: ignore[attr-defined]
            if path == "pyspark.sql":
                module.SparkSession = thing("SparkSession")  # type: ignore[attr-defined]
            self.loaded[path] = module
            parent, _, name = path.rpartition(".")
            if parent:
                setattr(self.load(parent), name, module)
            if path == "dstream_compat":
                for inner in sorted(set(tables.STAR) - tables.EXPLICIT - {""}):
                    self.load(f"{path}.{inner}")
        return self.loaded[path]

    def importer(
        self,
        name: str,
        globals: object = None,
        locals: object = None,
        fromlist: tuple[str, ...] = (),
        level: int = 0,
    ) -> object:
        if level:
            raise ImportError(name)
        root = name.partition(".")[0]
        if root in WAITING:
            return MagicMock()
        if root not in ("pyspark", "dstream_compat"):
            if root not in sys.stdlib_module_names:
                raise ImportError(name)
            return builtins.__import__(name, None, None, fromlist, 0)
        known = {"pyspark", "pyspark.sql"}
        if name not in known and api.submodule(api.canonical(name)) is None:
            raise ImportError(name)
        parts = name.split(".")
        for end in range(1, len(parts) + 1):
            module = self.load(".".join(parts[:end]))
        for child in fromlist or ():
            if api.submodule(api.canonical(f"{name}.{child}")) is not None:
                self.load(f"{name}.{child}")
        return module if fromlist else self.loaded[root]


def outcome(source: str) -> str:
    """How a program ends: nothing, or the type of its exception."""
    fakes = Fakes()
    scope: dict[str, object] = {
        "__builtins__": {**vars(builtins), "__import__": fakes.importer, "print": lambda *a: None},
        "__name__": "job",
        "sc": MagicMock(),
    }
    sys.modules.pop("job", None)
    try:
        code = compile(source, "job", "exec")
    except SyntaxError:
        return "SyntaxError"
    signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        exec(code, scope)
        for value in list(scope.values()):
            if isinstance(value, types.FunctionType):
                value(*[MagicMock()] * value.__code__.co_argcount)
    except Exception as error:
        return type(error).__name__
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return ""


def _too_long(number: int, frame: object) -> None:
    raise TimeoutError(f"still running after {LONGEST} seconds")


@pytest.mark.parametrize("name", sorted(p.parent.name for p in GOLDEN.glob("*/after.py")))
def test_golden(name: str) -> None:
    before = (GOLDEN / name / "before.py").read_text()
    after = (GOLDEN / name / "after.py").read_text()
    assert outcome(after) == outcome(before)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_mutations(seed: int) -> None:
    chance = random.Random(1000 + seed)
    for _ in range(60):
        source = mutate(chance.choice(SEEDS), chance)
        found = report(source.encode())
        if found.content is not None and "State" not in source:
            before = outcome(source)
            assert outcome(found.content.decode()) == before, source


def test_the_fakes_notice_a_missing_import() -> None:
    assert outcome("import dstream_compat\ndstream_compat.kafka.KafkaUtils") == "AttributeError"
    assert outcome("import pyspark\ndstream_compat.DStream") == "NameError"
    assert outcome("import dstream_compat.kafka as k\nk.KafkaUtils.createStream(1)") == ""


@pytest.mark.parametrize("before", ["\x0c", "\x0c\n", " # a\n\x0c"])
def test_form_feeds_stay(before: str) -> None:
    source = f"{before}from pyspark.streaming import StreamingContext  # x\n\x0c\ny = 1\n"
    assert rewritten(source) == source.replace("pyspark.streaming", "dstream_compat")
