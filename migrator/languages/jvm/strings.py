"""Settings and connector packages in the strings of a Scala or Java source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from migrator.collect.connector_packages import connector_packages_in
from migrator.collect.keys_in_text import is_reported, stands_as_option
from migrator.collect.settings import settings_in
from migrator.languages.jvm.tree import JvmSource
from migrator.model.events import Event, Setting
from migrator.model.report import Spot
from migrator.model.requirement_events import ConnectorPackage
from migrator.spark.misspelt_settings import misspelt_prefixes
from migrator.spark.settings import group_of

if TYPE_CHECKING:
    from tree_sitter import Node

_STRINGS = ("string", "interpolated_string", "string_literal")
# reading a setting changes nothing
_READERS = frozenset({"get", "contains", "getOption", "getBoolean", "getInt", "getLong"})
_SETTERS = frozenset(("set", "config", "setIfMissing", "setProperty", "setLocalProperty"))


def string_events(source: JvmSource) -> Iterator[Event]:
    """Yield the events of all strings."""
    for node, _ in source.nodes:
        if node.type not in _STRINGS:
            continue
        text = source.text(node)
        if "streaming" not in text and not any(misspelt_prefixes(text)):
            continue
        at = source.spot(node)
        bare = text.strip('"')
        for offset, key, value in settings_in(text):
            whole = bare == key
            called = _called(source, node) if whole else None
            if called in _READERS:
                continue
            stands = called in _SETTERS or stands_as_option(text, offset, offset + len(key))
            if whole:
                value = _given(source, node)
            elif value is None or text[offset + len(key) :].lstrip("\"' ")[:1] not in ("=", ":"):
                # a key in a sentence
                continue
            if is_reported(key, group_of(key), stands):
                yield Setting(_inside(at, text, offset), key, value, group_of(key))
        for offset, coordinates, connector in connector_packages_in(text):
            yield ConnectorPackage(_inside(at, text, offset), coordinates, connector)


def _inside(at: Spot, text: str, offset: int) -> Spot:
    before = text[:offset]
    line = at.line + before.count("\n")
    column = offset - before.rindex("\n") if "\n" in before else at.column + offset
    return Spot(line, column)


def _given(source: JvmSource, node: Node) -> str | None:
    """Return the literal behind a key: `set("key", "value")` or `"key" -> "value"`."""
    following = node.next_named_sibling
    if following is not None and following.type == "operator_identifier":
        following = following.next_named_sibling
    if following is None or following.child_count > 3 or len(following.type) > 30:
        return None
    text = source.text(following)
    return text.strip('"') if text[:1] == '"' or text[:1].isdigit() or text in _WORDS else None


_WORDS = ("true", "false")


def _called(source: JvmSource, node: Node) -> str | None:
    """Return the method whose first argument a string is."""
    call = node.parent.parent if node.parent is not None else None
    if call is None or node.parent is None or node.prev_named_sibling is not None:
        return None
    name = call.child_by_field_name("name")
    if name is None:
        function = call.child_by_field_name("function")
        name = function.child_by_field_name("field") if function is not None else None
    return None if name is None else source.text(name)
