"""Methods of texts: splitting, stripping, searching, joining."""

from __future__ import annotations

import re

from ..arithmetic import concat
from ..expressions import Call, Expression, Literal, Method, Operator, number, text
from ..names import Choices
from ..refusals import Code
from ..registry import method
from ..scope import Site, Value
from ..truth import FALSE, either
from ..types import INT_MAX, MAX_LENGTH, Array, Boolean, NoneType, String, int_of, words
from ..whitespace import CHARACTERS, RANGES

_NONE = Literal(NoneType(), None)


def java_literal(value: str) -> str:
    """Return a pattern of Java that matches this text alone."""
    return re.sub(r"([\\.^$|?*+()\[\]{}])", r"\\\1", value)


def _ascii(value: Expression) -> bool:
    return isinstance(value.type, String) and value.type.ascii


@method(
    String,
    "split",
    'line.split(), line.split(","), line.split(",", 1)',
    "`split`; without a separator by Python's white space, and empty texts are removed",
)
def split(
    site: Site, value: Expression, sep: Value = _NONE, maxsplit: Value | None = None
) -> Expression:
    kind = Array(String(_ascii(value)))
    most = site.constant(maxsplit, int) if maxsplit is not None else -1
    assert isinstance(most, int)
    if sep == _NONE:
        if most >= 0:
            site.refuse(Code.ARGUMENTS, "`split()` by white space with a limit is not translated")
        parts = Call(kind, "split", (value, text(f"[{RANGES}]+")))
        return Call(kind, "array_remove", (parts, text("")))
    separator = site.text(sep)
    if not separator:
        site.refuse(Code.ALWAYS_RAISES, "the separator is empty")
    pattern = text(java_literal(separator))
    if most < 0:
        return Call(kind, "split", (value, pattern))
    if most >= INT_MAX:
        site.refuse(Code.ARGUMENTS, "the limit is too large")
    return Call(kind, "split", (value, pattern, number(most + 1)))


def _strip(site: Site, value: Expression, chars: Value, name: str) -> Expression:
    every = CHARACTERS if chars == _NONE else site.text(chars)
    return Call(value.type, name, (value, text(every))) if every else value


@method(String, "strip", 'text.strip(), text.strip("[]")', "`btrim` with Python's white space")
def strip(site: Site, value: Expression, chars: Value = _NONE) -> Expression:
    return _strip(site, value, chars, "btrim")


@method(String, "lstrip", "text.lstrip()", "`ltrim` with Python's white space")
def lstrip(site: Site, value: Expression, chars: Value = _NONE) -> Expression:
    return _strip(site, value, chars, "ltrim")


@method(String, "rstrip", "text.rstrip()", "`rtrim` with Python's white space")
def rstrip(site: Site, value: Expression, chars: Value = _NONE) -> Expression:
    return _strip(site, value, chars, "rtrim")


@method(String, "replace", 'text.replace("a", "b")', "`replace`; the old text is a constant")
def replace(site: Site, value: Expression, old: Value, new: Value) -> Expression:
    before = site.text(old)
    if not before:
        site.refuse(Code.ARGUMENTS, "an empty text is replaced between all characters")
    after = site.expect(new, String)
    kind = String(_ascii(value) and _ascii(after))
    return Call(kind, "replace", (value, text(before), after))


def _affix(site: Site, value: Expression, affix: Value, name: str) -> Expression:
    if isinstance(affix, Choices):
        site.refuse(Code.TYPE, f"`{name}` takes a tuple, not a set")
    fields = getattr(affix, "fields", None)
    if fields is None:
        return Method(Boolean(), name, value, (site.expect(affix, String),))
    result: Expression = FALSE
    for each in fields:
        result = either(result, _affix(site, value, each, name))
    return result


@method(String, "startswith", 'text.startswith("a"), text.startswith(("a", "b"))', "`startswith`")
def startswith(site: Site, value: Expression, prefix: Value) -> Expression:
    return _affix(site, value, prefix, "startswith")


@method(String, "endswith", 'text.endswith("a")', "`endswith`")
def endswith(site: Site, value: Expression, suffix: Value) -> Expression:
    return _affix(site, value, suffix, "endswith")


@method(String, "find", 'text.find("a")', "`instr` less one")
def find(site: Site, value: Expression, sub: Value) -> Expression:
    needle = site.text(sub)
    place = Call(int_of(0, MAX_LENGTH), "instr", (value, text(needle)))
    return Operator(int_of(-1, MAX_LENGTH - 1), "-", place, number(1))


@method(String, "join", '",".join(words)', "`array_join`; the separator is a constant")
def join(site: Site, value: Expression, parts: Value) -> Expression:
    separator = site.text(value)
    fields = getattr(parts, "fields", None)
    if fields is not None:
        pieces = [site.expect(each, String) for each in fields]
        between = text(separator)
        return concat(*[each for piece in pieces for each in (between, piece)][1:])
    array = site.expect(parts, Array)
    assert isinstance(array.type, Array)
    if not isinstance(array.type.element, String):
        site.refuse(Code.TYPE, f"`join` needs texts, not {words(array.type.element)}")
    kind = String(separator.isascii() and array.type.element.ascii)
    return Call(kind, "array_join", (array, text(separator)))
