"""The base of what finds names that are gone, with the edits and imports of what replaces them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from migrator.collect.removed.around import NodeContext
from migrator.infer.program import Program
from migrator.model.events import Event
from migrator.model.removed_events import LostSession, RemovedName
from migrator.model.report import TextEdit
from migrator.python.replacements import BUILTINS, DICT_METHODS, LISTS, MEMBERS, NAMES, Replacement
from migrator.source.import_place import import_span
from migrator.source.python import Chunk, Unit
from migrator.source.python2 import ConvertedOrigin
from migrator.spark.removed import METHODS, REPLACED

_SIMPLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Tuple)
_NODE = ast.expr | ast.stmt | ast.alias


def editable(unit: Unit, node: ast.expr | ast.stmt | ast.alias) -> Chunk | None:
    """Return the chunk of a node if its text is the text of the file, so that it can be edited."""
    chunk = unit.chunk_at(node.lineno)
    return None if not chunk.is_edited or chunk.is_partial else chunk


def operand(chunk: Chunk, node: ast.expr) -> str:
    """Return the text of an expression, in parentheses unless an operator may follow it."""
    text = chunk.source(node)
    is_text = isinstance(node, ast.Constant) and not isinstance(node.value, int | float | complex)
    whole = is_text and len(re.findall(r"\n|['\"]\s+['\"]", text)) == 0
    if isinstance(node, ast.Tuple) and text[:1] != "(":
        return f"({text})"
    return text if whole or isinstance(node, _SIMPLE) else f"({text})"


def has_old_mode(node: ast.expr) -> bool:
    """Return whether a value is a mode for reading a file that Python refuses because of its U."""
    match node:
        case ast.Constant(value=str(mode)):
            return "U" in mode and set(mode) <= set("rbtU")
    return False


def is_settled(*nodes: ast.expr) -> bool:
    """Return whether no other edit can concern expressions, so that their text may be moved."""
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        match node:
            case ast.Name(id=name) if name in BUILTINS or name in LISTS:
                return False
            case ast.Attribute(attr=name) if name in _replaced_names():
                return False
            case ast.keyword(arg=name) if name in ("encoding", "cmp"):
                return False
            case ast.Constant() if has_old_mode(node):
                return False
            case ast.JoinedStr() | ast.Lambda():
                return False
    return True


@cache
def _replaced_names() -> frozenset[str]:
    """Return the last parts of all names that edits replace."""
    paths = (*NAMES, *MEMBERS, *METHODS, *REPLACED, *DICT_METHODS, "streaming", "toDF")
    return frozenset(path.rpartition(".")[2] for path in paths)


class PendingEvents:
    """The events of a unit so far, with the imports that their edits need.

    The imports of a cell are one edit, so that two of them do not take the same place.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.events: list[tuple[Event, ast.expr | None]] = []
        self.statements: dict[int, set[str]] = {}

    def add(
        self,
        event: Event,
        node: ast.expr | None = None,
        statement: str = "",
    ) -> None:
        """Add an event, and the import that its edits need, for the cell of a node."""
        if statement and isinstance(event, RemovedName | LostSession) and event.edits and node:
            chunk = self.unit.chunk_at(node.lineno)
            self.statements.setdefault(chunk.first_line, set()).add(statement)
            self.events.append((event, node))
        else:
            self.events.append((event, None))

    def events_with_imports(self) -> list[Event]:
        """Return all events, with the imports in their edits."""
        events: list[Event] = []
        for event, node in self.events:
            if node is not None and isinstance(event, RemovedName | LostSession):
                chunk = self.unit.chunk_at(node.lineno)
                statements, before = self.statements[chunk.first_line], chunk.first_line - 1
                added = import_span(chunk.tree, chunk.lines, sorted(statements), before)
                event = replace(event, edits=(*event.edits, chunk.edit(*added)))
            events.append(event)
        return events


class Finder:
    """Finds one kind of thing in a unit."""

    def __init__(
        self, unit: Unit, program: Program, around: NodeContext, drafts: PendingEvents
    ) -> None:
        self.unit = unit
        self.program = program
        self.facts = program.facts
        self.around = around
        self.drafts = drafts

    def text(self, node: ast.expr | ast.stmt) -> str:
        """Return the text of a node."""
        return self.unit.chunk_at(node.lineno).source(node)

    def replace_with(self, node: _NODE, new: str) -> tuple[TextEdit, ...]:
        """Return the edit that puts a text in the place of a node."""
        chunk = self.unit.chunk_at(node.lineno)
        return (chunk.edit(*chunk.span(node), new),)

    def rename_to(self, node: ast.Attribute, new: str) -> tuple[TextEdit, ...]:
        """Return the edit that changes the last name of an attribute."""
        chunk = self.unit.chunk_at(node.lineno)
        end = chunk.span(node)[1]
        return (chunk.edit(end - len(node.attr), end, new),)

    def wrap_in(
        self, node: ast.expr, before: str, whole: ast.expr | ast.keyword | None = None
    ) -> tuple[TextEdit, ...]:
        """Return the edits that put a call around a node, in the place of what is around it."""
        chunk = self.unit.chunk_at(node.lineno)
        start, end = chunk.span(node)
        outer = (start, end) if whole is None else chunk.span(whole)
        return (
            chunk.edit(outer[0], start, before),
            chunk.edit(end, outer[1], ")"),
        )

    def project_nodes(self) -> Iterator[ast.AST]:
        """Yield the nodes of all programs around."""
        for program in self.program.project.programs.values():
            yield from program.tree.body if program.unit is None else program.unit.nodes()

    def only_value(self, node: ast.Name) -> ast.expr | None:
        """Return the call or generator that a name is bound to, if nothing else binds it."""
        scope = self.around.scope(node).owner_of(node.id)
        values: list[ast.expr | None] = []
        for other in self.unit.nodes():
            if not isinstance(other, ast.Name) or other.id != node.id:
                continue
            if isinstance(other.ctx, ast.Load) or self.around.scope(other) is not scope:
                continue
            match self.around.parents.get(other):
                case ast.Assign(
                    targets=[ast.Name()], value=ast.Call() | ast.GeneratorExp() as made
                ):
                    values.append(made)
                case ast.withitem(context_expr=ast.Call() as made):
                    values.append(made)
                case _:
                    values.append(None)
        return values[0] if len(values) == 1 else None

    def add_removed(
        self,
        node: _NODE,
        what: str,
        text: str,
        error: str,
        instead: Replacement,
        edits: tuple[TextEdit, ...] = (),
        *,
        since: str = "3.0",
        becomes: str | None = None,
        guessed: str = "",
        statement: str = "",
    ) -> None:
        """Add what is gone at a node, unless the program looks out for it.

        Its edits are left out where the text is not that of the file.
        """
        old = isinstance(self.unit.chunk_at(node.lineno).origin, ConvertedOrigin)
        # Python 2 that stays has the names of Python 2; that it stays is reported
        right = old and since == "3.0" and not what.startswith("spark")
        if right or self.around.is_guarded(node):
            return
        if edits and editable(self.unit, node) is None:
            edits = ()
        event = RemovedName(
            self.unit.name_spot(node),
            what,
            text,
            since,
            error,
            instead.new if becomes is None else becomes,
            instead.remedy,
            instead.caveat,
            edits,
            self.around.hiding_line(node, error) if error else 0,
            guessed,
        )
        place = node if isinstance(node, ast.expr) else None
        self.drafts.add(event, place, statement)
