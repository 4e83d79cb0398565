"""What a condition says of the number of elements of arrays."""

from __future__ import annotations

from collections.abc import Iterator

from dstream_compat.native.expressions import Call, Expression, Literal, Operator

# how many elements there are at least, if the size compares so with a number
_LEAST = {"==": 0, ">=": 0, ">": 1}


def known_sizes(condition: Expression) -> Iterator[tuple[Expression, int]]:
    """Yield the arrays that have so many elements at least, where a condition is true."""
    match condition:
        case Operator(symbol="&", left=left, right=right):
            yield from known_sizes(left)
            yield from known_sizes(right)
        case Operator(
            symbol=symbol,
            left=Call(function="size", arguments=(array,)),
            right=Literal(value=int(number)),
        ) if symbol in _LEAST:
            yield array, number + _LEAST[symbol]
