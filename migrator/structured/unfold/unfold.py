"""Puts what builds a job into one block, step by step."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from ..program.modules import SourceModule
from .arguments import unfold_function, unfold_late
from .branches import unfold_branch, unfold_value
from .calls import unfold_call, unfold_return
from .containers import unfold_container, unfold_loop
from .contexts import unfold_recovery, unfold_with
from .models import unfold_model, unfold_partition
from .names import unfold_assignment, unfold_name, unfold_own_name
from .objects import unfold_attribute, unfold_base, unfold_object, unfold_property

MAX_STEPS = 60
STEPS: tuple[Callable[[SourceModule], Iterator[SourceModule | None]], ...] = (
    unfold_recovery,
    unfold_partition,
    unfold_own_name,
    unfold_with,
    unfold_base,
    unfold_property,
    unfold_return,
    unfold_call,
    unfold_object,
    unfold_attribute,
    unfold_value,
    unfold_model,
    unfold_late,
    unfold_function,
    unfold_branch,
    unfold_assignment,
    unfold_container,
    unfold_loop,
    unfold_name,
)


def unfold(module: SourceModule) -> SourceModule:
    """Return a module in which one block builds the job, as far as that can be.

    A module of several contexts stays: it is no job that can be rewritten.
    """
    calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    if sum(module.is_old(call.func, "StreamingContext") for call in calls) != 1:
        return module
    for _ in range(MAX_STEPS):
        for step in STEPS:
            module_after = next((after for after in step(module) if after is not None), None)
            if module_after is not None:
                module = module_after
                break
        else:
            break
    return module
