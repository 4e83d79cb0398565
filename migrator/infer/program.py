"""The modules of a tree, their functions, classes and scopes, with what is known of them so far."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from migrator.infer.values import BOTTOM, Function, Module, Ref, Value, join
from migrator.model.locate import ModuleIndex

if TYPE_CHECKING:
    from migrator.source.python import Unit


# The modules of a tree that are inferred together, and what is known across them.


@dataclass(eq=False)
class Project:
    """Everything known while the modules of a tree are run.

    Parameters
    ----------
    load : callable
        Reads a module by its file, or None if it cannot be read.
    importers : callable
        The files that import a file.
    users : callable, optional
        The same, including files around the tree that are only read; `importers` by default.
    sealed : bool
        Whether what is not defined by now never is.
    patched : set of (str, str)
        Names of Spark's classes that some module sets.
    has_shell : bool
        Whether the contexts and sessions that a shell gives are there for certain.
    """

    index: ModuleIndex
    load: Callable[[str], Unit | None]
    importers: Callable[[str], Iterable[str]]
    users: Callable[[str], Iterable[str]] | None = None
    programs: dict[str, Program] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    patched: set[tuple[str, str]] = field(default_factory=set)
    sealed: bool = False
    has_shell: bool = False
    converged: bool = True
    count: int = 0
    added: int = 0

    def next_index(self) -> int:
        """Return a number for a function or class, which orders them."""
        self.count += 1
        return self.count

    def program(self, path: str) -> Program | None:
        """Return the module at a path, if it has been added."""
        file = self.index.file(path)
        return None if file is None else self.programs.get(file)


ANY = "*"

FunctionNode: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
ScopeNode: TypeAlias = FunctionNode | ast.ClassDef | ast.Module


@dataclass(eq=False)
class Scope:
    """A namespace: which names live in it and everything they were ever bound to."""

    node: ScopeNode
    program: Program
    parent: Scope | None
    locals: frozenset[str]
    outer: dict[str, str]
    bound: dict[str, Value] = field(default_factory=dict)
    written_from_inside: dict[str, Value] = field(default_factory=dict)

    @property
    def is_class(self) -> bool:
        """Whether this is a class body, which functions inside it do not see."""
        return isinstance(self.node, ast.ClassDef)

    def owner_of(self, name: str) -> Scope | None:
        """Return the scope in which a name used here lives, or None if nothing binds it."""
        if self.outer.get(name) == "global":
            return self.module()
        if name in self.locals and name not in self.outer:
            return self
        return self.owner_around(name)

    def owner_around(self, name: str) -> Scope | None:
        """Return the scope around this one in which a name lives, or None if there is none."""
        scope = self.parent
        while scope is not None and scope.is_class:
            scope = scope.parent
        return None if scope is None else scope.owner_of(name)

    def module(self) -> Scope:
        """Return the scope of the module."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope


@dataclass(eq=False)
class FunctionInfo:
    """A function or lambda with its summary: what its parameters and its result may be.

    Parameters
    ----------
    declared : set of str
        Parameters that an annotation settles.
    defaults : dict of str to Value
        Defaults that are only numbers and the like, which parameters have if a call omits them.
    mutated : dict of str to Value
        What it puts into the containers that it is given.
    around : dict of str to Value
        Targets of the comprehensions around a lambda.
    """

    index: int
    node: FunctionNode
    program: Program
    scope: Scope
    owner: ClassInfo | None
    flags: frozenset[str] = frozenset()
    params: dict[str, Value] = field(default_factory=dict)
    declared: set[str] = field(default_factory=set)
    defaults: dict[str, Value] = field(default_factory=dict)
    mutated: dict[str, Value] = field(default_factory=dict)
    around: dict[str, Value] = field(default_factory=dict)
    result: Value = BOTTOM
    called: bool = False

    @property
    def name(self) -> str:
        """The name to show."""
        return "lambda" if isinstance(self.node, ast.Lambda) else self.node.name

    def positional(self) -> list[str]:
        """Return names of the parameters that can be given by position."""
        args = self.node.args
        return [a.arg for a in (*args.posonlyargs, *args.args)]


@dataclass(eq=False)
class ClassInfo:
    """A class with the attributes that were ever set on it or on its instances.

    Parameters
    ----------
    parents : list of list of ClassInfo
        What each base class may be of the program, in order.
    methods : set of (str, FunctionInfo)
        Functions from elsewhere that the class has under a name, and binds as its own.
    set_on_instances : set of str
        Names that are set on its instances, and hide those of classes.
    fields : list of str
        Annotated names, in order.
    seen_above, seen_below : bool
        Whether someone has asked for its base classes or derived ones.
    """

    index: int
    node: ast.ClassDef
    program: Program
    scope: Scope
    bases: Value = BOTTOM
    attrs: dict[str, Value] = field(default_factory=dict)
    children: list[ClassInfo] = field(default_factory=list)
    parents: list[list[ClassInfo]] = field(default_factory=list)
    methods: set[tuple[str, FunctionInfo]] = field(default_factory=set)
    set_on_instances: set[str] = field(default_factory=set)
    fields: list[str] = field(default_factory=list)
    seen_above: bool = False
    seen_below: bool = False

    def local_bases(self) -> Iterator[ClassInfo]:
        """Yield its base classes that are part of the program."""
        for alternatives in self.parents:
            yield from alternatives

    def ancestors(self) -> list[ClassInfo]:
        """Return the class and its local bases, in the order in which names are looked up.

        Depth first; a class that several bases share comes behind all of them.
        """
        walk: list[ClassInfo] = []

        def visit(info: ClassInfo, below: tuple[ClassInfo, ...]) -> None:
            info.seen_above = True
            walk.append(info)
            for base in info.local_bases():
                if base not in below:
                    visit(base, (*below, base))

        visit(self, (self,))
        return list(dict.fromkeys(reversed(walk)))[::-1]

    def holders(self, name: str, below: ClassInfo | None = None) -> list[ClassInfo]:
        """Return the classes that an attribute of an instance may come from.

        below: only those that come behind this class, as `super()` in it looks them up.
        """
        family = self.ancestors()
        if below is not None:
            family = family[family.index(below) + 1 :] if below in family else []
        having = [c for c in family if name in c.attrs]
        if any(len(alternatives) > 1 for c in family for alternatives in c.parents):
            return having
        return [c for c in having if c is having[0] or name in c.set_on_instances]

    def add_methods(self, name: str, value: Value) -> None:
        """Let the class bind the functions that are given to it under a name."""
        added = {(name, a.info) for a in value.atoms if isinstance(a, Function) and a.owner is None}
        if not added <= self.methods:
            self.methods |= added
            self.program.announce(id(self.attrs), name)

    def outer_bases(self) -> list[str] | None:
        """Return the paths of its base classes outside of the program, None if not all known."""
        family = self.ancestors()
        if any(info.bases.unknown for info in family):
            return None
        return [base.path for info in family for base in info.bases.atoms if isinstance(base, Ref)]

    def descendants(self) -> list[ClassInfo]:
        """Return the classes derived from this one."""
        classes: list[ClassInfo] = []
        queue = list(self.children)
        self.seen_below = True
        while queue:
            info = queue.pop(0)
            info.seen_below = True
            if info not in classes and info is not self:
                classes.append(info)
                queue.extend(info.children)
        return classes


@dataclass(eq=False)
class Facts:
    """What the last run saw at each node; the rest of the migrator reads only this.

    Parameters
    ----------
    escapes : bool
        Whether a stream or context was stored in something that is not known.
    """

    receivers: dict[ast.Attribute, Value] = field(default_factory=dict)
    callees: dict[ast.Call, Value] = field(default_factory=dict)
    names: dict[ast.Name, Value] = field(default_factory=dict)
    values: dict[ast.expr, Value] = field(default_factory=dict)
    scopes: dict[ast.Name | ast.Import | ast.ImportFrom, Scope] = field(default_factory=dict)
    patched: set[tuple[str, str]] = field(default_factory=set)
    converged: bool = True
    escapes: bool = False


@dataclass(eq=False)
class Program:
    """All that inference knows about one module, and how it hangs together with others.

    Parameters
    ----------
    path : str
        Its file, as reports name it.
    readers : set of Program
        The modules that look into it.
    reads : set of (int, str)
        What its last run has read, as the id of a table or function and a name (ANY for all of
        them).
    imports : dict of str to None
        What it imports from the tree.
    imported : dict of str to list of str
        The modules behind its global names ("*" for star imports).
    demanded : set of str
        Its names that others ask for.
    origins : dict of (Scope, str) to (Module, str)
        Where names come from that are bound by `from module import name`.
    missing : bool
        Whether it met something not known yet.
    full : bool
        Whether all its functions are of interest, not only those that others call.
    enter : callable, optional
        Runs a function that this run has not run yet.
    lookups : dict of Call to Attribute
        `getattr(x, "name")` and its like, as the attributes that they stand for.
    records : dict of Call to ClassDef
        Calls that make named tuples, as the classes they make.
    """

    tree: ast.Module
    project: Project
    path: str = ""
    unit: Unit | None = None
    readers: set[Program] = field(default_factory=set)
    reads: set[tuple[int, str]] = field(default_factory=set)
    imports: dict[str, None] = field(default_factory=dict)
    imported: dict[str, list[str]] = field(default_factory=dict)
    demanded: set[str] = field(default_factory=set)
    origins: dict[tuple[Scope, str], tuple[Module, str]] = field(default_factory=dict)
    missing: bool = False
    runs: int = 0
    full: bool = False
    functions: dict[FunctionNode, FunctionInfo] = field(default_factory=dict)
    classes: dict[ast.ClassDef, ClassInfo] = field(default_factory=dict)
    scopes: dict[ScopeNode, Scope] = field(default_factory=dict)
    lookups: dict[ast.Call, ast.Attribute] = field(default_factory=dict)
    records: dict[ast.Call, ast.ClassDef] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)
    changed: bool = False
    enter: Callable[[FunctionInfo], None] | None = None

    @property
    def module(self) -> Scope:
        """The scope of the module."""
        return self.scopes[self.tree]

    def without_getattr(self, node: ast.expr) -> ast.expr:
        """Return the attribute that a `getattr` stands for; any other expression itself."""
        return self.lookups.get(node, node) if isinstance(node, ast.Call) else node

    def grow(self, table: dict[str, Value], name: str, value: Value, always: bool = False) -> None:
        """Add a value to what a name of this module may be; who has read it has to run again.

        always: whether readers of this table are not noted, so that all count.
        """
        before = table.get(name)
        after = value if before is None else join(before, value)
        if before is None or after is not before:
            table[name] = after
            if before != after:
                if always:
                    self.touch()
                else:
                    self.announce(id(table), name)
                    if before is None:
                        self.announce(id(table), ANY)

    def grow_result(self, info: FunctionInfo, value: Value) -> None:
        """Add a value to what a function may return."""
        after = join(info.result, value)
        if after != info.result:
            info.result = after
            self.announce(id(info), ANY)

    def announce(self, owner: int, name: str) -> None:
        """Mark who has read a name of a table or function to run again."""
        seen = (owner, name)
        for program in (self, *self.readers):
            if seen in program.reads:
                program.changed = True

    def touch(self) -> None:
        """Mark all readers to run again: which of them read the change is not known."""
        for program in (self, *self.readers):
            program.changed = True


@dataclass(slots=True)
class Loop:
    """What names are where `break` and `continue` leave the body of a loop."""

    breaks: list[dict[str, Value]] = field(default_factory=list)
    continues: list[dict[str, Value]] = field(default_factory=list)


@dataclass(slots=True)
class ExecutionState:
    """Where evaluation stands: the module, the scope, and its names at this statement.

    Parameters
    ----------
    inner : dict of str to Value
        The targets of the comprehensions around an expression, and what tests in it have shown.
    targets : dict of str to Value
        The targets alone.
    assigned : dict of str to Value, optional
        All that names were bound to since the innermost block began that may end anywhere.
    loop : Loop, optional
        The innermost loop.
    """

    program: Program
    scope: Scope
    env: dict[str, Value]
    function: FunctionInfo | None = None
    inner: dict[str, Value] = field(default_factory=dict)
    targets: dict[str, Value] = field(default_factory=dict)
    assigned: dict[str, Value] | None = None
    loop: Loop | None = None
