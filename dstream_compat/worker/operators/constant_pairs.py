"""Pair functions such as ``lambda word: (word, 1)``, recognised by their bytecode."""

from __future__ import annotations

import dis
from types import CodeType, FunctionType
from typing import Any, Final, NamedTuple

from .recognised import UNUSUAL

ATOMS: Final = frozenset((int, str, float, bool, bytes, type(None)))
"""Types of constants of which it makes no difference whether they are one object or many."""
_RETURNS: Final = frozenset(("RETURN_VALUE", "RETURN_CONST", "RETURN_GENERATOR", "YIELD_VALUE"))


class ConstantValue(NamedTuple):
    """A pair function whose second element is always the same object.

    Parameters
    ----------
    value : Any
        that object
    whole : bool
        the first element is the record, so the function need not be called at all
    """

    value: Any
    whole: bool

    @property
    def constant(self) -> Any:
        """What all pairs have in common."""
        return self.value


class ConstantKey(NamedTuple):
    """A pair function whose first element is a constant, and its second one the record."""

    key: Any

    @property
    def constant(self) -> Any:
        """What all pairs have in common."""
        return self.key


Pairs = ConstantValue | ConstantKey


def pairs_of(function: Any) -> Pairs | None:
    """Return what is known of the pairs that a function makes of records, or None.

    Parameters
    ----------
    function : Any
        of one record
    """
    if type(function) is not FunctionType:
        return None
    code = function.__code__
    pairs = _pairs_of(code)
    calls_it = isinstance(pairs, ConstantValue) and not pairs.whole
    if pairs is None or calls_it:
        return pairs
    plain = code.co_argcount == 1 and not code.co_kwonlyargcount and not function.__closure__
    return pairs if plain and not function.__defaults__ else None


def _pairs_of(code: CodeType) -> Pairs | None:
    if code.co_flags & UNUSUAL or code.co_exceptiontable:
        return None
    steps = [i for i in dis.get_instructions(code) if i.opname != "RESUME"]
    if len(steps) < 4 or sum(i.opname in _RETURNS for i in steps) != 1:
        return None
    first, constant, build, last = steps[-4:]
    if last.opname != "RETURN_VALUE" or (build.opname, build.arg) != ("BUILD_TUPLE", 2):
        return None
    # Who jumps behind the constant brings another value.
    if build.is_jump_target or last.is_jump_target:
        return None
    if constant.opname == "LOAD_CONST":
        whole = len(steps) == 4 and _is_record(first, code)
        return ConstantValue(constant.argval, whole)
    if len(steps) == 4 and first.opname == "LOAD_CONST" and _is_record(constant, code):
        return ConstantKey(first.argval)
    return None


def _is_record(step: dis.Instruction, code: CodeType) -> bool:
    return step.opname == "LOAD_FAST" and step.argval == code.co_varnames[0]
