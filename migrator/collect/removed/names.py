"""Collects all uses of names that a unit takes from Python or PySpark and that are gone."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from migrator.collect.removed.ansi import AnsiUses
from migrator.collect.removed.around import NodeContext
from migrator.collect.removed.attributes import Attributes
from migrator.collect.removed.builtin_names import BuiltinNames
from migrator.collect.removed.calls import Calls
from migrator.collect.removed.finder import PendingEvents
from migrator.collect.removed.imports import Imports
from migrator.collect.removed.old_methods import DictMethods, OldMethods
from migrator.collect.removed.prints import Prints
from migrator.collect.removed.sessions import Sessions
from migrator.infer.program import Program
from migrator.model.events import Event
from migrator.source.python import Unit


def removed_names(unit: Unit, program: Program) -> list[Event]:
    """Return the events of a unit."""
    drafts = PendingEvents(unit)
    context = unit, program, NodeContext(unit, program), drafts
    attributes, calls = Attributes(*context), Calls(*context)
    imports, old = Imports(*context), OldMethods(*context)
    handlers: dict[type[ast.AST], tuple[Callable[[Any], None], ...]] = {
        ast.Name: (BuiltinNames(*context).name,),
        ast.Attribute: (
            DictMethods(*context).attribute,
            attributes.attribute,
            attributes.member,
            Sessions(*context).attribute,
            old.attribute,
        ),
        ast.Call: (calls.argument, calls.find_list_uses, old.call, AnsiUses(*context).call),
        ast.Import: (imports.plain,),
        ast.ImportFrom: (imports.names,),
        ast.Expr: (Prints(*context).expression,),
    }
    for node in unit.nodes():
        for handle in handlers.get(type(node), ()):
            handle(node)
    return drafts.events_with_imports()
