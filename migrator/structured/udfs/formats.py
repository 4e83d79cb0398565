"""Formats that make texts of values: those of which every result is known to be a valid text.

A format of ``c`` makes a character of a number, which may be a surrogate.
"""

from __future__ import annotations

import ast
import re
import string

from .types import UnknownTypeError

_CHARACTER = re.compile(r"%[^%a-zA-Z]*[hlL]?c")


def check_percent(node: ast.expr) -> None:
    """Refuse a format for `%` that is not written there, or makes characters of numbers."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        raise UnknownTypeError("the format is not written there")
    if _CHARACTER.search(node.value) or "%(" in node.value:
        raise UnknownTypeError("the format uses `%c` or named fields")


def check_spec(node: ast.expr) -> None:
    """Refuse a format of a part of an f-string that makes a character, or whose end is computed."""
    last = node.values[-1] if isinstance(node, ast.JoinedStr) and node.values else node
    if not (isinstance(last, ast.Constant) and isinstance(last.value, str)):
        raise UnknownTypeError("a format is computed")
    if last.value.endswith("c"):
        raise UnknownTypeError("the format uses `%c`")


def check_format(text: str) -> bool:
    """Return whether a format for `str.format` has plain
    fields, and makes no characters of numbers.
    """
    try:
        parts = [(name, spec) for _, name, spec, _ in string.Formatter().parse(text)]
    except ValueError:
        return False
    plain = all(not name or not set(".[") & set(name) for name, _ in parts)
    return plain and not any(spec and (spec.endswith("c") or "{" in spec) for _, spec in parts)
