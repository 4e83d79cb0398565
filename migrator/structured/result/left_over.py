"""Files after a job has taken code from them: without what nobody else uses."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable

from migrator.infer.scopes import binding_of_import

from ..program.modules import SourceModule
from ..unfold.edits import LineEdit, with_edits, without


def without_definitions(
    text: str, names: Collection[str], is_used: Callable[[str], bool]
) -> tuple[str, frozenset[str]]:
    """Return a file without functions and classes, and which of them are gone.

    Imports that only they needed are gone, too.

    Parameters
    ----------
    text : str
        the file
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
                new = ast.unparse(_with_names(node, left))
                edits.append(LineEdit(node.lineno, node.end_lineno or 0, ((new, node.lineno),)))
            elif not left:
                edits.append(without(after, node))
    return f"{with_edits(after, edits).text.strip(chr(10))}\n", frozenset(gone)


def _with_names(
    node: ast.Import | ast.ImportFrom, names: list[ast.alias]
) -> ast.Import | ast.ImportFrom:
    if isinstance(node, ast.Import):
        return ast.Import(names)
    return ast.ImportFrom(node.module, names, node.level)


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
