"""Reads one Scala or Java source and hands what it uses to the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from migrator.languages.jvm.api import CONTEXT_OTHER, CONTEXT_STREAMS, is_source
from migrator.languages.jvm.imports import imported
from migrator.languages.jvm.kinds import ApiClass, JvmKinds
from migrator.languages.jvm.strings import string_events
from migrator.languages.jvm.tree import JvmSource, can_parse
from migrator.languages.text import text_events
from migrator.model.events import Event, FileProblem, PackageUse
from migrator.model.jvm_events import JvmUse
from migrator.model.report import Confidence, FileReport, Spot, shown_place
from migrator.spark import api
from migrator.spark.kinds import Kind

if TYPE_CHECKING:
    from tree_sitter import Node

# a generated source: its nodes would fill the memory
_LONGEST = 1_000_000
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
    text : str
        The source.
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
    found = imported(source)
    kinds = JvmKinds(source, found.names)
    events: list[Event] = [
        PackageUse(at, "import", path, path, None, "jvm", _SHOWN[language])
        for at, path in found.paths
    ]
    events += string_events(source)
    error = source.first_error()
    events += _uses(source, kinds, language, place)
    add(*events)
    if events and error is not None:
        detail = f"{shown_place(place(error))} is not understood"
        add(FileProblem(error, "partial", detail, "look through that part by hand"))


def _uses(
    source: JvmSource, kinds: JvmKinds, language: str, place: Callable[[Spot], Spot]
) -> Iterator[JvmUse]:
    for node, _ in source.nodes:
        use = _constructed(source, kinds, node) or _called(source, kinds, node)
        if use is None:
            continue
        if use.confidence is Confidence.PROBABLE:
            why = f"only a {use.receiver} has {use.name} ({shown_place(place(use.at))})"
            use = replace(use, evidence=(why,))
        yield replace(use, language=_SHOWN[language])


def _constructed(source: JvmSource, kinds: JvmKinds, node: Node) -> JvmUse | None:
    if node.type not in ("instance_expression", "object_creation_expression"):
        return None
    name = kinds.type_named(node.child_by_field_name("type") or node.named_child(0))
    if name is None:
        return None
    return JvmUse(source.spot(node), name, "construct", "class", Confidence.PROVEN)


def _called(source: JvmSource, kinds: JvmKinds, node: Node) -> JvmUse | None:
    member = kinds.member(node) if node.type in _CALLS else None
    if member is None:
        return None
    receiver, field = member
    name, at = source.text(field), source.spot(field)
    kind = kinds.of(receiver)
    if kind is Kind.STREAMING_CONTEXT and name not in CONTEXT_STREAMS | CONTEXT_OTHER:
        return None
    if isinstance(kind, Kind):
        return JvmUse(at, name, "call", kind.value, Confidence.PROVEN)
    if isinstance(kind, ApiClass):
        known = is_source(kind.name, name) or kind.name.endswith("StreamingContext")
        return JvmUse(at, name, "call", kind.name, Confidence.PROVEN) if known else None
    likely = api.TELLTALE.get(name)
    if likely is None or kind is not None:
        return None
    return JvmUse(at, name, "call", likely.value, Confidence.PROBABLE)
