"""What a class in an annotation or an isinstance test says about a value."""

from __future__ import annotations

import ast

from migrator.infer import api
from migrator.infer.expressions import evaluate
from migrator.infer.program import Frame
from migrator.infer.values import LocalClass, LocalObj, Ref, Value, join, obj, one


def instance_of(classes: Value, line: int) -> Value | None:
    """An instance of these classes, or None if they are not ours to know."""
    found = []
    for atom in classes.ordered():
        match atom:
            case Ref(path):
                kind = api.INSTANCES.get(api.canonical(path))
                if kind is None:
                    return None
                found.append(obj(kind, (line, f"declared as {kind}"), probable=atom.probable))
            case LocalClass(info):
                found.append(one(LocalObj(info)))
            case _:
                return None
    return join(*found) if found and not classes.unknown else None


def narrowed(frame: Frame, test: ast.expr) -> dict[str, Value]:
    """Names that a true `isinstance(name, Class)` test settles."""
    match test:
        case ast.Call(
            func=ast.Name(id="isinstance"),
            args=[ast.Name(id=name), ast.Name() | ast.Attribute() as classes],
        ):
            value = instance_of(evaluate(frame, classes), test.lineno)
            # the name must be one of this scope for the branch to see it
            if value is not None and frame.scope.owner_of(name) is frame.scope:
                return {name: value}
        case ast.BoolOp(op=ast.And(), values=values):
            return {k: v for part in values for k, v in narrowed(frame, part).items()}
    return {}
