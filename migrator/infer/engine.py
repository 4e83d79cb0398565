"""Runs a module abstractly.

A run executes the module and every function met so far once, with what is known of parameters,
results, attributes and names. These summaries only grow, so runs repeat until none did (see
`project`). Functions that nobody calls are then given unknown arguments, and it goes on. What the
last run saw at each node are the facts.
"""

from __future__ import annotations

import ast
from enum import Enum

from migrator.infer.containers import seq
from migrator.infer.documented import add_documented
from migrator.infer.expressions import evaluate
from migrator.infer.program import ExecutionState, FunctionInfo, Program
from migrator.infer.scopes import parameter_names
from migrator.infer.statements import execute
from migrator.infer.used_parameters import kind_by_use
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
)

# functions that call each other run at once when they are first called, down to that depth
MAX_CALLS = 20


class World(Enum):
    """Which functions code outside the program may call.

    Attributes
    ----------
    OPEN
        The functions that it never calls.
    REST
        What is still unknown then too.
    """

    OPEN = 1
    REST = 2


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
    if name in info.documented:
        # as far as it is known, it is what the docstring says
        value = Value(value.atoms)
    if info.owner is not None and name == _self_name(info):
        own = LocalClass if "classmethod" in info.flags else LocalObj
        return join(value, one(own(info.owner)))
    return value


def _self_name(info: FunctionInfo) -> str | None:
    """Return the parameter of a method that is the instance or the class."""
    if info.owner is None or "staticmethod" in info.flags:
        return None
    return next(iter(info.positional()), None)


def open_parameters(program: Program, info: FunctionInfo, world: World) -> None:
    """Give unknown values to parameters that no call of the program sets."""
    if not program.full and not info.called:
        return
    args = info.node.args
    add_documented(info)
    for name in parameter_names(info.node):
        if name in info.declared or info.params.get(name, BOTTOM) != BOTTOM:
            continue
        if name == _self_name(info):
            continue
        if info.called and name in info.params and world is not World.REST:
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
