"""Functions and classes of other files that build a part of the job: their code in its file.

They stand behind the imports of the job, under the names that it has for them. What else they use
of their own file is imported from there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeGuard

from migrator.infer.around import ModulesAround
from migrator.infer.scopes import bindings, bound_name
from migrator.source.layout import PlainLayout, plain_layout
from migrator.spark.kinds import Kind

from ..program.modules import Copy, OtherLines, SourceModule, own_nodes, parts_at_once
from ..program.values import holds
from ..refusals import NotExpressible
from .edits import LineEdit, Span, edit_of_spans, edits_of_spans, instead, is_in_place, with_edits

Import = ast.Import | ast.ImportFrom

_CONTEXTS = {Kind.SPARK_CONF, Kind.SPARK_CONTEXT, Kind.SPARK_SESSION, Kind.SQL_CONTEXT}
_CONTEXTS |= {Kind.STREAMING_CONTEXT}
_OF_A_FILE = frozenset(("__file__", "__name__", "__package__", "__spec__", "globals"))
"""Names that mean something else in each file."""


def with_other_files(
    module: SourceModule, around: ModulesAround, whole: bool = False
) -> SourceModule:
    """Return a module with the code of other files that builds a part of its job.

    Parameters
    ----------
    around : ModulesAround
        those around it, whose lines with streams are known
    whole : bool
        whether it gets all other functions that it uses of them, too

    Raises
    ------
    NotExpressible
        if some of that code would mean something else there
    """
    return _Merge(module, around, whole).module_with_code()


class _Merge:
    """Brings the code of other files into a module."""

    def __init__(self, module: SourceModule, around: ModulesAround, whole: bool) -> None:
        self.module = module
        assert around.stream_lines is not None
        self.stream_lines = around.stream_lines
        self.whole = whole
        self.project = ProjectNames(module, around)
        # the names that definitions have in the job
        self.names: dict[Definition, str] = {}
        self.taken: list[Member] = []
        self.edits: dict[Definition, list[Span]] = {}
        # new imports, and the names that they bind, by the statement
        self.imports: dict[str, str] = {}
        self.of_job: dict[Definition, bool] = {}

    def module_with_code(self) -> SourceModule:
        """Return the module with the code of its job, or as it is if it has all of it."""
        module = self.module
        every = self.project.uses(self.project.job, module.tree)
        uses = [(node, member) for node, member in every if self._is_wanted(member)]
        if not uses:
            return module
        for node, member in uses:
            if not is_in_place(module, node):
                text = "a text names a function of another file that builds a part of the job"
                raise NotExpressible("FILES", text, node)
            base_name = node.id if isinstance(node, ast.Name) else member.name
            if member.node not in self.names:
                taken = isinstance(node, ast.Attribute) and base_name in module.names
                self.names[member.node] = module.numbered_name(base_name) if taken else base_name
        for _, member in uses:
            self._take(member)
        spans = [
            (*module.span(node), self.names[member.node])
            for node, member in uses
            if module.source(node) != self.names[member.node]
        ]
        roots = {next(e for e in ast.walk(node) if isinstance(e, ast.Name)) for node, _ in uses}
        imports = self._old_imports(roots)
        home = min(imports, key=lambda each: each.lineno).lineno
        lines, others = self._lines(home)
        place = self._place([*imports])
        lines = [*((text, home) for text in imports_by_module(self.imports)), *lines]
        edits = [*edits_of_spans(module, spans), LineEdit(place + 1, place, tuple(lines))]
        for statement, text in imports.items():
            new = ((text, statement.lineno),) * bool(text)
            edits.append(LineEdit(*module.lines_of(statement), new))
        members = [each for each in self.taken if self._is_of_job(each)]
        copies = [each for each in self.taken if each not in members]
        module_after = replace(
            module,
            others=others,
            taken=tuple((member.file.path, member.name) for member in members),
            copies=tuple(map(self._copy, copies)),
            added=tuple(self.imports),
        )
        module_after = with_edits(module_after, edits)
        return replace(module_after, first=module_after.tree)

    def _copy(self, member: Member) -> Copy:
        name, own = member.name, self.names[member.node]
        statement = f"from {member.file.dotted} import {name}"
        return Copy(own, statement + (f" as {own}" if own != name else ""))

    def _is_wanted(self, member: Member) -> bool:
        """Return whether the job gets the code of a function or class."""
        node = member.node
        plain = isinstance(node, ast.Assign) or (
            isinstance(node, ast.FunctionDef) and not node.decorator_list
        )
        return self._is_of_job(member) or (self.whole and plain)

    def _is_of_job(self, member: Member) -> bool:
        """Return whether a function or class uses streams or contexts, or makes some."""
        node, module = member.node, member.file.module
        if node not in self.of_job:
            self.of_job[node] = False
            if isinstance(node, ast.Assign):
                return False
            lines, layout = self.stream_lines(member.file.path), member.file.layout
            first, last = layout.line(node.lineno), layout.line(node.end_lineno or node.lineno)
            self.of_job[node] = any(first <= line <= last for line in lines) or (
                self._makes_context(module, node)
                or any(self._is_of_job(each) for _, each in self.project.uses(member.file, node))
            )
        return self.of_job[node]

    @staticmethod
    def _makes_context(module: SourceModule, node: Definition) -> bool:
        if not isinstance(node, ast.FunctionDef):
            return False
        for inner in ast.walk(node):
            if isinstance(inner, ast.Global) or getattr(inner, "id", "") == "globals":
                return False
        return holds(module.program.functions[node].result, _CONTEXTS)

    def _take(self, member: Member) -> None:
        """Take the code of a definition, after that of what it uses."""
        node, file = member.node, member.file
        if node in self.edits:
            return
        spans = self.edits[node] = []
        if node not in self.names:
            name = member.name
            self.names[node] = self.module.own_name(name)
        bases = {*ast.walk(ast.Tuple(node.bases))} if isinstance(node, ast.ClassDef) else set()
        members = {
            use: m for use, m in self.project.uses(file, node) if use in bases or self._is_wanted(m)
        }
        for use, other in members.items():
            self._take(other)
            if not is_in_place(file.module, use):
                raise self._refusal(file, "a text names what is in another file", use)
            spans.append((*file.module.span(use), self.names[other.node]))
        roots = {e for use in members for e in ast.walk(use) if isinstance(e, ast.Name)}
        for each in file.names_in(node):
            new = each.id if each in roots else self._name_of(file, each)
            if new != each.id:
                if not is_in_place(file.module, each):
                    raise self._refusal(file, f"`{each.id}` is another name in the job", each)
                spans.append((*file.module.span(each), new))
        if self.names[node] != member.name:
            start, _ = file.module.span(node)
            start = file.module.text.index(
                member.name, start if isinstance(node, ast.Assign) else start + 4
            )
            spans.append((start, start + len(member.name), self.names[node]))
        self.taken.append(member)

    def _name_of(self, file: ProjectFile, name: ast.Name) -> str:
        """Return the name in the job of what a name at the top of another file means."""
        bound = file.binding_nodes.get(name.id)
        if name.id in _OF_A_FILE:
            raise self._refusal(file, f"`{name.id}` is another one in the file of the job", name)
        if bound is None:
            if name.id in self.project.job.binding_nodes:
                raise self._refusal(file, f"the job binds `{name.id}` itself", name)
            return name.id
        match bound:
            case [ast.ImportFrom() as node]:
                module = self.project.dotted_path(file.module_of(node))
                return self._import(module, _part_for(node, name.id).name, name.id)
            case [ast.Import() as node]:
                alias = _part_for(node, name.id)
                if alias.asname:
                    return self._import("", alias.name, name.id)
                path = self.module.global_paths.get(name.id)
                if name.id in self.module.names and path != name.id:
                    raise self._refusal(file, f"`{name.id}` is another one in the job", name)
                if path is None or "." in alias.name:
                    self.imports[f"import {alias.name}"] = name.id
                return name.id
            case [node] if not isinstance(node, ast.Global):
                return self._import(file.dotted, name.id, name.id)
        raise self._refusal(
            file, f"`{name.id}` is bound again, and used by a part of the job", name
        )

    def _import(self, module: str, name: str, base_name: str) -> str:
        """Return the name in the job of something that is imported there."""
        path = f"{module}.{name}" if module else name
        same = [own for own, other in self.module.global_paths.items() if other == path]
        if same:
            return base_name if base_name in same else same[0]
        start = f"from {module} import {name}" if module else f"import {name}"
        for statement, own in self.imports.items():
            if statement == start or statement.startswith(f"{start} as "):
                return own
        own = self.module.own_name(base_name)
        self.imports[start if own == name else f"{start} as {own}"] = own
        return own

    @staticmethod
    def _refusal(file: ProjectFile, text: str, node: ast.AST) -> NotExpressible:
        error = NotExpressible("FILES", text, node)
        error.reason = replace(error.reason, path=file.path)
        return error

    def _old_imports(self, roots: set[ast.Name]) -> dict[Import, str]:
        """Return what becomes of the imports of the job that lead to what it has now itself."""
        imports_found: dict[Import, str] = {}
        names = (node for node in ast.walk(self.module.tree) if isinstance(node, ast.Name))
        left = {name.id for name in names if name not in roots}
        gone = {root.id for root in roots} - left
        for name in sorted({root.id for root in roots}):
            (node,) = self.project.job.binding_nodes[name]
            assert isinstance(node, Import)
            names_left = [e for e in node.names if bound_name(e) not in gone]
            for alias in node.names:
                if alias not in names_left:
                    self._keep_effects(node, alias)
            new: Import = ast.Import(names_left)
            if isinstance(node, ast.ImportFrom):
                new = ast.ImportFrom(node.module, names_left, node.level)
            imports_found[node] = ast.unparse(new) if names_left else ""
        return imports_found

    def _keep_effects(self, node: Import, alias: ast.alias) -> None:
        """Keep an import that does more than to define something."""
        job = self.project.job
        module = ImportedModule(job, 0, alias.name)
        if isinstance(node, ast.ImportFrom):
            module = job.module_of(node)
        file = self.project.file(module)
        if file is None or self.project.is_quiet(file, set()):
            return
        if any(statement.startswith(f"from {file.dotted} import ") for statement in self.imports):
            return
        if file.dotted.startswith(".") or file.dotted.partition(".")[0] in self.module.names - {
            alias.asname or alias.name
        }:
            text = f"`{file.path}` does more than to define what the job uses of it"
            raise NotExpressible("FILES", text, node)
        self.imports[f"import {file.dotted}"] = file.dotted

    def _place(self, imports: list[Import]) -> int:
        """Return the line behind which the code stands: that of the last import at the top."""
        body = self.module.tree.body
        last = max(statement.end_lineno or statement.lineno for statement in imports)
        for statement in body:
            plain = isinstance(statement, Import) or isinstance(
                getattr(statement, "value", None), ast.Constant
            )
            if not plain:
                break
            last = max(last, statement.end_lineno or statement.lineno)
        return last

    def _lines(self, home: int) -> tuple[list[tuple[str, int]], tuple[OtherLines, ...]]:
        """Return the lines of all definitions, with the numbers that say where they came from."""
        before, starts = max((len(self.module.lines), *self.module.origins)), {}
        others: list[OtherLines] = []
        for member in self.taken:
            if member.file.path not in starts:
                starts[member.file.path] = before
                others.insert(0, OtherLines(member.file.path, before, home, member.file.layout))
                before += len(member.file.module.lines)
        lines: list[tuple[str, int]] = []
        for member in self.taken:
            module, start = member.file.module, starts[member.file.path]
            first, last = module.first_comment(member.node), member.node.end_lineno or 0
            edit = edit_of_spans(module, first, last, self.edits[member.node])
            lines += [("", start + first)] * 2
            lines += [(text, start + line) for text, line in edit.lines]
        return lines, tuple(others)


Definition = ast.FunctionDef | ast.ClassDef | ast.Assign

_QUIET = frozenset(("logging.getLogger", "re.compile", "collections.namedtuple", "os.getenv"))
"""Calls at the top of a file that do nothing but give a value."""


@dataclass(frozen=True, eq=False)
class ProjectFile:
    """A file of the project.

    Parameters
    ----------
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
            for name in node.names if isinstance(node, ast.Global) else ():
                nodes_by_name.setdefault(name, []).append(node)
        for node in own_nodes(self.module.tree.body):
            for name in bindings(node):
                nodes_by_name.setdefault(name, []).append(node)
        return nodes_by_name

    def module_of(self, node: ast.ImportFrom) -> ImportedModule:
        """Return the module that an import in this file is from."""
        return ImportedModule(self, node.level, node.module or "")

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
    """The names of a job's files, and where they lead."""

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
                part = _part_for(node, name)
                return None if _is_star(node) else self.member(file.module_of(node), part.name)
            case [ast.Import() as node] if node in file.module.tree.body:
                part = _part_for(node, name)
                return ImportedModule(file, 0, part.name if part.asname else name)
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
                case ast.ImportFrom(names=names):
                    start = file.module_of(statement)
                    members = (self.member(start, each.name) for each in names)
                    modules = [start, *(e for e in members if isinstance(e, ImportedModule))]
                case ast.If() if "__name__" in ast.unparse(statement.test):
                    continue
                case _ if not all(self._is_still(file, e) for e in parts_at_once(statement)):
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


def _part_for(node: Import, name: str) -> ast.alias:
    """Return the part of an import that binds a name; one of that name for what a star gives."""
    return next((part for part in node.names if bound_name(part) == name), ast.alias(name))


_DYNAMIC = frozenset(("globals", "locals", "vars", "eval", "exec"))
"""Builtins that find names which the file does not say."""


def with_explicit_imports(module: SourceModule, around: ModulesAround) -> SourceModule:
    """Return a module that also imports the names which it has from modules of its project by name.

    They say where names lead while the job is read. The result has the stars only: they give these
    names, and whatever else somebody has of them.
    """
    stars = list(filter(_is_star, module.tree.body))
    needed = _names_from_elsewhere(module) if stars else set()
    if not stars or needed & _DYNAMIC:
        return module
    project = ProjectNames(module, around)
    edits, implied = [], []
    for node in stars:
        file = project.file(project.job.module_of(node))
        if file is None:
            continue
        _refuse_rebinding(project, file, node)
        imports = _imports(project, file, needed, {file.path})
        if imports:
            implied += imports
            lines = [module.source(node), *imports_by_module(imports)]
            edits.append(instead(module, node, [(text, node.lineno) for text in lines]))
    if not edits:
        return module
    return replace(with_edits(module, edits), implied=tuple(implied))


def _refuse_rebinding(project: ProjectNames, file: ProjectFile, star: ast.ImportFrom) -> None:
    """Refuse a star that gives a name of the job another value than the job has given it, or
    another one before that.
    """
    top = project.module.program.scopes[project.module.tree]
    uses = [use for use, scope in project.module.names_in(project.module.tree) if scope is top]
    for name in sorted({node for node in file.binding_nodes if not node.startswith("_")}):
        own = [e for e in project.job.binding_nodes.get(name, ()) if not isinstance(e, Import)]
        if not own:
            continue
        first = min(map(_line, own))
        early = any(
            star.lineno < use.lineno <= first and isinstance(use.ctx, ast.Load)
            for use in uses
            if use.id == name
        )
        if first < star.lineno or early:
            text = f"`{name}` is bound by the job and by the star import"
            raise NotExpressible("FILES", text, star)


def _line(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))


def _is_star(node: ast.AST) -> TypeGuard[ast.ImportFrom]:
    return isinstance(node, ast.ImportFrom) and node.names[0].name == "*"


def _names_from_elsewhere(module: SourceModule) -> set[str]:
    """Return the names that the module uses, and nothing in it binds."""
    return {use.id for use, scope in module.names_in(module.tree) if not scope.owner_of(use.id)}


def _imports(
    project: ProjectNames, file: ProjectFile, needed: set[str], seen: set[str]
) -> list[str]:
    """Return the imports of the needed names that a file binds."""
    imports: list[str] = []
    for node in file.module.tree.body:
        inner = project.file(file.module_of(node)) if _is_star(node) else None
        if inner is not None and inner.path not in seen:
            rest = needed - file.binding_nodes.keys()
            imports += _imports(project, inner, rest, {*seen, inner.path})
    public = {node for node in file.binding_nodes if not node.startswith("_")}
    return [*imports, *(_import(project, file, name) for name in sorted(needed & public))]


def _import(project: ProjectNames, file: ProjectFile, name: str) -> str:
    """Return the import of a name that a file binds at its top."""
    match file.binding_nodes[name]:
        case [ast.ImportFrom() as node]:
            start, own = project.dotted_path(file.module_of(node)), _part_for(node, name).name
            return f"from {start} import {own}" + (f" as {name}" if own != name else "")
        case [ast.Import() as node]:
            alias = _part_for(node, name)
            return f"import {alias.name}" + (f" as {name}" if alias.asname else "")
    return f"from {file.dotted} import {name}"
