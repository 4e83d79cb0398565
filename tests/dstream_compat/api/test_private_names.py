"""Every private name of Spark's streaming classes works here, too, or says why it cannot."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any
from unittest.mock import create_autospec

import pyspark.streaming as real
import pytest
from pyspark import SparkContext
from pyspark.serializers import CPickleSerializer

import dstream_compat as ours
from dstream_compat.exceptions import UnsupportedOperationError
from migrator.rules.d601_private_handles import WORKING
from tests.support.streaming.refusals import check_refusals, refusal

pytestmark = pytest.mark.slow

MODULES = ("context", "dstream", "kinesis", "listener", "util")

# They raise when they are made, whatever they have.
NOT_MADE = ("TransformFunction", "TransformFunctionSerializer")

REFUSED = {
    "StreamingContext._initialize_context",
    "StreamingContext._jssc",
    "StreamingContext._transformerSerializer",
    "DStream._jdstream",
    "DStream._jrdd_deserializer",
    "TransformedDStream._jdstream",
    "TransformedDStream._jdstream_val",
    "TransformedDStream._jrdd_deserializer",
}

Use = Callable[[Any, Any], Any]


def as_one_serializer(ssc: Any) -> list[Any]:
    numbers = ssc.sparkContext.parallelize([1, 2])
    rdds = [numbers, numbers._reserialize(CPickleSerializer())]
    ssc._check_serializers(rdds)
    assert rdds[0]._jrdd_deserializer == rdds[1]._jrdd_deserializer
    return [rdd.collect() for rdd in rdds]


# What programs get of them is the same on both engines.
WORKS: dict[str, Use] = {
    "StreamingContext._activeContext": lambda s, ssc: (
        type(ssc)._activeContext,
        ssc._activeContext,
    ),
    "StreamingContext._check_serializers": lambda s, ssc: as_one_serializer(ssc),
    "StreamingContext._ensure_initialized": lambda s, ssc: (
        type(ssc)._ensure_initialized(),
        ssc._jvm.Seconds.apply(2).milliseconds(),
    ),
    "StreamingContext._jduration": lambda s, ssc: [
        ssc._jduration(seconds).milliseconds() for seconds in (2, 1.5, 0.0019)
    ],
    "StreamingContext._jvm": lambda s, ssc: ssc._jvm.java.lang.Math.abs(-3),
    "StreamingContext._sc": lambda s, ssc: ssc._sc is ssc.sparkContext,
    "DStream._jtime": lambda s, _: [
        s._jtime(time).milliseconds() for time in (3, 2.5, datetime.fromtimestamp(7.25))
    ],
    "DStream._sc": lambda s, ssc: s._sc is ssc.sparkContext,
    "DStream._slideDuration": lambda s, _: (s._slideDuration, s.window(4, 2)._slideDuration),
    "DStream._ssc": lambda s, ssc: s._ssc is ssc,
    "DStream._validate_window_param": lambda s, _: (
        s._validate_window_param(4, 2),
        s._validate_window_param(4, None),
    ),
}
WORKS |= {
    f"TransformedDStream.{name}": lambda s, ssc, name=name: WORKS[f"DStream.{name}"](
        s.map(str), ssc
    )  # type: ignore[misc]
    for name in ("_sc", "_ssc")
}


def private_names() -> Iterator[str]:
    """Yield the private names that Spark's classes define or set."""
    for module in MODULES:
        source = inspect.getsource(importlib.import_module(f"pyspark.streaming.{module}"))
        for cls in ast.parse(source).body:
            if isinstance(cls, ast.ClassDef) and cls.name not in NOT_MADE:
                names = {name for part in cls.body for name in _names_in(part)}
                private = (name for name in names if name.startswith("_") and name[1] != "_")
                yield from (f"{cls.name}.{name}" for name in private)


def _names_in(part: ast.stmt) -> Iterator[str]:
    if isinstance(part, ast.FunctionDef):
        yield part.name
        for node in ast.walk(part):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                yield node.attr
    elif isinstance(part, ast.Assign):
        yield from (target.id for target in part.targets if isinstance(target, ast.Name))


def test_every_name_is_here() -> None:
    assert set(private_names()) == REFUSED | set(WORKS)


def test_the_migrator_knows_what_works() -> None:
    working = {name.partition(".")[2] for name in WORKS}
    assert working - {"_sc", "_jvm"} == set(WORKING), "those two are not reported"


def test_what_works(sc: SparkContext) -> None:
    found = []
    for engine in (real, ours):
        ssc = engine.StreamingContext(sc, 1)
        stream = ssc.queueStream([[("a", 1)]])
        found.append({name: use(stream, ssc) for name, use in WORKS.items()})
        ssc.stop(stopSparkContext=False)
    assert found[1] == found[0]
    assert found[0]["StreamingContext._jduration"] == [2000, 1500, 1]


def test_windows_are_validated(sc: SparkContext) -> None:
    found = []
    for engine in (real, ours):
        ssc = engine.StreamingContext(sc, 1)
        stream = ssc.queueStream([[1]])
        calls = {f"{args}": args for args in ((1.5, 1), (2, 1.5), (1.5, None))}
        found.append(
            {
                name: refusal(lambda args=args, s=stream: s._validate_window_param(*args))  # type: ignore[misc]
                for name, args in calls.items()
            }
        )
        ssc.stop(stopSparkContext=False)
    check_refusals(*found, {})
    assert None not in found[0].values()


def test_what_is_refused(sc: SparkContext) -> None:
    ssc = ours.StreamingContext(sc, 1)
    stream = ssc.queueStream([[1]])
    things = {
        "StreamingContext": ssc,
        "DStream": stream,
        "TransformedDStream": ours.dstream.TransformedDStream(stream, lambda time, rdd: rdd),
    }
    for name in REFUSED:
        owner, _, attribute = name.partition(".")
        said = rf"{attribute} is not supported: there is no JVM|no function.*\. [A-Z].{{20}}"
        with pytest.raises(UnsupportedOperationError, match=said):
            getattr(things[owner], attribute)
    with pytest.raises(UnsupportedOperationError, match="_transformerSerializer"):
        _ = ours.StreamingContext._transformerSerializer.ctx
    with pytest.raises(UnsupportedOperationError, match="StreamingContext"):
        ours.StreamingContext._initialize_context(ssc, sc, 1)
    ssc.stop(stopSparkContext=False)


@pytest.mark.parametrize("cls", [ours.StreamingContext, ours.DStream])
def test_classes_can_be_mocked(cls: type) -> None:
    assert isinstance(create_autospec(cls, instance=True), cls)


def test_helpers_of_kafka() -> None:
    from dstream_compat.kafka import Broker, KafkaUtils, OffsetRange, TopicAndPartition

    for call in (
        lambda: OffsetRange("topic", 0, 0, 1)._jOffsetRange(None),
        lambda: TopicAndPartition("topic", 0)._jTopicAndPartition(None),
        lambda: Broker("localhost", 9092)._jBroker(None),
        lambda: KafkaUtils._get_helper(None),
        lambda: KafkaUtils._printErrorMsg(None),
    ):
        with pytest.raises(UnsupportedOperationError, match="KafkaUtils take the Python objects"):
            call()
    assert OffsetRange("topic", 0, 0, 1) == OffsetRange("topic", 0, 0, 1)
