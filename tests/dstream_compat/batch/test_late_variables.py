"""Late batches see the driver's variables as DStreams show them: as they were at the batch time."""

from __future__ import annotations

import functools
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import MagicMock

import pyspark.streaming as real
import pytest
from pyspark import Accumulator, SparkContext
from pyspark.accumulators import AddingAccumulatorParam

import dstream_compat as ours
from dstream_compat.batch.shipped_functions import ShippedFunctions
from dstream_compat.clock import SettableClock
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE, START

BATCHES = 6


class Seen(NamedTuple):
    """A variable of the driver: how workers see it, and how it changes.

    Parameters
    ----------
    stream : DStream
        of what each batch sees
    change : callable
        gives the variable another value
    """

    stream: Any
    change: Callable[[int], None]


Build = Callable[[Any, Any], Seen]
"""(source, streaming context) -> what to compare."""

GLOBAL = 0
HELD: Any = None


def a_dict(s: Any, ssc: Any) -> Seen:
    model = {"w": 0}
    return Seen(s.map(lambda x: (x, model["w"])), lambda n: model.update(w=n))


def a_list(s: Any, ssc: Any) -> Seen:
    steps = [0]
    return Seen(s.map(lambda x: (x, steps[-1])), steps.append)


def a_model(s: Any, ssc: Any) -> Seen:
    class Model:
        weight = 0

        def train(self, n: int) -> None:
            self.weight = n

        def predict(self, x: Any) -> Any:
            return x, self.weight

    model = Model()
    return Seen(s.map(model.predict), model.train)


def an_attribute_of_self(s: Any, ssc: Any) -> Seen:
    class Job:
        def __init__(self) -> None:
            self.limit = 0

        def stream(self, s: Any) -> Any:
            return s.map(lambda x: (x, self.limit))

        def learn(self, n: int) -> None:
            self.limit = n

    job = Job()
    return Seen(job.stream(s), job.learn)


def a_rebound_global(s: Any, ssc: Any) -> Seen:
    def learn(n: int) -> None:
        global GLOBAL
        GLOBAL = n

    learn(0)
    return Seen(s.map(lambda x: (x, GLOBAL)), learn)


def a_rebound_cell(s: Any, ssc: Any) -> Seen:
    known = 0

    def learn(n: int) -> None:
        nonlocal known
        known = n

    return Seen(s.map(lambda x: (x, known)), learn)


def a_function_that_calls_another(s: Any, ssc: Any) -> Seen:
    def learn(n: int) -> None:
        global GLOBAL
        GLOBAL = n

    def innermost(x: Any) -> Any:
        return x, GLOBAL

    def inner(x: Any) -> Any:
        return innermost(x)

    learn(0)
    return Seen(s.map(lambda x: inner(x)), learn)


def a_default_argument(s: Any, ssc: Any) -> Seen:
    seen = {"n": 0}

    def look(x: Any, where: Any = seen) -> Any:
        return x, where["n"]

    return Seen(s.map(look), lambda n: seen.update(n=n))


def a_partial(s: Any, ssc: Any) -> Seen:
    seen = [0]
    look = functools.partial(lambda where, x: (x, where[0]), seen)
    return Seen(s.map(lambda x: look(x)), lambda n: seen.__setitem__(0, n))


def a_broadcast_in_a_dict(s: Any, ssc: Any) -> Seen:
    held = {"b": ssc.sparkContext.broadcast(0)}
    return Seen(
        s.map(lambda x: (x, held["b"].value)),
        lambda n: held.update(b=ssc.sparkContext.broadcast(n)),
    )


def a_broadcast_in_a_cell(s: Any, ssc: Any) -> Seen:
    sc = ssc.sparkContext
    held = sc.broadcast(0)

    def renew(n: int) -> None:
        nonlocal held
        held = sc.broadcast(n)

    return Seen(s.map(lambda x: (x, held.value)), renew)


def a_global_broadcast(s: Any, ssc: Any) -> Seen:
    sc = ssc.sparkContext

    def renew(n: int) -> None:
        global HELD
        HELD = sc.broadcast(n)

    renew(0)
    return Seen(s.map(lambda x: (x, HELD.value)), renew)


def in_state(s: Any, ssc: Any) -> Seen:
    seen = {"n": 0}
    states = s.map(lambda x: ("all", x)).updateStateByKey(
        lambda new, old: [*(old or []), (new[0], seen["n"])]
    )
    return Seen(states.map(lambda pair: pair[1][-1]), lambda n: seen.update(n=n))


def behind_a_shuffle(s: Any, ssc: Any) -> Seen:
    seen = {"n": 0}
    summed = s.map(lambda x: (x, 1)).reduceByKey(lambda a, b: a + b)
    return Seen(summed.map(lambda pair: (pair[0], seen["n"])), lambda n: seen.update(n=n))


def in_a_window(s: Any, ssc: Any) -> Seen:
    seen = {"n": 0}
    pairs = s.map(lambda x: ("all", (x, seen["n"])))
    latest = pairs.reduceByKeyAndWindow(max, None, 2, 1)
    return Seen(latest.map(lambda pair: pair[1]), lambda n: seen.update(n=n))


CASES: list[Build] = [
    a_dict,
    a_list,
    a_model,
    an_attribute_of_self,
    a_rebound_global,
    a_rebound_cell,
    a_function_that_calls_another,
    a_default_argument,
    a_partial,
    a_broadcast_in_a_dict,
    a_broadcast_in_a_cell,
    a_global_broadcast,
    in_state,
    behind_a_shuffle,
    in_a_window,
]


def eventually(ssc: Any, true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not true():
        assert time.monotonic() < deadline
        ssc.awaitTerminationOrTimeout(0.01)  # raises what has failed


@dataclass
class Script:
    """Runs cases while the first output of batch 1 holds all later batches up."""

    sc: SparkContext
    engine: Any

    def __post_init__(self) -> None:
        self.found: dict[str, list[Any]] = {}
        self.ended: list[int] = []
        self.generated: list[int] = []
        self.changes: dict[str, Callable[[int], None]] = {}
        self.go_on = threading.Event()
        self.holds = threading.Event()

    def change(self, value: int) -> None:
        for change in self.changes.values():
            change(value)

    def _first(self, at: datetime, rdd: Any) -> None:
        number = round(at.timestamp()) - START
        self.change(number)  # an output of this batch trains
        if number == 1:
            self.holds.set()
            assert self.go_on.wait(DEADLINE)

    def run(self, cases: list[Build]) -> dict[str, list[Any]]:
        ssc = self.engine.StreamingContext(self.sc, 1)
        numbers = [[n] for n in range(1, BATCHES + 1)]
        ssc.queueStream(numbers).foreachRDD(self._first)
        for case in cases:
            seen = case(ssc.queueStream(numbers), ssc)
            self.changes[case.__name__] = seen.change
            seen.stream.foreachRDD(self._collect(case.__name__))
        end = ssc.queueStream(numbers)
        if self.engine is real:  # calls it when all functions of the batch are pickled
            end = end.transform(lambda at, rdd: self._note_generated(at, rdd))
        end.foreachRDD(lambda at, rdd: self.ended.append(round(at.timestamp()) - START))
        clock = ManualClock(ssc)
        clock.advance(START)
        ssc.start()
        try:
            self._advance(ssc, clock, 1)
            eventually(ssc, self.holds.is_set)
            self._advance(ssc, clock, 2)
            self._advance(ssc, clock, 3)
            self.change(100)  # by the main program
            self._advance(ssc, clock, 4)
            self._advance(ssc, clock, 5)
            self.go_on.set()
            eventually(ssc, lambda: 5 in self.ended)
            self._advance(ssc, clock, 6)
            eventually(ssc, lambda: 6 in self.ended)
        finally:
            self.go_on.set()
            ssc.stop(stopSparkContext=False)
        return self.found

    def _collect(self, name: str) -> Callable[[Any], None]:
        found: list[Any] = []
        self.found[name] = found
        return lambda rdd: found.extend(rdd.collect())

    def _note_generated(self, at: datetime, rdd: Any) -> Any:
        self.generated.append(round(at.timestamp()) - START)
        return rdd

    def _advance(self, ssc: Any, clock: ManualClock, number: int) -> None:
        clock.advance(1)
        if self.engine is real:
            eventually(ssc, lambda: number in self.generated)
        else:
            due = (START + number) * 1000
            eventually(ssc, lambda: ssc._job.runner.functions.noted >= due)


@pytest.fixture(scope="module")
def found(sc: SparkContext) -> tuple[Any, Any]:
    return Script(sc, real).run(CASES), Script(sc, ours).run(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_late_batch_sees_what_it_saw_at_its_time(case: Build, found: tuple[Any, Any]) -> None:
    theirs, own = (each[case.__name__] for each in found)
    assert theirs == [(1, 0), (2, 1), (3, 1), (4, 100), (5, 100), (6, 5)]
    assert own == theirs


def counted(sc: SparkContext, engine: Any) -> list[tuple[int, int]]:
    """Return what each output reads of an accumulator; batches 2 to 5 are late."""
    ssc, found = engine.StreamingContext(sc, 1), list[tuple[int, int]]()
    total = sc.accumulator(0)

    def count(n: int) -> int:
        total.add(n)
        return n

    def read(rdd: Any) -> None:
        found.extend((n, total.value) for n in rdd.collect())

    ssc.queueStream([[n] for n in range(1, 6)]).map(count).foreachRDD(read)
    advance(ssc, found, [1, 4])
    return found


def rebinds_a_cell() -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    seen = 0

    def learn(rdd: Any) -> Any:
        nonlocal seen
        seen += 1
        return rdd

    return lambda n: (n, seen), learn


def assigns_in_a_method() -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    global GLOBAL
    GLOBAL = 0

    class Job:
        def _update(self) -> None:
            global GLOBAL
            GLOBAL += 1

        def __call__(self, rdd: Any) -> Any:
            self._update()
            return rdd

    job = Job()
    return lambda n: (n, GLOBAL), lambda rdd: job(rdd)


def assigns_to_a_class() -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    class Model:
        weight = 0

        @classmethod
        def learn(cls, rdd: Any) -> Any:
            cls.weight += 1
            return rdd

    return lambda n: (n, Model.weight), lambda rdd: Model.learn(rdd)


def changed_by_transform(
    sc: SparkContext, engine: Any, look: Callable[[Any], Any], learn: Callable[[Any], Any]
) -> list[tuple[int, int]]:
    """Return what batches see of a variable that a function of a later output changes."""
    ssc, found = engine.StreamingContext(sc, 1), list[tuple[int, int]]()
    source = ssc.queueStream([[n] for n in range(1, 6)])
    source.map(look).foreachRDD(lambda rdd: found.extend(rdd.collect()))
    source.transform(learn).foreachRDD(lambda rdd: None)
    advance(ssc, found, [1, 4])
    return found


def advance(ssc: Any, found: list[Any], steps: list[int]) -> None:
    clock, due = ManualClock(ssc), 0
    clock.advance(START)
    ssc.start()
    try:
        for step in steps:
            due += step
            clock.advance(step)
            eventually(ssc, lambda due=due: len(found) >= due)
    finally:
        ssc.stop(stopSparkContext=False)


@pytest.mark.slow
def test_an_output_reads_what_the_batches_up_to_its_own_have_counted(sc: SparkContext) -> None:
    expected = [(1, 1), (2, 3), (3, 6), (4, 10), (5, 15)]
    assert [counted(sc, real), counted(sc, ours)] == [expected, expected]


@pytest.mark.slow
@pytest.mark.parametrize("case", [rebinds_a_cell, assigns_in_a_method, assigns_to_a_class])
def test_late_batches_see_what_functions_of_transform_have_changed(
    sc: SparkContext, case: Callable[[], tuple[Callable[[Any], Any], Callable[[Any], Any]]]
) -> None:
    expected = [(1, 0), (2, 1), (3, 2), (4, 3), (5, 4)]
    found = [changed_by_transform(sc, each, *case()) for each in (real, ours)]
    assert found == [expected, expected]


class Properties:
    """What a query's thread tells its tasks; stands for a SparkContext."""

    def __init__(self) -> None:
        self.told: dict[str, str | None] = {}
        self._pickled_broadcast_vars: set[Any] = set()
        self._jsc = MagicMock()

    def setLocalProperty(self, name: str, value: str | None) -> None:
        self.told[name] = value


def test_intervals_go_together_up_to_a_change() -> None:
    seen = {"n": 0}
    sc: Any = Properties()
    plan: Any = SimpleNamespace(parts_to_ship=lambda: {"stage": lambda: seen["n"]})
    functions = ShippedFunctions(sc, plan)
    functions.begin()
    functions.note(1_000)
    functions.note(3_000)
    seen["n"] = 5
    functions.note(4_000)
    seen["n"] = 0
    functions.note(5_000)
    ends, shipped, last = [], [], 0
    while last < 8_000:
        last = functions.same_until(last, 8_000, 1_000)
        functions.ship(last)
        ends.append(last)
        shipped.append({name: value is not None for name, value in sc.told.items()})
    assert ends == [3_000, 4_000, 8_000]
    (name,) = sc.told
    assert shipped == [{}, {name: True}, {name: False}]


def test_what_cannot_be_pickled_at_a_batch_time_fails_that_batch() -> None:
    seen: dict[str, Any] = {"n": 0}
    sc: Any = Properties()
    plan: Any = SimpleNamespace(parts_to_ship=lambda: {"stage": lambda: seen["n"]})
    functions = ShippedFunctions(sc, plan)
    functions.begin()
    functions.note(1_000)
    seen["n"] = threading.Lock()
    functions.note(2_000)
    seen["n"] = 1
    assert functions.same_until(0, 3_000, 1_000) == 1_000
    functions.ship(1_000)
    assert functions.same_until(1_000, 3_000, 1_000) == 2_000
    with pytest.raises(TypeError, match="lock"):
        functions.ship(2_000)


class Restless:
    """Changes a container that holds it, so many times, while it is pickled."""

    def __init__(self, change: Callable[[], None]) -> None:
        self.left = 0
        self._change = change

    def __reduce__(self) -> Any:
        if self.left:
            self.left -= 1
            self._change()
        return int, ()


def changed_while_pickled(kind: str) -> tuple[Any, Restless]:
    held: Any = {"deque": deque, "dict": dict, "ordered": OrderedDict}[kind]()
    change = (lambda: held.append(1)) if kind == "deque" else (lambda: held.update({len(held): 1}))
    restless = Restless(change)
    if kind == "deque":
        held.extend([restless, 1])
    else:
        held.update({"a": restless, "b": 1})
    return held, restless


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["deque", "dict", "ordered"])
def test_what_changes_while_it_is_pickled_is_pickled_again(kind: str) -> None:
    held, restless = changed_while_pickled(kind)
    sc: Any = Properties()
    plan: Any = SimpleNamespace(parts_to_ship=lambda: {"stage": lambda: held})
    functions = ShippedFunctions(sc, plan)
    restless.left = 7
    functions.begin()
    functions.note(1_000)
    assert restless.left == 0
    restless.left = 1_000  # longer than is waited for
    functions.note(2_000)
    assert restless.left > 0
    restless.left = 0
    assert functions.same_until(0, 2_000, 1_000) == 1_000
    functions.ship(1_000)
    functions.ship(2_000)
    assert len(sc.told) == 1


def test_nothing_is_watched_if_it_was_closed_before() -> None:
    functions = ShippedFunctions(Properties(), SimpleNamespace(parts_to_ship=dict))  # type: ignore[arg-type]
    functions.close()
    functions.watch(SettableClock(), 1_000)
    assert functions._watch is not None
    assert not functions._watch._thread.is_alive()


def test_intervals_go_one_by_one_once_an_accumulator_is_seen() -> None:
    seen: dict[str, Any] = {"n": 0}
    sc: Any = Properties()
    plan: Any = SimpleNamespace(parts_to_ship=lambda: {"stage": lambda: seen["n"]})
    functions = ShippedFunctions(sc, plan)
    functions.begin()
    assert functions.same_until(0, 3_000, 1_000) == 3_000
    seen["n"] = Accumulator(1, 0, AddingAccumulatorParam(0))
    assert functions.same_until(3_000, 6_000, 1_000) == 4_000
    assert functions.same_until(4_000, 6_000, 1_000) == 5_000
