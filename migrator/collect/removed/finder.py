"""The base of what finds names that are gone, with the edits and imports of what replaces them."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, cached_property

from migrator.collect.dropped_statements import dropping_edits
from migrator.infer.program import Program, Scope
from migrator.infer.scopes import imported_module, scope_of
from migrator.model.events import Event, LostSession, RemovedName
from migrator.model.report import TextEdit
from migrator.python.replacements import BUILTINS, DICT_METHODS, LISTS, MEMBERS, NAMES, Replacement
from migrator.source.child_nodes import parents_of
from migrator.source.import_place import import_span
from migrator.source.magics import RunMagic
from migrator.source.python import Chunk, Unit
from migrator.source.python2 import ConvertedOrigin
from migrator.spark.removed import METHODS, REPLACED

# What stands around a node: its scope, tests of Python's version, and `try` statements.

_VERSION = re.compile(
    r"hasattr\(|version_info|\bPY_?[23]|PY2\b|PY3\b|hexversion|python_version|sys\.version\b"
)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
# what code catches to ask whether a name is there
_ABSENCE = frozenset({"ImportError", "ModuleNotFoundError", "NameError", "AttributeError"})
_BROAD = frozenset({"", "Exception", "BaseException", "StandardError"})
# modules whose star brings none of the names that are gone
_KNOWN_STARS = sys.stdlib_module_names | {"pyspark", "dstream_compat", "__future__"}


class NodeContext:
    """Answers questions about the nodes of a unit; nothing is computed before it is asked for."""

    def __init__(self, unit: Unit, program: Program) -> None:
        self.unit = unit
        self.program = program

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of each node."""
        return parents_of(self.unit.tree)

    def above(self, node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
        """Yield each node around a node, nearest first, with its child that leads there."""
        while (parent := self.parents.get(node)) is not None:
            yield parent, node
            node = parent

    def scope(self, node: ast.AST) -> Scope:
        """Return the scope in which a node is evaluated."""
        owners = [
            n for n, _ in self.above(node) if isinstance(n, (*_FUNCTIONS, ast.ClassDef, ast.Module))
        ]
        scope = self.program.module
        for owner in reversed(owners[:-1]):
            assert isinstance(owner, (*_FUNCTIONS, ast.ClassDef))
            scope = scope_of(self.program, owner, scope)
        return scope

    def is_bound(self, name: str, node: ast.AST) -> bool:
        """Return whether something in the program may bind a name that is used at a node."""
        if (
            self._any_name
            or name in self._names_made_at_run_time
            or self.scope(node).owner_of(name) is not None
        ):
            return True
        if any(name in _targets(parent) for parent, _ in self.above(node)):
            return True
        return any(re.search(rf"\b{name}\s*=|\bimport\b.*\b{name}\b", t) for t in self.unit.unread)

    @cached_property
    def _any_name(self) -> bool:
        """Whether names may come from somewhere that is not read."""
        if any(isinstance(node, RunMagic) for node in self.unit.tree.body):
            return True
        return any(map(self._may_bring_names, self.unit.nodes()))

    def _may_bring_names(self, node: ast.AST) -> bool:
        match node:
            case ast.ImportFrom(names=[ast.alias(name="*")]):
                module = imported_module(node)
                index = self.program.project.index
                inside = index.find(self.program.path, node.level, node.module or "") is not None
                # the names of modules of the tree are known to their scope
                return not inside and module.partition(".")[0] not in _KNOWN_STARS
            case ast.ImportFrom(module=module) if module in ("past.utils", "six.moves.builtins"):
                return True
        return False

    @cached_property
    def _names_made_at_run_time(self) -> set[str]:
        """Names that are bound through `builtins`, `globals()` or `setattr`."""
        names: set[str] = set()
        for node in self.unit.nodes():
            match node:
                case ast.Attribute(value=base, attr=name, ctx=ast.Store()):
                    names |= {name} if _is_namespace(base) else set()
                case ast.Subscript(
                    value=base, slice=ast.Constant(value=str(name)), ctx=ast.Store()
                ):
                    names |= {name} if _is_namespace(base) else set()
                case ast.Call(
                    func=ast.Name("setattr"), args=[base, ast.Constant(value=str(name)), _]
                ):
                    names |= {name} if _is_namespace(base) else set()
        return names

    def drops_encoding(self, call: ast.AST | None) -> bool:
        """Return whether a call is of `reload(sys); sys.setdefaultencoding("utf-8")`."""
        return any(isinstance(s, ast.Expr) and s.value is call for s in self._encoding_statements)

    @cached_property
    def encoding_edits(self) -> tuple[TextEdit, ...]:
        """The edits that drop these statements."""
        chunks = (self.unit.chunk_at(s.lineno) for s in self._encoding_statements)
        if any(not c.is_edited or c.is_partial for c in chunks):
            return ()
        return dropping_edits(self.unit, self._encoding_statements)

    @cached_property
    def _encoding_statements(self) -> list[ast.stmt]:
        statements: list[ast.stmt] = []
        sets = False
        for node in self.unit.nodes():
            match node:
                case ast.Expr(
                    value=ast.Call(
                        func=ast.Attribute(ast.Name("sys"), "setdefaultencoding"),
                        args=[ast.Constant(value=str(encoding))],
                    )
                ) if encoding.lower().replace("_", "-") in ("utf8", "utf-8"):
                    statements.append(node)
                    sets = True
                case ast.Expr(value=ast.Call(func=ast.Name("reload"), args=[ast.Name("sys")])):
                    statements.append(node)
        return statements if sets and not any(map(self.is_guarded, statements)) else []

    def is_guarded(self, node: ast.AST) -> bool:
        """Return whether the program asks for Python's version, or for the name, around a node."""
        for parent, child in self.above(node):
            match parent:
                case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
                    if child is not test and _VERSION.search(ast.unparse(test)):
                        return True
                case ast.BoolOp() if _VERSION.search(ast.unparse(parent)):
                    return True
                case ast.Try(body=body, handlers=handlers):
                    if self._is_fallback(node, child, body, handlers):
                        return True
                case ast.ExceptHandler(type=kind) if _names(kind) & _ABSENCE:
                    return True
                case ast.FunctionDef(decorator_list=found) | ast.ClassDef(decorator_list=found):
                    if any(_VERSION.search(ast.unparse(d)) for d in found):
                        return True
            if isinstance(child, ast.stmt) and self._is_behind_test(parent, child):
                return True
        return False

    @staticmethod
    def _is_fallback(
        node: ast.AST, child: ast.AST, body: list[ast.stmt], handlers: list[ast.ExceptHandler]
    ) -> bool:
        if any(_names(h.type) & _ABSENCE for h in handlers):
            # `else` runs only if the names were there
            return child not in handlers
        if not isinstance(node, ast.alias | ast.ImportFrom) or child not in body:
            return False
        # a broad handler that imports or binds something instead
        inside = [n for h in handlers for s in h.body for n in ast.walk(s)]
        return any(isinstance(n, ast.Import | ast.ImportFrom | ast.Assign) for n in inside)

    @staticmethod
    def _is_behind_test(parent: ast.AST, child: ast.stmt) -> bool:
        """Return whether an earlier statement of a block leaves it for one version of Python."""
        for block in (getattr(parent, "body", None), getattr(parent, "orelse", None)):
            if not isinstance(block, list) or child not in block:
                continue
            for statement in block[: block.index(child)]:
                leaves = isinstance(statement, ast.If) and isinstance(statement.body[-1], _ENDS)
                if leaves and _VERSION.search(ast.unparse(statement.test)):
                    return True
        return False

    def hiding_line(self, node: ast.AST, error: str) -> int:
        """Return the line of the `except` that catches an error at a node, 0 if there is none."""
        for parent, child in self.above(node):
            if isinstance(parent, _FUNCTIONS):
                return 0
            if isinstance(parent, ast.Try) and child in parent.body:
                for handler in parent.handlers:
                    caught = _names(handler.type)
                    raises = any(
                        isinstance(n, ast.Raise) for s in handler.body for n in ast.walk(s)
                    )
                    if caught & (_BROAD | {error}) and not raises:
                        return self.unit.spot_of(handler).line
        return 0


def _is_namespace(node: ast.expr) -> bool:
    """Return whether names that are set there can be used without a dot."""
    return re.search(r"builtin|globals\(\)", ast.unparse(node)) is not None


def _targets(node: ast.AST) -> set[str]:
    """Return the names that a comprehension binds for what stands in it."""
    if not isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return set()
    inside = (n for generator in node.generators for n in ast.walk(generator.target))
    return {n.id for n in inside if isinstance(n, ast.Name)}


def _names(kind: ast.expr | None) -> set[str]:
    """Return the names of the classes that a handler catches, "" for one without."""
    if kind is None:
        return {""}
    kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return {ast.unparse(k).rpartition(".")[2] for k in kinds}


_SIMPLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Tuple)
_NODE = ast.expr | ast.stmt | ast.alias
# what most uses of a kind of name raise, if it is not an AttributeError
_ERRORS = {"builtin": "NameError", "argument": "TypeError", "module": "ImportError"}


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

    def add(self, event: Event, node: ast.expr | None = None, statement: str = "") -> None:
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
        return (chunk.edit(outer[0], start, before), chunk.edit(end, outer[1], ")"))

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
        instead: Replacement,
        edits: tuple[TextEdit, ...] = (),
        *,
        error: str | None = None,
        since: str = "3.0",
        guessed: str = "",
        statement: str = "",
    ) -> None:
        """Add what is gone at a node, unless the program looks out for it.

        Its edits are left out where the text is not that of the file.
        """
        error = _ERRORS.get(what, "AttributeError") if error is None else error
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
            instead.new,
            instead.remedy,
            instead.caveat,
            edits,
            self.around.hiding_line(node, error) if error else 0,
            guessed,
        )
        place = node if isinstance(node, ast.expr) else None
        self.drafts.add(event, place, statement)
