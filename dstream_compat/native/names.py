"""What a name means where a function uses it: a constant, a function of the source, or a known one.

A name has a meaning only if it cannot have another one at run time: it is bound once, at the top
of its module or function, and no star import can hide a built-in.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from .expressions import Expression, Literal, Struct, constant, literal
from .makers import ROW, Maker, annotated_names, maker

KNOWN_MODULES = frozenset(("datetime", "json", "math", "operator", "re"))
NAMED = frozenset(("namedtuple", "NamedTuple"))
# Their star imports bring no name of a built-in.
HARMLESS_STARS = frozenset(
    (
        "dstream_compat",
        "pyspark",
        "pyspark.sql",
        "pyspark.sql.types",
        "pyspark.streaming",
        "pyspark.streaming.kafka",
    )
)


@dataclass(frozen=True)
class Known:
    """A function, class or module of Python, by its dotted name; built-ins have no module."""

    name: str


@dataclass(frozen=True)
class Choices:
    """The constants of a collection that is only searched with `in`."""

    values: tuple[Literal, ...]


@dataclass(frozen=True)
class Getter:
    """``operator.itemgetter`` of constant keys."""

    keys: tuple[Literal, ...]


@dataclass(frozen=True, eq=False)
class Local:
    """A function with its source, and the meaning of its names."""

    node: ast.Lambda | ast.FunctionDef
    environment: Environment
    defaults: Mapping[str, Meaning | None]

    @property
    def name(self) -> str:
        """The name for messages."""
        return self.node.name if isinstance(self.node, ast.FunctionDef) else "lambda"


Meaning = Expression | Known | Choices | Getter | Local | Maker


class Environment(Protocol):
    """Where the names of a function are looked up that are not its own."""

    def lookup(self, name: str) -> Meaning | None:
        """Return the meaning of a name, or None if it may have several or none."""


@dataclass(frozen=True)
class Bindings:
    """An environment made of a mapping, over another one.

    A name that is mapped to None has no meaning, whatever the other environment says.
    """

    names: Mapping[str, Meaning | None]
    outer: Environment

    def lookup(self, name: str) -> Meaning | None:
        """Return the meaning of a name."""
        return self.names[name] if name in self.names else self.outer.lookup(name)


class Builtins:
    """The built-in names, where nothing hides them."""

    def lookup(self, name: str) -> Meaning | None:
        """Return the meaning of a built-in name."""
        return Known(name) if hasattr(builtins, name) else None


class Nothing:
    """No names at all, below a star import of unknown names."""

    def lookup(self, name: str) -> Meaning | None:
        """Return None: no name has a meaning."""
        return None


def choices(value: object) -> Choices | None:
    """Return the constants of a list, tuple or set."""
    if not isinstance(value, list | tuple | set | frozenset):
        return None
    literals = [literal(each) for each in value]
    values = tuple(each for each in literals if each is not None)
    return Choices(values) if len(values) == len(literals) else None


def module_environment(module: ast.Module) -> Environment:
    """Return the environment of the functions of a module."""
    stars = {
        each.module or ""
        for each in ast.walk(module)
        if isinstance(each, ast.ImportFrom) and each.names[0].name == "*"
    }
    return body_environment(module.body, Builtins() if stars <= HARMLESS_STARS else Nothing())


def function_environment(function: ast.FunctionDef, outer: Environment) -> Environment:
    """Return the environment of the functions inside a function."""
    # A parameter may be assigned again, but not before it was used.
    hidden = dict.fromkeys(argument_names(function.args))
    return Bindings(hidden, body_environment(function.body, outer))


def argument_names(arguments: ast.arguments) -> list[str]:
    """Return the names of all parameters."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [each.arg for each in [*every, arguments.vararg, arguments.kwarg] if each]


def body_environment(body: list[ast.stmt], outer: Environment) -> Environment:
    """Return the names that statements bind, over an outer environment."""
    bound = Counter(bound_names(body))
    names: dict[str, Meaning | None] = dict.fromkeys(bound)
    environment = Bindings(names, outer)
    whole = ast.Module(body, [])
    for statement in body:
        for name, meaning in _meanings(statement, environment, whole):
            if bound[name] == 1:
                names[name] = meaning
    return environment


def names_bound_once(body: list[ast.stmt]) -> set[str]:
    """Return the names that statements bind in one place, which runs once."""
    return {name for name, times in Counter(bound_names(body)).items() if times == 1}


def _meanings(
    statement: ast.stmt, environment: Environment, whole: ast.Module
) -> Iterator[tuple[str, Meaning | None]]:
    match statement:
        case ast.FunctionDef(decorator_list=[]):
            yield statement.name, Local(statement, environment, defaults(statement, environment))
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
        ):
            yield name, _meaning_of_value(name, value, environment, whole)
        case ast.Import():
            for alias in statement.names:
                if "." not in alias.name and alias.name in KNOWN_MODULES:
                    yield alias.asname or alias.name, Known(alias.name)
        case ast.ImportFrom(module=str(module), level=0) if module in KNOWN_MODULES:
            for alias in statement.names:
                yield alias.asname or alias.name, Known(f"{module}.{alias.name}")
        case ast.ImportFrom(module="collections" | "typing" as module, level=0):
            for alias in statement.names:
                if alias.name in NAMED:
                    yield alias.asname or alias.name, Known(f"{module}.{alias.name}")
        case ast.ImportFrom(module="pyspark" | "pyspark.sql" | "pyspark.sql.types", level=0):
            for alias in statement.names:
                if alias.name == "Row":
                    yield alias.asname or alias.name, Maker(ROW)
        case ast.ClassDef(bases=[ast.Name(id=base)], keywords=[], decorator_list=[]) if (
            environment.lookup(base) == Known("typing.NamedTuple")
        ):
            yield statement.name, maker(statement.name, annotated_names(statement.body))


def _meaning_of_value(
    name: str, value: ast.expr, environment: Environment, whole: ast.Module
) -> Meaning | None:
    if isinstance(value, ast.Lambda):
        return Local(value, environment, defaults(value, environment))
    match value:
        case ast.Call(
            func=ast.Name(id=function), args=[ast.Constant(value=str()), fields], keywords=[]
        ) if environment.lookup(function) == Known("collections.namedtuple"):
            return maker(name, _names(fields, environment))
    try:
        literal_value = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    if isinstance(literal_value, list | set):
        # A collection that is only searched is never changed.
        return choices(literal_value) if _is_only_searched(name, whole) else None
    return constant(literal_value)


def _names(node: ast.expr, environment: Environment) -> object:
    """Return the value of an expression for the names of fields, None if it is not known."""
    if isinstance(node, ast.Name):
        match environment.lookup(node.id):
            case Literal(value=value):
                return value
            case Struct(fields=fields):
                return [each.value for each in fields if isinstance(each, Literal)]
        return None
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _is_only_searched(name: str, whole: ast.Module) -> bool:
    searched = {
        id(right)
        for node in ast.walk(whole)
        if isinstance(node, ast.Compare)
        for operator, right in zip(node.ops, node.comparators, strict=True)
        if isinstance(operator, ast.In | ast.NotIn)
    }
    return all(
        id(node) in searched
        for node in ast.walk(whole)
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    )


def defaults(
    function: ast.Lambda | ast.FunctionDef, environment: Environment
) -> dict[str, Meaning | None]:
    """Return the meanings of default arguments, which are constants or names."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs: list[tuple[ast.arg, ast.expr | None]] = [
        *zip(
            positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True
        ),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return {each.arg: _default(value, environment) for each, value in pairs if value is not None}


def _default(value: ast.expr, environment: Environment) -> Meaning | None:
    if isinstance(value, ast.Name):
        return environment.lookup(value.id)
    try:
        return constant(ast.literal_eval(value))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def bound_names(body: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that statements bind; twice if they may be bound more than once."""
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
                # What a function declares as global or nonlocal may change at any time.
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Global | ast.Nonlocal):
                        yield from inner.names * 2
                continue
            case ast.Lambda():
                continue
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.AugAssign(target=ast.Name(id=name)):
                yield name
            case ast.Import() | ast.ImportFrom():
                yield from (each.asname or each.name.partition(".")[0] for each in node.names)
            case ast.ExceptHandler(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield name
            case ast.For() | ast.While() | ast.AsyncFor():
                yield from [*bound_names(ast.iter_child_nodes(node))] * 2
                continue
            case ast.Global():
                yield from node.names * 2
        yield from bound_names(ast.iter_child_nodes(node))
