"""Texts with values in them: f-strings, `%` and `format`."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from ..access import fields_of
from ..arithmetic import concat
from ..expressions import Expression, text
from ..raising import may_raise
from ..refusals import Code
from ..registry import method
from ..scope import Site, Value
from ..types import Long, String, Tuple, words
from .conversions import as_text

_PERCENT = re.compile(r"%(.)", re.DOTALL)


def piece(site: Site, value: Expression, spec: str, conversion: str = "") -> Expression:
    """Return a value in a text, by the format specification after a colon."""
    if conversion not in ("", "s"):
        site.refuse(Code.FORMAT, f"the conversion !{conversion} is not translated")
    if spec not in ("", "s", "d"):
        site.refuse(Code.FORMAT, f"the format {spec!r} is not translated")
    if spec == "d" and not isinstance(value.type, Long):
        site.refuse(Code.FORMAT, f"the format 'd' of {words(value.type)} is not translated")
    if spec == "s" and not isinstance(value.type, String):
        site.refuse(Code.FORMAT, f"the format 's' of {words(value.type)} is not translated")
    return as_text(site, value)


def percent(site: Site, template: str, value: Expression) -> Expression:
    """Translate `template % value`."""
    values = fields_of(value) if isinstance(value.type, Tuple) else (value,)
    parts: list[Expression] = []
    used = end = 0
    for match in _PERCENT.finditer(template):
        parts.append(text(template[end : match.start()]))
        end = match.end()
        kind = match.group(1)
        if kind == "%":
            parts.append(text("%"))
            continue
        if kind not in "sd":
            site.refuse(Code.FORMAT, f"`%{kind}` is not translated")
        if used == len(values):
            site.refuse(Code.ALWAYS_RAISES, "the template has more places than values")
        parts.append(_percent_piece(site, kind, values[used]))
        used += 1
    if "%" in template[end:]:
        site.refuse(Code.FORMAT, "the template ends with `%`")
    if used < len(values):
        site.refuse(Code.ALWAYS_RAISES, "the template has fewer places than values")
    return concat(*parts, text(template[end:]))


def _percent_piece(site: Site, kind: str, value: Expression) -> Expression:
    if kind == "d" and not isinstance(value.type, Long):
        site.refuse(Code.FORMAT, f"`%d` of {words(value.type)} is not translated")
    return as_text(site, value)


def _fields(site: Site, template: str) -> Iterator[tuple[str, str | None, str, str]]:
    try:
        for before, name, spec, conversion in string.Formatter().parse(template):
            yield before, name, spec or "", conversion or ""
    except ValueError as failure:
        site.refuse(Code.ALWAYS_RAISES, f"Python cannot read the template: {failure}")


@method(
    String, "format", '"{} {}".format(a, b)', "`concat`; places are numbered, names are refused"
)
def format_(site: Site, value: Expression, *values: Value) -> Expression:
    template = site.text(value)
    parts: list[Expression] = []
    used: set[int] = set()
    automatic = 0
    for before, name, spec, conversion in _fields(site, template):
        parts.append(text(before))
        if name is None:
            continue
        if not re.fullmatch(r"[0-9]{0,3}", name):
            site.refuse(Code.FORMAT, f"the place {{{name}}} is not translated")
        place = int(name) if name else automatic
        automatic += not name
        if automatic and name:
            site.refuse(Code.FORMAT, "places with and without numbers are mixed")
        if place >= len(values):
            site.refuse(Code.ALWAYS_RAISES, "the template has more places than values")
        used.add(place)
        parts.append(piece(site, site.expression(values[place]), spec, conversion))
    for place, each in enumerate(values):
        if place not in used and may_raise(site.expression(each)):
            site.refuse(Code.EVALUATION, "an unused argument may raise in Python")
    return concat(*parts)
