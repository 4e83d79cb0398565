"""Reads the public names and signatures of Spark's streaming modules from their source.

``python tests/support/streaming/public_names.py FOLDER`` prints those of a ``pyspark/streaming``;
``public_names_2_4.json`` was made so from pyspark 2.4.8, and its ``mqtt`` from Spark 1.6.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MODULES = ("context", "dstream", "listener", "util", "kafka", "kinesis", "flume", "mqtt")
ATTRIBUTE = "attribute"

Names = dict[str, str]
"""Name, dotted in a class, to its signature, ``attribute``, or ``= value``."""


def read_folder(folder: Path) -> dict[str, Names]:
    """Return the public names of the modules in a folder, by module."""
    return {
        path.stem: dict(_names_of(ast.parse(path.read_text(encoding="utf-8"))))
        for path in sorted(folder.glob("*.py"))
        if path.stem in MODULES
    }


def _names_of(module: ast.Module) -> Iterator[tuple[str, str]]:
    for statement in module.body:
        if isinstance(statement, ast.ClassDef) and _is_public(statement.name):
            yield statement.name, "()"
            yield from _members(statement)
        elif isinstance(statement, ast.FunctionDef) and _is_public(statement.name):
            yield statement.name, _signature(statement, bound=False)


def _members(cls: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for statement in cls.body:
        if isinstance(statement, ast.FunctionDef):
            decorators = [ast.unparse(decorator) for decorator in statement.decorator_list]
            name = f"{cls.name}.{statement.name}"
            if statement.name == "__init__":
                yield cls.name, _signature(statement, bound=True)
                yield from ((f"{cls.name}.{own}", ATTRIBUTE) for own in _attributes(statement))
            elif "property" in decorators and _is_public(statement.name):
                yield name, ATTRIBUTE
            elif "overload" not in decorators and _is_public(statement.name):
                yield name, _signature(statement, bound="staticmethod" not in decorators)
        elif isinstance(statement, ast.ClassDef) and _is_public(statement.name):
            yield f"{cls.name}.{statement.name}", "()"
        elif isinstance(statement, ast.Assign):
            for constant, value in _constants(statement):
                yield f"{cls.name}.{constant}", f"= {value!r}"


def _signature(function: ast.FunctionDef, bound: bool) -> str:
    for arg in ast.walk(function.args):
        if isinstance(arg, ast.arg):
            arg.annotation = None
    if bound:
        del function.args.args[0]
    return f"({ast.unparse(function.args)})"


def _attributes(init: ast.stmt) -> list[str]:
    """Return the public attributes that a constructor sets."""
    found = {
        node.attr
        for node in ast.walk(init)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    }
    return sorted(filter(_is_public, found))


def _constants(statement: ast.Assign) -> Iterator[tuple[str, Any]]:
    (target,) = statement.targets
    try:
        value = ast.literal_eval(statement.value)
    except ValueError:
        return
    if isinstance(target, ast.Name):
        target, value = ast.Tuple([target]), (value,)
    if isinstance(target, ast.Tuple):
        for name, one in zip(target.elts, value, strict=True):
            if isinstance(name, ast.Name) and _is_public(name.id):
                yield name.id, one


def _is_public(name: str) -> bool:
    return not name.startswith("_")


def attributes_of(cls: type) -> set[str]:
    """Return the attributes that a class, its bases or their constructors set."""
    found = {name for base in cls.__mro__ for name in vars(base)}
    for base in cls.__mro__:
        found |= set(getattr(base, "__annotations__", {}))
        if "__init__" in vars(base) and base is not object:
            source = ast.parse(textwrap.dedent(inspect.getsource(base.__init__)))
            found |= set(_attributes(source.body[0]))
    return found


if __name__ == "__main__":
    json.dump(read_folder(Path(sys.argv[1])), sys.stdout, indent=1, sort_keys=True)
