"""Streams that share a name one after the other, and streams with several names.

In the result all queries start at the end, when a name that is bound again has its last meaning.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrator.spark.kinds import STREAMS, Kind

from ..program.modules import SourceModule
from ..program.values import holds, is_object, is_one_of
from .edits import edits_of_spans, instead, is_in_place, with_edits

DATA = STREAMS | {Kind.RDD}


def unfold_name(module: SourceModule) -> SourceModule | None:
    """Return a module in which a stream has a name of its own; None if all have."""
    for scope in ast.walk(module.tree):
        if isinstance(scope, ast.FunctionDef | ast.Module):
            statements = [*_straight(scope.body)]
            for statement in statements:
                match statement:
                    case ast.Assign(targets=[ast.Name(id=name)], value=value):
                        value_found = module.facts.values.get(value)
                        if not (holds(value_found, DATA) or is_object(value_found)):
                            continue
                        result = _without_alias(module, scope, statement, name)
                        result = result or _rename_second(module, scope, statements, name)
                        if result is not None:
                            return result
    return None


def _straight(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements that run one after the other, once."""
    for statement in body:
        yield statement
        is_main = isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)
        if is_main or isinstance(statement, ast.Try | ast.With):
            assert isinstance(statement, ast.If | ast.Try | ast.With)
            yield from _straight(statement.body)


def _uses(
    module: SourceModule, scope: ast.FunctionDef | ast.Module, name: str
) -> list[ast.Name] | None:
    """Return the uses of a name in a scope; None if functions in it use the name, too."""
    mine = module.program.scopes[scope]
    uses_found = [(use, around) for use, around in module.names_in(scope) if use.id == name]
    if any((around is mine) != (around.owner_of(name) is mine) for _, around in uses_found):
        return None
    own = (each for each, around in uses_found if around is mine)
    return sorted(own, key=lambda each: (each.lineno, each.col_offset))


def _rename_second(
    module: SourceModule, scope: ast.FunctionDef | ast.Module, statements: list[ast.stmt], name: str
) -> SourceModule | None:
    """Return a module in which the second stream of a name has another one, if that matters."""
    uses = _uses(module, scope, name)
    if uses is None:
        return None
    stores = [use for use in uses if not isinstance(use.ctx, ast.Load)]
    bindings = [module.parents[store] for store in stores]
    plain = [e for e in bindings if isinstance(e, ast.Assign) and e in statements]
    if len(stores) < 2 or len(plain) < len(stores):
        return None
    first, second = plain[:2]
    if not all(holds(module.facts.values.get(each.value), DATA) for each in (first, second)):
        return None
    place = (second.lineno, second.col_offset)
    between = [e for e in uses if (e.lineno, e.col_offset) < place and isinstance(e.ctx, ast.Load)]
    own = [e for e in ast.walk(second.value) if isinstance(e, ast.Name) and e.id == name]
    value = module.facts.values.get(first.value)
    is_alias = isinstance(first.value, ast.Name) and is_one_of(value, STREAMS)
    if own and not between and not is_alias:
        return None  # one stream, in several steps
    base = re.sub(r"_\d+$", "", name)
    base = base if base in module.names else name
    new = module.free_name(*(f"{base}_{number}" for number in range(2, 20)))
    after = [e for e in uses if (e.lineno, e.col_offset) >= place and e not in own]
    if not all(is_in_place(module, use) for use in uses):
        return None
    return with_edits(module, edits_of_spans(module, [(*module.span(e), new) for e in after]))


def _without_alias(
    module: SourceModule, scope: ast.FunctionDef | ast.Module, statement: ast.Assign, name: str
) -> SourceModule | None:
    """Return a module in which the second name of a stream is its first one."""
    if not isinstance(statement.value, ast.Name):
        return None
    value = module.facts.values.get(statement.value)
    if not (is_one_of(value, DATA) or is_object(value)):
        return None
    mine, others = (_uses(module, scope, each) for each in (name, statement.value.id))
    if mine is None or others is None or name == statement.value.id:
        return None
    for uses in (mine, others):
        if sum(not isinstance(use.ctx, ast.Load) for use in uses) != 1:
            return None
    if not all(is_in_place(module, each) for each in mine):
        return None
    lines = module.lines_of(statement)
    alone = module.lines[lines[0] - 1].strip() == module.source(statement)
    if not alone and not module.comments_in(*lines):
        return None
    new = statement.value.id
    spans = [(*module.span(each), new) for each in mine if each is not statement.targets[0]]
    return with_edits(module, [instead(module, statement, ()), *edits_of_spans(module, spans)])
