"""Reads one Scala or Java source and hands what it uses to the rules.

Decision 0024: Scala and Java are read one source at a time, by tree-sitter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from migrator.collect.packages import connector_packages_in
from migrator.collect.settings import is_reported, settings_in, stands_as_option
from migrator.languages.jvm.api import CONTEXT_OTHER, CONTEXT_STREAMS, PACKAGES, ROOT, is_source
from migrator.languages.jvm.kinds import ApiClass, JvmKinds
from migrator.languages.jvm.tree import JvmSource, can_parse
from migrator.languages.text import text_events
from migrator.model.events import Event, FileProblem, PackageUse, Setting
from migrator.model.jvm_events import JvmUse
from migrator.model.report import Confidence, FileReport, Spot, shown_place
from migrator.model.requirement_events import ConnectorPackage
from migrator.spark import api
from migrator.spark.kinds import Kind
from migrator.spark.misspelt_settings import misspelt_prefixes
from migrator.spark.settings import group_of

if TYPE_CHECKING:
    from tree_sitter import Node

# a generated source: its nodes would fill the memory
_LONGEST = 1_000_000
_SPACE = re.compile(r"\s+")
_SELECTOR = re.compile(r"(\w+)(?:\s*(?:=>|\bas\b)\s*(\w+))?")
_DEFINED = (
    *("class_definition", "object_definition", "trait_definition"),
    *("class_declaration", "interface_declaration", "enum_declaration"),
)
_STRINGS = ("string", "interpolated_string", "string_literal")
# reading a setting changes nothing
_READERS = frozenset({"get", "contains", "getOption", "getBoolean", "getInt", "getLong"})
_SETTERS = frozenset(("set", "config", "setIfMissing", "setProperty", "setLocalProperty"))
_CALLS = ("field_expression", "method_invocation", "infix_expression")
_SHOWN = {"scala": "Scala", "java": "Java"}


def _same_place(at: Spot) -> Spot:
    return at


def report_source(
    report: FileReport, text: str, language: str, place: Callable[[Spot], Spot] = _same_place
) -> None:
    """Add what a source uses to its report.

    Parameters
    ----------
    language : str
        "scala" or "java".
    place : callable
        The place in the file of one in the source.
    """

    def add(*events: Event) -> None:
        report.events += [replace(event, at=place(event.at)) for event in events]

    if "spark.streaming" not in text:
        # a program that uses the API names its package; classes of the same names prove nothing
        return
    if not can_parse(language):
        shown = _SHOWN[language]
        advice = f"install dstream-compat[jvm] to have {shown} sources analysed"
        detail = f"{shown} is parsed by tree-sitter, which is not installed"
        report.mark_unreadable(FileProblem(place(Spot(1, 1)), "parser", detail, advice))
        add(*text_events(text, "slashes"))
        return
    if len(text) > _LONGEST:
        detail = f"{len(text) / 1e6:.1f} million characters are more than is analysed"
        advice = "look through it by hand"
        report.mark_unreadable(FileProblem(place(Spot(1, 1)), "large", detail, advice))
        add(*text_events(text, "slashes"))
        return
    source = JvmSource(text, language)
    module_imports = _imports(source)
    kinds = JvmKinds(source, module_imports.names)
    events: list[Event] = [
        PackageUse(at, "import", path, path, None, "jvm", _SHOWN[language])
        for at, path in module_imports.paths
    ]
    events += _string_events(source)
    error = source.first_error()
    events += _uses(source, kinds, language, place)
    add(*events)
    if events and error is not None:
        detail = f"{shown_place(place(error))} is not understood"
        add(FileProblem(error, "partial", detail, "look through that part by hand"))


@dataclass(slots=True)
class _Imports:
    """names: the API's classes by the names they have in the source; paths: each import of it."""

    names: dict[str, str] = field(default_factory=dict)
    paths: list[tuple[Spot, str]] = field(default_factory=list)


def _imports(source: JvmSource) -> _Imports:
    """Return the imports of a source that concern Spark Streaming, anywhere in it."""
    module_imports = _Imports()
    for node, _ in source.nodes:
        if node.type == "import_declaration":
            _read_import(module_imports, source, node)
    for node, _ in source.nodes:
        if node.type in ("package_clause", "package_declaration"):
            # what is in the same package needs no import
            words = _SPACE.sub(" ", source.text(node)).strip(" ;").split(" ")
            module_imports.names.update((name, name) for name in PACKAGES.get(words[-1], ()))
    # a class of the source's own is meant where it has the same name
    for node, _ in source.nodes:
        name = node.child_by_field_name("name") if node.type in _DEFINED else None
        if name is not None:
            module_imports.names.pop(source.text(name), None)
    return module_imports


def _read_import(module_imports: _Imports, source: JvmSource, node: Node) -> None:
    text = _SPACE.sub(" ", source.text(node)).strip(" ;").removeprefix("import ")
    for part in _split_import(text.removeprefix("static ").strip()):
        path, _, last = part.rpartition(".")
        if not (part == ROOT or part.startswith(ROOT + ".")):
            continue
        module_imports.paths.append((source.spot(node), part))
        for package, classes in PACKAGES.items():
            if package != path:
                continue
            if last in ("*", "_", "given"):
                module_imports.names.update((name, name) for name in classes)
            for name, alias in _SELECTOR.findall(last):
                if name in classes and alias != "_":
                    module_imports.names[alias or name] = name
        if path in PACKAGES and "{" in last and re.search(r"[{,]\s*[_*]\s*\}", last):
            renamed = {name for name, alias in _SELECTOR.findall(last) if alias}
            module_imports.names.update((n, n) for n in PACKAGES[path] if n not in renamed)


def _split_import(text: str) -> list[str]:
    """Return the imports of `a.b, c.{d, e}`."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]


def _string_events(source: JvmSource) -> Iterator[Event]:
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
            called = _method_given(source, node) if whole else None
            if called in _READERS:
                continue
            stands = called in _SETTERS or stands_as_option(text, offset, offset + len(key))
            if whole:
                value = _value_given(source, node)
            elif value is None or text[offset + len(key) :].lstrip("\"' ")[:1] not in ("=", ":"):
                # a key in a sentence
                continue
            if is_reported(key, group_of(key), stands):
                yield Setting(_spot_inside(at, text, offset), key, value, group_of(key))
        for offset, coordinates, connector in connector_packages_in(text):
            yield ConnectorPackage(_spot_inside(at, text, offset), coordinates, connector)


def _spot_inside(at: Spot, text: str, offset: int) -> Spot:
    before = text[:offset]
    line = at.line + before.count("\n")
    column = offset - before.rindex("\n") if "\n" in before else at.column + offset
    return Spot(line, column)


def _value_given(source: JvmSource, node: Node) -> str | None:
    """Return the literal behind a key: `set("key", "value")` or `"key" -> "value"`."""
    following = node.next_named_sibling
    if following is not None and following.type == "operator_identifier":
        following = following.next_named_sibling
    if following is None or following.child_count > 3 or len(following.type) > 30:
        return None
    text = source.text(following)
    return (
        text.strip('"')
        if text[:1] == '"' or text[:1].isdigit() or text in ("true", "false")
        else None
    )


def _method_given(source: JvmSource, node: Node) -> str | None:
    """Return the method whose first argument a string is."""
    call = node.parent.parent if node.parent is not None else None
    if call is None or node.parent is None or node.prev_named_sibling is not None:
        return None
    name = call.child_by_field_name("name")
    if name is None:
        function = call.child_by_field_name("function")
        name = function.child_by_field_name("field") if function is not None else None
    return None if name is None else source.text(name)


def _uses(
    source: JvmSource, kinds: JvmKinds, language: str, place: Callable[[Spot], Spot]
) -> Iterator[JvmUse]:
    for node, _ in source.nodes:
        use = _use_of_constructor(source, kinds, node) or _use_of_call(source, kinds, node)
        if use is None:
            continue
        if use.confidence is Confidence.PROBABLE:
            why = f"only a {use.receiver} has {use.name} ({shown_place(place(use.at))})"
            use = replace(use, evidence=(why,))
        yield replace(use, language=_SHOWN[language])


def _use_of_constructor(source: JvmSource, kinds: JvmKinds, node: Node) -> JvmUse | None:
    if node.type not in ("instance_expression", "object_creation_expression"):
        return None
    name = kinds.type_named(node.child_by_field_name("type") or node.named_child(0))
    if name is None:
        return None
    return JvmUse(source.spot(node), name, "construct", "class", Confidence.PROVEN)


def _use_of_call(source: JvmSource, kinds: JvmKinds, node: Node) -> JvmUse | None:
    member = kinds.member(node) if node.type in _CALLS else None
    if member is None:
        return None
    receiver, method = member
    name, at = source.text(method), source.spot(method)
    kind = kinds.of(receiver)
    if kind is Kind.STREAMING_CONTEXT and name not in CONTEXT_STREAMS | CONTEXT_OTHER:
        return None
    if isinstance(kind, Kind):
        return JvmUse(at, name, "call", kind.value, Confidence.PROVEN)
    if isinstance(kind, ApiClass):
        is_known = is_source(kind.name, name) or kind.name.endswith("StreamingContext")
        return JvmUse(at, name, "call", kind.name, Confidence.PROVEN) if is_known else None
    likely = api.TELLTALE.get(name)
    if likely is None or kind is not None:
        return None
    return JvmUse(at, name, "call", likely.value, Confidence.PROBABLE)
