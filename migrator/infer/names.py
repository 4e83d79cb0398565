"""What a name is at a point of the program."""

from __future__ import annotations

import builtins

from migrator.infer.modules import value_of_missing_name
from migrator.infer.program import ExecutionState
from migrator.infer.values import BOTTOM, UNKNOWN, Obj, Ref, Step, Value, join, one
from migrator.spark import api
from migrator.spark.kinds import STREAMING

_BUILTINS = frozenset(dir(builtins))


def lookup(frame: ExecutionState, name: str, line: int) -> Value:
    """Return what a name is at this point of the program."""
    if name in frame.inner:
        return frame.inner[name]
    owner = frame.scope.owner_of(name)
    if owner is frame.scope:
        if name in frame.env:
            inside = owner.written_from_inside.get(name)
            return frame.env[name] if inside is None else join(frame.env[name], inside)
        if owner.is_class:
            # a class body sees what is around it until it binds the name itself
            owner = owner.owner_around(name)
    if owner is not None:
        frame.program.reads.add((id(owner.bound), name))
        return owner.bound.get(name, BOTTOM)
    if name in _BUILTINS:
        return one(Ref(f"builtins.{name}"))
    return _value_of_undefined_name(frame, name, line)


def _value_of_undefined_name(frame: ExecutionState, name: str, line: int) -> Value:
    if not frame.program.project.sealed:
        # a star import may still bring it
        return value_of_missing_name(frame)
    text = f"`{name}` is not defined in this file; known by its usual name only"
    why = Step(line, text, frame.program)
    kind = api.PREDEFINED.get(name)
    if kind is not None:
        certain = frame.program.project.has_shell and kind not in STREAMING
        return Value(frozenset({Obj(kind, not certain, (why,))}))
    path = api.WELL_KNOWN_CLASSES.get(name)
    if path is not None:
        return one(Ref(path, True, (why,)))
    return UNKNOWN
