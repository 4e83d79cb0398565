"""Runs a program abstractly until nothing new is learnt.

Every pass executes the module and every function met so far once, with what is known of
parameters, results, attributes and names. These summaries only grow, so passes repeat until none
did. Functions that nobody calls are then given unknown arguments, and it goes on. What the last
pass saw at each node are the facts.
"""

from __future__ import annotations

import ast
from enum import Enum

from migrator.infer.expressions import evaluate
from migrator.infer.program import Facts, Frame, FunctionInfo, Program
from migrator.infer.scopes import parameter_names, scope_of
from migrator.infer.statements import execute
from migrator.infer.values import (
    BOTTOM,
    NONE,
    OTHER,
    UNKNOWN,
    LocalClass,
    LocalObj,
    Value,
    join,
    one,
    seq,
)

MAX_PASSES = 30


class World(Enum):
    """What others may call, once it is known what the program calls itself.

    OPEN: the functions that it never calls. REST: what is still unknown then too.
    """

    OPEN = 1
    REST = 2


def infer(tree: ast.Module) -> Program:
    """What each name and expression of a module is.

    Parameters: tree, the parsed module.
    Returns: the program, whose `facts` describe the nodes of the tree.
    """
    program = Program()
    for _ in range(MAX_PASSES):
        program.changed = False
        program.facts = Facts(patched=program.facts.patched)
        _one_pass(program, tree)
        if program.changed or _open(program, World.OPEN) or _open(program, World.REST):
            continue
        return program
    program.facts.converged = False
    return program


def _open(program: Program, world: World) -> bool:
    """Gives functions arguments from outside; whether that was news."""
    for info in program.functions.values():
        _open_parameters(program, info, world)
    return program.changed


def _one_pass(program: Program, tree: ast.Module) -> None:
    module = Frame(program, scope_of(program, tree, None), {})
    execute(module, tree.body)
    done: set[FunctionInfo] = set()
    while len(done) < len(program.functions):
        for info in list(program.functions.values()):
            if info not in done:
                done.add(info)
                _run_function(program, info)


def _run_function(program: Program, info: FunctionInfo) -> None:
    env = {name: _parameter(info, name) for name in parameter_names(info.node)}
    for name, value in env.items():
        program.grow(info.scope.bound, name, value)
    frame = Frame(program, info.scope, env, info)
    if isinstance(info.node, ast.Lambda):
        program.grow_result(info, evaluate(frame, info.node.body))
    elif execute(frame, info.node.body):
        program.grow_result(info, NONE)


def _parameter(info: FunctionInfo, name: str) -> Value:
    value = info.params.get(name, BOTTOM)
    if info.owner is not None and name == _self_name(info):
        own = LocalClass if "classmethod" in info.flags else LocalObj
        return join(value, one(own(info.owner)))
    return value


def _self_name(info: FunctionInfo) -> str | None:
    """The parameter of a method that is the instance or the class."""
    if info.owner is None or "staticmethod" in info.flags:
        return None
    return next(iter(info.positional()), None)


def _open_parameters(program: Program, info: FunctionInfo, world: World) -> None:
    """Parameters that no call in the program gives are given by someone else."""
    args = info.node.args
    for name in parameter_names(info.node):
        if name in info.declared or info.params.get(name, BOTTOM) != BOTTOM:
            continue
        if name == _self_name(info):
            continue
        if info.called and name in info.params and world is not World.REST:
            continue
        # an optional parameter that no call gives keeps its default
        value = OTHER if info.called and name not in info.params else UNKNOWN
        is_vararg = args.vararg is not None and name == args.vararg.arg
        program.grow(info.params, name, seq(value) if is_vararg else value)
