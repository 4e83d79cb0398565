"""What is refused when it is defined or started, against the real engine."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours

pytestmark = pytest.mark.slow

CONTEXTS = (real.StreamingContext, ours.StreamingContext)
add, sub = operator.add, operator.sub


def raised(call: Callable[[], Any]) -> str:
    """Return what a call raises: the type of Python's errors, or that Spark refused."""
    try:
        call()
    except (ValueError, IndexError, AssertionError, TypeError, AttributeError) as error:
        return type(error).__name__
    except Exception:
        return "refused"
    return "nothing"


DEFINITIONS: dict[str, Callable[[Any, Any], Any]] = {
    "window": lambda s, _: s.window(1.5),
    "window-slide": lambda s, _: s.window(2, 0.5),
    "window-of-window": lambda s, _: s.window(2, 2).window(3),
    "window-slide-of-window": lambda s, _: s.window(2, 2).window(4, 3),
    "window-right": lambda s, _: s.window(2, 2).window(4, 6),
    "reduceByKeyAndWindow": lambda s, _: s.reduceByKeyAndWindow(add, None, 1.5),
    "reduceByKeyAndWindow-slide": lambda s, _: s.reduceByKeyAndWindow(add, sub, 2, 1.5),
    "countByWindow": lambda s, _: s.countByWindow(1.5, 1),
    "reduceByWindow": lambda s, _: s.reduceByWindow(add, None, 2, 0.5),
    "union": lambda s, _: s.union(s.window(2, 2)),
    "ssc-union": lambda s, ssc: ssc.union(s, s.window(2, 2)),
    "ssc-union-none": lambda s, ssc: ssc.union(),
    "ssc-union-one": lambda s, ssc: ssc.union(s),
    "join": lambda s, _: raises_at_all(lambda: s.join(s.window(2, 2))),
    "transformWith": lambda s, _: raises_at_all(
        lambda: s.transformWith(lambda a, b: a, s.window(2, 2))
    ),
    "ssc-transform": lambda s, ssc: raises_at_all(
        lambda: ssc.transform([s, s.window(2, 2)], lambda rdds: rdds[0])
    ),
    "ssc-transform-none": lambda s, ssc: raises_at_all(lambda: ssc.transform([], len)),
    "queue-empty": lambda s, ssc: ssc.queueStream([]),
    "transform-none": lambda s, _: s.transform(lambda: None),
    "transform-three": lambda s, _: s.transform(lambda a, b, c: a),
    "transform-star": lambda s, _: s.transform(lambda *a: a),
    "transformWith-one": lambda s, _: s.transformWith(lambda a: a, s),
    "transformWith-four": lambda s, _: s.transformWith(lambda a, b, c, d: a, s),
    "getActiveOrCreate": lambda s, ssc: type(ssc).getActiveOrCreate(None, 5),
    "persist": lambda s, _: s.persist(),
    "slide": lambda s, _: s.window(4, 2)._slideDuration == 2.0 or pytest.fail("not 2 s"),
}


def raises_at_all(call: Callable[[], Any]) -> None:
    """Let any error of a call be the same: Spark's is one of Java."""
    try:
        call()
    except Exception as error:
        raise ValueError from error


def test_definitions(sc: SparkContext) -> None:
    found = []
    for make in CONTEXTS:
        ssc = make(sc, 1)
        stream = ssc.queueStream([[("a", 1)]])
        found.append(
            {
                name: raised(functools.partial(define, stream, ssc))
                for name, define in DEFINITIONS.items()
            }
        )
        ssc.stop(stopSparkContext=False)
    assert found[1] == found[0]
    assert set(found[0].values()) == {
        "ValueError",
        "IndexError",
        "AssertionError",
        "TypeError",
        "nothing",
    }


@contextmanager
def without_checkpoint_directory(sc: SparkContext) -> Iterator[None]:
    """Take the folder away that all tests share."""
    spark, jvm = sc._jsc.sc(), sc._jvm
    assert jvm is not None
    folder = spark.checkpointDir()
    set_folder = getattr(spark, "checkpointDir_$eq")
    set_folder(jvm.scala.Option.empty())
    try:
        yield
    finally:
        set_folder(folder)


NEED_FOLDER: dict[str, Callable[[Any], Any]] = {
    "updateStateByKey": lambda s: s.updateStateByKey(lambda new, old: 1),
    "reduceByKeyAndWindow": lambda s: s.reduceByKeyAndWindow(add, sub, 5, 1),
    "reduceByKeyAndWindow-unused": lambda s: s.reduceByKeyAndWindow(add, sub, 2, 1),
    "reduceByWindow": lambda s: s.reduceByWindow(add, sub, 2, 1),
    "countByWindow": lambda s: s.countByWindow(2, 1),
    "countByValueAndWindow": lambda s: s.countByValueAndWindow(2, 1),
    "groupByKeyAndWindow": lambda s: s.groupByKeyAndWindow(2, 1),
}


def test_starts_that_are_refused(sc: SparkContext) -> None:
    found: list[dict[str, str]] = []
    for make in CONTEXTS:
        refused: dict[str, str] = {}
        with without_checkpoint_directory(sc):
            for name, define in NEED_FOLDER.items():
                ssc = make(sc, 1)
                define(ssc.queueStream([[("a", 1)]])).pprint()
                with pytest.raises(Exception, match="checkpoint directory has not been set"):
                    ssc.start()
                refused[name] = str(make.getActive())
                ssc.stop(stopSparkContext=False)
        ssc = make(sc, 1)
        ssc.queueStream([[1]])
        with pytest.raises(Exception, match="No output operations registered"):
            ssc.start()
        ssc.stop(stopSparkContext=False)
        found.append(refused)
    assert found[0] == found[1] == dict.fromkeys(NEED_FOLDER, "None")
