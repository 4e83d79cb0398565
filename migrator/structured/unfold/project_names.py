"""What names lead to in other files of a project: their functions, classes and constants."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from migrator.infer.around import ModulesAround
from migrator.infer.scopes import binding_of_import, bindings
from migrator.source.layout import PlainLayout, plain_layout

from ..program.modules import SourceModule
from ..refusals import NotExpressible

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign

_QUIET = frozenset(("logging.getLogger", "re.compile", "collections.namedtuple", "os.getenv"))
"""Calls at the top of a file that do nothing but give a value."""


@dataclass(frozen=True, eq=False)
class ProjectFile:
    """A file of the project.

    Parameters
    ----------
    path : str
        its path
    module : SourceModule
        what is known of it
    dotted : str
        its module as the job names it
    layout : PlainLayout
        its layout, in whose plain form `module` is
    """

    path: str
    module: SourceModule
    dotted: str
    layout: PlainLayout

    @cached_property
    def binding_nodes(self) -> dict[str, list[ast.AST]]:
        """The nodes that bind each name at the top."""
        nodes_by_name: dict[str, list[ast.AST]] = {}
        for node in ast.walk(self.module.tree):
            if isinstance(node, ast.Global):
                for name in node.names:
                    nodes_by_name.setdefault(name, []).append(node)
            elif self.scope_of(node) is self.module.tree:
                for name in bindings(node):
                    nodes_by_name.setdefault(name, []).append(node)
        return nodes_by_name

    def scope_of(self, node: ast.AST) -> ast.AST:
        """Return the function, class or module in whose code a node is."""
        child = node
        for parent in self.module.around(self.module.parents.get(node, self.module.tree)):
            match parent:
                case ast.Module():
                    return parent
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                    body = parent.body if isinstance(parent.body, list) else [parent.body]
                    if child in body or child is getattr(parent, "args", None):
                        return parent
                case ast.comprehension():
                    return parent
            child = parent
        return self.module.tree

    def names_in(self, code: ast.AST) -> Iterator[ast.Name]:
        """Yield the names in some code that are looked up at the top of the file."""
        inside, top = {*ast.walk(code)}, self.module.program.scopes[self.module.tree]
        for name, scope in self.module.names_in(self.module.tree):
            if name in inside and isinstance(name.ctx, ast.Load):
                owner = scope.owner_of(name.id)
                if owner is None or owner is top:
                    yield name


@dataclass(frozen=True, eq=False)
class ImportedModule:
    """A module as an import names it, which may be one of the project.

    Parameters
    ----------
    file : ProjectFile
        the file that the import is in
    level : int
        its dots
    dotted : str
        the name behind them
    """

    file: ProjectFile
    level: int
    dotted: str


@dataclass(frozen=True, eq=False)
class Member:
    """A function or class of a file, or a constant."""

    file: ProjectFile
    node: Definition

    @property
    def name(self) -> str:
        """Its name in the file."""
        if isinstance(self.node, ast.Assign):
            (target,) = self.node.targets
            assert isinstance(target, ast.Name)
            return target.id
        return self.node.name


class ProjectNames:
    """The names of a job's files, and where they lead.

    Parameters
    ----------
    module : SourceModule
        the file of the job
    around : ModulesAround
        the other files
    """

    def __init__(self, module: SourceModule, around: ModulesAround) -> None:
        self.module = module
        self.modules = around
        self.job = ProjectFile(around.file, module, "", PlainLayout(module.text, module.text))
        self.others: dict[str, ProjectFile] = {}

    def uses(
        self, file: ProjectFile, code: ast.AST
    ) -> Iterator[tuple[ast.Name | ast.Attribute, Member]]:
        """Yield the uses in some code of functions and classes of other files, or of its own."""
        for name in file.names_in(code):
            node: ast.Name | ast.Attribute = name
            leads = self.resolve(file, name.id)
            while isinstance(leads, ImportedModule):
                parent = file.module.parents[node]
                if not (isinstance(parent, ast.Attribute) and isinstance(parent.ctx, ast.Load)):
                    break
                leads, node = self.member(leads, parent.attr), parent
            if isinstance(leads, Member) and leads.file is not self.job:
                yield node, leads

    def resolve(self, file: ProjectFile, name: str) -> Member | ImportedModule | None:
        """Return the function or class that a name at the top of a file is, or what it imports."""
        match file.binding_nodes.get(name, []):
            case [ast.FunctionDef() | ast.ClassDef() as node] if node in file.module.tree.body:
                return Member(file, node)
            case [ast.Name() as node] if file is not self.job:
                statement = file.module.parents[node]
                if isinstance(statement, ast.Assign) and self._is_constant(file, statement):
                    return Member(file, statement)
            case [ast.ImportFrom() as node] if node in file.module.tree.body:
                names = [
                    own_name.name
                    for own_name in node.names
                    if (own_name.asname or own_name.name) == name
                ]
                if names:
                    return self.member(
                        ImportedModule(file, node.level, node.module or ""), names[0]
                    )
            case [ast.Import() as node] if node in file.module.tree.body:
                alias = next(
                    own_name for own_name in node.names if name in binding_of_import(node, own_name)
                )
                return ImportedModule(file, 0, alias.name if alias.asname else name)
        return None

    def _is_constant(self, file: ProjectFile, statement: ast.Assign) -> bool:
        """Return whether a statement gives a name a literal that nothing changes."""
        if statement not in file.module.tree.body or len(statement.targets) > 1:
            return False
        value = statement.value
        (target,) = statement.targets
        literal = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load)
        return all(isinstance(node, literal) for node in ast.walk(value)) and not any(
            isinstance(node, ast.Attribute)
            and node.attr == getattr(target, "id", "")
            and not isinstance(node.ctx, ast.Load)
            for other in (self.job, *self.others.values())
            for node in ast.walk(other.module.tree)
        )

    def member(self, module: ImportedModule, name: str) -> Member | ImportedModule | None:
        """Return what a name of a module is, if that is in a file of the project."""
        file = self.file(module)
        # a package imports its own modules
        if file is not None and file is not module.file and name in file.binding_nodes:
            return self.resolve(file, name)
        child = replace(module, dotted=f"{module.dotted}.{name}".lstrip("."))
        is_package = file is None or file.path.endswith("__init__.py")
        return child if is_package and module.dotted + str(module.level) != "0" else None

    def file(self, module: ImportedModule) -> ProjectFile | None:
        """Return the file of a module, None if the project has none that can be read."""
        path = self.modules.index.resolve(module.file.path, module.level, module.dotted)
        if path is None:
            return None
        if path == self.job.path:
            return self.job
        if path not in self.others:
            unit = self.modules.load(path)
            if unit is None or not unit.is_file:
                return None
            layout = plain_layout(unit.chunks[0].text)
            if layout.unusual:
                return None
            source = SourceModule(layout.text, ast.parse(layout.text))
            self.others[path] = ProjectFile(path, source, self.dotted_path(module), layout)
        return self.others[path]

    def dotted_path(self, module: ImportedModule) -> str:
        """Return a module as the job names it."""
        if not module.level or module.file is self.job:
            return "." * module.level + module.dotted
        package = module.file.dotted
        up = module.level - module.file.path.endswith("__init__.py")
        for _ in range(up):
            package, _, last = package.rpartition(".")
            if not last:
                raise NotExpressible("FILES", "an import goes above the top", self.module.tree)
        joint = "" if not package or not module.dotted or package.endswith(".") else "."
        return package + joint + module.dotted

    def is_quiet(self, file: ProjectFile, seen: set[str]) -> bool:
        """Return whether importing a file does nothing but define something."""
        if file.path in seen:
            return True
        seen.add(file.path)
        for statement in file.module.tree.body:
            match statement:
                case ast.Import(names=names):
                    modules = [ImportedModule(file, 0, name.name) for name in names]
                case ast.ImportFrom(module=dotted, level=level, names=names):
                    start = ImportedModule(file, level, dotted or "")
                    modules = [
                        start,
                        *(
                            e
                            for a in names
                            if isinstance(e := self.member(start, a.name), ImportedModule)
                        ),
                    ]
                case ast.If() if "__name__" in ast.unparse(statement.test):
                    continue
                case _ if any(
                    not self._is_still(file, each) for each in _parts_run_at_once(statement)
                ):
                    return False
                case _:
                    continue
            others = (self.file(module) for module in modules)
            if not all(self.is_quiet(other, seen) for other in others if other is not None):
                return False
        return True

    @staticmethod
    def _is_still(file: ProjectFile, node: ast.AST) -> bool:
        """Return whether a part of a statement at the top changes nothing outside of the file."""
        match node:
            case ast.Call(func=func):
                return file.module.path_of(func) in _QUIET
            case (
                ast.Attribute(ctx=ast.Store() | ast.Del())
                | ast.Subscript(ctx=ast.Store() | ast.Del())
            ):
                return False
        return not isinstance(node, ast.Raise | ast.While | ast.With | ast.Await)


def imports_by_module(statements: Iterable[str]) -> list[str]:
    """Return imports with the names of a module in one statement."""
    names_by_module: dict[str, list[str]] = {}
    for statement in dict.fromkeys(statements):
        start, joint, name = statement.partition(" import ")
        names_by_module.setdefault(start + joint, []).append(name)
    return [start + ", ".join(sorted(names)) for start, names in names_by_module.items()]


def _parts_run_at_once(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the parts of a statement that run with it, without the code of functions."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                waiting += [*node.decorator_list, *node.args.defaults]
            case ast.Lambda():
                waiting += node.args.defaults
            case _:
                waiting += ast.iter_child_nodes(node)
