r"""Patterns of `re` for Java, where both read them alike.

The pattern is parsed by Python and printed for Java, so that only what is known to mean the same
is printed. `.`, `\s` and `$` mean other characters in Java and are written out; `\d` and `\w`
depend on the version of Unicode and are refused.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from typing import Any

from .whitespace import RANGES

_parser: Any = importlib.import_module("re._parser")
_constants: Any = importlib.import_module("re._constants")
_MAXREPEAT = _constants.MAXREPEAT


class NotSameError(Exception):
    """Java reads a pattern in another way; the message says which part."""


@dataclass(frozen=True)
class JavaPattern:
    """A pattern for Java.

    Parameters
    ----------
    text : str
        the pattern
    groups : int
        how many groups it has
    least : int
        the length of its shortest match
    alternatives : bool
        whether it has alternatives outside of all groups
    """

    text: str
    groups: int
    least: int
    alternatives: bool

    def inside(self, other: bool) -> str:
        """Return the pattern as a part of another one."""
        return f"(?:{self.text})" if other and self.alternatives else self.text


def java_pattern(pattern: str) -> JavaPattern:
    """Return a pattern of Python for Java.

    Raises
    ------
    NotSameError
        if Java reads it in another way, or Python cannot read it
    """
    try:
        tree = _parser.parse(pattern)
    except (re.error, OverflowError, RecursionError) as failure:
        raise NotSameError(f"Python cannot read the pattern: {failure}") from failure
    if tree.state.flags & ~re.UNICODE:
        raise NotSameError("flags inside a pattern are not translated")
    alternatives = len(tree) == 1 and str(tree[0][0]) == "BRANCH"
    return JavaPattern(_sequence(tree), tree.state.groups - 1, tree.getwidth()[0], alternatives)


def _sequence(tree: Any) -> str:
    parts = [(str(op), _part(str(op), value)) for op, value in tree]
    if len(parts) == 1:
        return parts[0][1]
    # Python takes a common start out of alternatives.
    return "".join(f"(?:{text})" if op == "BRANCH" else text for op, text in parts)


def _part(op: str, value: Any) -> str:
    match op:
        case "LITERAL":
            return _character(value)
        case "NOT_LITERAL":
            return f"[^{_in_class(value)}]"
        case "ANY":
            return r"[^\n]"
        case "IN":
            return _class(value)
        case "BRANCH":
            return "|".join(map(_sequence, value[1]))
        case "SUBPATTERN":
            group, on, off, inner = value
            if on or off:
                raise NotSameError("flags inside a pattern are not translated")
            return f"({'' if group else '?:'}{_sequence(inner)})"
        case "AT":
            return _place(str(value))
        case "MAX_REPEAT" | "MIN_REPEAT":
            return _repeat(op, *value)
    raise NotSameError(f"{op.lower().replace('_', ' ')} is not translated")


def _place(name: str) -> str:
    match name:
        case "AT_BEGINNING" | "AT_BEGINNING_STRING":
            return r"\A"
        case "AT_END":
            return r"(?=\n?\z)"  # Java's $ is before any end of line
        case "AT_END_STRING":
            return r"\z"
    raise NotSameError("word boundaries depend on the version of Unicode")


def _repeat(op: str, least: int, most: int, inner: Any) -> str:
    single = len(inner) == 1 and str(inner[0][0]) in ("LITERAL", "NOT_LITERAL", "ANY", "IN")
    group = len(inner) == 1 and str(inner[0][0]) == "SUBPATTERN" and most == 1
    if not single and not (group and inner.getwidth()[0] > 0):
        # Java matches a repeated group by recursion, which ends with an error for a long text.
        raise NotSameError("only a single character may be repeated")
    if least > 1000 or (most != _MAXREPEAT and most > 1000):
        raise NotSameError("the number of repetitions is too large")
    lazy = "?" if op == "MIN_REPEAT" else ""
    return _sequence(inner) + _counts(least, most) + lazy


def _counts(least: int, most: int) -> str:
    match least, most:
        case 0, 1:
            return "?"
        case ((0 | 1), _) if most == _MAXREPEAT:
            return "+" if least else "*"
        case _ if most == _MAXREPEAT:
            return f"{{{least},}}"
        case _ if least == most:
            return f"{{{least}}}"
    return f"{{{least},{most}}}"


def _class(items: list[tuple[Any, Any]]) -> str:
    negated = str(items[0][0]) == "NEGATE"
    inside = []
    for op, value in items[negated:]:
        match str(op):
            case "LITERAL":
                inside.append(_in_class(value))
            case "RANGE":
                low, high = value
                if low <= 0xDFFF and high >= 0xD800:
                    raise NotSameError("a range with surrogates is not translated")
                inside.append(f"{_in_class(low)}-{_in_class(high)}")
            case "CATEGORY" if str(value) == "CATEGORY_SPACE":
                inside.append(RANGES)
            case "CATEGORY" if str(value) == "CATEGORY_NOT_SPACE" and len(items) == 1:
                return f"[^{RANGES}]"
            case _:
                raise NotSameError(
                    r"`\d`, `\w` and their opposites depend on the version of Unicode; "
                    "write [0-9] or [A-Za-z0-9_] if that is meant"
                )
    return f"[{'^' if negated else ''}{''.join(inside)}]"


def _character(code: int) -> str:
    return "\\" + chr(code) if chr(code) in r"\.^$|?*+()[]{}" else _plain(code)


def _in_class(code: int) -> str:
    return "\\" + chr(code) if chr(code) in r"\^-[]&~" else _plain(code)


def _plain(code: int) -> str:
    if 0xD800 <= code <= 0xDFFF:
        raise NotSameError("a surrogate is not translated")
    names = {9: r"\t", 10: r"\n", 13: r"\r"}
    if code in names:
        return names[code]
    return chr(code) if chr(code).isprintable() else f"\\x{{{code:x}}}"
