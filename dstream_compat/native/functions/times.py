"""`datetime.strptime` with literal formats, and the parts of a time."""

from __future__ import annotations

from ..expressions import Call, Expression, Method, guard, text
from ..refusals import Code
from ..registry import function, method
from ..scope import Site, Value
from ..types import Boolean, Date, String, Timestamp
from .texts import java_literal

_DIRECTIVES = {
    "Y": ("yyyy", "(?!0000)[0-9]{4}"),
    "m": ("MM", "[0-9]{2}"),
    "d": ("dd", "[0-9]{2}"),
    "H": ("HH", "[0-9]{2}"),
    "M": ("mm", "[0-9]{2}"),
    # Python reads a leap second 60 or 61, and then makes no datetime of it.
    "S": ("ss", "[0-9]{2}"),
    "f": ("SSSSSS", "[0-9]{6}"),
}


def _formats(site: Site, written: str) -> tuple[str, str]:
    """Return the format for Spark, and the pattern of the texts that both read alike."""
    java, pattern, place = "", "", 0
    seen: list[str] = []
    while place < len(written):
        character = written[place]
        if character == "%":
            directive = written[place + 1 : place + 2]
            if directive not in _DIRECTIVES:
                site.refuse(Code.FORMAT, f"the directive %{directive} is not translated")
            letters, digits = _DIRECTIVES[directive]
            seen.append(directive)
            java, pattern, place = java + letters, pattern + digits, place + 2
            continue
        if not (character.isascii() and character.isprintable()) or (
            character.isspace() and character != " "
        ):
            site.refuse(Code.FORMAT, f"the character {character!r} of the format is not translated")
        # Letters have a meaning in Java, and other signs may get one.
        plain = character in "-/:., "
        java += character if plain else "''" if character == "'" else f"'{character}'"
        pattern, place = pattern + java_literal(character), place + 1
    if len(set(seen)) < len(seen) or not {"Y", "m", "d"} <= set(seen):
        site.refuse(Code.FORMAT, "the format needs %Y, %m and %d, each once")
    return java, pattern


@function(
    "datetime.datetime.strptime",
    'datetime.strptime(text, "%Y-%m-%d")',
    "`to_timestamp_ntz`; by consent only",
)
def strptime(site: Site, date_string: Value, format: Value) -> Expression:
    value = site.expect(date_string, String)
    java, pattern = _formats(site, site.text(format))
    site.accept(Code.DATETIME_TEXT, "the text may be a time that Spark does not read")
    exact = Method(Boolean(), "rlike", value, (text(rf"\A{pattern}\z"),))
    parsed = Call(Timestamp(), "to_timestamp_ntz", (value, text(java)))
    return guard(exact, parsed, "not a time of the given format: ", value)


@method(Timestamp, "date", "time.date()", "`to_date`")
def date(site: Site, value: Expression) -> Expression:
    return Call(Date(), "to_date", (value,))
