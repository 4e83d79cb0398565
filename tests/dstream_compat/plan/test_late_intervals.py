"""What functions in workers see of the driver, and how late intervals run for that reason."""

from __future__ import annotations

import functools
import importlib
import json
import logging
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import pytest

from dstream_compat.plan import seen_variables
from dstream_compat.plan.late_intervals import LateIntervals, late_intervals
from tests.dstream_compat.plan import helper_module
from tests.support.streaming.contexts import MakeContext

LIMIT = 3
WORD = re.compile("a+")
MODEL = {"a": 1}

Build = Callable[[Any], Any]
"""(stream of texts) -> the stream that has an output."""


class Trainer:
    def __init__(self) -> None:
        self.seen: list[str] = []

    def learn(self, word: str) -> str:
        return word

    def train(self, rdd: Any) -> Any:
        self.seen.append("one")
        return rdd


def found(make: MakeContext, build: Build) -> LateIntervals:
    ssc = make()
    build(ssc.queueStream([["a"]])).pprint()
    return late_intervals(ssc._graph)


def a_word_count(s: Any) -> Any:
    ones = s.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
    return ones.reduceByKeyAndWindow(lambda a, b: a + b, None, 2, 1).updateStateByKey(
        lambda new, old: sum(new) + (old or 0)
    )


def sorted_behind_it(s: Any) -> Any:
    return a_word_count(s).transform(lambda rdd: rdd.sortBy(lambda pair: -pair[1]))


def functions_of_modules(s: Any) -> Any:
    return s.map(str.upper).filter(lambda word: re.match("a", word)).map(len)


@pytest.mark.parametrize("build", [a_word_count, sorted_behind_it, functions_of_modules])
def test_together(make: MakeContext, build: Build) -> None:
    assert found(make, build) == (
        False,
        "together, as functions in workers see no variables",
    )


def some_globals(s: Any) -> Any:
    return s.map(lambda word: MODEL.get(word, LIMIT)).filter(lambda word: WORD.match(word))


def of_a_called_function(s: Any) -> Any:
    count = 0

    def inner(word: str) -> Any:
        return word, count

    return s.map(lambda word: inner(word))


def a_default(s: Any) -> Any:
    def look(word: str, known: Any = MODEL) -> Any:
        return known.get(word)

    return s.map(look)


def an_argument_of_a_partial(s: Any) -> Any:
    return s.mapPartitions(functools.partial(lambda known, words: words, {"a": 1}))


def a_bound_method(s: Any) -> Any:
    return s.map(Trainer().learn)


def an_attribute(s: Any) -> Any:
    trainer = Trainer()
    return s.map(lambda word: trainer.seen)


def a_method_of_a_dict(s: Any) -> Any:
    return s.map({"a": 1}.get)


def in_state(s: Any) -> Any:
    known = {"a": 1}
    return s.map(lambda word: (word, 1)).updateStateByKey(lambda new, old: known)


def an_attribute_of_a_class(s: Any) -> Any:
    class Model:
        weight = 0

    return s.map(lambda word: Model.weight)


def beside_a_sort(s: Any) -> Any:
    return some_globals(s).transform(lambda rdd: rdd.sortBy(lambda word: word))


@pytest.mark.parametrize(
    ("build", "names"),
    [
        (some_globals, "MODEL, LIMIT, WORD"),
        (of_a_called_function, "count"),
        (a_default, "known"),
        (an_argument_of_a_partial, "partial"),
        (a_bound_method, "Trainer"),
        (an_attribute, "trainer"),
        (in_state, "known"),
        (a_method_of_a_dict, "dict"),
        (an_attribute_of_a_class, "Model.weight"),
        (beside_a_sort, "MODEL, LIMIT, WORD"),
    ],
)
def test_together_as_long_as_it_is_the_same(make: MakeContext, build: Build, names: str) -> None:
    text = f"together, as long as functions in workers see the same: {names}"
    assert found(make, build) == (False, text)


def assigns_a_global(s: Any) -> Any:
    def learn(rdd: Any) -> Any:
        global LIMIT
        LIMIT = 4
        return rdd

    s.transform(learn).pprint()
    return some_globals(s)


def assigns_a_cell(s: Any) -> Any:
    count = 0

    def learn(rdd: Any) -> Any:
        nonlocal count
        count += 1
        return rdd

    s.transform(learn).pprint()
    return s.map(lambda word: (word, count))


def assigns_through_another_function(s: Any) -> Any:
    count = 0

    def inner() -> None:
        nonlocal count
        count += 1

    def learn(rdd: Any) -> Any:
        inner()
        return rdd

    s.transform(learn).pprint()
    return s.map(lambda word: (word, count))


def shares_a_dict(s: Any) -> Any:
    s.transform(lambda rdd: MODEL.update(b=2) or rdd).pprint()
    return some_globals(s)


def shares_self(s: Any) -> Any:
    trainer = Trainer()
    s.transform(trainer.train).pprint()
    return s.map(trainer.learn)


def shares_an_attribute(s: Any) -> Any:
    trainer = Trainer()
    seen = trainer.seen
    s.transform(trainer.train).pprint()
    return s.map(lambda word: word in seen)


def shares_with_two_streams(s: Any) -> Any:
    known = {"a": 1}
    s.transformWith(lambda a, b: a if known.clear() else b, s).pprint()
    return s.map(known.get)


def calls_a_method_that_assigns(s: Any) -> Any:
    class Job:
        def _update(self) -> None:
            global LIMIT
            LIMIT += 1

        def learn(self, rdd: Any) -> Any:
            self._update()
            return rdd

    s.transform(Job().learn).pprint()
    return some_globals(s)


class Static:
    @staticmethod
    def update() -> None:
        global LIMIT
        LIMIT += 1

    def __call__(self, rdd: Any) -> Any:
        self.update()
        return rdd


class Inherits(Static):
    pass


def calls_a_static_method(s: Any) -> Any:
    s.transform(lambda rdd: Static.update() or rdd).pprint()
    return some_globals(s)


def is_an_object_that_can_be_called(s: Any) -> Any:
    s.transform(Inherits()).pprint()
    return some_globals(s)


def calls_a_function_of_a_module(s: Any) -> Any:
    known = helper_module.KNOWN
    s.transform(lambda rdd: helper_module.update() or rdd).pprint()
    return s.map(lambda word: known.get(word))


def imports_a_function_of_a_module(s: Any) -> Any:
    known = helper_module.KNOWN

    def learn(rdd: Any) -> Any:
        from tests.dstream_compat.plan.helper_module import update

        update()
        return rdd

    s.transform(learn).pprint()
    return s.map(lambda word: known.get(word))


def assigns_by_name(s: Any) -> Any:
    s.transform(lambda rdd: globals().update(LIMIT=4) or rdd).pprint()
    return s.map(lambda word: LIMIT)


def assigns_through_a_module(s: Any) -> Any:
    def learn(rdd: Any) -> Any:
        import sys

        sys.modules[__name__].LIMIT = 4  # type: ignore[attr-defined]
        return rdd

    s.transform(learn).pprint()
    return some_globals(s)


def replaces_a_function(s: Any) -> Any:
    score = len

    def learn(rdd: Any) -> Any:
        nonlocal score
        score = repr  # type: ignore[assignment]
        return rdd

    s.transform(learn).pprint()
    return s.map(lambda word: score(word))


def assigns_an_attribute_of_a_class(s: Any) -> Any:
    class Model:
        weight = 0

    def learn(rdd: Any) -> Any:
        Model.weight += 1
        return rdd

    s.transform(learn).pprint()
    return s.map(lambda word: Model.weight)


def assigns_an_attribute_of_its_own_class(s: Any) -> Any:
    class Model:
        weight = 0

        def learn(self, rdd: Any) -> Any:
            setattr(type(self), "weight", 1)  # noqa: B010
            return rdd

    s.transform(Model().learn).pprint()
    return s.map(lambda word: Model.weight)


def runs_a_text(s: Any) -> Any:
    s.transform(lambda rdd: exec("LIMIT = 4") or rdd).pprint()  # type: ignore[func-returns-value]
    return some_globals(s)


def wrapped(function: Callable[[], None]) -> Callable[[], None]:
    @functools.wraps(function)
    def inner() -> None:
        function()

    return inner


def calls_a_decorated_function(s: Any) -> Any:
    count = 0

    @functools.lru_cache
    @wrapped
    def update() -> None:
        nonlocal count
        count += 1

    s.transform(lambda rdd: update() or rdd).pprint()
    return s.map(lambda word: (word, count))


@pytest.mark.parametrize(
    ("build", "name"),
    [
        (assigns_a_global, "LIMIT"),
        (assigns_a_cell, "count"),
        (assigns_through_another_function, "count"),
        (shares_a_dict, "MODEL"),
        (shares_self, "Trainer"),
        (shares_an_attribute, "seen"),
        (shares_with_two_streams, "dict"),
        (calls_a_method_that_assigns, "LIMIT"),
        (calls_a_static_method, "LIMIT"),
        (is_an_object_that_can_be_called, "LIMIT"),
        (calls_a_function_of_a_module, "known"),
        (imports_a_function_of_a_module, "known"),
        (assigns_by_name, "LIMIT"),
        (assigns_through_a_module, "LIMIT"),
        (replaces_a_function, "score"),
        (assigns_an_attribute_of_a_class, "Model.weight"),
        (assigns_an_attribute_of_its_own_class, "Model.weight"),
        (runs_a_text, "it calls exec or eval"),
        (calls_a_decorated_function, "count"),
    ],
)
def test_one_by_one_behind_transform(make: MakeContext, build: Build, name: str) -> None:
    text = "one by one, as a function that runs on RDDs may change what functions in workers see"
    assert found(make, build) == (True, f"{text}: {name}")


LOGGER = logging.getLogger("a job")


class Limits(NamedTuple):
    low: int
    high: int


@dataclass(frozen=True)
class Settings:
    limit: int = 3


LIMITS = Limits(1, 2)
SETTINGS = Settings()


def logs_beside_it(s: Any) -> Any:
    s.transform(lambda rdd: LOGGER.info("one") or rdd).pprint()
    return s.map(lambda word: LOGGER.info(word))


def shares_a_named_tuple(s: Any) -> Any:
    s.transform(lambda rdd: rdd.filter(lambda word: len(word) > LIMITS.low)).pprint()
    return s.map(lambda word: LIMITS.high)


def shares_a_frozen_dataclass(s: Any) -> Any:
    s.transform(lambda rdd: rdd.filter(lambda word: len(word) > SETTINGS.limit)).pprint()
    return s.map(lambda word: SETTINGS.limit)


def sets_attributes_of_others(s: Any) -> Any:
    class Counter:
        LIMIT = 0

        def __init__(self) -> None:
            self.LIMIT = 5

    s.transform(lambda rdd: Counter() and rdd).pprint()
    return s.map(lambda word: LIMIT)


def calls_functions_of_python(s: Any) -> Any:
    s.transform(lambda rdd: json.loads(os.environ.get("NONE", "[]")) or rdd).pprint()
    return s.map(lambda word: LIMIT)


def holds_much_beside_it(s: Any) -> Any:
    held = [str(n) for n in range(150_000)]
    s.transform(lambda rdd: rdd.filter(lambda word: word in held)).pprint()
    return s.map(lambda word: LIMIT)


def calls_functions_of_packages(s: Any) -> Any:
    s.transform(lambda rdd: pd.DataFrame(rdd.collect()).eval("a = 1") or rdd).pprint()
    return s.map(lambda word: LIMIT)


@pytest.mark.parametrize(
    ("build", "names"),
    [
        (calls_functions_of_packages, "LIMIT"),
        (logs_beside_it, "LOGGER"),
        (shares_a_named_tuple, "LIMITS"),
        (shares_a_frozen_dataclass, "SETTINGS"),
        (sets_attributes_of_others, "LIMIT"),
        (calls_functions_of_python, "LIMIT"),
        (holds_much_beside_it, "LIMIT"),
    ],
)
def test_together_as_transform_changes_nothing(make: MakeContext, build: Build, names: str) -> None:
    text = f"together, as long as functions in workers see the same: {names}"
    assert found(make, build) == (False, text)


def test_what_transform_holds_does_not_matter_if_workers_see_nothing(make: MakeContext) -> None:
    held = [[str(n)] for n in range(150_000)]

    def build(s: Any) -> Any:
        s.transform(lambda rdd: rdd.filter(lambda word: word in held)).pprint()
        return s.map(lambda word: word)

    assert found(make, build).text == "together, as functions in workers see no variables"


def makes_a_dataclass(s: Any) -> Any:
    @dataclass
    class Reading:
        word: str
        seen: list[str] = field(default_factory=list)
        size: int = 0

    return s.map(lambda word: Reading(word))


def makes_a_named_tuple(s: Any) -> Any:
    class Reading(NamedTuple):
        word: str
        size: int = 0

    return s.map(lambda word: Reading(word))


def makes_an_enum(s: Any) -> Any:
    class Color(Enum):
        RED = 1

    return s.map(lambda word: Color.RED)


@pytest.mark.parametrize(
    ("build", "seen"),
    [
        (makes_a_dataclass, "as long as functions in workers see the same: Reading.size"),
        (makes_a_named_tuple, "as functions in workers see no variables"),
        (makes_an_enum, "as functions in workers see no variables"),
    ],
)
def test_parts_of_a_class_are_not_named(make: MakeContext, build: Build, seen: str) -> None:
    assert found(make, build).text == f"together, {seen}"


@pytest.mark.slow
def test_objects_of_a_large_dict_are_decided_by_their_classes(make: MakeContext) -> None:
    known = {str(n): float(n) for n in range(200_000)}
    decided = seen_variables._changes.cache_info().misses
    text = found(make, lambda s: s.map(lambda word: known.get(word))).text
    assert text == "together, as long as functions in workers see the same: known"
    assert seen_variables._changes.cache_info().misses - decided < 100


def test_one_by_one_behind_an_installed_package_that_workers_see(
    make: MakeContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "site-packages"
    folder.mkdir()
    source = Path(helper_module.__file__).read_text()
    (folder / "package_of_a_team.py").write_text(source)
    monkeypatch.syspath_prepend(str(folder))
    package = importlib.import_module("package_of_a_team")
    known = package.KNOWN

    def build(s: Any) -> Any:
        s.transform(lambda rdd: package.update() or rdd).pprint()
        return s.map(lambda word: known.get(word))

    text = found(make, build).text
    del sys.modules[package.__name__]
    assert text.startswith("one by one, "), text


def test_one_by_one_with_an_accumulator(make: MakeContext) -> None:
    ssc = make()
    counted = ssc.sparkContext.accumulator(0)
    ssc.queueStream([["a"]]).map(lambda word: counted.add(1)).pprint()
    text = "one by one, as functions in workers add to an accumulator, which outputs may read"
    assert late_intervals(ssc._graph) == (False, text)


def test_what_cannot_be_pickled_is_told(make: MakeContext) -> None:
    ssc = make()
    ssc.queueStream([["a"]]).map(lambda word: ssc).pprint()
    assert late_intervals(ssc._graph).text.startswith("unknown, as functions cannot be pickled: ")
