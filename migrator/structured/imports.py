"""The imports and constants that a result needs, and those that it needs no longer."""

from __future__ import annotations

import ast
import io

from .build import Builder
from .modules import Module


def with_imports(text: str, before: Module, builder: Builder) -> str:
    """A result with its imports in order: those of no use are gone, and new ones are there."""
    tree = ast.parse(text)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    was_used = {node.id for node in ast.walk(before.tree) if isinstance(node, ast.Name)}
    wanted = _wanted(tree, builder, used)
    lines = io.StringIO(text, newline="\n").readlines()
    edits: list[tuple[int, int, str]] = []
    place: int | None = None
    for node in tree.body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        gone = [each for each in node.names if _is_gone(node, each, used, was_used)]
        last = node.end_lineno or node.lineno
        if gone:
            kept = [each for each in node.names if each not in gone]
            new = _import(node, kept) if kept else ""
            edits.append((node.lineno - 1, last, new))
            if place is None and _is_pyspark(node):
                place = node.lineno - 1
    added = "".join(f"{each}\n" for each in wanted)
    if place is None:
        place = _after_imports(tree)
    for start, end, new in sorted(edits, reverse=True):
        head = added if start == place else ""
        lines[start:end] = [head + new]
    if not any(start == place for start, _, _ in edits):
        lines.insert(place, added)
    return _with_constants("".join(lines), builder)


def _wanted(tree: ast.Module, builder: Builder, used: set[str]) -> list[str]:
    bound = {
        alias.asname or alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    names = [] if "SparkSession" in bound or "SparkSession" not in used else ["SparkSession"]
    if builder.printer.functions in used:
        alias = (
            "" if builder.printer.functions == "functions" else f" as {builder.printer.functions}"
        )
        names.append(f"functions{alias}")
    return [f"from pyspark.sql import {', '.join(names)}"] if names else []


def _is_gone(
    node: ast.Import | ast.ImportFrom, alias: ast.alias, used: set[str], was_used: set[str]
) -> bool:
    """Whether an import was used by the job only."""
    name = alias.asname or alias.name.partition(".")[0]
    if alias.name == "*" or (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
        return False
    if name in used:
        return False
    return name in was_used or _is_pyspark(node)


def _is_pyspark(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] == "pyspark"
    return all(each.name.partition(".")[0] == "pyspark" for each in node.names)


def _import(node: ast.Import | ast.ImportFrom, names: list[ast.alias]) -> str:
    made: ast.stmt = (
        ast.Import(names)
        if isinstance(node, ast.Import)
        else ast.ImportFrom(node.module, names, node.level)
    )
    return f"{ast.unparse(made)}\n"


def _after_imports(tree: ast.Module) -> int:
    """The line after the last import at the top."""
    last = 0
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            last = node.end_lineno or node.lineno
    return last


def _with_constants(text: str, builder: Builder) -> str:
    if not builder.printer.constants:
        return text
    lines = io.StringIO(text, newline="\n").readlines()
    place = _after_imports(ast.parse(text))
    made = "".join(f"{name} = {value}\n" for name, value in builder.printer.constants.items())
    note = "# what str.split() and str.strip() take for white space\n"
    lines.insert(place, f"\n{note}{made}")
    return "".join(lines)
