"""Which functions are recognised by their bytecode, and the many that are not."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import pytest
from pyspark import cloudpickle

from dstream_compat.worker.operators.constant_pairs import ConstantKey, ConstantValue, pairs_of
from dstream_compat.worker.operators.recognised import (
    is_identity,
    is_list,
    is_running_sum,
    reducer_of,
)

SHIFT = 1


def added(a: int, b: int) -> int:
    """Named, documented and annotated."""
    return a + b


def appended(values: list[Any], value: Any) -> list[Any]:
    values.append(value)
    return values


def with_closure(by: int) -> Callable[[int, int], int]:
    return lambda a, b: a + b + by


def shadowing(text: str, **names: Any) -> Any:
    """Return a lambda of a module that has names of its own."""
    return eval(text, names)


def travelled(function: Any) -> Any:
    """Return a function as workers get it."""
    return cloudpickle.loads(cloudpickle.dumps(function, 5))  # type: ignore[no-untyped-call]


RECOGNISED = {
    "lambda": (lambda a, b: a + b, "a + b"),
    "other-names": (lambda total, new: total + new, "a + b"),
    "named": (added, "a + b"),
    "travelled": (travelled(added), "a + b"),
    "commuted": (lambda a, b: b + a, "b + a"),
    "operator.add": (operator.add, "add"),
    "operator.mul": (operator.mul, "mul"),
    "times": (lambda a, b: a * b, "a * b"),
    "max": (max, "max"),
    "min": (min, "min"),
    "max-called": (lambda a, b: max(a, b), "max(a, b)"),
    "min-called": (travelled(lambda a, b: min(a, b)), "min(a, b)"),
    "max-imported": (shadowing("lambda a, b: max(a, b)", max=max), "max(a, b)"),
    "larger": (lambda a, b: a if a > b else b, "a if a > b else b"),
    "last": (lambda a, b: b, "b"),
}

NOT_RECOGNISED: dict[str, Any] = {
    "closure": with_closure(1),
    "closure-that-is-not-read": (lambda f: lambda a, b: (a + b, f)[0])(1),
    "default": lambda a, b=1: a + b,
    "keyword-default": lambda a, b, *, c=1: a + b,
    "keyword-only": eval("lambda a, *, b: a + b"),
    "third": lambda a, b, c: a + b,
    "one": lambda a: a + a,
    "varargs": lambda a, b, *more: a + b,
    "keywords": lambda a, b, **more: a + b,
    "twice": lambda a, b: a + a,
    "constant": lambda a, b: a + b + 0,
    "global": lambda a, b: a + SHIFT,
    "in-place": shadowing("lambda a, b: operator.iadd(a, b)", operator=operator),
    "attribute": lambda a, b: operator.add(a, b),
    "iadd": operator.iadd,
    "concat": operator.concat,
    "sum": lambda a, b: sum((a, b)),
    "builtin-sum": sum,
    "max-of-three": lambda a, b: max(a, b, 0),
    "max-of-a-tuple": lambda a, b: max((a, b)),
    "max-by-key": lambda a, b: max(a, b, key=abs),
    "max-shadowed": shadowing("lambda a, b: max(a, b)", max=min),
    "max-of-other-builtins": shadowing("lambda a, b: max(a, b)", __builtins__={"max": min}),
    "min-missing": shadowing("lambda a, b: min(a, b)", __builtins__={}),
    "and": lambda a, b: a and b,
    "equal": lambda a, b: a == b,
    "power": lambda a, b: a**b,
    "divided": lambda a, b: a / b,
    "tuple": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "generator": shadowing("lambda a, b: (yield a + b)"),
    "wrapped": functools.wraps(added)(lambda a, b: added(a, b)),
    "partial": functools.partial(added),
    "cached": functools.lru_cache(added),
    "method": int.__add__,
    "bound": (1).__add__,
    "type": int,
    "none": None,
    "number": 7,
}


@pytest.mark.parametrize("name", RECOGNISED)
def test_recognised_reducers(name: str) -> None:
    function, text = RECOGNISED[name]
    found = reducer_of(function)
    assert found is not None and found.text == text
    assert found.counts == (text in ("a + b", "b + a", "add")), "only sums of ints can be counted"


@pytest.mark.parametrize("name", NOT_RECOGNISED)
def test_other_reducers_are_called(name: str) -> None:
    assert reducer_of(NOT_RECOGNISED[name]) is None


async def coroutine(a: int, b: int) -> int:
    return a + b


def test_a_coroutine_is_called() -> None:
    assert reducer_of(coroutine) is None


def test_a_builtin_that_is_replaced_later() -> None:
    names: dict[str, Any] = {}
    larger = eval("lambda a, b: max(a, b)", names)
    assert reducer_of(larger)
    names["max"] = min
    assert reducer_of(larger) is None
    names["max"] = max
    assert reducer_of(larger)


def test_code_that_is_replaced_later() -> None:
    names: dict[str, Any] = {}
    exec("def reduce(a, b): return a + b", names)
    assert reducer_of(names["reduce"])
    names["reduce"].__code__ = (lambda a, b: a - b - 1).__code__
    assert reducer_of(names["reduce"]) is None
    names["reduce"].__code__ = (lambda a, b: a + b).__code__
    names["reduce"].__defaults__ = (1,)
    assert reducer_of(names["reduce"]) is None


PAIRS: dict[str, tuple[Any, Any]] = {
    "one": (lambda w: (w, 1), ConstantValue(1, True)),
    "two": (lambda word: (word, 2), ConstantValue(2, True)),
    "text": (lambda w: (w, "x"), ConstantValue("x", True)),
    "none": (lambda w: (w, None), ConstantValue(None, True)),
    "tuple": (lambda w: (w, (1, 2)), ConstantValue((1, 2), True)),
    "travelled": (travelled(lambda w: (w, 1)), ConstantValue(1, True)),
    "item": (lambda w: (w[0], 1), ConstantValue(1, False)),
    "method": (lambda w: (w.lower().strip("."), 1), ConstantValue(1, False)),
    "tuple-key": (lambda w: ((w, SHIFT), 1), ConstantValue(1, False)),
    "computed-default": (lambda w, n=3: (w + n, 1), ConstantValue(1, False)),
    "key": (lambda x: (None, x), ConstantKey(None)),
    "number-key": (lambda x: (1, x), ConstantKey(1)),
}

NO_PAIRS: dict[str, Any] = {
    "list": lambda w: [w, 1],
    "triple": lambda w: (w, 1, 1),
    "single": lambda w: (w,),
    "both-constant": lambda w: ("n", 1),
    "twice": lambda w: (w, w),
    "global": lambda w: (w, SHIFT),
    "negated-global": lambda w: (w, -SHIFT),
    "computed": lambda w: (w, len(w)),
    "either": lambda w: (w, 1 if w else 2),
    "either-of-equals": lambda w: (w, 1 if w else 1.0),
    "either-pair": lambda w: (w, 1) if w else (w, 2),
    "or": lambda w: (w, w or 1),
    "and": lambda w: (w, w and 1),
    "a-constant-late": lambda w: (w, [1][0]),
    "empty-list": lambda w: (w, []),
    "starred": lambda w: (*w, 1),
    "computed-key-first": lambda w: (1, w + 1),
    "generator": shadowing("lambda w: (yield (w, 1))"),
    "builtin": len,
    "type": tuple,
    "partial": functools.partial(lambda w: (w, 1)),
    "key-with-default": lambda x, y=2: (None, x),
    "whole-with-default": lambda x, y=2: (x, 1),
    "two-arguments": lambda a, b: (a, 1),
    "keyword-only": lambda a, *, b=1: (a, 1),
    "varargs": lambda *a: (a, 1),
    "none": None,
}


def two_returns(w: str) -> tuple[str, int]:
    if w:
        return w, 1
    return w, 2


def handled(w: str) -> tuple[str, int]:
    try:
        return w.lower(), 1
    except AttributeError:
        return w, 1


NO_PAIRS |= {"two-returns": two_returns, "handled": handled}


@pytest.mark.parametrize("name", PAIRS)
def test_recognised_pairs(name: str) -> None:
    function, known = PAIRS[name]
    found = pairs_of(function)
    assert found == known
    assert found is not None and type(found[0]) is type(known[0])


@pytest.mark.parametrize("name", NO_PAIRS)
def test_other_pairs_are_made_by_their_function(name: str) -> None:
    assert pairs_of(NO_PAIRS[name]) is None


@pytest.mark.parametrize("value", [True, 1.0, 0, -1, b"1", 2**70, -0.0])
def test_a_constant_keeps_its_type(value: Any) -> None:
    found = pairs_of(eval(f"lambda w: (w, {value!r})"))
    assert isinstance(found, ConstantValue)
    assert type(found.value) is type(value) and repr(found.value) == repr(value)


def test_identity() -> None:
    assert is_identity(lambda v: v)
    for other in (lambda v: (v,), lambda v, w=1: v, lambda v, w: v, lambda: 1, int, abs, None):
        assert not is_identity(other)


def test_lists() -> None:
    assert is_list(lambda v: [v], appended)
    assert is_list(lambda v: [v], lambda values, v: values + [v])  # noqa: RUF005
    assert is_list(lambda v: [v], lambda values, v: values.append(v) or values)


def test_what_is_no_list() -> None:
    assert not is_list(list, appended)
    assert not is_list(lambda v: v, appended), "the lists would be the user's"
    assert not is_list(lambda v: [v, v], appended)
    assert not is_list(lambda v: (v,), lambda values, v: values + [v])  # noqa: RUF005
    assert not is_list(lambda v: [v], lambda values, v: [v] + values)  # noqa: RUF005
    assert not is_list(lambda v: [v], lambda values, v: values + v)
    assert not is_list(lambda v: [v], lambda values, v: values.add(v) or values)
    assert not is_list(lambda v: [v], list.append)


def documented(new_values: list[int], running_count: int | None) -> int:
    """As in Spark's documentation."""
    if running_count is None:
        running_count = 0
    return sum(new_values, running_count)


def from_zero(values: list[int], total: int | None) -> int:
    if not total:
        total = 0
    return total + sum(values)


RUNNING_SUMS: list[Any] = [
    documented,
    from_zero,
    lambda new, old: sum(new) + (old or 0),
    lambda new, old: sum(new, old or 0),
    lambda new, old: (old or 0) + sum(new),
    lambda new, old: sum(new) if old is None else sum(new) + old,
    lambda new, old: sum(new) + (0 if old is None else old),
]


@pytest.mark.parametrize("update", RUNNING_SUMS)
@pytest.mark.parametrize("old", [0, 1, -7, 2**100])
def test_a_running_sum_leaves_ints(update: Any, old: int) -> None:
    assert is_running_sum(update)
    assert update([], old) == old
    assert type(update([], old)) is int


def counted(values: list[int], total: int | None) -> int:
    return (total or 0) + len(values)


def defaulted(values: list[int], total: int | None, start: int = 0) -> int:
    return sum(values) + (total or start)


def shadowed() -> Any:
    def sum(values: list[int]) -> int:
        return 5

    return lambda new, old: sum(new) + (old or 0)


def test_what_is_no_running_sum() -> None:
    others: list[Any] = [
        counted,
        defaulted,
        shadowed(),
        lambda new, old: sum(new) + (old or 1),
        lambda new, old: sum(new) + old,
        lambda new, old: sum(old) + (new or 0),
        lambda new, old: sum(new) - (old or 0),
        lambda new, old: max(new) + (old or 0),
        lambda new, old: sum(new) + (old or 0) + 1,
        lambda new, old: sum(new) + (old or 0.0),
        lambda new, old: sum(new) + (old or False),
        lambda old, new: sum(new) + (old or 0),
        lambda new, old: sum(new) or old,
        operator.add,
        sum,
        None,
    ]
    for other in others:
        assert not is_running_sum(other), other


def test_a_replaced_sum_is_called() -> None:
    names: dict[str, Any] = {"sum": lambda values: 5}
    exec("update = lambda new, old: sum(new) + (old or 0)", names)
    assert not is_running_sum(names["update"])
