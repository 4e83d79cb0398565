"""Finds the statements of a program that name the Spark that it takes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from migrator.collect.path_values import PathValues
from migrator.collect.unit_collector import text_of
from migrator.spark.homes import home_of, names_old, old_py4j

VARIABLE = "SPARK_HOME"
_SUBMIT = re.compile(r"(?<![\w./\\-])(?:[A-Za-z]:)?[^\s\"'`;&|()=,]*[/\\]spark[123]?-submit\b")
_HOME = re.compile(r"(?<![\w$])SPARK_HOME=[\"']?(?P<path>[^\s\"'`;&|]+)")
_OF_JVM = re.compile(r"--class\b|\.jar\b")


@dataclass(frozen=True, slots=True)
class Naming:
    """A statement, or a part of one, that names a Spark; `path` is None where it is not known."""

    node: ast.stmt | ast.expr
    what: str
    shown: str
    path: str | None
    is_plain: bool = True

    @property
    def is_old(self) -> bool:
        """Whether it names a Spark before 4."""
        return self.path is not None and names_old(self.path)

    @property
    def removable_statement(self) -> ast.stmt | None:
        """The statement that may go, if it does nothing else."""
        return self.node if self.is_plain and isinstance(self.node, ast.stmt) else None

    @property
    def follows(self) -> bool:
        """Whether it takes what the environment says."""
        return self.path in ("", f"${VARIABLE}")


def namings(statement: ast.stmt, values: PathValues) -> Iterator[Naming]:
    """Yield what a statement names: a call of findspark, the variable, or entries of `sys.path`."""
    match statement:
        case ast.Expr(value=ast.Call() as call):
            yield from _call(statement, call, values)
        case ast.Assign(targets=[ast.Subscript() as target], value=value):
            if _is_home(target, values):
                shown = f'os.environ["{VARIABLE}"] = {text_of(value)}'
                yield Naming(statement, "variable", shown, values.path(value))
            elif values.dotted_path(target.value) == "sys.path":
                yield from _entries(statement, value, values)
        case ast.AugAssign(target=path, value=value) if values.dotted_path(path) == "sys.path":
            yield from _entries(statement, value, values)


def _is_home(target: ast.Subscript, values: PathValues) -> bool:
    return values.dotted_path(target.value) == "os.environ" and values.key(target.slice) == VARIABLE


def call_of_findspark(node: ast.stmt | ast.expr, call: ast.Call, values: PathValues) -> Naming:
    """Return what a call of `findspark.init` names; a statement that does no more may go."""
    named = {k.arg: k.value for k in call.keywords}
    argument = call.args[0] if call.args else named.get("spark_home")
    more = len(call.args) + len(call.keywords) > 1 or None in named
    path: str | None = ""
    if argument is not None and not (isinstance(argument, ast.Constant) and not argument.value):
        path = values.path(argument)
    is_plain = not more and isinstance(node, ast.stmt)
    return Naming(node, "findspark", text_of(call), path, is_plain)


def _call(statement: ast.stmt, call: ast.Call, values: PathValues) -> Iterator[Naming]:
    match values.dotted_path(call.func), call.args:
        case "findspark.init", _:
            yield call_of_findspark(statement, call, values)
        case "sys.path.append", [value]:
            yield from _entry(statement, value, values)
        case "sys.path.insert", [_, value]:
            yield from _entry(statement, value, values)
        case "sys.path.extend", [value]:
            yield from _entries(statement, value, values)


def _entries(statement: ast.stmt, value: ast.expr, values: PathValues) -> Iterator[Naming]:
    """Yield several entries, whose statement stays."""
    for part in value.elts if isinstance(value, ast.List | ast.Tuple) else [value]:
        for naming in _entry(statement, part, values):
            yield replace(naming, is_plain=False)


def _entry(statement: ast.stmt, value: ast.expr, values: PathValues) -> Iterator[Naming]:
    path = values.path(value)
    if path is None:
        return
    home = home_of(path)
    named = home is not None and "spark" in home.lower() and not home.startswith("$")
    if named or old_py4j(path) is not None or (home is not None and names_old(path)):
        yield Naming(statement, "path", text_of(value), path)
    elif home == f"${VARIABLE}":
        yield Naming(statement, "path", text_of(value), home)


def in_string(node: ast.expr, text: str) -> Iterator[Naming]:
    """Yield the old Spark that a string names: by its Py4J, in a command, or for one."""
    py4j, home = old_py4j(text), _HOME.search(text)
    # most strings have none, and some are long
    command = _SUBMIT.search(text) if "-submit" in text else None
    if py4j is not None:
        yield Naming(node, "path", py4j.group(), text, False)
    elif home is not None and names_old(home["path"]):
        yield Naming(node, "variable", home.group(), home["path"], False)
    elif command is not None and not _OF_JVM.search(text):
        folder = re.split(r"[/\\](?=[^/\\]+\Z)", command.group())[0]
        if names_old(folder):
            yield Naming(node, "command", command.group(), folder, False)


def in_pairs(node: ast.AST, values: PathValues) -> Iterator[Naming]:
    """Yield the old Spark that a dict, an argument or a call names for the environment."""
    pairs: list[tuple[object, ast.expr]] = []
    match node:
        case ast.Dict(keys=keys, values=items):
            pairs = [(getattr(k, "value", None), v) for k, v in zip(keys, items, strict=True)]
        case ast.keyword(arg=key, value=value):
            pairs = [(key, value)]
        case ast.Call(args=[ast.Constant(value=key), value]):
            pairs = [(key, value)]
    for name, value in pairs:
        if name == VARIABLE or (isinstance(name, str) and name.endswith(f"Env.{VARIABLE}")):
            path = values.path(value)
            if path is not None and names_old(path):
                yield Naming(value, "variable", f"{name}={text_of(value)}", path)
