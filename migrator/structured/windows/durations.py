"""Lengths of windows and slides as a job writes them, and what is known of their values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator
from dataclasses import dataclass

from dstream_compat.native.expressions import Given
from dstream_compat.native.names import Environment, Known, Meaning, bound_once
from dstream_compat.native.types import Long

from ..program.modules import Block, SourceModule
from ..refusals import NotExpressible

ARITHMETIC = {
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
        return (
            self.text
            if self.text.replace(".", "").isidentifier() or self.literal
            else (f"({self.text})")
        )

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
    value = _value(module, block, node, DEEPEST)
    if value is not None and value <= 0:
        raise NotExpressible("DURATION", "the duration is not positive", node)
    literal = not any(isinstance(part, ast.Name) for part in ast.walk(node))
    if literal and value is None:
        raise NotExpressible("DURATION", "the duration is no number", node)
    whole = _is_whole(module, block, node, DEEPEST)
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
    module : Module
        the module
    block : Block
        a block in it
    outer : Environment
        what else names mean there
    """

    module: SourceModule
    block: Block
    outer: Environment

    def lookup(self, name: str) -> Meaning | None:
        """Return the meaning of a name."""
        found = self.outer.lookup(name)
        if found is not None:
            return found
        scope = self.block.functions[-1] if self.block.functions else self.module.tree
        named = ast.Name(name, ast.Load())
        if name in bound_once(scope.body) and _is_whole(self.module, self.block, named, DEEPEST):
            return Given(Long(), name)
        return None


def _value(module: SourceModule, block: Block, node: ast.expr | None, depth: int) -> float | None:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            first = _value(module, block, left, depth)
            second = _value(module, block, right, depth)
            if first is None or second is None or (isinstance(op, ast.FloorDiv) and not second):
                return None
            found: float = ARITHMETIC[type(op)](first, second)
            return found
        case ast.Name(id=name) if depth:
            return _value(module, block, _binding(module, block, name), depth - 1)
    return None


def _is_whole(module: SourceModule, block: Block, node: ast.expr | None, depth: int) -> bool:
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int) and not isinstance(value, bool)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC:
            return _is_whole(module, block, left, depth) and _is_whole(module, block, right, depth)
        case ast.IfExp(body=body, orelse=other):
            return _is_whole(module, block, body, depth) and _is_whole(module, block, other, depth)
        case ast.Call(func=ast.Name(id="int")):
            return module.environment_in(block).lookup("int") == Known("int")
        case ast.Name(id=name) if depth:
            return _is_whole(module, block, _binding(module, block, name), depth - 1)
    return False


def _binding(module: SourceModule, block: Block, name: str) -> ast.expr | None:
    """Return what a name is bound to, if it is bound once."""
    for scope in (*reversed(block.functions), module.tree):
        if isinstance(scope, ast.FunctionDef) and any(
            each.arg == name for each in ast.walk(scope.args) if isinstance(each, ast.arg)
        ):
            return None
        stores = [*_stores(scope, name)]
        if stores:
            return _assigned(module, stores[0]) if len(stores) == 1 else None
    return None


def _stores(scope: ast.AST, name: str) -> list[ast.Name]:
    """Return where a scope binds a name, without the functions in it."""
    return [
        each
        for each in _own(scope)
        if isinstance(each, ast.Name) and each.id == name and not isinstance(each.ctx, ast.Load)
    ]


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(scope):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield from _own(child)


def _assigned(module: SourceModule, store: ast.Name) -> ast.expr | None:
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
