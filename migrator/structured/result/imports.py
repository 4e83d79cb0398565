"""The imports and constants that a result needs, and those that it needs no longer."""

from __future__ import annotations

import ast
import io
import sys

from ..builder.builder import Builder
from ..program.modules import SourceModule
from ..refusals import NotExpressible
from .definitions import last_import, with_classes

SQL = "pyspark.sql"
CONSTANTS_NOTE = "# what str.split() and str.strip() take for white space"
Import = ast.Import | ast.ImportFrom


def with_imports(text: str, before: SourceModule, builder: Builder) -> str:
    """Return a result with its imports in order: those of no
    use are gone, and new ones are there.
    """
    after = SourceModule(text, ast.parse(text))
    used = _loaded(after.tree)
    was_used = _loaded(before.tree)
    wanted = sorted({"SparkSession", *builder.needed.get(SQL, ())} & used)
    _check_names(wanted, before, builder)
    others = [
        f"from {source} import {', '.join(sorted(needed))}"
        for source, needed in sorted(builder.needed.items())
        if source != SQL
    ]
    functions = builder.printer.functions
    edits: dict[int, tuple[int, list[str]]] = {}
    place: int | None = None
    merged = False
    for node in after.tree.body:
        if not isinstance(node, Import):
            continue
        kept = [each for each in node.names if not _is_gone(node, each, used, was_used)]
        is_sql = isinstance(node, ast.ImportFrom) and node.module == SQL and not node.level
        plain = [each for each in kept if each.asname is None]
        if is_sql and plain and not merged:
            merged = True
            have = {each.name for each in plain}
            new = [*kept, *(ast.alias(name) for name in wanted if name not in have)]
            lines = [_import(node, sorted(new, key=_order))] if len(new) > len(kept) else None
            if functions in used:
                lines = [*(lines or [_import(node, kept)]), _functions(functions)]
            if others:
                lines = [*(lines or [_import(node, kept)]), *others]
        elif len(kept) < len(node.names):
            lines = [_import(node, kept)] if kept else []
        else:
            continue
        if lines is None:
            continue
        last = node.end_lineno or node.lineno
        comments = [each.text for each in after.comments_in(node.lineno, last)]
        if place is None and _is_pyspark(node):
            place = node.lineno
        # a comment of an import that is gone stands above those that stay
        first = node.lineno if lines or place is None else place
        edits[node.lineno] = last, lines
        edits[first] = edits[first][0], [*comments, *edits[first][1]]
    if not merged:
        added = [f"from {SQL} import {', '.join(wanted)}"] if wanted else []
        added += [_functions(functions)] if functions in used else []
        added += others
        if place is None:
            place = last_import(after.tree) + 1
            edits[place] = place - 1, added
        else:
            last, lines = edits[place]
            edits[place] = last, [*lines, *added]
    found = list(after.lines)
    for line, (last, lines) in sorted(edits.items(), reverse=True):
        # nothing is left of a group of imports: nor is the line that parts it from the next
        alone = not lines and not any(each.strip() for each in found[line - 2 : line - 1])
        if alone and last < len(found) and not found[last].strip():
            last += 1
        found[line - 1 : last] = [f"{each}\n" for each in lines]
    text = "".join(found)
    for each in sorted(builder.standard):
        text = _with_standard(text, each)
    return with_classes(_with_constants(text, builder), builder)


def _check_names(wanted: list[str], before: SourceModule, builder: Builder) -> None:
    """Refuse an import whose name the job has for something else.

    Raises
    ------
    NotExpressible
        if there is one
    """
    needed = {**builder.needed, SQL: {*wanted}}
    found = [(source, ", ".join(names)) for source, names in needed.items() if names]
    statements = [f"from {source} import {names}" for source, names in found]
    added = "\n".join([*statements, *builder.standard])
    for name, path in SourceModule(added, ast.parse(added)).paths.items():
        if before.binds(name, path):
            text = f"`{name}` is a name of the job, and of what the result imports"
            raise NotExpressible("NAME", text, builder.job.block.body[0])


def _loaded(tree: ast.Module) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _functions(name: str) -> str:
    return f"from {SQL} import functions" + ("" if name == "functions" else f" as {name}")


def _order(alias: ast.alias) -> tuple[bool, bool, str]:
    """Return constants, classes, then all others, as formatters sort names."""
    name = alias.name
    return not (name.isupper() and len(name) > 1), not name[:1].isupper(), name


def _is_gone(node: Import, alias: ast.alias, used: set[str], was_used: set[str]) -> bool:
    """Return whether an import was used by the job only."""
    name = alias.asname or alias.name.partition(".")[0]
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return False
    if alias.name == "*":
        assert isinstance(node, ast.ImportFrom)
        return (node.module or "").startswith("pyspark.streaming")
    if name in used:
        return False
    return name in was_used or _is_pyspark(node)


def _is_pyspark(node: Import) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] == "pyspark"
    return all(each.name.partition(".")[0] == "pyspark" for each in node.names)


def _import(node: Import, names: list[ast.alias]) -> str:
    made: ast.stmt = (
        ast.Import(names)
        if isinstance(node, ast.Import)
        else ast.ImportFrom(node.module, names, node.level)
    )
    return ast.unparse(made)


def _with_standard(text: str, statement: str) -> str:
    """Return a text with one more import of Python's library, where formatters have it."""
    tree, lines = ast.parse(text), text.splitlines(keepends=True)
    imports = [each for each in tree.body if isinstance(each, Import)]
    own = [each for each in imports if _top(each) in sys.stdlib_module_names - {"__future__"}]
    (made,) = ast.parse(statement).body
    assert isinstance(made, Import)
    before = [each for each in own if _sorted_by(each) < _sorted_by(made)]
    rest = [each for each in imports if _top(each) != "__future__"]
    if before:
        lines.insert(before[-1].end_lineno or before[-1].lineno, f"{statement}\n")
    elif own:
        lines.insert(own[0].lineno - 1, f"{statement}\n")
    elif rest:
        lines.insert(rest[0].lineno - 1, f"{statement}\n\n")
    else:
        lines.insert(last_import(tree), f"\n{statement}\n")
    return "".join(lines)


def _sorted_by(node: Import) -> tuple[bool, str]:
    return isinstance(node, ast.ImportFrom), _module(node)


def _module(node: Import) -> str:
    if isinstance(node, ast.Import):
        return node.names[0].name
    return "." * node.level + (node.module or "")


def _top(node: Import) -> str:
    return _module(node).partition(".")[0]


def _with_constants(text: str, builder: Builder) -> str:
    if not builder.printer.constants:
        return text
    lines = io.StringIO(text, newline="\n").readlines()
    made = "".join(f"{name} = {value}\n" for name, value in builder.printer.constants.items())
    lines.insert(last_import(ast.parse(text)), f"\n{CONSTANTS_NOTE}\n{made}")
    return "".join(lines)
