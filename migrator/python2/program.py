"""A program that is being converted: its parts, which share one namespace."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, cast

from migrator.infer.scopes import bound_name
from migrator.model.events import Python2Doubt
from migrator.model.findings import Spot
from migrator.source.child_nodes import parents_of
from migrator.source.lines import Located
from migrator.source.python import parse
from migrator.source.spans import Span
from migrator.source.tracked_text import Tracked

# What an expression of a Python 2 program is proven to be: an int, a float, a byte string...

Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef | ast.expr
_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
# what builtins give; "str" is a byte string, "text" is unicode
_BUILTINS = {
    **dict.fromkeys(("len", "int", "long", "ord", "hash", "id"), "int"),
    **dict.fromkeys(("float", "round"), "float"),
    **dict.fromkeys(("repr", "chr", "hex", "oct", "bin", "input"), "str"),
    **dict.fromkeys(("list", "map", "zip", "range", "sorted", "dir"), "list"),
    **{"dict": "dict", "tuple": "tuple", "set": "set", "bool": "bool", "frozenset": "set"},
    **{"unicode": "text", "unichr": "text", "open": "file"},
}
_METHODS = {
    **dict.fromkeys(("split", "rsplit", "splitlines", "readlines"), "list"),
    **dict.fromkeys(("count", "find", "rfind"), "int"),
    # actions of RDDs; DStreams have none of them
    **dict.fromkeys(("collectAsMap", "countByKey"), "dict"),
    "encode": "bytes",
}
_SAME = {
    *("strip", "lstrip", "rstrip", "lower", "upper", "title", "replace", "format", "join"),
    *("zfill", "ljust", "rjust", "center", "capitalize"),
}
_MODULES = {
    **dict.fromkeys(("time.time", "time.clock", "time.process_time"), "float"),
    **dict.fromkeys(("random.random", "random.uniform"), "float"),
    **dict.fromkeys(("random.randint", "os.getpid"), "int"),
    **dict.fromkeys(("collections.defaultdict", "collections.OrderedDict"), "dict"),
    **dict.fromkeys(("math.sqrt", "math.log", "math.exp", "math.floor", "math.ceil"), "float"),
    "collections.Counter": "dict",
}
_NUMBERS = ("bool", "int", "float")


@dataclass(slots=True)
class ExpressionKinds:
    """Kinds of expressions, from what is assigned to their names anywhere."""

    program: Program2
    values: dict[tuple[Scope | None, str], list[Callable[[], str | None]]] = field(
        default_factory=dict
    )
    scopes: dict[ast.AST, tuple[Scope, ...]] = field(default_factory=dict)
    _pending: set[tuple[Scope | None, str]] = field(default_factory=set)
    _known: dict[tuple[Scope | None, str], str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for part in self.program.parts:
            self._walk(part.tree, ())

    def _walk(self, node: ast.AST, scopes: tuple[Scope, ...]) -> None:
        pending: list[tuple[ast.AST, tuple[Scope, ...]]] = [(node, scopes)]
        while pending:
            current, around = pending.pop()
            self.scopes[current] = around
            self._bind(current, around)
            inner = (*around, current) if isinstance(current, _SCOPES) else around
            pending += [(child, inner) for child in ast.iter_child_nodes(current)]

    def _bind(self, node: ast.AST, scopes: tuple[Scope, ...]) -> None:
        scope = scopes[-1] if scopes else None
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._target(target, scope, lambda v=value: self.kind(v))  # type: ignore[misc]
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                self._target(
                    target, scope, lambda: self._operation(op, self.kind(target), self.kind(value))
                )
            case (
                ast.For(target=target, iter=iterable)
                | ast.comprehension(target=target, iter=iterable)
            ):
                self._target(target, scope, lambda: self._item(iterable))
            case (
                ast.arg(arg=name)
                | ast.ExceptHandler(name=str(name))
                | ast.FunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                self._add(scope, name, _unknown_kind)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    self._add(scope, bound_name(alias), _unknown_kind)
            case ast.Global(names=argument):
                for name in argument:
                    # what is assigned there counts for the module, whose kind is not known then
                    self._add(scope, name, _unknown_kind)
                    self._add(None, name, _unknown_kind)
            case ast.withitem(optional_vars=ast.expr() as target):
                self._target(target, scope, _unknown_kind)
            case ast.Delete(targets=targets):
                for target in targets:
                    self._target(target, scope, _unknown_kind)

    def _target(
        self, target: ast.AST, scope: Scope | None, value: Callable[[], str | None]
    ) -> None:
        if isinstance(target, ast.Name):
            self._add(scope, target.id, value)
            return
        for node in ast.walk(target):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
                self._add(scope, node.id, _unknown_kind)

    def _add(self, scope: Scope | None, name: str, value: Callable[[], str | None]) -> None:
        self.values.setdefault((scope, name), []).append(value)

    def kind(self, node: ast.AST) -> str | None:
        """Return what an expression is proven to be, None if it is not."""
        match node:
            case ast.Constant(value=value):
                return "text" if getattr(node, "kind", None) == "u" else _CONSTANTS.get(type(value))
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(op, self.kind(left), self.kind(right))
            case ast.UnaryOp(op=ast.Not()) | ast.Compare():
                return "bool"
            case ast.UnaryOp(operand=operand):
                kind = self.kind(operand)
                return "int" if kind == "bool" else kind if kind in _NUMBERS else None
            case ast.IfExp(body=one, orelse=other):
                return self._common([self.kind(one), self.kind(other)])
            case ast.BoolOp(values=values):
                return self._common([self.kind(v) for v in values])
            case ast.Call():
                return self._call(node)
        return _DISPLAYS.get(type(node))

    def _call(self, node: ast.Call) -> str | None:
        func = node.func
        if isinstance(func, ast.Name) and func.id not in self.program.bound:
            if func.id in ("max", "min", "abs", "sum") and not node.keywords:
                kinds = [self.kind(arg) for arg in node.args]
                alone = len(node.args) == 1 and func.id != "abs"
                return None if alone or func.id == "sum" else self._common(kinds)
            if func.id == "str":
                # also what was `unicode` once
                return "str"
            return _BUILTINS.get(func.id)
        if isinstance(func, ast.Attribute):
            path = self.program.path(func)
            if path:
                return _MODULES.get(path)
            if func.attr in _METHODS and func.attr not in self.program.methods:
                return _METHODS[func.attr]
            if func.attr in _SAME and (owner := self.kind(func.value)) in ("str", "text"):
                return owner
            if func.attr == "join" and isinstance(func.value, ast.Constant):
                return "str"
        return None

    def _name(self, node: ast.AST, name: str) -> str | None:
        around = self.scopes.get(node)
        if around is None:
            return None
        for depth, scope in enumerate(reversed(around)):
            if isinstance(scope, ast.ClassDef) and depth:
                continue
            if (scope, name) in self.values:
                return self._variable((scope, name))
        return self._variable((None, name)) if (None, name) in self.values else None

    def _variable(self, key: tuple[Scope | None, str]) -> str | None:
        if key in self._pending:
            return "pending"
        if key not in self._known:
            self._pending.add(key)
            kind = self._common([value() for value in self.values[key]])
            self._pending.discard(key)
            if self._pending:
                # it may rest on something that is not known yet
                return kind
            self._known[key] = None if kind == "pending" else kind
        return self._known[key]

    def _item(self, iterable: ast.AST) -> str | None:
        match iterable:
            case ast.Call(func=ast.Name(id="range" | "xrange") as func):
                return "int" if self.program.is_builtin(func, "range", "xrange") else None
            case ast.List(elts=[_, *_] as items) | ast.Tuple(elts=[_, *_] as items):
                return self._common([self.kind(item) for item in items])
        return None

    def _operation(self, op: ast.operator, left: str | None, right: str | None) -> str | None:
        if left == "pending" or right == "pending":
            return right if left == "pending" else left
        if isinstance(op, ast.Mod) and left in ("str", "text"):
            return left
        if left in _NUMBERS and right in _NUMBERS:
            if "float" in (left, right):
                return "float"
            # a negative exponent gives a float
            return None if isinstance(op, ast.Pow) else "int"
        if "float" in (left, right) and not isinstance(op, ast.FloorDiv | ast.Mod | ast.Pow):
            # whatever the other one is, the result is no int
            return "float"
        if isinstance(op, ast.Add) and left == right:
            return left
        return None

    @staticmethod
    def _common(kinds: list[str | None]) -> str | None:
        certain_kinds = {kind for kind in kinds if kind != "pending"}
        if not certain_kinds:
            return "pending"
        if certain_kinds <= {"bool", "int"}:
            return "int" if "int" in certain_kinds else "bool"
        return certain_kinds.pop() if len(certain_kinds) == 1 else None


_CONSTANTS: dict[type[Any], str] = {
    **{int: "int", float: "float", bool: "bool", str: "str", bytes: "bytes"},
    type(None): "none",
}
_DISPLAYS: dict[type[ast.AST], str] = {
    **{ast.List: "list", ast.ListComp: "list", ast.Dict: "dict", ast.DictComp: "dict"},
    **{ast.Tuple: "tuple", ast.Set: "set", ast.SetComp: "set", ast.JoinedStr: "str"},
}


def _unknown_kind() -> str | None:
    return None


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
