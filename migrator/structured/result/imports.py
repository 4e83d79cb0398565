"""The imports, constants and classes that a result needs, and imports that it needs no longer."""

from __future__ import annotations

import ast
import io
import math
import re
import sys
from collections.abc import Collection, Iterator

from migrator.infer.scopes import binding_of_import, bound_name
from migrator.spark import api

from ..builder.builder import Builder
from ..dataframes.frames import INDENT, WIDTH
from ..program.bindings import names_of
from ..program.modules import SourceModule
from ..refusals import NotExpressible

Import = ast.Import | ast.ImportFrom
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
SQL = "pyspark.sql"
_CHARACTER = re.compile(r"\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\?.")
CONSTANTS_NOTE = "# what str.split() and str.strip() take for white space"


def all_imports(tree: ast.Module) -> list[Import]:
    """Return the imports of a module, also those inside of other code, by line."""
    imports = [node for node in ast.walk(tree) if isinstance(node, Import)]
    return sorted(imports, key=lambda node: node.lineno)


def last_import(tree: ast.Module, names: Collection[str] = ()) -> int:
    """Return the last line of imports at the top, or the docstring, before a use of names."""
    last, end = 0, _first_use(tree, names)
    for node in tree.body:
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if node.lineno < end and (isinstance(node, Import) or (text and not last)):
            last = node.end_lineno or node.lineno
    return last


def is_in_time(module: SourceModule, node: Import, names: Collection[str]) -> bool:
    """Return whether names that are imported at the place of a node are there where they are used.

    Parameters
    ----------
    names : collection of str
        What it is to import.
    """
    around = _scope(module, node)
    if isinstance(around, ast.Module):
        return node.lineno < _first_use(module.tree, names)
    inside = {use for use in _uses(around, names) if use.lineno > node.lineno}
    return isinstance(around, _FUNCTIONS) and {*_uses(module.tree, names)} == inside


def _scope(module: SourceModule, node: ast.AST) -> ast.AST:
    """Return the function, class or module around an import."""
    scopes = _FUNCTIONS | ast.ClassDef | ast.Module
    return next(outer for outer in module.around(node) if isinstance(outer, scopes))


def follows_other_code(module: SourceModule, node: Import) -> bool:
    """Return whether a function does something before an import in it, such as setting a path."""
    around = _scope(module, node)
    if not isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return any(
        statement.lineno < node.lineno
        and not isinstance(statement, Import | ast.FunctionDef)
        and not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for statement in around.body
    )


def _uses(tree: ast.AST, names: Collection[str]) -> Iterator[ast.Name]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            yield node


def _first_use(tree: ast.Module, names: Collection[str]) -> float:
    """Return the line of the first use that is run when the module is; functions run later."""
    line = math.inf
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and node.id in names:
            line = min(line, node.lineno)
        body = node.body if isinstance(node, _FUNCTIONS) else []
        later = body if isinstance(body, list) else [body]
        waiting.extend(inner for inner in ast.iter_child_nodes(node) if inner not in later)
    return line


def with_imports(text: str, before: SourceModule, builder: Builder) -> str:
    """Return a result with its imports in order: the needed ones, and no others."""
    after = SourceModule(text, ast.parse(text))
    used = names_of(after.tree)
    used |= {name for cls in _classes(builder).values() for name in names_of(ast.parse(cls))}
    was_used = names_of(before.tree) | names_of(before.first or before.tree)
    sql_names = sorted({"SparkSession", *builder.needed.get(SQL, ())} & used)
    _check_names(sql_names, before, builder)
    sql_names = [name for name in sql_names if not _is_imported(after, name)]
    functions = builder.printer.functions
    added = [_functions(functions)] if functions in used else []
    added += [
        f"from {source} import {', '.join(sorted(needed))}"
        for source, needed in sorted(builder.needed.items())
        if source != SQL
    ]
    names = {*sql_names, functions}.union(*builder.needed.values())
    edits = _ImportEdits(after)
    merged = False
    for node in all_imports(after.tree):
        names_left = [
            name
            for name in node.names
            if not _is_gone(node, name, used, was_used)
            and import_of(node, [name]) not in before.implied
        ]
        gone = len(names_left) < len(node.names)
        # an import inside of other code is known to run where the job has used it
        fits = node in after.tree.body or (gone and not (builder.classes or builder.helpers))
        fits = fits and is_in_time(after, node, names)
        if fits and not merged and (have := _plain_names(node, names_left)):
            merged = True
            new = [*names_left, *(ast.alias(name) for name in sql_names if name not in have)]
            if gone or added or len(new) > len(names_left):
                new = sorted(new, key=_order) if len(new) > len(names_left) else names_left
                edits.replace(node, [import_of(node, new), *added], fits)
        elif gone:
            edits.replace(node, [import_of(node, names_left)] if names_left else [], fits)
    _refuse_alternatives(before, edits)
    if not merged:
        added = [f"from {SQL} import {', '.join(sql_names)}"] * bool(sql_names) + added
        if edits.home is None:
            _refuse_after_code(before)
        edits.add(added, last_import(after.tree, {*names, builder.session}))
    text = edits.text()
    for each in sorted(builder.standard):
        # code that would use it may have got no place in the result
        if not used.isdisjoint(SourceModule.import_paths(ast.parse(each).body)):
            text = _with_standard(text, each, builder.session)
    return _with_constants(_with_classes(text, builder), builder)


def _refuse_after_code(before: SourceModule) -> None:
    """Refuse a job that makes Spark known before it imports that, if imports have to be above."""
    for node in all_imports(before.tree):
        if _is_pyspark(node) and follows_other_code(before, node):
            text = "Spark is imported inside of a function, after other code of it"
            raise NotExpressible("IMPORT", text, node)


def _refuse_alternatives(before: SourceModule, edits: _ImportEdits) -> None:
    """Refuse a job that imports Spark here or there, as a `try` or `if` finds it."""
    tree, parents = edits.module.tree, edits.module.parents
    changed = [node for node in edits.lines if _is_pyspark(node) and node not in tree.body]
    home = edits.home
    places = {
        (parents[node], field)
        for node in changed
        for field, value in ast.iter_fields(parents[node])
        if isinstance(value, list) and node in value
    }
    elsewhere = home is not None and home not in tree.body and len(places) > 1
    names_by_file: dict[str, set[str]] = {}
    nested = set()
    for node in all_imports(before.tree):
        for alias in node.names:
            for name, path in binding_of_import(node, alias).items():
                names_by_file.setdefault(name, set()).add(path)
                nested |= {name} if node not in before.tree.body else set()
    several = [name for name in nested if len(names_by_file[name]) > 1]
    spark = [name for name in several if any(p.startswith("pyspark.") for p in names_by_file[name])]
    if elsewhere or spark:
        node = next(node for node in all_imports(before.tree) if node not in before.tree.body)
        raise NotExpressible("IMPORT", "Spark is imported in one of several ways", node)


class _ImportEdits:
    """What becomes of the imports of a module.

    Attributes
    ----------
    lines : dict of Import to list of str
        what takes the place of an import
    home : Import or None
        the first import of Spark that changes: there the new ones are
    """

    def __init__(self, module: SourceModule) -> None:
        self.module = module
        self.lines: dict[Import, list[str]] = {}
        self.home: Import | None = None
        self._comments: dict[Import, list[str]] = {}
        self._firsts: dict[Import, int] = {}
        self._added: tuple[int, list[str]] | None = None

    def replace(self, node: Import, lines: list[str], fits: bool) -> None:
        """Put lines in the place of an import; its comments stay with it, or go to the home."""
        module, top = self.module, self.module.tree.body
        if self.home is None and _is_pyspark(node) and fits:
            self.home = node
        self.lines[node] = lines
        # a comment of an import that is gone stands above those that stay
        moves = not lines and self.home not in (None, node) and {node, self.home} <= {*top}
        first = module.above(node.lineno) if moves else node.lineno
        self._firsts[node] = node.lineno if first == 1 else first
        texts = [comment.text for comment in module.comments_in(self._firsts[node], _last(node))]
        owner = self.home if moves and self.home is not None else node
        self._comments.setdefault(owner, []).extend(texts)

    def add(self, lines: list[str], line: int) -> None:
        """Put lines to the home, behind a line if there is none."""
        if self.home is not None:
            self.lines[self.home] += lines
        else:
            self._added = line, lines

    def text(self) -> str:
        """Return the new text."""
        spans = {
            self._firsts[node]: (_last(node), self._with_indent(node, lines))
            for node, lines in self.lines.items()
        }
        if self._added is not None:
            line, lines = self._added
            spans[line + 1] = line, lines
        ends = {_last(node) for node in all_imports(self.module.tree)}
        new_lines = list(self.module.lines)
        for line, (last, lines) in sorted(spans.items(), reverse=True):
            # nothing is left of a group of imports: nor is the line that parts it from the next
            nested = new_lines[line - 1].startswith(" ") and line - 1 not in ends
            above = new_lines[line - 2 : line - 1]
            alone = not lines and (nested or not any(each.strip() for each in above))
            if alone and last < len(new_lines) and not new_lines[last].strip():
                last += 1
            new_lines[line - 1 : last] = [f"{line}\n" for line in lines]
        return "".join(new_lines)

    def _with_indent(self, node: Import, lines: list[str]) -> list[str]:
        """Return what takes the place of an import; a block of which nothing is left passes."""
        lines = [*self._comments.get(node, []), *lines]
        for field in ("body", "orelse", "finalbody"):
            body = getattr(self.module.parents[node], field, [])
            is_last = bool(body) and body[-1] is node and body is not self.module.tree.body
            if is_last and not any(self.lines.get(statement, ["code"]) for statement in body):
                lines.append("pass")
        return [" " * node.col_offset + line for line in lines]


def _last(node: Import) -> int:
    return node.end_lineno or node.lineno


def _plain_names(node: Import, names: list[ast.alias]) -> set[str]:
    """Return what a statement imports from Spark's SQL under its own name."""
    is_sql = isinstance(node, ast.ImportFrom) and node.module == SQL and not node.level
    is_star = any(alias.name == "*" for alias in names)  # it stands alone
    return {alias.name for alias in names if alias.asname is None and is_sql and not is_star}


def _is_imported(module: SourceModule, name: str) -> bool:
    """Return whether the job imports a name of Spark's SQL from a module in it, in time."""
    return any(
        node.module != SQL
        and api.canonical(module.import_paths([node]).get(name, "")) == f"{SQL}.{name}"
        and is_in_time(module, node, {name})
        for node in module.tree.body
        if isinstance(node, ast.ImportFrom)
    )


def _check_names(names: list[str], before: SourceModule, builder: Builder) -> None:
    """Refuse an import whose name the job has for something else.

    Raises
    ------
    NotExpressible
        if there is one
    """
    needed = {**builder.needed, SQL: {*names}}
    names_by_source = [(source, ", ".join(names)) for source, names in needed.items() if names]
    statements = [f"from {source} import {names}" for source, names in names_by_source]
    added = "\n".join([*statements, *builder.standard])
    for name, path in SourceModule(added, ast.parse(added)).paths.items():
        if before.binds(name, path):
            text = f"`{name}` is a name of the job, and of what the result imports"
            raise NotExpressible("NAME", text, builder.job.block.body[0])


def _functions(name: str) -> str:
    return f"from {SQL} import functions" + ("" if name == "functions" else f" as {name}")


def _order(alias: ast.alias) -> tuple[bool, bool, str]:
    """Return constants, classes, then all others, as formatters sort names."""
    name = alias.name
    return not (name.isupper() and len(name) > 1), not name[:1].isupper(), name


def _is_gone(node: Import, alias: ast.alias, used: set[str], was_used: set[str]) -> bool:
    """Return whether an import was used by the job only."""
    name = bound_name(alias)
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
    return all(name.name.partition(".")[0] == "pyspark" for name in node.names)


def import_of(node: Import, names: list[ast.alias]) -> str:
    """Return an import of some names of a statement, as source."""
    if isinstance(node, ast.Import):
        return ast.unparse(ast.Import(names))
    return ast.unparse(ast.ImportFrom(node.module, names, node.level))


def _with_standard(text: str, statement: str, session: str) -> str:
    """Return a text with one more import of Python's library, where formatters have it."""
    tree, lines = ast.parse(text), text.splitlines(keepends=True)
    (import_statement,) = ast.parse(statement).body
    assert isinstance(import_statement, Import)
    last = last_import(
        tree, {session, *(name.asname or name.name for name in import_statement.names)}
    )
    imports = [
        statement
        for statement in tree.body
        if isinstance(statement, Import) and statement.lineno <= last
    ]
    own = [
        statement
        for statement in imports
        if _top(statement) in sys.stdlib_module_names - {"__future__"}
    ]
    before = [each for each in own if _sort_key(each) < _sort_key(import_statement)]
    rest = [statement for statement in imports if _top(statement) != "__future__"]
    if before:
        lines.insert(before[-1].end_lineno or before[-1].lineno, f"{statement}\n")
    elif own:
        lines.insert(own[0].lineno - 1, f"{statement}\n")
    elif rest:
        lines.insert(rest[0].lineno - 1, f"{statement}\n\n")
    else:
        lines.insert(last, f"\n{statement}\n")
    return "".join(lines)


def _sort_key(node: Import) -> tuple[bool, str]:
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
    constants_text = "".join(_constant(*item) for item in builder.printer.constants.items())
    place = last_import(ast.parse(text), {*builder.printer.constants, builder.session})
    lines.insert(place, f"\n{CONSTANTS_NOTE}\n{constants_text}")
    return "".join(lines)


def _constant(name: str, value: str) -> str:
    """Return the statement of a constant, a text in quotes: in parts if it is too long."""
    if len(f"{name} = {value}") <= WIDTH:
        return f"{name} = {value}\n"
    head, quote, text = value.partition('"')
    parts = [""]
    for character in _CHARACTER.findall(text.removesuffix(quote)):
        if len(f"{INDENT}{head}{quote}{parts[-1]}{character}{quote}") > WIDTH:
            parts.append("")
        parts[-1] += character
    lines = "".join(f"{INDENT}{head}{quote}{part}{quote}\n" for part in parts)
    return f"{name} = (\n{lines})\n"


def _classes(builder: Builder) -> dict[str, str]:
    """Return the classes of the windows of a result and its helpers, by their names."""
    return {name: cls.source(name) for cls, name in builder.classes.items()} | builder.helpers


def _with_classes(text: str, builder: Builder) -> str:
    """Return a text with the classes of its windows and with its helpers, below its imports."""
    class_texts = _classes(builder)
    if not class_texts:
        return text
    lines = text.splitlines(keepends=True)
    place = last = last_import(ast.parse(text), {*class_texts, builder.session})
    while last < len(lines) and not lines[last].strip():
        last += 1
    sources = "\n\n\n".join(each.rstrip("\n") for each in class_texts.values())
    lines[place:last] = [f"\n\n{sources}\n\n\n"]
    return "".join(lines)
