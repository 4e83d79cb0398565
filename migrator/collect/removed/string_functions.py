"""Functions of `string` as the methods of str that they call."""

from __future__ import annotations

import ast
import re

from migrator.collect.chunk_edits import replacement
from migrator.collect.removed.around import Around
from migrator.collect.removed.edits import operand, replaced, span
from migrator.model.report import TextEdit
from migrator.python.replacements import STRING_NUMBERS
from migrator.source.python import Chunk

_COMMA = re.compile(r"\s*,\s*\Z")
_END = re.compile(r"\s*,?\s*\)\Z")
_NONE: tuple[TextEdit, ...] = ()


def of_string(
    chunk: Chunk, node: ast.Attribute, around: Around
) -> tuple[tuple[TextEdit, ...], str]:
    """Return the edits of a function of `string`, and what it becomes.

    They leave the text of the arguments alone, so that edits can be made in them, too.
    """
    name = node.attr
    call = around.parents.get(node)
    number = STRING_NUMBERS.get(name)
    becomes = f"{number}(text)" if number else f"text.{name}()"
    if not isinstance(call, ast.Call) or call.func is not node:
        # handed on as a function
        new = number or f"str.{name}"
        free = name != "join" and not around.is_bound(number or "str", node)
        return ((replaced(chunk, node, new),) if free else _NONE), new
    spread = any(isinstance(a, ast.Starred) for a in call.args)
    if call.keywords or spread or not call.args:
        return _NONE, becomes
    if number:
        free = not around.is_bound(number, node) and len(call.args) < 3
        return ((replaced(chunk, node, number),) if free else _NONE), becomes
    if name == "join":
        return _joined(chunk, call), becomes
    return _method(chunk, call, name), becomes


def _method(chunk: Chunk, call: ast.Call, name: str) -> tuple[TextEdit, ...]:
    """Return `string.split(text, ",")` as `text.split(",")`."""
    opened = _opening(chunk, call)
    first, *rest = call.args
    start, end = span(chunk, first)
    stop = span(chunk, rest[0])[0] if rest else span(chunk, call)[1]
    between = chunk.text[end:stop]
    if opened is None or (_COMMA if rest else _END).match(between) is None:
        return _NONE
    before, after = ("(", ")") if operand(chunk, first)[:1] != chunk.text[start] else ("", "")
    closing = f"{after}.{name}(" if rest else f"{after}.{name}()"
    return (replacement(chunk, *opened, before), replacement(chunk, end, stop, closing))


def _joined(chunk: Chunk, call: ast.Call) -> tuple[TextEdit, ...]:
    """Return `string.join(words, separator)` as `separator.join(words)`."""
    opened = _opening(chunk, call)
    words, *rest = call.args
    end, stop = span(chunk, words)[1], span(chunk, call)[1]
    if opened is None or len(rest) > 1:
        return _NONE
    separator = '" "'
    if rest:
        first, last = span(chunk, rest[0])
        if not isinstance(rest[0], ast.Constant | ast.Name):
            return _NONE
        if _COMMA.match(chunk.text[end:first]) is None or not _END.match(chunk.text[last:stop]):
            return _NONE
        separator = operand(chunk, rest[0])
    elif _END.match(chunk.text[end:stop]) is None:
        return _NONE
    opening = replacement(chunk, *opened, f"{separator}.join(")
    return (opening, replacement(chunk, end, stop, ")"))


def _opening(chunk: Chunk, call: ast.Call) -> tuple[int, int] | None:
    """Return where the function and its parenthesis stand, None
    if there is more before the argument.
    """
    start, inside = span(chunk, call)[0], span(chunk, call.args[0])[0]
    text = chunk.text[span(chunk, call.func)[1] : inside]
    return (start, inside) if re.fullmatch(r"\s*\(\s*", text) else None
