"""The reduce functions that need not be called for each record: a table, and why each is exact.

A function is recognised by its bytecode, never by its name, and only where it is used: what it
reads from its module may be replaced at any time. Whatever is not recognised is called.

Decision 0066: Reduce and pair functions are recognised by bytecode.
"""

from __future__ import annotations

import builtins
import dis
import operator
from collections.abc import Callable, Iterable
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple, NoReturn

Merge = Callable[[Any, Any], Any]
Loop = Callable[[dict[Any, Any], Iterable[Any], Merge], None]
"""Merges pairs into a dict; the last argument is the user's function, for errors."""

UNUSUAL: Final = CO_GENERATOR | CO_COROUTINE | CO_ASYNC_GENERATOR | CO_VARARGS | CO_VARKEYWORDS
_CONSTANTS: Final = frozenset(("LOAD_CONST", "RETURN_CONST"))


class _Row(NamedTuple):
    """One way to reduce two values, as users write it and as the loop evaluates it."""

    written: tuple[str, ...]
    """Bodies of ``lambda a, b: ...``."""
    loop: str
    """The expression over ``a`` and ``b`` in the loop; at most one operation of it may fail."""
    same: tuple[Any, ...] = ()
    """Built-in functions that do the same."""
    counts: bool = False
    """Whether n values that are the int c give n * c."""


_TABLE: Final = (
    # operator.add is the protocol of `+`. Sums of ints do not depend on order or grouping; those
    # of all else do, in their type (True + True), their rounding or their content (texts).
    _Row(("a + b",), "a + b", (operator.add,), counts=True),
    _Row(("b + a",), "b + a", counts=True),
    _Row(("a - b",), "a - b", (operator.sub,)),
    _Row(("a * b",), "a * b", (operator.mul,)),
    _Row(("a | b",), "a | b", (operator.or_,)),
    _Row(("a & b",), "a & b", (operator.and_,)),
    # max() and min() ask this of their second argument, and keep the first one if it is not so:
    # equal values of two types, NaN, and what has no order give the same.
    _Row(("max(a, b)", "b if b > a else a"), "b if b > a else a", (max,)),
    _Row(("min(a, b)", "b if b < a else a"), "b if b < a else a", (min,)),
    _Row(("max(b, a)", "a if a > b else b"), "a if a > b else b"),
    _Row(("min(b, a)", "a if a < b else b"), "a if a < b else b"),
    _Row(("a if a >= b else b",), "a if a >= b else b"),
    _Row(("a if a <= b else b",), "a if a <= b else b"),
    _Row(("b if a < b else a",), "b if a < b else a"),
    _Row(("b if a > b else a",), "b if a > b else a"),
    _Row(("a",), "a"),
    _Row(("b",), "b"),
)


class _Raises:
    """Raises an error in whatever function it is given to, as if that had made it."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def _raise(self, _: object) -> NoReturn:
        error = self._error
        # The first entry is the frame of the loop.
        raise error.with_traceback(error.__traceback__ and error.__traceback__.tb_next)

    __add__ = __sub__ = __mul__ = __or__ = __and__ = _raise
    __gt__ = __lt__ = __ge__ = __le__ = _raise


def raise_in(function: Merge, error: BaseException) -> NoReturn:
    """Raise an error of the loop with the traceback that the user's function would have given.

    Parameters
    ----------
    function : callable
        the recognised function, which is called with values that raise the error
    error : BaseException
        what its operation has raised in the loop
    """
    function(_Raises(error), _Raises(error))
    raise AssertionError(f"{function!r} was taken for another function")


_SOURCE: Final = """
def loop(held, pairs, function):
    get = held.get
    for key, b in pairs:
        a = get(key, missing)
        if a is missing:
            held[key] = b
        else:
            try:
                result = {expression}
            except BaseException as error:
                raise_in(function, error)
            held[key] = result
"""


class Reducer(NamedTuple):
    """A recognised reduce function.

    Parameters
    ----------
    text : str
        its expression over the arguments a and b
    loop : callable
        merges pairs with that expression in place of a call
    counts : bool
        whether n values that are the int c give n * c
    """

    text: str
    loop: Loop
    counts: bool


def _define(source: str, name: str, **names: Any) -> FunctionType:
    # Its file is this one, so its frames count as ours in tracebacks.
    exec(compile(source, __file__, "exec"), names)
    function = names[name]
    assert isinstance(function, FunctionType)
    return function


def _function(parameters: str, body: str) -> FunctionType:
    return _define(f"function = lambda {parameters}: {body}", "function")


def _reducers() -> tuple[list[tuple[FunctionType, Reducer]], dict[int, Reducer]]:
    references, same = [], {}
    for row in _TABLE:
        source = _SOURCE.format(expression=row.loop)
        loop = _define(source, "loop", missing=object(), raise_in=raise_in)
        for body in row.written:
            reducer = Reducer(body, loop, row.counts)
            references.append((_function("a, b", body), reducer))
        for function in row.same:
            same[id(function)] = Reducer(function.__name__, loop, row.counts)
    return references, same


def is_like(function: Any, reference: FunctionType) -> bool:
    """Return whether a function does what a reference does, by its bytecode.

    Parameters
    ----------
    function : Any
        what the user gave
    reference : function
        without closure and defaults, compiled by this interpreter; what it reads from its module
        are built-in functions
    """
    if type(function) is not FunctionType:
        return False
    if function.__closure__ or function.__defaults__ or function.__kwdefaults__:
        return False
    code, other = function.__code__, reference.__code__
    return (
        code.co_code == other.co_code
        and code.co_argcount == other.co_argcount
        and not code.co_kwonlyargcount
        and not code.co_flags & UNUSUAL
        and not code.co_cellvars
        and code.co_names == other.co_names
        and _constants(code) == _constants(other)
        and all(_is_builtin(function, name) for name in other.co_names if hasattr(builtins, name))
    )


def _constants(code: CodeType) -> list[tuple[type, str]]:
    """Return the constants that are used, in order: a docstring is not."""
    used = (i.argval for i in dis.get_instructions(code) if i.opname in _CONSTANTS)
    return [(type(value), repr(value)) for value in used]


def _is_builtin(function: Any, name: str) -> bool:
    if name in function.__globals__:
        value = function.__globals__[name]
    else:
        value = function.__builtins__.get(name)
    return value is getattr(builtins, name, None)


_REFERENCES, _SAME = _reducers()
_IDENTITY: Final = _function("a", "a")
_LISTED: Final = _function("a", "[a]")


_APPENDS: Final[tuple[Any, ...]] = (
    _function("a, b", "a + [b]"),
    _function("a, b", "a.append(b) or a"),
    _define("def append(a, b):\n    a.append(b)\n    return a", "append"),
)


_RUNNING_SUMS: Final = (
    *(
        _function("a, b", body)
        for body in (
            "sum(a) + (b or 0)",
            "sum(a, b or 0)",
            "(b or 0) + sum(a)",
            "sum(a) if b is None else sum(a) + b",
            "sum(a, 0 if b is None else b)",
            "sum(a) + (0 if b is None else b)",
            "sum(a) + (b if b is not None else 0)",
        )
    ),
    *(
        _define(
            f"def update(a, b):\n    {doc}\n    if {test}:\n        b = 0\n    return {body}",
            "update",
        )
        for doc in ("", "'a docstring moves the other constants'")
        for test in ("b is None", "not b")
        for body in ("sum(a, b)", "sum(a) + b", "b + sum(a)")
    ),
)
"""What gives an int for an int and no new values: the same one."""


def reducer_of(merge: Any) -> Reducer | None:
    """Return what is known of a reduce function, or None if it must be called.

    Parameters
    ----------
    merge : Any
        what the user gave
    """
    if type(merge) is not FunctionType:
        return _SAME.get(id(merge))
    return next((reducer for reference, reducer in _REFERENCES if is_like(merge, reference)), None)


def is_identity(create: Any) -> bool:
    """Return whether a function of one argument returns it."""
    return is_like(create, _IDENTITY)


def is_list(create: Any, merge: Any) -> bool:
    """Return whether the combiner is a list of values, in their order.

    The list is made by ``create`` and nobody else has it, so it makes no difference whether
    ``merge`` changes it or returns a new one.
    """
    return is_like(create, _LISTED) and any(is_like(merge, reference) for reference in _APPENDS)


def is_running_sum(update: Any) -> bool:
    """Return whether an update function of states leaves ints as they are without new values."""
    return any(is_like(update, reference) for reference in _RUNNING_SUMS)
