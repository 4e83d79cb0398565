"""Comprehensions, whose targets live in them only."""

from __future__ import annotations

import ast
from typing import TypeAlias

from migrator.infer.builtin_calls import subscript
from migrator.infer.containers import clip, items_of, seq
from migrator.infer.narrowing import narrowed
from migrator.infer.program import Evaluate, ExecutionState
from migrator.infer.records import as_tuples
from migrator.infer.values import Map, Value, one

Comprehension: TypeAlias = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


def comprehension(frame: ExecutionState, node: Comprehension, evaluate: Evaluate) -> Value:
    """Return the value of a comprehension."""
    inner = ExecutionState(frame.program, frame.scope, frame.env, frame.function, dict(frame.inner))
    for generator in node.generators:
        items = items_of(evaluate(inner, generator.iter))
        _bind_target(inner, generator.target, items)
        for condition in generator.ifs:
            evaluate(inner, condition)
            inner.inner |= narrowed(inner, condition, evaluate)
    if isinstance(node, ast.DictComp):
        evaluate(inner, node.key)
        return one(Map((), clip(evaluate(inner, node.value))))
    return seq(evaluate(inner, node.elt))


def _bind_target(frame: ExecutionState, target: ast.expr, value: Value) -> None:
    """Bind the target of a comprehension, which lives in the comprehension only."""
    if isinstance(target, ast.Name):
        frame.inner[target.id] = value
    elif isinstance(target, ast.Tuple | ast.List):
        value = as_tuples(frame, value, target.lineno)
        for index, element in enumerate(target.elts):
            part = subscript(value, ast.Constant(index))
            _bind_target(frame, element, part)
