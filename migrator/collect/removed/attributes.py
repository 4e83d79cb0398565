"""Names of modules that are there, taken by a dotted path: `string.letters`, `urllib.quote`."""

from __future__ import annotations

import ast
import re

from migrator.collect.removed.around import NodeContext
from migrator.collect.removed.finder import Finder, editable, operand
from migrator.infer.values import LocalObj, Obj, Value, path_of
from migrator.model.report import TextEdit
from migrator.python.removed import removed_table
from migrator.python.replacements import (
    MAKERS,
    MEMBERS,
    NAMES,
    STRING_METHODS,
    STRING_NUMBERS,
    Replacement,
)
from migrator.source.python import Chunk
from migrator.spark.removed import CAVEATS, CLASSES, METHODS, REPLACED, removed_from_spark

_COMMA = re.compile(r"\s*,\s*\Z")
_END = re.compile(r"\s*,?\s*\)\Z")
_NONE: tuple[TextEdit, ...] = ()
_NOTHING = Replacement(advice="nothing takes its place: rewrite what needs it")
_ERROR = "AttributeError"
_MEMBER_NAMES = frozenset(path.rpartition(".")[2] for path in MEMBERS)
_SPARK_NAMES = frozenset(path.rpartition(".")[2] for path in METHODS)


class Attributes(Finder):
    """Finds attributes that are gone."""

    def attribute(self, node: ast.Attribute) -> None:
        """Find an attribute of a module, or of an object of a known class."""
        value = self.facts.receivers.get(node)
        if value is None or not isinstance(node.ctx, ast.Load):
            return
        owner = path_of(value)
        if owner:
            path = f"{owner}.{node.attr}"
            if owner.partition(".")[0] == "pyspark":
                since = removed_from_spark().get(path)
                if since is not None:
                    self._of_spark(node, path, since)
            elif path in removed_table().names:
                self._of_module(node, owner, path)
        elif node.attr in _SPARK_NAMES:
            self._of_spark_object(node, value)

    def _of_spark(self, node: ast.Attribute, path: str, since: str) -> None:
        instead = REPLACED.get(path, _NOTHING)
        owner, _, name = instead.new.rpartition(".")
        edits = self.rename_to(node, name) if owner == path.rpartition(".")[0] else ()
        self.add_removed(node, "spark-name", path, _ERROR, instead, edits, since=since)

    def _of_spark_object(self, node: ast.Attribute, value: Value) -> None:
        """Find a method of a DataFrame or context that is proven to be one."""
        atoms = value.without_none()
        kinds = {a.kind for a in atoms if isinstance(a, Obj) and not a.probable}
        if value.unknown or len(kinds) != 1 or not all(isinstance(a, Obj) for a in atoms):
            return
        if any(isinstance(a, Obj) and a.probable for a in atoms) or not self.facts.converged:
            return
        (kind,) = kinds
        path = f"{CLASSES.get(kind, '')}.{node.attr}"
        since = removed_from_spark().get(path)
        if since is None:
            return
        new, positional = METHODS.get(path, ("", 0))
        instead = Replacement(new, f"use .{new}" if new else "drop the call", CAVEATS.get(path, ""))
        call = self.around.parents.get(node)
        fits = not positional or (isinstance(call, ast.Call) and _fits(call, node, positional))
        edits = self.rename_to(node, new) if new and fits else ()
        text = path.removeprefix("pyspark.").removeprefix("sql.")
        self.add_removed(node, "spark-method", text, _ERROR, instead, edits, since=since)

    def _of_module(self, node: ast.Attribute, owner: str, path: str) -> None:
        since = removed_table().names[path]
        instead = NAMES.get(path, _NOTHING)
        edits: tuple[TextEdit, ...] = ()
        becomes = instead.new
        if owner == "string" and node.attr in STRING_METHODS | STRING_NUMBERS.keys() | {"join"}:
            edits, becomes = _of_string(self.unit.chunk_at(node.lineno), node, self.around)
            instead = Replacement(advice=f"call the method of str, as in {becomes}")
        elif path == "sys.setdefaultencoding":
            if self.around.drops_encoding(self.around.parents.get(node)):
                edits = self.around.encoding_edits
        elif instead.new:
            edits = self._move_to(node, owner, instead.new)
        self.add_removed(node, "name", path, _ERROR, instead, edits, since=since, becomes=becomes)

    def _move_to(self, node: ast.Attribute, owner: str, new: str) -> tuple[TextEdit, ...]:
        """Return the edit that puts another name in the place of one of a module."""
        module, _, name = new.rpartition(".")
        if module == owner:
            return self.rename_to(node, name)
        if not module or module == "str":
            root = new.partition(".")[0]
            return () if self.around.is_bound(root, node) else self.replace_with(node, new)
        if module.startswith(owner + "."):
            imported = self._import_of(node, owner)
            if imported is not None:
                return (*self.rename_to(node, new[len(owner) + 1 :]), imported)
        return ()

    def _import_of(self, node: ast.Attribute, owner: str) -> TextEdit | None:
        """Return the edit by which `import urllib` imports the parts of it that are needed."""
        if not isinstance(node.value, ast.Name):
            return None
        scope = self.around.scope(node).owner_of(node.value.id)
        bindings = [
            alias
            for node_of_import in self.unit.nodes()
            if isinstance(node_of_import, ast.Import)
            and self.facts.scopes.get(node_of_import) is scope
            for alias in node_of_import.names
            if alias.name == owner and alias.asname is None
        ]
        chunk = editable(self.unit, bindings[0]) if bindings else None
        if chunk is None or node.value.id != owner:
            return None
        needed = sorted(self._parts_of(owner))
        return chunk.edit(*chunk.span(bindings[0]), ", ".join(needed))

    def _parts_of(self, owner: str) -> set[str]:
        """Return the modules that have all names that a unit takes of a package and that moved."""
        parts = set()
        for node, value in self.facts.receivers.items():
            new = NAMES.get(f"{owner}.{node.attr}", _NOTHING).new
            if path_of(value) == owner and new.startswith(f"{owner}."):
                parts.add(new.rpartition(".")[0])
        return parts

    def member(self, node: ast.Attribute) -> None:
        """Find a method of an object of the standard library that is proven to be one."""
        if node.attr not in _MEMBER_NAMES or not isinstance(node.ctx, ast.Load):
            return
        owner = self._class_of(node.value)
        path = f"{owner}.{node.attr}"
        since = removed_table().members.get(path)
        if since is None or path not in MEMBERS:
            return
        instead = MEMBERS[path]
        edits = self.rename_to(node, instead.new) if instead.new else ()
        self.add_removed(
            node, "method", f"{owner}.{node.attr}()", _ERROR, instead, edits, since=since
        )

    def _class_of(self, node: ast.expr) -> str:
        """Return the class of the standard library that an expression is of, "" if unknown."""
        if isinstance(node, ast.Call):
            return MAKERS.get(path_of(self.facts.callees.get(node)), "")
        value = self.facts.values.get(node)
        if value is not None and not value.unknown and len(value.atoms) == 1:
            (atom,) = value.atoms
            if isinstance(atom, LocalObj):
                bases = [MAKERS.get(b, "") for b in atom.info.outer_bases() or ()]
                return bases[0] if len(bases) == 1 else ""
        if not isinstance(node, ast.Name):
            return ""
        class_value = self.only_value(node)
        return "" if class_value is None else self._class_of(class_value)


def _fits(call: ast.Call, node: ast.Attribute, positional: int) -> bool:
    """Return whether the arguments of a call mean the same at its new place."""
    spread = any(isinstance(a, ast.Starred) for a in call.args)
    return call.func is node and not call.keywords and not spread and len(call.args) <= positional


def _of_string(
    chunk: Chunk, node: ast.Attribute, around: NodeContext
) -> tuple[tuple[TextEdit, ...], str]:
    """Return the edits of a function of `string`, and what it becomes.

    They leave the text of the arguments alone, so that edits can be made in them, too.
    """
    name = node.attr
    call = around.parents.get(node)
    number = STRING_NUMBERS.get(name)
    becomes = f"{number}(text)" if number else f"text.{name}()"
    if not isinstance(call, ast.Call) or call.func is not node:
        # handed on as a function
        new = number or f"str.{name}"
        free = name != "join" and not around.is_bound(number or "str", node)
        return ((chunk.edit(*chunk.span(node), new),) if free else _NONE), new
    spread = any(isinstance(a, ast.Starred) for a in call.args)
    if call.keywords or spread or not call.args:
        return _NONE, becomes
    if number:
        free = not around.is_bound(number, node) and len(call.args) < 3
        return ((chunk.edit(*chunk.span(node), number),) if free else _NONE), becomes
    if name == "join":
        return _edits_of_join(chunk, call), becomes
    return _method(chunk, call, name), becomes


def _method(chunk: Chunk, call: ast.Call, name: str) -> tuple[TextEdit, ...]:
    """Return `string.split(text, ",")` as `text.split(",")`."""
    opened = _opening(chunk, call)
    first, *rest = call.args
    start, end = chunk.span(first)
    stop = chunk.span(rest[0])[0] if rest else chunk.span(call)[1]
    between = chunk.text[end:stop]
    if opened is None or (_COMMA if rest else _END).match(between) is None:
        return _NONE
    before, after = ("(", ")") if operand(chunk, first)[:1] != chunk.text[start] else ("", "")
    closing = f"{after}.{name}(" if rest else f"{after}.{name}()"
    return (chunk.edit(*opened, before), chunk.edit(end, stop, closing))


def _edits_of_join(chunk: Chunk, call: ast.Call) -> tuple[TextEdit, ...]:
    """Return `string.join(words, separator)` as `separator.join(words)`."""
    opened = _opening(chunk, call)
    words, *rest = call.args
    end, stop = chunk.span(words)[1], chunk.span(call)[1]
    if opened is None or len(rest) > 1:
        return _NONE
    separator = '" "'
    if rest:
        first, last = chunk.span(rest[0])
        if not isinstance(rest[0], ast.Constant | ast.Name):
            return _NONE
        if _COMMA.match(chunk.text[end:first]) is None or not _END.match(chunk.text[last:stop]):
            return _NONE
        separator = operand(chunk, rest[0])
    elif _END.match(chunk.text[end:stop]) is None:
        return _NONE
    opening = chunk.edit(*opened, f"{separator}.join(")
    return (opening, chunk.edit(end, stop, ")"))


def _opening(chunk: Chunk, call: ast.Call) -> tuple[int, int] | None:
    """Return where the function and its parenthesis stand, None if more is before the argument."""
    start, inside = chunk.span(call)[0], chunk.span(call.args[0])[0]
    text = chunk.text[chunk.span(call.func)[1] : inside]
    return (start, inside) if re.fullmatch(r"\s*\(\s*", text) else None
