"""Lengths of windows and slides as a job writes them, and what is known of their values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from dstream_compat.native.expressions import Given
from dstream_compat.native.names import Environment, Known, Meaning, names_bound_once
from dstream_compat.native.types import Long

from ..program.modules import Block, SourceModule
from ..refusals import NotExpressible

ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
DEEPEST = 8
"""How many names are followed."""


@dataclass(frozen=True)
class Duration:
    """A duration in seconds.

    Parameters
    ----------
    text : str
        its source
    value : int or float or None
        what it is, if that is written in the file
    whole : bool
        whether it is an integer
    literal : bool
        whether the source is a number
    """

    text: str
    value: float | None
    whole: bool
    literal: bool

    @property
    def operand(self) -> str:
        """The source as a part of a larger expression."""
        plain = self.literal or self.text.replace(".", "").isidentifier()
        return self.text if plain else f"({self.text})"

    @property
    def trigger(self) -> str:
        """The interval of a trigger, as source."""
        if not self.literal:
            return f'f"{{{self.text}}} seconds"'
        assert self.value is not None
        if self.value == 1:
            return '"1 second"'
        if float(self.value).is_integer():
            return f'"{int(self.value)} seconds"'
        return f'"{round(self.value * 1000)} milliseconds"'


def duration(module: SourceModule, block: Block, node: ast.expr) -> Duration:
    """Return a duration of a job.

    Raises
    ------
    NotExpressible
        if it is more than names and numbers
    """
    for part in ast.walk(node):
        if not isinstance(
            part,
            ast.Name | ast.Attribute | ast.Constant | ast.BinOp | ast.operator | ast.expr_context,
        ):
            raise NotExpressible(
                "DURATION", "the duration is computed in the call; use a number or a name", node
            )
    value, whole = _known_duration(module, block, node)
    if value is not None and value <= 0:
        raise NotExpressible("DURATION", "the duration is not positive", node)
    literal = not any(isinstance(part, ast.Name) for part in ast.walk(node))
    if literal and value is None:
        raise NotExpressible("DURATION", "the duration is no number", node)
    return Duration(module.source(node), value, whole, literal)


def is_multiple(length: Duration, of: Duration) -> bool | None:
    """Return whether a duration is a multiple of another, None if that is not known."""
    if length.text == of.text:
        return True
    if length.value is None or of.value is None:
        return None
    return round(length.value * 1000) % round(of.value * 1000) == 0


@dataclass(frozen=True)
class WholeNumbers:
    """The names of a block, and its whole numbers that are known only when the job runs.

    Parameters
    ----------
    outer : Environment
        what else names mean there
    """

    module: SourceModule
    block: Block
    outer: Environment

    def lookup(self, name: str) -> Meaning | None:
        """Return the meaning of a name."""
        value = self.outer.lookup(name)
        if value is not None:
            return value
        scope = self.block.functions[-1] if self.block.functions else self.module.tree
        named = ast.Name(name, ast.Load())
        if (
            name in names_bound_once(scope.body)
            and _known_duration(self.module, self.block, named)[1]
        ):
            return Given(Long(), name)
        return None


def _known_duration(
    module: SourceModule, block: Block, node: ast.expr | None, depth: int = DEEPEST
) -> tuple[float | None, bool]:
    """Return the number that an expression is, if it is written, and whether it is an integer."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value, isinstance(value, int)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            (a, first), (b, second) = (
                _known_duration(module, block, e, depth) for e in (left, right)
            )
            unknown = a is None or b is None or (isinstance(op, ast.FloorDiv) and not b)
            return None if unknown else ARITHMETIC[type(op)](a, b), first and second
        case ast.IfExp(body=body, orelse=other):
            return None, all(
                _known_duration(module, block, branch, depth)[1] for branch in (body, other)
            )
        case ast.Call(func=ast.Name(id="int")):
            return None, module.environment_in(block).lookup("int") == Known("int")
        case ast.Name(id=name) if depth:
            return _known_duration(module, block, _binding(module, block, name), depth - 1)
    return None, False


def _binding(module: SourceModule, block: Block, name: str) -> ast.expr | None:
    """Return what a name is bound to, if it is bound once."""
    for scope in (*reversed(block.functions), module.tree):
        if isinstance(scope, ast.FunctionDef) and any(
            node.arg == name for node in ast.walk(scope.args) if isinstance(node, ast.arg)
        ):
            return None
        stores = [*_stores(scope, name)]
        if stores:
            return _assigned_value(module, stores[0]) if len(stores) == 1 else None
    return None


def _stores(scope: ast.AST, name: str) -> list[ast.Name]:
    """Return where a scope binds a name, without the functions in it."""
    return [
        store
        for store in _own(scope)
        if isinstance(store, ast.Name) and store.id == name and not isinstance(store.ctx, ast.Load)
    ]


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield from _own(child)


def _assigned_value(module: SourceModule, store: ast.Name) -> ast.expr | None:
    match module.parents[store]:
        case ast.Assign(targets=[ast.Name()], value=value):
            return value
        case ast.Tuple(elts=elements) as target:
            statement = module.parents[target]
            if isinstance(statement, ast.Assign) and statement.targets == [target]:
                return _element(statement.value, elements.index(store), len(elements))
    return None


def _element(value: ast.expr, place: int, length: int) -> ast.expr | None:
    """Return an element of a tuple that is written, or of both tuples of a choice."""
    match value:
        case ast.Tuple(elts=elements) if len(elements) == length:
            return elements[place]
        case ast.IfExp(test=test, body=body, orelse=other):
            parts = _element(body, place, length), _element(other, place, length)
            if parts[0] is not None and parts[1] is not None:
                return ast.IfExp(test, parts[0], parts[1])
    return None
