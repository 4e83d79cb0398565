"""Upper and lower case."""

from __future__ import annotations

from ..expressions import Call, Expression, Literal, Method
from ..registry import method
from ..scope import Site, Value
from ..types import Boolean, CaseMapped, String


def _map_case(value: Expression, name: str) -> Expression:
    is_ascii = isinstance(value.type, String) and value.type.ascii
    return Call(String(True) if is_ascii else CaseMapped(), name, (value,))


@method(
    String,
    "lower",
    'text.lower(), "error" in text.lower()',
    "`lower`; as a value of ASCII only, else by consent",
)
def lower(site: Site, value: Expression) -> Expression:
    return _map_case(value, "lower")


@method(
    String,
    "upper",
    'text.upper(), text.upper() == "END"',
    "`upper`; as a value of ASCII only, else by consent",
)
def upper(site: Site, value: Expression) -> Expression:
    return _map_case(value, "upper")


def _affix(site: Site, value: Expression, affix: Value, name: str) -> Expression:
    if not is_ascii(affix):
        value = site.expression(value)
    return Method(Boolean(), name, value, (site.expect(affix, String),))


def is_ascii(value: Value) -> bool:
    """Return whether a value is a constant of ASCII characters."""
    return isinstance(value, Literal) and isinstance(value.type, String) and value.type.ascii


@method(CaseMapped, "startswith", 'text.lower().startswith("a")', "`startswith` of ASCII")
def startswith(site: Site, value: Expression, prefix: Value) -> Expression:
    return _affix(site, value, prefix, "startswith")


@method(CaseMapped, "endswith", 'text.lower().endswith("a")', "`endswith` of ASCII")
def endswith(site: Site, value: Expression, suffix: Value) -> Expression:
    return _affix(site, value, suffix, "endswith")
