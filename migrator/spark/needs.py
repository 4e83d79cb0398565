"""Finds out since which Spark there is what a result uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.spark.since import (
    CLASSES,
    COLUMN_ARGUMENTS,
    FUNCTIONS,
    KEYWORDS,
    METHODS,
    MORE_ARGUMENTS,
    OF_SESSION,
    OLDEST,
    SETTINGS,
    Version,
)


def needed_version(text: str, functions: str = "F") -> Version:
    """Return the first Spark that has all that a result uses.

    Parameters
    ----------
    text : str
        its source
    functions : str
        the name of ``pyspark.sql.functions`` in it
    """
    return max((spark for _, spark in needs(ast.parse(text), functions)), default=OLDEST)


def needs(tree: ast.AST, functions: str) -> Iterator[tuple[str, Version]]:
    """Yield what older versions have not, and since which version it is there."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)) if (
                owner == functions
            ):
                yield from _needs_of_call(node, name, functions)
            case ast.Attribute(value=ast.Name(id="SparkSession"), attr=name) if name in OF_SESSION:
                yield f"SparkSession.{name}", OF_SESSION[name]
            case ast.Attribute(attr=name) if name in METHODS:
                yield name, METHODS[name]
            case ast.keyword(arg=str(name)) if name in KEYWORDS:
                yield name, KEYWORDS[name]
            case ast.ImportFrom(module=str(module), names=names):
                paths = (f"{module}.{name.name}" for name in names)
                yield from ((path, CLASSES[path]) for path in paths if path in CLASSES)
            case ast.Constant(value=str(value)) if value in SETTINGS:
                yield value, SETTINGS[value]


def _needs_of_call(call: ast.Call, name: str, functions: str) -> Iterator[tuple[str, Version]]:
    if name in FUNCTIONS:
        yield name, FUNCTIONS[name]
    if name in MORE_ARGUMENTS and len(call.args) > MORE_ARGUMENTS[name][0]:
        yield name, MORE_ARGUMENTS[name][1]
    if name in COLUMN_ARGUMENTS:
        first, spark = COLUMN_ARGUMENTS[name]
        inside = (node for argument in call.args[first:] for node in ast.walk(argument))
        if any(isinstance(each, ast.Name) and each.id == functions for each in inside):
            yield name, spark
