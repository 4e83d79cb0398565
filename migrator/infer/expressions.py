"""The value of each kind of expression."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from migrator.infer.attributes import attribute
from migrator.infer.builtin_calls import added_item, container_call, named_call, subscript
from migrator.infer.calls import Args, add_unpacked_keywords, call
from migrator.infer.containers import clip, holds_streams, items_of, seq
from migrator.infer.functions import default_values, function_info
from migrator.infer.modules import module_by_text
from migrator.infer.names import lookup
from migrator.infer.narrowing import narrowed_names
from migrator.infer.program import ExecutionState, FunctionInfo
from migrator.infer.records import as_tuples, record_class
from migrator.infer.targets import assign, mutate, parts_of, returned_contents, store_name
from migrator.infer.values import (
    BOTTOM,
    NONE,
    OTHER,
    UNKNOWN,
    Function,
    LocalObj,
    Map,
    Module,
    Obj,
    Ref,
    Seq,
    Step,
    Tuple,
    Value,
    join,
    obj,
    one,
)
from migrator.source.child_nodes import children
from migrator.spark import api
from migrator.spark.kinds import Kind

_OF_INTEREST = (Ref, Module)
_OF_CONTAINERS = (ast.Add, ast.Sub, ast.Mult, ast.BitOr, ast.BitAnd, ast.BitXor)
Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
_IMPORTERS = ("importlib.import_module", "builtins.__import__")


def evaluate(frame: ExecutionState, node: ast.expr) -> Value:
    """Return the value of an expression; what it saw goes into the facts."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        for child in children(node):
            if isinstance(child, ast.expr):
                evaluate(frame, child)
        return OTHER
    value: Value = handler(frame, node)
    values = frame.program.facts.values
    values[node] = join(values[node], value) if node in values else value
    return value


def _constant(frame: ExecutionState, node: ast.Constant) -> Value:
    return NONE if node.value is None else OTHER


def _name(frame: ExecutionState, node: ast.Name) -> Value:
    value = lookup(frame, node.id, node.lineno)
    for atom in value.atoms:
        if type(atom) not in _OF_INTEREST:
            continue
        facts = frame.program.facts
        facts.names[node] = join(facts.names.get(node, BOTTOM), value)
        owner = frame.scope.owner_of(node.id)
        if owner is not None:
            facts.scopes[node] = owner
        break
    return value


def _attribute(frame: ExecutionState, node: ast.Attribute) -> Value:
    base = evaluate(frame, node.value)
    facts = frame.program.facts
    seen = facts.receivers.get(node)
    facts.receivers[node] = base if seen is None else join(seen, base)
    return attribute(frame, base, node.attr, node.end_lineno or node.lineno)


def _call(frame: ExecutionState, node: ast.Call) -> Value:
    if isinstance(node.func, ast.Name):
        special = named_call(frame, node, evaluate)
        if special is not None:
            return special
    callee = evaluate(frame, node.func)
    args = _arguments(frame, node)
    facts = frame.program.facts
    facts.callees[node] = join(facts.callees.get(node, BOTTOM), callee)
    if node.args and any(isinstance(a, Ref) and a.path in _IMPORTERS for a in callee.atoms):
        return module_by_text(frame, node.args[0])
    record = record_class(frame, node, callee)
    if record is not None:
        return record
    if isinstance(node.func, ast.Attribute):
        base = facts.receivers[node.func]
        if any(isinstance(a, Seq | Tuple | Map) for a in base.atoms):
            return _call_of_container(frame, node, node.func, base, args)
        telltale = _telltale(frame, node.func, base, args)
        if telltale is not None:
            return telltale
    result = call(frame, callee, args)
    returned_contents(frame, node, callee, evaluate)
    return result


def _call_of_container(
    frame: ExecutionState, node: ast.Call, func: ast.Attribute, base: Value, args: Args
) -> Value:
    """Return what a method gives of something that may be a list or dict."""
    added = added_item(base, func.attr, args)
    if added is not None:
        mutate(frame, func.value, join(base, added), evaluate)
    contents = container_call(base, func.attr, args)
    others = (a for a in base.without_none() if not isinstance(a, Seq | Tuple | Map))
    rest = base.with_atoms(frozenset(others))
    if rest == BOTTOM:
        return contents
    callee = attribute(frame, rest, func.attr, args.line)
    result = call(frame, callee, args)
    returned_contents(frame, node, callee, evaluate)
    return join(contents, result)


def _arguments(frame: ExecutionState, node: ast.Call) -> Args:
    """Return what a call gives."""
    args = Args(line=(node.func.end_lineno or node.lineno))
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            value = evaluate(frame, argument.value)
            exact = [a for a in value.atoms if isinstance(a, Tuple)]
            if len(exact) == len(value.atoms) == 1 and args.rest is None and not value.unknown:
                args.positional.extend(exact[0].items)
            else:
                args.rest = join(args.rest or BOTTOM, items_of(value))
        elif args.rest is None:
            args.positional.append(evaluate(frame, argument))
        else:
            args.rest = join(args.rest, evaluate(frame, argument))
    for keyword in node.keywords:
        value = evaluate(frame, keyword.value)
        if keyword.arg is not None:
            args.keywords[keyword.arg] = value
        else:
            add_unpacked_keywords(args, value)
    return args


def _telltale(frame: ExecutionState, node: ast.Attribute, base: Value, args: Args) -> Value | None:
    """Return the call of a method that only streaming objects have, on something unknown."""
    kind = api.TELLTALE.get(node.attr)
    if kind is None or not base.unknown or base.without_none():
        return None
    link = Step(args.line, f"only a {kind} has {node.attr}()", frame.program)
    owner = obj(kind, link, probable=True)
    facts = frame.program.facts
    facts.receivers[node] = join(facts.receivers[node], owner)
    base_name = node.value.id if isinstance(node.value, ast.Name) else ""
    if not frame.inner and base_name in frame.env:
        # the program goes on only if it has been one
        frame.env[base_name] = owner
    return call(frame, attribute(frame, owner, node.attr, args.line), args)


def _lambda(frame: ExecutionState, node: ast.Lambda) -> Value:
    info = function_info(frame, node)
    add_defaults(frame, info)
    for name, value in frame.targets.items():
        frame.program.grow(info.around, name, value, always=True)
    return one(Function(info))


def add_defaults(frame: ExecutionState, info: FunctionInfo) -> None:
    """Add default values to what parameters may be."""
    for name, default in default_values(info.node):
        value = evaluate(frame, default)
        if value == OTHER:
            info.defaults[name] = value
        elif value != NONE and name not in info.declared:
            frame.program.grow(info.params, name, value)


def _if(frame: ExecutionState, node: ast.IfExp) -> Value:
    evaluate(frame, node.test)
    yes = _inside(frame, narrowed_names(frame, node.test, evaluate))
    no = _inside(frame, narrowed_names(frame, node.test, evaluate, False))
    return join(evaluate(yes, node.body), evaluate(no, node.orelse))


def _bool(frame: ExecutionState, node: ast.BoolOp) -> Value:
    values = []
    truth = isinstance(node.op, ast.And)
    for part in node.values:
        values.append(evaluate(frame, part))
        # what follows is evaluated only if this part has the right truth value
        frame = _inside(frame, narrowed_names(frame, part, evaluate, truth))
    return join(*values)


def _inside(frame: ExecutionState, names: dict[str, Value]) -> ExecutionState:
    """Return a part of an expression in which more is known of some names."""
    if not names:
        return frame
    return replace(frame, inner=frame.inner | names)


def _binary(frame: ExecutionState, node: ast.BinOp) -> Value:
    return combine(node.op, evaluate(frame, node.left), evaluate(frame, node.right))


def combine(operator: ast.operator, left: Value, right: Value) -> Value:
    """Return what an operator makes of two values."""
    if BOTTOM in (left, right):
        return BOTTOM
    values = []
    atoms = [*left.sorted_atoms(), *right.sorted_atoms()]
    sequences = [one(a) for a in atoms if isinstance(a, Seq | Tuple)]
    if sequences and isinstance(operator, _OF_CONTAINERS):
        sides = [left] if isinstance(operator, ast.Sub) else [left, right]
        whole = sequences if isinstance(operator, ast.Mult) else sides
        values.append(seq(join(*map(items_of, whole))))
    maps = [one(a) for a in atoms if isinstance(a, Map)]
    if maps and isinstance(operator, ast.BitOr):
        unknown = one(Map((), UNKNOWN)) if left.unknown or right.unknown else BOTTOM
        values.append(join(unknown, *maps))
    if any(isinstance(a, LocalObj) for a in atoms) or (left.unknown and right.unknown):
        values.append(UNKNOWN)
    rdds = [a for a in left.sorted_atoms() if isinstance(a, Obj) and a.kind is Kind.RDD]
    if rdds and isinstance(operator, ast.Add):
        values += [obj(Kind.RDD, *a.why, probable=a.probable) for a in rdds]
    elif not values or all(_has_plain(side) for side in (left, right)):
        values.append(OTHER)
    return join(*values)


def _has_plain(value: Value) -> bool:
    return any(isinstance(a, Obj) and a.kind is not Kind.NONE for a in value.atoms)


def _list(frame: ExecutionState, node: ast.List | ast.Set) -> Value:
    return seq(join(*_elements(frame, node.elts)))


def _elements(frame: ExecutionState, nodes: list[ast.expr]) -> list[Value]:
    return [
        items_of(evaluate(frame, n.value)) if isinstance(n, ast.Starred) else evaluate(frame, n)
        for n in nodes
    ]


def _tuple(frame: ExecutionState, node: ast.Tuple) -> Value:
    items = _elements(frame, node.elts)
    if any(isinstance(n, ast.Starred) for n in node.elts):
        return seq(join(*items))
    return one(Tuple(tuple(clip(item) for item in items)))


def _dict(frame: ExecutionState, node: ast.Dict) -> Value:
    known_items: dict[object, Value] = {}
    rest = keys = BOTTOM
    for key, value_node in zip(node.keys, node.values, strict=False):
        value = clip(evaluate(frame, value_node))
        if key is None:
            rest = join(rest, *[a.all() for a in value.sorted_atoms() if isinstance(a, Map)])
            continue
        if holds_streams(evaluate(frame, key)):
            # they are not kept
            keys = UNKNOWN
        if isinstance(key, ast.Constant) and isinstance(key.value, str | int):
            known_items[key.value] = value
        else:
            rest = join(rest, value)
    known = tuple(sorted(known_items.items(), key=lambda pair: repr(pair[0])))
    return join(one(Map(known, rest)), keys)


def _subscript(frame: ExecutionState, node: ast.Subscript) -> Value:
    base = evaluate(frame, node.value)
    evaluate(frame, node.slice)
    return subscript(as_tuples(frame, base, node.lineno), node.slice)


def _comprehension(frame: ExecutionState, node: Comprehension) -> Value:
    inner = replace(frame, inner=dict(frame.inner), targets=dict(frame.targets))
    for generator in node.generators:
        items = items_of(evaluate(inner, generator.iter))
        _bind_target(inner, generator.target, items)
        for condition in generator.ifs:
            evaluate(inner, condition)
            inner.inner |= narrowed_names(inner, condition, evaluate)
    if isinstance(node, ast.DictComp):
        keys = evaluate(inner, node.key)
        table = one(Map((), clip(evaluate(inner, node.value))))
        return join(table, UNKNOWN) if holds_streams(keys) else table
    return seq(evaluate(inner, node.elt))


def _bind_target(frame: ExecutionState, target: ast.expr, value: Value) -> None:
    """Bind the target of a comprehension, which lives in the comprehension only."""
    if isinstance(target, ast.Name):
        frame.inner[target.id] = frame.targets[target.id] = value
    elif isinstance(target, ast.Tuple | ast.List):
        for element, part in parts_of(frame, target.elts, value):
            _bind_target(frame, element, part)
    else:
        assign(frame, target, value, evaluate)


def _assignment_expression(frame: ExecutionState, node: ast.NamedExpr) -> Value:
    value = evaluate(frame, node.value)
    name = node.target.id
    # it may stand in a part of an expression that is not evaluated
    store_name(frame, name, join(frame.env.get(name, BOTTOM), value))
    frame.inner.pop(name, None)
    return value


def _inner(frame: ExecutionState, node: ast.Await | ast.Starred) -> Value:
    return evaluate(frame, node.value)


def _yield(frame: ExecutionState, node: ast.Yield) -> Value:
    value = evaluate(frame, node.value) if node.value is not None else NONE
    if frame.function is not None:
        frame.program.grow_result(frame.function, seq(value))
    return UNKNOWN


def _yield_from(frame: ExecutionState, node: ast.YieldFrom) -> Value:
    value = evaluate(frame, node.value)
    if frame.function is not None:
        frame.program.grow_result(frame.function, seq(items_of(value)))
    return UNKNOWN


_HANDLERS: dict[type[ast.expr], Callable[[ExecutionState, Any], Value]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Lambda: _lambda,
    ast.IfExp: _if,
    ast.BoolOp: _bool,
    ast.BinOp: _binary,
    ast.List: _list,
    ast.Set: _list,
    ast.Tuple: _tuple,
    ast.Dict: _dict,
    ast.Subscript: _subscript,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
    ast.NamedExpr: _assignment_expression,
    ast.Await: _inner,
    ast.Starred: _inner,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
}
