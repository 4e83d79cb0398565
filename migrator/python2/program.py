"""A program that is being converted: its parts, which share one namespace."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

from migrator.infer.scopes import bound_name
from migrator.model.places import Spot
from migrator.model.python2_events import Python2Doubt
from migrator.python2.kinds import ExpressionKinds
from migrator.source.child_nodes import parents_of
from migrator.source.lines import Located
from migrator.source.python import parse
from migrator.source.spans import Span
from migrator.source.tracked_text import Tracked

_COMMENT = re.compile(r"#[^\n]*")
# of a source in a message
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class Change:
    """Edits of a part, which belong together.

    Parameters
    ----------
    fixer : str
        What has changed it.
    text : str
        What was done, for the report.
    needs : str
        The import that the edits need, which a part gets once.
    """

    node: ast.AST
    fixer: str
    text: str
    edits: tuple[Span, ...] = ()
    needs: str = ""


def one_line(source: str) -> str:
    """Return a source in one line of a message."""
    line = " ".join(source.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 3]}..."


@dataclass(slots=True)
class ProgramPart:
    """A file, or a cell of a notebook, that Python 3 parses.

    Parameters
    ----------
    cell : int, optional
        Its number in a notebook.
    features : frozenset of str
        What it imports from `__future__`.
    """

    text: Tracked
    tree: ast.Module
    cell: int | None = None
    features: frozenset[str] = frozenset()
    parents: dict[ast.AST, ast.AST] = field(default_factory=dict)
    program: Program2 = field(init=False)

    def kind(self, node: ast.AST) -> str | None:
        """Return what an expression is proven to be, None if it is not."""
        return self.program.kinds.kind(node)

    def is_builtin(self, node: ast.AST, *names: str) -> bool:
        """Return whether an expression is a builtin of one of these names."""
        return self.program.is_builtin(node, *names)

    def path(self, node: ast.AST) -> str:
        """Return the dotted path of a name in a module, "" if it is something else."""
        return self.program.path(node)

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield what stands around a node, nearest first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def start(self, node: ast.AST) -> int:
        """Return where an expression or a statement starts."""
        return self.text.lines.span(cast(Located, node))[0]

    def end(self, node: ast.AST) -> int:
        """Return where it ends."""
        return self.text.lines.span(cast(Located, node))[1]

    def source(self, node: ast.AST) -> str:
        """Return the source of a node."""
        return self.text.text[self.start(node) : self.end(node)]

    def find_between(self, before: ast.AST, after: ast.AST, text: str) -> int:
        """Return where a text stands between two nodes, outside of comments."""
        start, end = self.end(before), self.start(after)
        gap = _COMMENT.sub(lambda m: " " * len(m.group()), self.text.text[start:end])
        return start + gap.index(text)

    def wrapping_spans(self, node: ast.AST, before: str) -> tuple[Span, ...]:
        """Return a text in front of a node, and the parenthesis behind it."""
        start, end = self.start(node), self.end(node)
        return Span(start, start, before), Span(end, end, ")")

    def replacing_spans(self, node: ast.AST, new: str) -> tuple[Span, ...]:
        """Return another text for a node."""
        return (Span(self.start(node), self.end(node), new),)

    def spot(self, node: ast.AST) -> Spot:
        """Return where a node stands in the original."""
        line, column = self.text.old_place(*self.text.lines.place(self.start(node)))
        return Spot(line, column + 1, self.cell)

    def doubt(
        self, node: ast.AST, kind: str, text: str, detail: str, proven: bool = False
    ) -> Python2Doubt:
        """Return that a node is not proven to mean the same in Python 3."""
        return Python2Doubt(self.spot(node), kind, one_line(text), detail, proven)

    def before(self, node: ast.AST) -> str:
        """Return the original from a node on."""
        return self.text.before(*self.text.lines.place(self.start(node)))


def make_part(text: Tracked, cell: int | None = None) -> ProgramPart:
    """Parse a part.

    Raises
    ------
    ParseProblem
        If Python 3 does not parse it.
    """
    tree = parse(text.text)
    futures = (n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == "__future__")
    features = frozenset(alias.name for node in futures for alias in node.names)
    return ProgramPart(text, tree, cell, features, parents_of(tree))


@dataclass(slots=True)
class Program2:
    """The parts of a program in the order in which they run.

    Parameters
    ----------
    bound : set of str
        The names that are bound anywhere in it: none of them is surely that of a builtin.
    modules : dict of str to str
        The names that are only ever bound to a module, with its path.
    imported : set of str
        The modules that it imports, without their submodules.
    imported_names : dict of str to str
        The names that it imports from modules, with the module.
    functions : set of str
        The functions that it defines outside of classes.
    methods : set of str
        The methods of its classes.
    only_iterators : bool
        Whether each class with `next` has `__iter__` too.
    kinds : ExpressionKinds
        What its expressions are proven to be.
    """

    parts: list[ProgramPart]
    bound: set[str] = field(default_factory=set)
    modules: dict[str, str] = field(default_factory=dict)
    imported: set[str] = field(default_factory=set)
    imported_names: dict[str, str] = field(default_factory=dict)
    functions: set[str] = field(default_factory=set)
    methods: set[str] = field(default_factory=set)
    only_iterators: bool = True
    kinds: ExpressionKinds = field(init=False)

    def nodes(self) -> Iterator[tuple[ProgramPart, ast.AST]]:
        """Yield all nodes with their parts."""
        for part in self.parts:
            for node in ast.walk(part.tree):
                yield part, node

    def is_builtin(self, node: ast.AST, *names: str) -> bool:
        """Return whether an expression is a builtin of one of these names."""
        return isinstance(node, ast.Name) and node.id in names and node.id not in self.bound

    def path(self, node: ast.AST) -> str:
        """Return the dotted path of a name in a module, "" if it is something else."""
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in self.modules:
                return f"{self.modules[name]}.{attr}"
        return ""


def make_program(parts: list[ProgramPart]) -> Program2:
    """Return a program of these parts."""
    program = Program2(parts)
    # for each name the paths of the modules that imports bind it to
    modules: dict[str, list[str]] = {}
    for part, node in program.nodes():
        part.program = program
        match node:
            case ast.Import(names=names):
                for alias in names:
                    package = alias.name.partition(".")[0]
                    program.imported.add(package)
                    path = alias.name if alias.asname else package
                    modules.setdefault(bound_name(alias), []).append(path)
            case ast.ImportFrom(module=str(module), names=names):
                program.imported.add(module.partition(".")[0])
                program.imported_names |= {bound_name(a): module for a in names}
            case ast.ClassDef(body=body):
                methods = {n.name for n in body if isinstance(n, ast.FunctionDef)}
                program.methods |= methods
                program.only_iterators &= "next" not in methods or "__iter__" in methods
            case ast.FunctionDef(name=name):
                if not isinstance(part.parents.get(node), ast.ClassDef):
                    program.functions.add(name)
    program.kinds = ExpressionKinds(program)
    bindings: Counter[str] = Counter()
    for (scope, name), values in program.kinds.values.items():
        if not isinstance(scope, ast.ClassDef) or name not in program.methods:
            bindings[name] += len(values)
    program.bound = set(bindings)
    program.modules = {
        name: paths[0]
        for name, paths in modules.items()
        if len(set(paths)) == 1 and bindings[name] == len(paths)
    }
    return program
