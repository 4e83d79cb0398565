"""Functions and constants of other files that a result has as they are: it imports them again."""

from __future__ import annotations

import ast

from ..program.bindings import names_of
from ..program.modules import SourceModule
from ..unfold.edits import LineEdit, with_edits, without


def without_copies(text: str, before: SourceModule) -> str:
    """Return a result that imports what it has of other files and has not changed.

    Parameters
    ----------
    text : str
        the result
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
