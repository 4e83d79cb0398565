"""What decoders of Kafka are given: bytes, as before, where Spark makes a bytearray of them."""

from __future__ import annotations

import ast
from typing import Final

from migrator.spark.since import Version

from ..builder.builder import Builder
from ..builder.helpers import BYTES, helper
from ..program.modules import Block, SourceModule

BYTES_SPARK: Final[Version] = (4, 1)
"""The first Spark that gives the bytes of a column as `bytes`, not as `bytearray`."""

_SAME = frozenset(("json.loads", "builtins.bytes", "builtins.len"))
"""Functions that make the same of both."""
_TEXT = "builtins.str"
"""It makes the same of both if it is given an encoding."""


def field_of(builder: Builder, block: Block, decoder: ast.expr, field: str) -> str:
    """Return what a decoder is given in the function of a batch.

    Bytes are made of a field for a Spark before 4.1 where the decoder may tell a bytearray from
    them; other results say that they need 4.1 then.

    Parameters
    ----------
    builder : Builder
        of the job
    block : Block
        where functions are looked up
    decoder : ast.expr
        the function
    field : str
        the field of a row, as source
    """
    if _takes_both(builder.module, block, decoder):
        return field
    if builder.spark >= BYTES_SPARK:
        builder.printer.least = max(builder.printer.least, BYTES_SPARK)
        return field
    return f"{helper(builder, BYTES)}({field})"


def _takes_both(module: SourceModule, block: Block, decoder: ast.expr) -> bool:
    """Return whether a decoder makes the same of bytes and of a bytearray."""
    if module.path_of(decoder) in _SAME:
        return True
    function, _ = module.function_given(block, decoder)
    if function is None or len(function.args.args) != 1:
        return False
    name = function.args.args[0].arg
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    uses = [each for part in body for each in ast.walk(part)]
    return all(
        _is_same(module, each) for each in uses if isinstance(each, ast.Name) and each.id == name
    )


def _is_same(module: SourceModule, use: ast.Name) -> bool:
    """Return whether an expression of a value gives the same for bytes and for a bytearray."""
    parent = module.parents[use]
    match parent:
        case ast.Attribute(attr="decode"):
            return True
        case ast.Call(args=[first, *others]) if first is use:
            path = module.path_of(parent.func)
            return path in _SAME or (path == _TEXT and bool(others))
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()]):
            return left is use
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.If(test=test) | ast.IfExp(test=test):
            return test is use
    return False
