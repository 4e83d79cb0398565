"""Finds the modules of the tree that see the names of a module, and what they see of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from migrator.edit.dotted_paths import Binding
from migrator.infer.program import Program, Project, Scope
from migrator.infer.scopes import bindings, bound_name, imported_module
from migrator.model.findings import shown_place
from migrator.model.locate import ModulePlace
from migrator.source.child_nodes import parents_of
from migrator.source.magics import RunMagic
from migrator.source.python import Unit
from migrator.spark import api, names
from migrator.spark.connectors import CONNECTORS

# inference needs no modules without streams, so they are read here
_READ: WeakKeyDictionary[Project, dict[str, Unit | None]] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False, slots=True)
class OtherModule:
    """A module of the tree by its file, read but not necessarily inferred."""

    project: Project
    file: str
    unit: Unit

    def is_at(self, place: ModulePlace | None) -> bool:
        """Return whether an import that leads to a place means this module."""
        return place is not None and self.project.index.file(place.path) == self.file


def planned_module(unit: Unit, program: Program) -> OtherModule:
    """Return the module that is being planned."""
    return OtherModule(program.project, program.path, unit)


def other_module(project: Project, file: str) -> OtherModule | None:
    """Return a module of the tree, also one without inference; None if it cannot be read."""
    program = project.programs.get(file)
    if program is not None and program.unit is not None:
        return OtherModule(project, file, program.unit)
    seen = _READ.setdefault(project, {})
    if file not in seen:
        seen[file] = project.load(file)
    unit = seen[file]
    return None if unit is None else OtherModule(project, file, unit)


def importers(target: OtherModule) -> Iterator[OtherModule]:
    """Yield the modules that import a module in some way, as far as they can be read."""
    project = target.project
    for file in (project.users or project.importers)(target.file):
        other = other_module(project, file) if file != target.file else None
        if other is not None:
            yield other


def users(target: OtherModule, name: str) -> list[OtherModule]:
    """Return the modules that get at a global name of a module."""
    return [other for other in importers(target) if _sees(other, target, name)]


def gets_every_name(other: OtherModule, target: OtherModule, name: str) -> bool:
    """Return whether a module gets all names of another, by a star import or `%run`."""
    index = target.project.index
    for node in other.unit.tree.body:
        if isinstance(node, RunMagic) and target.is_at(index.script(other.file, node.target)):
            return True
    stars = any(alias.name == "*" for alias in imported_names(other, target))
    return stars and exports(target.unit, name)


def imported_names(other: OtherModule, target: OtherModule) -> Iterator[ast.alias]:
    """Yield what a module imports from another by `from ... import`."""
    index = target.project.index
    for node in other.unit.nodes():
        if isinstance(node, ast.ImportFrom) and target.is_at(
            index.find(other.file, node.level, node.module or "")
        ):
            yield from node.names


def exports(unit: Unit, name: str) -> bool:
    """Return whether a star import of a module brings a name, as far as its text shows."""
    listed = [n for n in unit.nodes() if isinstance(n, ast.Name) and n.id == "__all__"]
    if not listed:
        return not name.startswith("_")
    if len(listed) == 1:
        for node in unit.tree.body:
            match node:
                case ast.Assign(
                    targets=[ast.Name(id="__all__")],
                    value=ast.List(elts=names) | ast.Tuple(elts=names),
                ) if all(isinstance(element, ast.Constant) for element in names):
                    return any(ast.literal_eval(element) == name for element in names)
    return True


def _sees(other: OtherModule, target: OtherModule, name: str) -> bool:
    if gets_every_name(other, target, name):
        return True
    if any(alias.name == name for alias in imported_names(other, target)):
        return True
    # `mock.patch("deps.pyspark.SparkContext")`, `getattr(deps, "pyspark")`
    inside = re.compile(rf"\w\.{re.escape(name)}\b")
    for node in other.unit.nodes():
        match node:
            case ast.Attribute(attr=attr) if attr == name:
                return True
            case ast.Constant(value=str(text)) if text == name or inside.search(text):
                return True
    return False


# Decides whether dstream_compat has what an import names.


def file_with_clash(target: OtherModule, name: str) -> str | None:
    """Return the file in which a name that a star import adds has another meaning, or None."""
    seen = {target.file}
    pending = [target]
    while pending:
        holder = pending.pop(0)
        mine = _names_from_compat(holder)
        if _binds_or_uses(holder, name, mine) or (name not in mine and _from_star(holder, name)):
            return holder.file
        for other in importers(holder):
            if name not in mine and _takes_name_of(other, holder, name):
                return other.file
            if other.file not in seen and gets_every_name(other, holder, name):
                seen.add(other.file)
                pending.append(other)
    return None


def _names_from_compat(module: OtherModule) -> set[str]:
    """Return names that a module imports from dstream_compat."""
    api_names: set[str] = set()
    for node in module.unit.nodes():
        if isinstance(node, ast.ImportFrom) and _is_ours(node):
            api_names |= {bound_name(alias) for alias in node.names}
            if node.names[0].name == "*":
                sub = api.submodule(api.canonical(imported_module(node)))
                api_names.update(names.ADDED_BY_STAR.get(sub or "", ()))
    return api_names


def _is_ours(node: ast.ImportFrom) -> bool:
    return imported_module(node).partition(".")[0] == api.COMPAT


def _binds_or_uses(module: OtherModule, name: str, mine: set[str]) -> bool:
    """Return whether a module binds or uses a name for something else."""
    if name in bound_names(module):
        return True
    loads = (n for n in module.unit.nodes() if isinstance(n, ast.Name) and n.id == name)
    return name not in mine and any(True for _ in loads)


def bound_names(module: OtherModule) -> Iterator[str]:
    """Yield the names that a module binds, but for those of stars and of dstream_compat."""
    for node in module.unit.nodes():
        is_from_api = isinstance(node, ast.ImportFrom) and (
            _is_ours(node) or node.names[0].name == "*"
        )
        if not is_from_api and not isinstance(node, ast.arg):
            yield from bindings(node)


def _from_star(module: OtherModule, name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Return whether a name comes from another module of the tree that need not name it here."""
    seen |= {module.file}
    for source in _sources(module):
        if source.file in seen or not gets_every_name(module, source, name):
            continue
        if name in bound_names(source) or _from_star(source, name, seen):
            return True
    return False


def _sources(module: OtherModule) -> Iterator[OtherModule]:
    """Yield the modules of which a module has a star, or which it runs as notebooks."""
    index = module.project.index
    places = [
        index.find(module.file, node.level, node.module or "")
        for node in module.unit.nodes()
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    ]
    runs = (node for node in module.unit.tree.body if isinstance(node, RunMagic))
    places += [index.script(module.file, node.target) for node in runs]
    for place in places:
        file = None if place is None else index.file(place.path)
        source = None if file is None else other_module(module.project, file)
        if source is not None:
            yield source


def _takes_name_of(other: OtherModule, holder: OtherModule, name: str) -> bool:
    """Return whether a module takes a name from another by name."""
    if any(alias.name == name for alias in imported_names(other, holder)):
        return True
    asked = [n for n in other.unit.nodes() if isinstance(n, ast.Attribute) and n.attr == name]
    if not asked:
        return False
    modules = set(_names_of(other, holder))
    return any(ast.unparse(node.value) in modules for node in asked)


def _names_of(other: OtherModule, holder: OtherModule) -> Iterator[str]:
    """Yield the expressions by which a module reaches another that it imports."""
    index = holder.project.index
    for node in other.unit.nodes():
        match node:
            case ast.Import(names=aliases):
                for alias in aliases:
                    if holder.is_at(index.find(other.file, 0, alias.name)):
                        yield alias.asname or alias.name
            case ast.ImportFrom(names=aliases):
                package = index.find(other.file, node.level, node.module or "")
                for alias in aliases:
                    child = None if package is None else index.child(package.path, alias.name)
                    if child is not None and index.file(child) == holder.file:
                        yield alias.asname or alias.name
            case _:
                continue


def name_problem(path: str, is_module: bool, importer: OtherModule) -> tuple[str | None, str]:
    """Return why an imported name has no counterpart, as the key of a rule and what it is about;
    (None, "") if dstream_compat has it.

    Parameters
    ----------
    path : str
        The name with its module as written.
    is_module : bool
        Whether the path itself is imported (`import a.b`).
    importer : OtherModule
        The module that imports it.
    """
    if path == f"{api.COMPAT}.*":
        return None, ""
    if _is_own_module(path, is_module):
        return None, ""
    path = api.canonical(path) if path.startswith(api.COMPAT) else path
    if is_module or path == api.ROOT:
        return (None, "") if api.submodule(path) is not None else (_module_problem(path), path)
    module, _, name = path.rpartition(".")
    sub = api.submodule(module)
    if sub is None:
        return _module_problem(module), module
    if name == "*":
        return _star_problem(sub, importer)
    return (None, "") if name in names.exported_names(sub) else ("unknown-name", path)


def _is_own_module(path: str, is_module: bool) -> bool:
    """Return whether a path leads to a module of ours only, such as dstream_compat.exceptions."""
    package, _, rest = path.partition(".")
    name, _, inner = rest.partition(".")
    if package != api.COMPAT or name in names.exported_names(""):
        return False
    return is_module or bool(inner) or (name.islower() and not name.startswith("_"))


def _star_problem(sub: str, importer: OtherModule) -> tuple[str | None, str]:
    if not api.star_names(f"{api.ROOT}.{sub}" if sub else api.ROOT):
        return "star", "the module lists no public names"
    places: dict[str, list[str]] = {}
    for name in names.ADDED_BY_STAR.get(sub, ()):
        file = file_with_clash(importer, name)
        if file is not None:
            places.setdefault(file, []).append(name)
    for file in sorted(places, key=lambda f: (f != importer.file, f)):
        where = "here" if file == importer.file else f"in {file}, which this star gets to"
        return "star", f"dstream_compat would also bring {', '.join(places[file])}, used {where}"
    return None, ""


def _module_problem(module: str) -> str:
    """Return what is wrong with a module; connectors that Python never had are another rule's."""
    connector = module.split(".")[2]
    return "connector-module" if connector in CONNECTORS else "unknown-module"


# Decides whether other code can see the name that `import pyspark.streaming` binds.
#
# Code that gets the module as a value may read `.streaming` of it, which works only as long as the
# import stays. So does text that Python evaluates: annotations in quotes, what `eval` is given.

_RUNNERS = frozenset({"eval", "exec", "compile"})
# builtins that only look at what they are given
_LOOKS = frozenset({"print", "repr", "str", "id", "type", "bool", "isinstance", "dir", "help"})


def evaluated_lines(unit: Unit, path: str) -> Iterator[int]:
    """Yield the lines in which `eval` or `exec` is given a text with a dotted path."""
    for node in unit.nodes():
        match node:
            case ast.Call(func=ast.Name(id=function), args=[text, *_]) if function in _RUNNERS:
                if _mentions(text, path):
                    yield node.lineno


def quoted_lines(unit: Unit, path: str) -> Iterator[int]:
    """Yield the same, and the lines of annotations in quotes that contain the path."""
    yield from evaluated_lines(unit, path)
    for node in unit.nodes():
        match node:
            case ast.arg(annotation=ast.expr() as text) | ast.AnnAssign(annotation=text):
                end_text: ast.expr | None = text
            case ast.FunctionDef(returns=text) | ast.AsyncFunctionDef(returns=text):
                end_text = text
            case ast.Call(func=ast.Name(id="cast") | ast.Attribute(attr="cast"), args=[text, _]):
                end_text = text
            case _:
                continue
        if end_text is not None and _mentions(end_text, path):
            yield end_text.lineno


def _mentions(node: ast.expr, path: str) -> bool:
    pattern = re.compile(rf"(?<![\w.]){re.escape(path)}\b")
    parts = (n.value for n in ast.walk(node) if isinstance(n, ast.Constant))
    return any(isinstance(text, str) and pattern.search(text) for text in parts)


def why_visible(unit: Unit, binding: Binding) -> tuple[int | None, str] | None:
    """Return why the name of an import can be seen by more than the code below the import: the line
    and what is done there (no line: the import itself), None if nothing is.
    """
    scope, name = binding
    if scope.is_class:
        return None, f"`{name}` becomes an attribute of the class `{_name(scope)}`"
    for node in unit.nodes():
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            kind = "global" if isinstance(node, ast.Global) else "nonlocal"
            return node.lineno, f"`{name}` is declared {kind}"
    return None


def value_use(unit: Unit, program: Program) -> tuple[int, str] | None:
    """Return where the package itself is used as a value: the line and the reason to show."""
    names: dict[str, list[Scope]] = {}
    for node in unit.nodes():
        scope = program.facts.scopes.get(node) if isinstance(node, ast.Import) else None
        if isinstance(node, ast.Import) and scope is not None:
            for alias in node.names:
                if alias.name.partition(".")[0] != "pyspark":
                    continue
                if alias.asname is None or alias.name == "pyspark":
                    names.setdefault(alias.asname or "pyspark", []).append(scope)
    first_use = min(escaping_uses(unit, program, names), key=lambda n: n.lineno, default=None)
    return (
        None
        if first_use is None
        else (first_use.lineno, f"`{first_use.id}` itself is used as a value")
    )


def _name(scope: Scope) -> str:
    return scope.node.name if isinstance(scope.node, ast.ClassDef) else ""


def escaping_uses(
    unit: Unit, program: Program | None, names: dict[str, list[Scope]]
) -> Iterator[ast.Name]:
    """Yield uses of names as values, which other code can keep.

    Parameters
    ----------
    program : Program, optional
        None for a module that inference does not know.
    names : dict of str to list of Scope
        The names with the scopes in which they live.
    """
    uses = [
        node
        for node in unit.nodes()
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)
    ]
    if not uses:
        return
    parents = parents_of(unit.tree)
    for node in uses:
        here = None if program is None else _scope_at(node, parents, program)
        owner = None if here is None else here.owner_of(node.id)
        if (owner is None or owner in names[node.id]) and not _is_only_inspected(
            node, parents, here
        ):
            yield node


def _scope_at(node: ast.AST, parents: dict[ast.AST, ast.AST], program: Program) -> Scope:
    """Return the scope in which an expression is evaluated."""
    inner: ast.AST = node
    outer = parents.get(node)
    while outer is not None:
        match outer:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
                # defaults, annotations, decorators and bases belong to what is around
                body = outer.body
                inside = inner in body if isinstance(body, list) else inner is body
                scope = program.scopes.get(outer)
                if inside and scope is not None:
                    return scope
        inner, outer = outer, parents.get(outer)
    return program.module


def _is_only_inspected(
    node: ast.expr, parents: dict[ast.AST, ast.AST], scope: Scope | None
) -> bool:
    """Return whether the value of an expression is only inspected, not kept."""
    parent = parents.get(node)
    match parent:
        case ast.Attribute(attr=attr):
            return attr != "__dict__"
        case ast.Expr() | ast.Compare() | ast.FormattedValue() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            return test is node
        case ast.Assert(test=test):
            return test is node
        case ast.BoolOp():
            return _is_only_inspected(parent, parents, scope)
        case ast.Call(func=ast.Name(id=function), args=[first, *rest]):
            own = scope is not None and scope.owner_of(function) is not None
            if own or node not in parent.args:
                return False
            if function in ("hasattr", "getattr") and first is node and rest:
                asked = rest[0]
                return isinstance(asked, ast.Constant) and asked.value != "streaming"
            return function in _LOOKS
    return False


def use_in_other_module(
    unit: Unit, program: Program, binding: Binding
) -> tuple[int | None, str] | None:
    """Return how another module reads `.streaming` of a package that this one imports, or hands it
    on: no line (it is in another file) and what is done there, None if nothing is.
    """
    scope, name = binding
    if scope is not program.module:
        return None
    seen = {program.path}
    pending = [planned_module(unit, program)]
    while pending:
        target = pending.pop(0)
        for other in users(target, name):
            if other.file in seen:
                continue
            seen.add(other.file)
            line = min(_lines_of_use(other, target, name), default=None)
            if line is not None:
                place = shown_place(other.unit.spot(line, 0))
                return None, f"`{name}` of this module is used in {other.file}, {place}"
            if _passes_on(other, target, name):
                pending.append(other)
    return None


def _passes_on(other: OtherModule, target: OtherModule, name: str) -> bool:
    return gets_every_name(other, target, name) or any(
        alias.name == name and alias.asname is None for alias in imported_names(other, target)
    )


def _lines_of_use(other: OtherModule, target: OtherModule, name: str) -> Iterator[int]:
    """Yield the lines where a module uses a package that it has from another."""
    local_names = {a.asname or a.name for a in imported_names(other, target) if a.name == name}
    if gets_every_name(other, target, name) and not _imports(other, name):
        local_names.add(name)
    for node in other.unit.nodes():
        match node:
            case ast.Attribute(attr="streaming", value=ast.Attribute(attr=attr)) if attr == name:
                yield node.lineno
            case ast.Attribute(attr="streaming", value=ast.Name(id=root)) if root in local_names:
                yield node.lineno
            case _:
                continue
    program = other.project.programs.get(other.file)
    scopes = []
    if program is not None:
        nodes = (n for n in other.unit.nodes() if isinstance(n, ast.ImportFrom))
        scopes_of_use = (program.facts.scopes.get(node) for node in nodes)
        scopes = [program.module, *(scope for scope in scopes_of_use if scope is not None)]
    for use in escaping_uses(other.unit, program, dict.fromkeys(local_names, scopes)):
        yield use.lineno


def _imports(other: OtherModule, name: str) -> bool:
    """Return whether a module has an import of its own for a name."""
    imports = (n for n in other.unit.nodes() if isinstance(n, ast.Import))
    return any(bound_name(alias) == name for node in imports for alias in node.names)
