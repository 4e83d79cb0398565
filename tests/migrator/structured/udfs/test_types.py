"""The inferred type of a function is the type of what it returns, whatever it is given."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dstream_compat.native.names import Local, module_environment
from dstream_compat.native.schemas import schema
from dstream_compat.native.types import (
    Array,
    Boolean,
    Double,
    Long,
    NoneType,
    Nullable,
    String,
    Tuple,
    Type,
)
from migrator.structured.program.graph import Node, Stage
from migrator.structured.program.modules import Block, SourceModule
from migrator.structured.udfs.expressions import TypeInference
from migrator.structured.udfs.names import JobNames
from migrator.structured.udfs.types import UnknownTypeError, elements, stored_type
from tests.migrator.structured.udfs import functions

TEXT = inspect.getsource(functions)
MODULE = SourceModule(TEXT, ast.parse(TEXT))
CALL = ast.parse("lines.map(f)", mode="eval").body
assert isinstance(CALL, ast.Call)
CALL.lineno = len(TEXT.splitlines()) + 1
NODE = Node("map", CALL, (), Stage.ROWS, Block(MODULE.tree.body))

PIECES = st.sampled_from(
    [
        *("", " ", "  ", ",", ";", "=", "a", "B", "é", "ß", "\u0130", "٣", "²", "1", "0", "-1"),
        *("1_0", "nan", "inf", "-0.0", "1e400", "9" * 30, "ERROR", "WARN", "end=", "a=1", "1,2"),
        *("#", "!", "\x00", "\n", "\u2028", "\xa0", "x=y z", "\U0001f600"),
    ]
)
LINES = st.one_of(
    st.lists(PIECES, max_size=6).map("".join),
    st.lists(PIECES, max_size=4).map(",".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.floats().map(str),
)


def inferred(function: Callable[..., Any]) -> tuple[Type, set[type[BaseException]]]:
    node = next(
        each
        for each in MODULE.tree.body
        if isinstance(each, ast.FunctionDef) and each.name == function.__name__
    )
    environment = module_environment(MODULE.tree)
    here = TypeInference(JobNames(MODULE, NODE).lookup, environment)
    environment = module_environment(MODULE.tree)
    found = here.call(Local(node, environment, {}), [String()])
    return found, here.raised | here.uncaught


def is_of(value: Any, kind: Type) -> bool:
    """Whether Spark keeps a value as a type, and gives it back as it was."""
    match kind:
        case Nullable(inner=inner):
            return value is None or is_of(value, inner)
        case NoneType():
            return value is None
        case Boolean():
            return type(value) is bool
        case Long(lo=lo, hi=hi):
            return type(value) is int and lo <= value <= hi and -(2**63) <= value < 2**63
        case Double():
            return type(value) is float
        case String():
            return type(value) is str and value == value.encode().decode()
        case Array(element=element):
            return type(value) is list and all(is_of(each, element) for each in value)
        case Tuple(fields=fields):
            sizes = type(value) is tuple and len(value) == len(fields)
            return sizes and all(map(is_of, value, fields))
    raise AssertionError(f"{kind} is no type of a column")


@pytest.mark.parametrize("function", functions.PROVEN, ids=lambda f: f.__name__)
def test_values_are_of_the_type(function: Callable[..., Any]) -> None:
    found, raised = inferred(function)
    lazy = isinstance(found, Array) and found.lazy
    kind = stored_type(Array(elements(found)) if lazy else found, "it")
    assert schema(kind)

    @settings(max_examples=120, deadline=None, database=None)
    @given(LINES)
    def check(line: str) -> None:
        try:
            value = function(line)
            value = list(value) if lazy else value
        except Exception as error:
            assert any(isinstance(error, each) for each in raised), repr(error)
            return
        assert is_of(value, kind), (line, value, kind)

    check()


@pytest.mark.parametrize("function", functions.SAFE, ids=lambda f: f.__name__)
def test_functions_that_raise_nothing(function: Callable[..., Any]) -> None:
    assert inferred(function)[1] == set()


@pytest.mark.parametrize("function", functions.UNPROVEN, ids=lambda f: f.__name__)
def test_what_is_not_certain_is_refused(function: Callable[..., Any]) -> None:
    with pytest.raises(UnknownTypeError) as refused:
        stored_type(inferred(function)[0], "its result")
    assert functions.UNPROVEN[function] in refused.value.text
