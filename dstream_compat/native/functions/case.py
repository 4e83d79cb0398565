"""Upper and lower case."""

from __future__ import annotations

from ..expressions import Call, Expression, Method, guarded, text
from ..refusals import Code
from ..registry import method
from ..scope import Site
from ..types import Boolean, String


def _mapped(site: Site, value: Expression, name: str) -> Expression:
    found = Call(String(True), name, (value,))
    if isinstance(value.type, String) and value.type.ascii:
        return found
    site.accept(Code.CASE_MAPPING, "the text may have characters beyond ASCII")
    ascii_only = Method(Boolean(), "rlike", value, (text(r"\A[\x00-\x7f]*\z"),))
    return guarded(ascii_only, found, f"{name} of a text beyond ASCII: ", value)


@method(String, "lower", "text.lower()", "`lower` of ASCII")
def lower(site: Site, value: Expression) -> Expression:
    return _mapped(site, value, "lower")


@method(String, "upper", "text.upper()", "`upper` of ASCII")
def upper(site: Site, value: Expression) -> Expression:
    return _mapped(site, value, "upper")
