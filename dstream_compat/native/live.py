"""The source of a function that exists, and the meaning of the names that it uses now."""

from __future__ import annotations

import ast
import builtins
import datetime
import json
import linecache
import math
import operator
import re
from collections.abc import Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, TypeGuard

from .expressions import constant, literal
from .names import KNOWN_MODULES, Getter, Known, Local, Meaning, choices
from .refusals import Code, refusal_error

_MODULES = (operator, re, json, math, datetime)


def _known_functions() -> dict[int, tuple[object, str]]:
    """Return Python's own functions and classes by identity."""
    functions: dict[int, tuple[object, str]] = {}
    for module in (*_MODULES, builtins):
        prefix = "" if module is builtins else f"{module.__name__}."
        for name, value in vars(module).items():
            if callable(value) and not name.startswith("_"):
                functions[id(value)] = (value, prefix + name)
    for owner, prefix in ((str, "str"), (datetime.datetime, "datetime.datetime")):
        for name, value in vars(owner).items():
            functions[id(value)] = (value, f"{prefix}.{name}")
    return functions


_KNOWN = _known_functions()


def meaning_of(value: Any) -> Meaning | None:
    """Return the meaning of an object that a function refers to."""
    if isinstance(value, FunctionType):
        return local_function(value)
    if isinstance(value, ModuleType):
        return Known(value.__name__) if value.__name__ in KNOWN_MODULES else None
    if isinstance(value, BuiltinFunctionType) and isinstance(value.__self__, type):
        owner = _KNOWN.get(id(value.__self__))  # a class method, made anew by each access
        return Known(f"{owner[1]}.{value.__name__}") if owner else None
    if isinstance(value, operator.itemgetter):
        keys = [literal(each) for each in value.__reduce__()[1]]
        literals = tuple(each for each in keys if each is not None)
        return Getter(literals) if len(literals) == len(keys) else None
    if (entry := _KNOWN.get(id(value))) and entry[0] is value:
        return Known(entry[1])
    # Lists and sets may be changed between two records.
    return choices(value) if isinstance(value, frozenset) else constant(value)


class LiveNames:
    """The names of a function that exists: its closure, its module, the built-ins."""

    def __init__(self, function: FunctionType) -> None:
        self._function = function
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self._cells = dict(cells)

    def lookup(self, name: str) -> Meaning | None:
        """Return the meaning of a name at this moment."""
        if name in self._cells:
            try:
                return meaning_of(self._cells[name].cell_contents)
            except ValueError:
                return None  # not assigned yet
        for space in (self._function.__globals__, vars(builtins)):
            if name in space:
                return meaning_of(space[name])
        return None


def local_function(function: FunctionType) -> Local:
    """Return a function with its source and its names.

    Raises
    ------
    RefusedError
        if the source is not that of the function
    """
    node = _source(function)
    values = function.__defaults__ or ()
    positional = [*node.args.posonlyargs, *node.args.args]
    named = [each.arg for each in positional[len(positional) - len(values) :]]
    pairs = [*zip(named, values, strict=True), *(function.__kwdefaults__ or {}).items()]
    defaults = {name: meaning_of(value) for name, value in pairs}
    return Local(node, LiveNames(function), defaults)


def _source(function: FunctionType) -> ast.Lambda | ast.FunctionDef:
    code = function.__code__
    text = "".join(linecache.getlines(code.co_filename, function.__globals__))
    try:
        module = ast.parse(text)
        # The file may have changed since it was imported.
        same = code in set(_codes(compile(text, code.co_filename, "exec", dont_inherit=True)))
    except (SyntaxError, ValueError):
        same = False
    nodes = [each for each in ast.walk(module) if _holds(each, code)] if same else []
    if not nodes:
        raise refusal_error(
            Code.NO_SOURCE, None, f"the source of {function.__qualname__} is not found"
        )
    # The code of an inner lambda is inside the outer one, too.
    return min(nodes, key=_extent)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _codes(inner)


def _holds(node: ast.AST, code: CodeType) -> TypeGuard[ast.Lambda | ast.FunctionDef]:
    """Return whether the code was compiled from this function, or from a lambda inside this one."""
    match node:
        case ast.FunctionDef(decorator_list=[]):
            return node.name == code.co_name and node.lineno == code.co_firstlineno
        case ast.Lambda(body=body) if code.co_name == "<lambda>":
            assert body.end_lineno is not None and body.end_col_offset is not None
            begin, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
            return node.lineno == code.co_firstlineno and all(
                begin <= (line, column) and (end_line, end_column) <= end
                for line, end_line, column, end_column in code.co_positions()
                # The first instruction is at the start of the line.
                if None not in (line, end_line, column, end_column)
                and (column, end_column) != (0, 0)
            )
    return False


def _extent(node: ast.Lambda | ast.FunctionDef) -> tuple[int, int]:
    last = node.body if isinstance(node, ast.Lambda) else node
    assert last.end_lineno is not None and last.end_col_offset is not None
    return last.end_lineno - last.lineno, last.end_col_offset - last.col_offset
