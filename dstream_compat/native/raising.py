"""Which expressions may raise, and which parts of an expression are always evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from .expressions import (
    Call,
    Cast,
    Expression,
    Fold,
    GetItem,
    Literal,
    Operator,
    OverArray,
    Raise,
    When,
    children,
    walk,
)
from .types import LONG_MIN, Double, Long, String

RAISING_FUNCTIONS = frozenset(("from_json", "decode", "element_at", "to_timestamp_ntz"))


def raises_itself(node: Expression) -> bool:
    """Return whether a node may raise, not because of its parts."""
    match node:
        case Raise() | GetItem() | Cast(to="long", operand=Expression(type=String() | Double())):
            return True
        case Call(function="pmod" | "call_function"):
            return not _nonzero(node.arguments[-1])
        case Call(function="abs" | "negative", arguments=(Expression(type=Long(lo=lo)),)):
            return lo == LONG_MIN
        case Call():
            return node.function in RAISING_FUNCTIONS
        case Operator(symbol="/" | "%"):
            return not _nonzero(node.right)
        case Operator(symbol="+" | "-" | "*", type=Long() as kind):
            return not _fits(node, kind)
    return False


def _nonzero(divisor: Expression) -> bool:
    if isinstance(divisor, Literal):
        return bool(divisor.value)
    return isinstance(divisor.type, Long) and divisor.type.lo > 0


def _fits(node: Operator, kind: Long) -> bool:
    """Return whether the operands' intervals prove that the result is no overflow."""
    left, right = node.left.type, node.right.type
    if not (isinstance(left, Long) and isinstance(right, Long)):
        return True
    lo, hi = interval(node.symbol, left, right)
    return kind.lo <= lo and hi <= kind.hi


def interval(symbol: str, a: Long, b: Long) -> tuple[int, int]:
    """Return the interval of a sum, difference or product."""
    match symbol:
        case "+":
            return a.lo + b.lo, a.hi + b.hi
        case "-":
            return a.lo - b.hi, a.hi - b.lo
        case _:
            ends = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
            return min(ends), max(ends)


def may_raise(node: Expression) -> bool:
    """Return whether Spark may raise an error for an input."""
    return any(map(raises_itself, walk(node)))


def always_evaluated(node: Expression) -> Iterator[Expression]:
    """Yield a node and those parts that are evaluated whatever the input is."""
    yield node
    match node:
        case When():
            yield from always_evaluated(node.branches[0][0])
        case Operator(symbol="&" | "|"):
            yield from always_evaluated(node.left)
        case OverArray():
            yield from always_evaluated(node.array)
        case Fold():
            yield from always_evaluated(node.array)
            yield from always_evaluated(node.initial)
        case Call(function="coalesce"):
            yield from always_evaluated(node.arguments[0])
        case _:
            for child in children(node):
                yield from always_evaluated(child)
