"""Collects all uses of names that a unit takes from Python or PySpark and that are gone."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from migrator.collect.removed.ansi import AnsiUses
from migrator.collect.removed.around import Around
from migrator.collect.removed.attributes import Attributes
from migrator.collect.removed.builtin_names import BuiltinNames
from migrator.collect.removed.calls import Calls
from migrator.collect.removed.dict_methods import DictMethods
from migrator.collect.removed.finder import Drafts
from migrator.collect.removed.imports import Imports
from migrator.collect.removed.old_methods import OldMethods
from migrator.collect.removed.prints import Prints
from migrator.collect.removed.sessions import Sessions
from migrator.infer.program import Program
from migrator.model.events import Event
from migrator.source.python import Unit


def removed_names(unit: Unit, program: Program) -> list[Event]:
    """Return the events of a unit."""
    around, drafts = Around(unit, program), Drafts(unit)
    builtins = BuiltinNames(unit, program, around, drafts)
    methods = DictMethods(unit, program, around, drafts)
    attributes = Attributes(unit, program, around, drafts)
    sessions = Sessions(unit, program, around, drafts)
    imports = Imports(unit, program, around, drafts)
    prints = Prints(unit, program, around, drafts)
    calls = Calls(unit, program, around, drafts)
    old = OldMethods(unit, program, around, drafts)
    ansi = AnsiUses(unit, program)
    found: list[Event] = []

    def attribute(node: ast.Attribute) -> None:
        methods.attribute(node)
        attributes.attribute(node)
        attributes.member(node)
        sessions.attribute(node)
        old.attribute(node)

    def call(node: ast.Call) -> None:
        calls.argument(node)
        calls.listed(node)
        old.call(node)
        found.extend(ansi.call(node))

    handlers: dict[type[ast.AST], Callable[[Any], None]] = {
        ast.Name: builtins.name,
        ast.Attribute: attribute,
        ast.Call: call,
        ast.Import: imports.plain,
        ast.ImportFrom: imports.names,
        ast.Expr: prints.expression,
    }
    for node in unit.nodes():
        handler = handlers.get(type(node))
        if handler is not None:
            handler(node)
    return [*found, *drafts.finished()]
