"""Comparisons: of which values Python knows that one is less, or in another one."""

from __future__ import annotations

import ast

from dstream_compat.native.types import Dictionary, Never, String, Type, present, words

from .following import Following
from .results import NUMBERS, elements
from .types import SetOf, UnknownTypeError, comparable, parts, union_of

SINGLETONS = ("None", "True", "False")


def check_comparison(here: Following, node: ast.Compare, kinds: list[Type]) -> None:
    """Refuse a comparison of which the result is not known to be the same in each process."""
    for place, op in enumerate(node.ops):
        left, right = kinds[place], kinds[place + 1]
        match op:
            case ast.Is() | ast.IsNot():
                other = node.comparators[place]
                if not (isinstance(other, ast.Constant) and repr(other.value) in SINGLETONS):
                    raise UnknownTypeError("objects are compared by `is`")
            case ast.In() | ast.NotIn():
                for owner in parts(here.here(right)):
                    _check_search(here, owner, left)
            case ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE():
                ordered(here.here(left), here.here(right))


def _check_search(here: Following, owner: Type, wanted: Type) -> None:
    if isinstance(owner, Dictionary | SetOf):
        here.hashed(wanted)
    elif not isinstance(owner, String):
        elements(owner)
    elif not isinstance(here.here(wanted), String | Never):
        raise UnknownTypeError("no text is searched in a text")


def ordered(*kinds: Type) -> None:
    """Refuse values of which Python may not know which one is less."""
    plain = [present(each) for each in kinds]
    whole = union_of(*plain)
    numbers = all(isinstance(each, NUMBERS) for each in parts(whole))
    if not numbers and not comparable(whole):
        raise UnknownTypeError(f"an order of {' and '.join(map(words, plain))} is not known")
