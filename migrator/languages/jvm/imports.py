"""What a Scala or Java source imports of Spark Streaming."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from migrator.languages.jvm.api import PACKAGES, ROOT
from migrator.languages.jvm.tree import JvmSource
from migrator.model.report import Spot

if TYPE_CHECKING:
    from tree_sitter import Node

_SPACE = re.compile(r"\s+")
_SELECTOR = re.compile(r"(\w+)(?:\s*(?:=>|\bas\b)\s*(\w+))?")
_DEFINED = (
    *("class_definition", "object_definition", "trait_definition"),
    *("class_declaration", "interface_declaration", "enum_declaration"),
)


@dataclass(slots=True)
class Imported:
    """names: the API's classes by the names they have in the source; paths: each import of it."""

    names: dict[str, str] = field(default_factory=dict)
    paths: list[tuple[Spot, str]] = field(default_factory=list)


def imported(source: JvmSource) -> Imported:
    """Return the imports of a source that concern Spark Streaming, anywhere in it."""
    found = Imported()
    for node, _ in source.nodes:
        if node.type == "import_declaration":
            _read(found, source, node)
    for node, _ in source.nodes:
        if node.type in ("package_clause", "package_declaration"):
            # what is in the same package needs no import
            words = _SPACE.sub(" ", source.text(node)).strip(" ;").split(" ")
            found.names.update((name, name) for name in PACKAGES.get(words[-1], ()))
    # a class of the source's own is meant where it has the same name
    for node, _ in source.nodes:
        name = node.child_by_field_name("name") if node.type in _DEFINED else None
        if name is not None:
            found.names.pop(source.text(name), None)
    return found


def _read(found: Imported, source: JvmSource, node: Node) -> None:
    text = _SPACE.sub(" ", source.text(node)).strip(" ;").removeprefix("import ")
    for part in _split(text.removeprefix("static ").strip()):
        path, _, last = part.rpartition(".")
        if not (part == ROOT or part.startswith(ROOT + ".")):
            continue
        found.paths.append((source.spot(node), part))
        for package, classes in PACKAGES.items():
            if package != path:
                continue
            if last in ("*", "_", "given"):
                found.names.update((name, name) for name in classes)
            for name, alias in _SELECTOR.findall(last):
                if name in classes and alias != "_":
                    found.names[alias or name] = name
        if path in PACKAGES and "{" in last and re.search(r"[{,]\s*[_*]\s*\}", last):
            renamed = {name for name, alias in _SELECTOR.findall(last) if alias}
            found.names.update((n, n) for n in PACKAGES[path] if n not in renamed)


def _split(text: str) -> list[str]:
    """Return the imports of `a.b, c.{d, e}`."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        depth += (char == "{") - (char == "}")
        if char == "," and depth == 0:
            parts.append(text[start:index].strip())
            start = index + 1
    return [*parts, text[start:].strip()]
