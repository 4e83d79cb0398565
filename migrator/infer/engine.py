"""Runs a module abstractly.

A run executes the module and every function met so far once, with what is known of parameters,
results, attributes and names. These summaries only grow, so runs repeat until none did (see
`project`). Functions that nobody calls are then given unknown arguments, and it goes on. What the
last run saw at each node are the facts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from migrator.infer.expressions import evaluate
from migrator.infer.program import ExecutionState, FunctionInfo, FunctionNode, Program
from migrator.infer.scopes import parameter_names
from migrator.infer.statements import execute
from migrator.infer.values import (
    BOTTOM,
    NONE,
    OTHER,
    UNKNOWN,
    LocalClass,
    LocalObj,
    Step,
    Value,
    join,
    obj,
    one,
    seq,
)
from migrator.spark import api
from migrator.spark.kinds import Kind

# What a parameter that no call sets is, by the methods that its function certainly calls on it.

_SIMPLE = (ast.Expr, ast.Assign, ast.AnnAssign, ast.Return)
_ENDS = (ast.Return, ast.Raise, ast.Assert)
# what is in them runs later or not at all
_LATER = (
    *(ast.Lambda, ast.IfExp, ast.BoolOp),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)


class Evidence(NamedTuple):
    """A kind, and the call that only objects of that kind have."""

    kind: Kind
    method: str
    line: int


def kind_by_use(node: FunctionNode, name: str) -> Evidence | None:
    """Return the kind of a parameter, or None if no call that is always reached tells it."""
    if isinstance(node, ast.Lambda):
        return None
    for statement in node.body:
        if isinstance(statement, _SIMPLE):
            for call in _calls(statement):
                evidence = _evidence(call, name)
                if evidence is not None:
                    return evidence
        if _may_leave(statement) or _binds(statement, name):
            return None
    return None


def _calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """Yield the calls that a statement makes whenever it runs."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call):
            yield node
        if not isinstance(node, _LATER):
            pending += ast.iter_child_nodes(node)


def _evidence(call: ast.Call, name: str) -> Evidence | None:
    """Return what a call says about a name: `name.foreachRDD(f)`, `name.map(f).foreachRDD(g)`."""
    if not isinstance(call.func, ast.Attribute):
        return None
    method, line = call.func.attr, call.lineno
    kind = api.TELLTALE.get(method)
    base = call.func.value
    while kind is Kind.DSTREAM:
        match base:
            # what gives a stream is called on one, even if RDDs have the method too
            case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if _keeps(attr):
                base = inner
            case _:
                break
    if kind is None or not isinstance(base, ast.Name) or base.id != name:
        return None
    return Evidence(kind, method, line)


def _keeps(method: str) -> bool:
    """Return whether a method of a stream gives a stream."""
    method_spec = api.DSTREAM.get(method)
    return method_spec is not None and method_spec.gives in (Kind.DSTREAM, "self")


def _may_leave(statement: ast.stmt) -> bool:
    return any(isinstance(node, _ENDS) for node in ast.walk(statement))


def _binds(statement: ast.stmt, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        for node in ast.walk(statement)
    )


# functions that call each other run at once when they are first called, down to that depth
MAX_CALLS = 20


def run_module(program: Program) -> None:
    """Execute a module and the functions of interest in it once, with what is known by now."""
    done: set[FunctionInfo] = set()
    depth = 0

    def enter(info: FunctionInfo) -> None:
        nonlocal depth
        if info not in done and depth < MAX_CALLS:
            done.add(info)
            depth += 1
            _run_function(program, info)
            depth -= 1

    program.enter = enter
    execute(ExecutionState(program, program.module, {}), program.tree.body)
    # functions that run may make and call others
    while left := [
        info
        for info in program.functions.values()
        if info not in done and (program.full or info.called)
    ]:
        for info in left:
            enter(info)
    program.enter = None


def _run_function(program: Program, info: FunctionInfo) -> None:
    env = {name: _parameter(info, name) for name in parameter_names(info.node)}
    for name, value in env.items():
        program.grow(info.scope.bound, name, value)
    around = {n: value for n, value in info.around.items() if n not in info.scope.locals}
    frame = ExecutionState(program, info.scope, env, info, around, dict(around))
    if isinstance(info.node, ast.Lambda):
        program.grow_result(info, evaluate(frame, info.node.body))
    elif execute(frame, info.node.body):
        program.grow_result(info, NONE)


def _parameter(info: FunctionInfo, name: str) -> Value:
    info.program.reads.add((id(info.params), name))
    value = info.params.get(name, BOTTOM)
    if info.owner is not None and name == _self_name(info):
        own = LocalClass if "classmethod" in info.flags else LocalObj
        return join(value, one(own(info.owner)))
    return value


def _self_name(info: FunctionInfo) -> str | None:
    """Return the parameter of a method that is the instance or the class."""
    if info.owner is None or "staticmethod" in info.flags:
        return None
    return next(iter(info.positional()), None)


def open_parameters(program: Program, info: FunctionInfo, all_left: bool) -> None:
    """Give unknown values to parameters that no call of the program sets: of functions that it
    never calls, or of all.
    """
    if not program.full and not info.called:
        return
    args = info.node.args
    for name in parameter_names(info.node):
        if name in info.declared or info.params.get(name, BOTTOM) != BOTTOM:
            continue
        if name == _self_name(info):
            continue
        if info.called and name in info.params and not all_left:
            continue
        # an optional parameter that no call gives keeps its default
        value = OTHER if info.called and name not in info.params else _by_use(program, info, name)
        is_vararg = args.vararg is not None and name == args.vararg.arg
        program.grow(info.params, name, seq(value) if is_vararg else value)


def _by_use(program: Program, info: FunctionInfo, name: str) -> Value:
    """Return what a parameter probably is if code that is not known calls the function."""
    kind = kind_by_use(info.node, name)
    if kind is None:
        return UNKNOWN
    step = Step(kind.line, f"only a {kind.kind} has {kind.method}()", program)
    return obj(kind.kind, step, probable=True)
