"""Stores values into names, attributes, items and unpacking targets."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.infer.attributes import attribute_of, set_attribute
from migrator.infer.builtin_calls import subscript
from migrator.infer.containers import clip, holds_streams, items_of, seq
from migrator.infer.modules import origin, store_in_module
from migrator.infer.program import Evaluate, ExecutionState
from migrator.infer.records import as_tuples
from migrator.infer.values import (
    BOTTOM,
    OTHER,
    UNKNOWN,
    Function,
    LocalClass,
    LocalObj,
    Map,
    Ref,
    Value,
    join,
    one,
)


def store_name(frame: ExecutionState, name: str, value: Value) -> None:
    """Bind a name in the scope where it lives."""
    owner = frame.scope.owner_of(name)
    if owner is None or owner is frame.scope:
        frame.env[name] = value
        if frame.assigned is not None:
            frame.assigned[name] = join(frame.assigned.get(name, BOTTOM), value)
        owner = frame.scope
    else:
        frame.program.grow(owner.written_from_inside, name, value, always=True)
    frame.program.grow(owner.bound, name, value)


def assign(frame: ExecutionState, target: ast.expr, value: Value, evaluate: Evaluate) -> None:
    """Store a value in any target of an assignment."""
    match target:
        case ast.Name(id=name):
            store_name(frame, name, value)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for element, part in parts_of(frame, elements, value):
                assign(frame, element, part, evaluate)
        case ast.Attribute(value=base, attr=name):
            set_attribute(frame, evaluate(frame, base), name, value, target.lineno)
        case ast.Subscript(value=base, slice=index):
            has_stream_key = holds_streams(evaluate(frame, index))
            holder = evaluate(frame, base)
            foreign = holder.unknown or any(isinstance(a, Ref) for a in holder.atoms)
            if foreign and holds_streams(value):
                frame.program.facts.escapes = True
            if any(isinstance(a, Map) for a in holder.atoms):
                has_constant_index = isinstance(index, ast.Constant) and isinstance(
                    index.value, str | int
                )
                pair = ((index.value, clip(value)),) if has_constant_index else ()  # type: ignore[attr-defined]
                item = one(Map(pair, BOTTOM if has_constant_index else clip(value)))
                # keys are not kept
                keys = UNKNOWN if has_stream_key else BOTTOM
                mutate(frame, base, join(holder, item, keys), evaluate)
            elif holder.atoms and holder != OTHER:
                item = items_of(value) if isinstance(index, ast.Slice) else value
                mutate(frame, base, join(holder, seq(item)), evaluate)
        case ast.Call(func=ast.Attribute(value=base, attr="get" | "setdefault"), args=[key, *_]):
            # `streams.setdefault(key, []).append(stream)`
            subscript_target = ast.copy_location(ast.Subscript(base, key, ast.Store()), target)
            assign(frame, subscript_target, value.with_atoms(value.without_none()), evaluate)


def mutate(frame: ExecutionState, target: ast.expr, value: Value, evaluate: Evaluate) -> None:
    """Note what a container holds after something was put into it."""
    assign(frame, target, value, evaluate)
    if not isinstance(target, ast.Name):
        return
    source = origin(frame, target.id)
    if source is not None:
        store_in_module(frame, *source, value)
    info = frame.function
    if info is not None and target.id in info.params and frame.scope.owner_of(target.id):
        before = info.mutated.get(target.id, BOTTOM)
        info.program.grow(info.mutated, target.id, join(before, value), always=True)


def returned_contents(
    frame: ExecutionState, node: ast.Call, callee: Value, evaluate: Evaluate
) -> None:
    """Note what a function puts into containers that it was given."""
    atoms = callee.sorted_atoms()
    for made in [LocalObj(a.info) for a in atoms if isinstance(a, LocalClass)]:
        atoms += attribute_of(frame, made, "__init__", node.lineno).sorted_atoms()
    for atom in atoms:
        if not isinstance(atom, Function) or not atom.info.mutated:
            continue
        names = atom.info.positional()[atom.owner is not None :]
        arguments = [*zip(names, node.args, strict=False)]
        arguments += [(k.arg, k.value) for k in node.keywords if k.arg is not None]
        for name, argument in arguments:
            contents = atom.info.mutated.get(name)
            if contents is not None and isinstance(argument, ast.Name | ast.Attribute):
                mutate(frame, argument, join(evaluate(frame, argument), contents), evaluate)


def parts_of(
    frame: ExecutionState, elements: list[ast.expr], value: Value
) -> Iterator[tuple[ast.expr, Value]]:
    """Yield the targets that a value is unpacked to, with what each gets."""
    if elements:
        value = as_tuples(frame, value, elements[0].lineno)
    maps = frozenset(a for a in value.atoms if isinstance(a, Map))
    if maps:
        # a dict gives its keys
        value = join(value.with_atoms(value.atoms - maps), OTHER)
    starred = any(isinstance(e, ast.Starred) for e in elements)
    for index, element in enumerate(elements):
        part = items_of(value) if starred else subscript(value, ast.Constant(index))
        if isinstance(element, ast.Starred):
            yield element.value, seq(part)
        else:
            yield element, part
