"""The functions of `re`, with patterns that Java reads as Python does."""

from __future__ import annotations

from ..expressions import Call, Expression, Method, number, text
from ..java_patterns import JavaPattern, NotSameError, java_pattern
from ..refusals import Code
from ..registry import function
from ..scope import Site, Value
from ..types import Array, Boolean, String


def _pattern(site: Site, value: Value, flags: Value | None) -> JavaPattern:
    written = site.text(value)
    if flags is not None:
        site.refuse(Code.REGEX, "flags are not translated")
    try:
        return java_pattern(written)
    except NotSameError as difference:
        site.refuse(Code.REGEX, str(difference))


def _without_empty(site: Site, pattern: JavaPattern) -> str:
    if pattern.least == 0:
        site.refuse(Code.REGEX, "the pattern matches the empty text")
    return pattern.text


@function("re.split", 're.split("[,;]", text)', "`split`; the pattern has no group")
def split(
    site: Site,
    pattern: Value,
    string: Value,
    maxsplit: Value | None = None,
    flags: Value | None = None,
) -> Expression:
    java_pattern = _pattern(site, pattern, flags)
    value = site.expect(string, String)
    if java_pattern.groups:
        site.refuse(Code.REGEX, "Python keeps the groups between the parts")
    if maxsplit is not None:
        site.refuse(Code.ARGUMENTS, "a limit is not translated")
    return Call(Array(String()), "split", (value, text(_without_empty(site, java_pattern))))


@function(
    "re.sub", 're.sub("[0-9]+", "n", text)', "`regexp_replace`; the replacement has no backslash"
)
def sub(
    site: Site,
    pattern: Value,
    repl: Value,
    string: Value,
    count: Value | None = None,
    flags: Value | None = None,
) -> Expression:
    java_pattern = _pattern(site, pattern, flags)
    replacement = site.text(repl)
    value = site.expect(string, String)
    if "\\" in replacement:
        site.refuse(Code.REGEX, "the replacement has a backslash")
    if count is not None:
        site.refuse(Code.ARGUMENTS, "a count is not translated")
    written = text(replacement.replace("$", "\\$"))
    return Call(
        String(), "regexp_replace", (value, text(_without_empty(site, java_pattern)), written)
    )


@function(
    "re.findall",
    're.findall("[a-z]+", text)',
    "`regexp_extract_all`; the pattern has at most one group",
)
def findall(site: Site, pattern: Value, string: Value, flags: Value | None = None) -> Expression:
    java_pattern = _pattern(site, pattern, flags)
    value = site.expect(string, String)
    if java_pattern.groups > 1:
        site.refuse(Code.REGEX, "several groups give tuples")
    arguments = (value, text(_without_empty(site, java_pattern)), number(java_pattern.groups))
    return Call(Array(String()), "regexp_extract_all", arguments)


def _matches(
    site: Site, before: str, after: str, arguments: tuple[Value, Value, Value | None]
) -> Expression:
    """Return a match as a condition: only its truth is
    translated, and None is the only false one.
    """
    java_pattern = _pattern(site, arguments[0], arguments[2])
    value = site.expect(arguments[1], String)
    written = f"{before}{java_pattern.inside(bool(before or after))}{after}"
    return Method(Boolean(), "rlike", value, (text(written),))


@function("re.search", 'if re.search("a+", text)', "`rlike`, as a condition")
def search(site: Site, pattern: Value, string: Value, flags: Value | None = None) -> Expression:
    return _matches(site, "", "", (pattern, string, flags))


@function("re.match", 'if re.match("a+", text)', "`rlike`, as a condition")
def match(site: Site, pattern: Value, string: Value, flags: Value | None = None) -> Expression:
    return _matches(site, r"\A", "", (pattern, string, flags))


@function("re.fullmatch", 'if re.fullmatch("a+", text)', "`rlike`, as a condition")
def fullmatch(site: Site, pattern: Value, string: Value, flags: Value | None = None) -> Expression:
    return _matches(site, r"\A", r"\z", (pattern, string, flags))
