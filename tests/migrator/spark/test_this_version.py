"""The tables about dstream_compat say what the version next to them does. No JVM is started.

If a test fails because dstream_compat can do more now, take the line out of the table it names.
"""

from __future__ import annotations

import importlib
import inspect
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pyspark.streaming
import pytest
from pyspark import SparkConf, StorageLevel

import dstream_compat
from dstream_compat.exceptions import UnsupportedOperationError, UnsupportedSourceError
from dstream_compat.graph.nodes import Graph, SourceNode
from dstream_compat.settings import OWN, SPARKS
from migrator.spark import api, names
from migrator.spark.kinds import Kind
from migrator.spark.names import METHODS, SOURCES
from migrator.spark.settings import SETTINGS, Effect

ROOT = Path(dstream_compat.__file__).parent
MODULES = sorted(names.STAR)
CLASSES = {
    "DStream": (pyspark.streaming.DStream, dstream_compat.DStream),
    "StreamingContext": (pyspark.streaming.StreamingContext, dstream_compat.StreamingContext),
}


def module_of(name: str) -> ModuleType:
    return importlib.import_module(f"dstream_compat.{name}" if name else "dstream_compat")


def public(thing: Any) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


def refuses(function: Any) -> bool:
    return (inspect.getdoc(function) or "").startswith("Raise Unsupported")


@pytest.mark.parametrize("name", MODULES)
def test_names_that_can_be_imported(name: str) -> None:
    """`migrator.spark.names` has what our modules have."""
    module = module_of(name)
    own = {
        n
        for n, thing in vars(module).items()
        if not n.startswith("_") and getattr(thing, "__module__", "") == module.__name__
    }
    modules = set(MODULES) - {""} if not name else set()
    assert names.exported_names(name) == own | set(getattr(module, "__all__", ())) | modules
    for exported in names.exported_names(name) - modules:
        assert hasattr(module, exported)


@pytest.mark.parametrize("name", MODULES)
def test_names_that_a_star_brings(name: str) -> None:
    listed = set(getattr(module_of(name), "__all__", ()))
    if name != "util":
        assert {*names.STAR[name], *names.ADDED_BY_STAR.get(name, ())} == listed


def test_names_that_are_lacking() -> None:
    for path in names.LACKING:
        module, _, name = path.rpartition(".")
        assert not hasattr(module_of(module), name), f"take {path} out of names.LACKING"


@pytest.mark.slow
def test_modules_that_the_package_loads() -> None:
    code = (
        f"import dstream_compat\nprint(*[n for n in {MODULES[1:]} if hasattr(dstream_compat, n)])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT.parent, check=True
    )
    assert set(done.stdout.split()) == set(MODULES) - names.EXPLICIT - {""}


def source_of(key: str) -> Any:
    """What makes a stream, or None if even the name is missing."""
    owner, _, name = key.partition(".")
    for module in ("kafka", "kinesis", "mqtt", "flume"):
        found = vars(module_of(module)).get(name if owner == "class" else owner)
        if found is not None:
            return found if owner == "class" else getattr(found, name, None)
    raise AssertionError(f"{key} is nowhere")


@pytest.mark.parametrize("key", sorted(SOURCES))
def test_sources_that_raise(key: str) -> None:
    """Take a source that works out of `unsupported.SOURCES`."""
    found = source_of(key)
    if found is not None:
        with pytest.raises(UnsupportedSourceError):
            found(*[None] * 4)


@pytest.mark.parametrize("module", ["kafka", "kinesis", "mqtt", "flume"])
def test_sources_that_work(module: str) -> None:
    """Every source is in `unsupported.SOURCES`, or works."""
    for factory, thing in vars(module_of(module)).items():
        if inspect.isclass(thing) and factory.endswith("Utils"):
            for name in public(thing):
                assert f"{factory}.{name}" in SOURCES or not refuses(getattr(thing, name))


@pytest.mark.parametrize("key", sorted(METHODS))
def test_methods_that_raise(key: str) -> None:
    """Take a method that works out of `unsupported.METHODS`."""
    owner, _, name = key.partition(".")
    found = getattr(CLASSES[owner][1], name, None)
    if found is not None:
        with pytest.raises(UnsupportedOperationError):
            found(None, *[None] * (len(inspect.signature(found).parameters) - 1))


@pytest.mark.parametrize("owner", sorted(CLASSES))
def test_methods_that_work(owner: str) -> None:
    """Every method of Spark's is in `unsupported.METHODS` (rule D302), or works."""
    spark, ours = CLASSES[owner]
    known = {"DStream": api.DSTREAM, "StreamingContext": api.STREAMING_CONTEXT}[owner]
    wanted = {n for n in {*public(spark), *known} if not n.startswith("_")} - {"stateSnapshots"}
    missing = {n for n in wanted if not hasattr(ours, n) or refuses(getattr(ours, n))}
    assert {f"{owner}.{n}" for n in missing} == {k for k in METHODS if k.startswith(f"{owner}.")}


def test_settings() -> None:
    """What dstream_compat reads is honoured according to `settings.SETTINGS`, and nothing else."""
    honoured = {key for key, fact in SETTINGS.items() if fact.effect is Effect.HONOURED}
    assert {setting.name for setting in (*OWN, *SPARKS)} == honoured


def new_stream() -> Any:
    """A stream of a context that has no Spark."""
    graph = Graph(1000)
    context: Any = SimpleNamespace(
        _sc=SimpleNamespace(
            master="local[2]",
            defaultParallelism=2,
            _conf=SparkConf(loadDefaults=False),
            _getJavaStorageLevel=lambda level: None,
        ),
        _graph=graph,
        _job=None,
        _lock=threading.RLock(),
        _define=lambda make: make(graph.next_id()),
        _stream=lambda node: dstream_compat.DStream(node, context),
    )
    source: Any = None
    node = context._define(lambda i: SourceNode(i, (), 1000, "source", source))
    return dstream_compat.DStream(node, context)


@pytest.mark.parametrize("path", ["dstream.DStream", "kafka.KafkaDStream"])
def test_streams_of_the_jvm_cannot_be_wrapped(path: str) -> None:
    """Rule D601 says so."""
    module, _, name = path.partition(".")
    with pytest.raises(UnsupportedOperationError):
        getattr(module_of(module), name)(object(), None, None)


def test_streams_of_other_streams_can_be_made() -> None:
    """Rule D601 is silent about them."""
    transformed = module_of("dstream").TransformedDStream
    assert transformed(new_stream(), lambda time, rdd: rdd).map(first)


def first(x: Any) -> Any:
    return x


OPERATORS: dict[str, Callable[[Any], Any]] = {
    **{
        name: lambda s, name=name: getattr(s, name)(first)
        for name in (
            *("map", "flatMap", "filter", "mapPartitions", "mapPartitionsWithIndex", "mapValues"),
            *("flatMapValues", "reduce", "reduceByKey", "transform", "updateStateByKey"),
        )
    },
    **{
        name: lambda s, name=name: getattr(s, name)()
        for name in ("cache", "count", "countByValue", "glom", "groupByKey")
    },
    **{
        name: lambda s, name=name: getattr(s, name)(s)
        for name in (
            *("union", "join", "leftOuterJoin", "rightOuterJoin", "fullOuterJoin", "cogroup"),
        )
    },
    **{
        name: lambda s, name=name: getattr(s, name)(2, 2)
        for name in ("window", "countByWindow", "countByValueAndWindow", "groupByKeyAndWindow")
    },
    **{
        name: lambda s, name=name: getattr(s, name)(first, None, 2, 2)
        for name in ("reduceByWindow", "reduceByKeyAndWindow")
    },
    "combineByKey": lambda s: s.combineByKey(first, first, first),
    "checkpoint": lambda s: s.checkpoint(1),
    "repartition": lambda s: s.repartition(2),
    "persist": lambda s: s.persist(StorageLevel.MEMORY_ONLY),
    "partitionBy": lambda s: s.partitionBy(2),
    "transformWith": lambda s: s.transformWith(lambda a, b: a, s),
    "mapWithState": lambda s: s.mapWithState(
        dstream_compat.StateSpec.function(lambda key, value, state: value)
    ),
}


def test_every_operator_is_tried() -> None:
    gives = (Kind.DSTREAM, "self")
    streams = {name for name, known in api.DSTREAM.items() if known.gives in gives}
    assert set(OPERATORS) == streams - {"stateSnapshots", "from_dataframe"}


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_every_operator_stands_behind_transform(name: str) -> None:
    given = OPERATORS[name](new_stream())
    assert not refused(lambda: given.window(2))
    assert not refused(lambda: OPERATORS[name](new_stream().transform(first)))


def refused(define: Callable[[], Any]) -> bool:
    try:
        define()
    except UnsupportedOperationError:
        return True
    return False
