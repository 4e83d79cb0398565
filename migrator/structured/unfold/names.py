"""Streams and contexts by one name each, which plain assignments give them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrator.spark.kinds import STREAMS, Kind

from ..program.bindings import names_of, stores
from ..program.modules import SourceModule
from ..program.values import MADE, function_of, holds, is_in_batch, is_object, is_one_of
from .edits import edits_of_spans, has_long_text, instead, is_in_place, one_line, with_edits
from .functions import span_of_name

DATA = STREAMS | {Kind.RDD}


def unfold_name(module: SourceModule) -> Iterator[SourceModule | None]:
    """Yield modules in which a stream has a name of its own.

    In the result all queries start at the end, when a name has its last meaning.
    """
    for scope in ast.walk(module.tree):
        if isinstance(scope, ast.FunctionDef | ast.Module):
            statements = [*_straight(scope.body)]
            for statement in statements:
                match statement:
                    case ast.Assign(targets=[ast.Name(id=name)], value=value):
                        value_found = module.facts.values.get(value)
                        if holds(value_found, DATA) or is_object(value_found):
                            yield _without_alias(module, scope, statement, name)
                            yield _rename_second(module, scope, statements, name)


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
    parameters = scope.args.args if isinstance(scope, ast.FunctionDef) else []
    if is_in_batch(module, first) and name in (parameter.arg for parameter in parameters):
        return None  # RDDs of a batch may share its name: no form needs another one
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


def unfold_own_name(module: SourceModule) -> Iterator[SourceModule | None]:
    """Yield modules in which a function has a name of its own that gives what its name means from
    there on: ``counts = counts(lines)``.
    """
    for node in ast.walk(module.tree):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name() as used) as call
            ) if name == used.id and not is_in_batch(module, node):
                yield _with_new_name(module, node, call, used)


def _with_new_name(
    module: SourceModule, statement: ast.Assign, call: ast.Call, used: ast.Name
) -> SourceModule | None:
    function, name = function_of(module, call), used.id
    node = function.info.node if function is not None else None
    if not isinstance(node, ast.FunctionDef) or not holds(module.facts.values.get(call), MADE):
        return None
    scope = module.program.scopes[module.function(node)]
    is_only = len(stores(scope.node, name)) == 1 and name in names_of(statement)
    inside = {*ast.walk(statement)}
    for use, around in module.names_in(scope.node):
        if use.id == name and around.owner_of(name) is scope and use not in inside:
            is_only = is_only and use.lineno > statement.lineno
    if not (is_only and node.name == name and is_in_place(module, used)):
        return None
    new = module.numbered_name(name)
    spans = [(*span_of_name(module, node), new), (*module.span(used), new)]
    return with_edits(module, edits_of_spans(module, spans))


def unfold_assignment(module: SourceModule) -> Iterator[SourceModule]:
    """Yield modules in which an assignment of a stream or context is a plain one."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or is_in_batch(module, node):
            continue
        pairs = _pairs(module, node)
        before = module.lines[node.lineno - 1][: node.col_offset]
        if pairs is None or before.strip() or has_long_text(ast.walk(node)):
            continue
        lines = [
            (f"{name} = {value}", node.lineno)
            if isinstance(value, str)
            else (f"{name} = {one_line(module, value)}", value.lineno)
            for name, value in pairs
        ]
        yield with_edits(module, [instead(module, node, lines)])


def _pairs(
    module: SourceModule, node: ast.Assign | ast.AnnAssign
) -> list[tuple[str, ast.expr | str]] | None:
    """Return names with what they are assigned, None if it is a plain assignment already."""
    values = module.facts.values
    if node.value is None or not holds(values.get(node.value), MADE):
        return None
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            return [(name, value)]
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=parts)) if len(
            names
        ) == len(parts) and all(isinstance(name, ast.Name) for name in names):
            texts = [ast.unparse(name) for name in names]
            return None if names_of(node.value) & {*texts} else [*zip(texts, parts, strict=True)]
        case ast.Assign(targets=[ast.Name(id=first), *others], value=value) if others:
            if all(isinstance(other, ast.Name) for other in others):
                return [(first, value), *((ast.unparse(other), first) for other in others)]
    return None
