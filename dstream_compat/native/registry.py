"""What is translated: the syntax, the known functions of Python, the methods of values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .scope import Site, Value
from .types import Type

Handler = Callable[..., Value]


@dataclass(frozen=True)
class KnownFunction:
    """A known function.

    Parameters
    ----------
    name : str
        the dotted name; methods start with the name of the type
    written : str
        how it is written, for the documentation
    about : str
        what it becomes, in Markdown
    handler : callable
        translates a call: the site, then the arguments
    """

    name: str
    written: str
    about: str
    handler: Handler


FUNCTIONS: dict[str, KnownFunction] = {}
METHODS: dict[tuple[type[Type], str], KnownFunction] = {}


SYNTAX: dict[type[ast.AST], Callable[[Site], Value]] = {}


def syntax(*kinds: type[ast.AST]) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register the translation of nodes of the syntax: from the site, and the node of it."""

    def register(handler: Callable[..., Value]) -> Callable[..., Value]:
        for kind in kinds:
            SYNTAX[kind] = lambda here: handler(here, here.node)
        return handler

    return register


def function(name: str, written: str, about: str) -> Callable[[Handler], Handler]:
    """Register the translation of a function under its dotted name."""

    def register(handler: Handler) -> Handler:
        FUNCTIONS[name] = KnownFunction(name, written, about, handler)
        return handler

    return register


def method(kind: type[Type], name: str, written: str, about: str) -> Callable[[Handler], Handler]:
    """Register the translation of a method of the values of a type."""

    def register(handler: Handler) -> Handler:
        METHODS[kind, name] = KnownFunction(name, written, about, handler)
        return handler

    return register


def call(
    entry: KnownFunction, site: Site, arguments: tuple[Value, ...], keywords: Mapping[str, Value]
) -> Value | None:
    """Translate a call, or return None if the arguments do not fit the handler."""
    code = entry.handler.__code__
    optional = len(entry.handler.__defaults__ or ())
    most = code.co_argcount - 1
    named = code.co_varnames[1 : code.co_argcount]
    if code.co_flags & 0x04:  # takes any number of positional arguments
        return None if keywords else entry.handler(site, *arguments)
    free = set(named[len(arguments) :])
    if len(arguments) > most or not free.issuperset(keywords):
        return None
    missing = set(named[len(arguments) : most - optional]) - set(keywords)
    return None if missing else entry.handler(site, *arguments, **keywords)
