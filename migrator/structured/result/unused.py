"""What results and other files need no more: definitions, imports, copies of others' code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeGuard

from migrator.infer.scopes import binding_of_import

from ..program.bindings import names_of
from ..program.modules import SourceModule
from ..unfold.edits import LineEdit, with_edits, without
from .imports import import_of


def without_copies(text: str, before: SourceModule) -> str:
    """Return a result that imports what it has of other files and has not changed.

    Parameters
    ----------
    before : SourceModule
        the job with all of it
    """
    after = SourceModule(text, ast.parse(text))
    imports = {copy.name: copy.statement for copy in before.copies}
    old = _definitions(before.tree)
    while True:
        copies = {
            name: node
            for name, node in _definitions(after.tree).items()
            if name in imports and ast.dump(node) == ast.dump(old[name])
        }
        if not copies:
            return after.text
        name, node = next(iter(copies.items()))
        edits = [without(after, node)]
        rest = (statement for statement in after.tree.body if statement is not node)
        if any(name in names_of(each) for each in rest):
            edits.append(_new_import(after, imports[name]))
        after = with_edits(after, edits)


def _definitions(tree: ast.Module) -> dict[str, ast.FunctionDef | ast.Assign]:
    definitions: dict[str, ast.FunctionDef | ast.Assign] = {}
    for statement in tree.body:
        match statement:
            case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
                definitions[name] = statement
    return definitions


def _new_import(module: SourceModule, statement: str) -> LineEdit:
    """Return the edit that imports something: where its module is imported, or at the end."""
    (new,) = ast.parse(statement).body
    assert isinstance(new, ast.ImportFrom)
    line = 0
    for part in module.tree.body:
        match part:
            case ast.ImportFrom(module=dotted, level=level, names=names) if (dotted, level) == (
                new.module,
                new.level,
            ) and part.lineno == part.end_lineno:
                names = sorted([*names, *new.names], key=lambda alias: alias.name)
                text = ast.unparse(ast.ImportFrom(dotted, names, level))
                return LineEdit(part.lineno, part.lineno, ((text, part.lineno),))
            case ast.Import() | ast.ImportFrom() | ast.Expr(value=ast.Constant()):
                line = part.end_lineno or part.lineno
            case ast.Pass():
                # another cell begins
                continue
            case _:
                break
    return LineEdit(line + 1, line, ((statement, line),))


def without_unused(text: str, before: SourceModule) -> str:
    """Return a result without the functions and constants that only the replaced code used.

    What has a comment, or was not used before either, stays.
    """
    was_used = _loaded_names(before.first or before.tree)
    after = SourceModule(text, ast.parse(text))
    while gone := _unused_statements(after, was_used):
        after = with_edits(after, [without(after, gone[-1])])
    return after.text if text.endswith("\n") else after.text.removesuffix("\n")


def _unused_statements(after: SourceModule, was_used: set[str]) -> list[ast.stmt]:
    """Return the statements of a result that define what nothing uses any more."""
    unused = was_used - _loaded_names(after.tree)
    found = [*after.tree.body, *_functions_in_blocks(after.tree)]
    return [e for e in found if _name(e) in unused and not _has_comment(after, e)]


def _functions_in_blocks(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the functions in functions and branches that are not all that is there."""
    for block in ast.walk(tree):
        if isinstance(block, ast.FunctionDef | ast.If) and len(block.body) > 1:
            yield from (each for each in block.body if isinstance(each, ast.FunctionDef))


def _name(statement: ast.stmt) -> str | None:
    """Return what a statement defines, if leaving it out changes nothing else."""
    match statement:
        case ast.FunctionDef(name=name, decorator_list=[]):
            return None if statement.args.defaults or statement.args.kw_defaults else name
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            if _is_named_tuple(value):
                return name
            try:
                ast.literal_eval(value)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                return None
            return name
    return None


def _is_named_tuple(value: ast.expr) -> TypeGuard[ast.Call]:
    """Return whether an expression makes a class of named tuples."""
    match value:
        case ast.Call(func=ast.Name(id="namedtuple"), args=[ast.Constant(), fields], keywords=[]):
            return isinstance(fields, ast.Name | ast.Constant | ast.Tuple | ast.List)
    return False


def _loaded_names(tree: ast.Module) -> set[str]:
    """Return all names that are read, also as texts as in `globals()["x"]` and ``__all__``."""
    names = set()
    own = {
        node.value.args[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_named_tuple(node.value)
    }
    for node in ast.walk(tree):
        if node in own:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            names.update(node.names)
    return names


def _has_comment(module: SourceModule, statement: ast.stmt) -> bool:
    last = statement.end_lineno or statement.lineno
    return bool(module.comments_in(module.above(statement.lineno), last))


def without_definitions(
    text: str, names: Collection[str], is_used: Callable[[str], bool]
) -> tuple[str, frozenset[str]]:
    """Return a file without functions and classes, and which of them are gone.

    Imports that only they needed are gone, too.

    Parameters
    ----------
    names : collection of str
        the functions and classes that a job has taken
    is_used : callable
        whether another file uses a name of this one
    """
    before = SourceModule(text, ast.parse(text))
    nodes = {
        statement.name: statement
        for statement in before.tree.body
        if isinstance(statement, ast.FunctionDef | ast.ClassDef) and statement.name in names
    }
    gone = {name for name in nodes if not is_used(name)}
    while True:
        rest = _words(e for e in before.tree.body if getattr(e, "name", None) not in gone)
        gone_names = gone & rest
        if not gone_names:
            break
        gone -= gone_names
    if not gone:
        return text, frozenset()
    after = with_edits(before, [without(before, nodes[name]) for name in gone])
    lost = _words(before.tree.body) - _words(after.tree.body)
    edits = []
    for node in after.tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            left = [
                name
                for name in node.names
                if not any(e in lost and not is_used(e) for e in binding_of_import(node, name))
            ]
            if left and len(left) < len(node.names):
                new = import_of(node, left)
                edits.append(LineEdit(node.lineno, node.end_lineno or 0, ((new, node.lineno),)))
            elif not left:
                edits.append(without(after, node))
    return f"{with_edits(after, edits).text.strip(chr(10))}\n", frozenset(gone)


def _words(statements: Iterable[ast.stmt]) -> set[str]:
    """Return the names, attributes and texts of statements, without those of imports."""
    words_found: set[str] = set()
    for statement in statements:
        for node in ast.walk(statement):
            match node:
                case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
                    words_found.add(name)
                case ast.Global(names=names):
                    words_found.update(names)
    return words_found
