"""Computes translated functions on blocks of texts.

Which expressions there are kernels for is known without Arrow, as the driver asks for it, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Final

from ...native.expressions import (
    Call,
    Column,
    Expression,
    Literal,
    Method,
    Not,
    Operator,
    OverArray,
    Variable,
)
from ...native.functions.texts import java_literal
from ...native.types import Boolean, Long, String
from ...native.whitespace import CHARACTERS, RANGES
from .blocks import Block, array_of, block_of, scalar_of, split_of

Kernel = Callable[[Block], Block]
Value = Callable[[Block], Any]
"""Gives an array with a value for each text, or one value for all."""


class NoKernelError(Exception):
    """There is no kernel for an expression."""


_NEEDS_ASCII: Final = frozenset(("lower", "upper"))
_TRIMS: Final = {"btrim": "utf8_trim", "ltrim": "utf8_ltrim", "rtrim": "utf8_rtrim"}
_SEARCHES: Final = {
    "contains": "match_substring",
    "startswith": "starts_with",
    "endswith": "ends_with",
}
_OPERATORS: Final = {
    "==": "equal",
    "!=": "not_equal",
    "<": "less",
    "<=": "less_equal",
    ">": "greater",
    ">=": "greater_equal",
    "&": "and_",
    "|": "or_",
}
_WHITESPACE: Final = f"[{RANGES}]+"
_BLANKS: Final = "".join(each for each in CHARACTERS if each.isascii())
_TO_BREAKS: Final = bytes.maketrans(_BLANKS.encode(), b"\n" * len(_BLANKS))


@cache
def texts(node: Expression) -> Kernel:
    """Return what computes a text of each text.

    Raises
    ------
    NoKernelError
        if there is no exact kernel
    """
    match node:
        case Column(type=String()) | Variable(type=String()):
            return _same
        case Call(function="lower", arguments=(inner,)):
            return _then(texts(inner), lambda block: block._replace(data=block.data.lower()))
        case Call(function="upper", arguments=(inner,)):
            return _then(texts(inner), lambda block: block._replace(data=block.data.upper()))
        case Call(function="replace", arguments=(inner, old, new)):
            before, after = _text(old).encode(), _text(new).encode()
            if b"\n" in before + after:
                raise NoKernelError("a text with a line feed")
            return _then(texts(inner), lambda b: b._replace(data=b.data.replace(before, after)))
        case Call(function="btrim" | "ltrim" | "rtrim" as name, arguments=(inner, characters)):
            return _then(texts(inner), _trim_kernel(_TRIMS[name], _text(characters)))
    raise NoKernelError(_name(node))


@cache
def elements(node: Expression) -> Kernel:
    """Return what computes the elements of an array of texts; see ``texts``."""
    match node:
        case Call(function="split", arguments=(inner, pattern)):
            literal = _text(pattern)
            separator = re.sub(r"\\(.)", r"\1", literal, flags=re.DOTALL)
            if java_literal(separator) != literal:
                raise NoKernelError(f"the pattern {literal}")
            return _then(texts(inner), _split(separator.encode()))
        case Call(
            function="array_remove",
            arguments=(
                Call(function="split", arguments=(inner, Literal(value=pattern))),
                Literal(value=""),
            ),
        ) if pattern == _WHITESPACE:
            return _then(texts(inner), _words)
        case OverArray(function="filter", array=array, body=body):
            return _then(elements(array), filter_kernel(body))
        case OverArray(function="transform", array=array, body=body):
            return _then(elements(array), texts(body))
    raise NoKernelError(_name(node))


@cache
def filter_kernel(node: Expression) -> Kernel:
    """Return what keeps the texts for which a condition holds; see ``texts``."""
    if isinstance(node, Literal) and isinstance(node.value, bool):
        return _same if node.value else _none
    condition = _value(node)

    def keep(block: Block) -> Block:
        return block_of(block.array().filter(condition(block)))

    return keep


def needs_ascii(node: Expression) -> bool:
    """Return whether kernels of an expression are exact for ASCII only."""
    match node:
        case Call(function="array_remove"):
            return True
        case Call(function=name, arguments=arguments):
            return name in _NEEDS_ASCII or any(map(needs_ascii, arguments))
        case Method(object=inner) | Not(operand=inner):
            return needs_ascii(inner)
        case Operator(left=left, right=right):
            return needs_ascii(left) or needs_ascii(right)
        case OverArray(array=array, body=body):
            return needs_ascii(array) or needs_ascii(body)
    return False


def _value(node: Expression) -> Value:
    match node:
        case Literal(value=int() | str() as value) if not isinstance(value, bool):
            return lambda block: scalar_of(value)
        case Not(operand=operand):
            return _arrow_value("invert", _value(_condition(operand)))
        case Operator(symbol="&" | "|" as symbol, left=left, right=right):
            both = _value(_condition(left)), _value(_condition(right))
            return _arrow_value(_OPERATORS[symbol], *both)
        case Operator(symbol=symbol, left=left, right=right) if (
            symbol in _OPERATORS
            and isinstance(node.type, Boolean)
            and type(left.type) is type(right.type)
            and isinstance(left.type, String | Long)
            and not (isinstance(left, Literal) and isinstance(right, Literal))
        ):
            return _arrow_value(_OPERATORS[symbol], _value(left), _value(right))
        case Call(function="length", arguments=(inner,)):
            return _arrow_value("utf8_length", _array(inner))
        case Method(name="contains" | "startswith" | "endswith" as name, arguments=(part,)):
            return _arrow_value(_SEARCHES[name], _array(node.object), _text(part))
        case Method(name="isin", arguments=given):
            return _is_in(_array(node.object), [_text(each) for each in given])
    return _array(node)


def _condition(node: Expression) -> Expression:
    """Return a condition that is no constant, which would be no array."""
    if isinstance(node, Literal):
        raise NoKernelError("a constant condition")
    return node


def _array(node: Expression) -> Value:
    kernel = texts(node)
    return lambda block: kernel(block).array()


def _arrow_value(name: str, *arguments: Any) -> Value:
    def compute(block: Block) -> Any:
        import pyarrow.compute as pc

        values = (each(block) if callable(each) else each for each in arguments)
        return getattr(pc, name)(*values)

    return compute


def _is_in(array: Value, texts: list[str]) -> Value:
    def is_in(block: Block) -> Any:
        import pyarrow.compute as pc

        return pc.is_in(array(block), value_set=array_of(texts))

    return is_in


def _text(node: Expression) -> str:
    if isinstance(node, Literal) and isinstance(node.value, str):
        return node.value
    raise NoKernelError(f"a {_name(node)} where a constant text is known only")


def _name(node: Expression) -> str:
    named = getattr(node, "function", None) or getattr(node, "name", None)
    return str(named or getattr(node, "symbol", None) or type(node).__name__)


def _same(block: Block) -> Block:
    return block


def _none(block: Block) -> Block:
    return Block(b"", 0)


def _then(first: Kernel, second: Kernel) -> Kernel:
    if first is _same:
        return second
    if second is _same:
        return first
    return lambda block: second(first(block))


def _split(separator: bytes) -> Kernel:
    def split(block: Block) -> Block:
        if not block.count or b"\n" in separator:  # no text has a line feed
            return block
        return split_of(block.data.replace(separator, b"\n"))

    return split


def _words(block: Block) -> Block:
    """Split ASCII by Python's white space."""
    data = block.data.translate(_TO_BREAKS)
    while b"\n\n" in data:
        data = data.replace(b"\n\n", b"\n")
    data = data.strip(b"\n")
    return split_of(data) if data else Block(b"", 0)


def _trim_kernel(name: str, characters: str) -> Kernel:
    def trim(block: Block) -> Block:
        import pyarrow.compute as pc

        return block_of(getattr(pc, name)(block.array(), characters=characters))

    return trim
