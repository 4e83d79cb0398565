"""What a class in an annotation or an isinstance test says about a value."""

from __future__ import annotations

import ast
from typing import NamedTuple

from migrator.infer.attributes import api_instance
from migrator.infer.names import lookup
from migrator.infer.program import Evaluate, ExecutionState
from migrator.infer.values import (
    BOTTOM,
    UNKNOWN,
    Atom,
    LocalClass,
    LocalObj,
    Module,
    Obj,
    Ref,
    Step,
    Tuple,
    Value,
    join,
    obj,
    one,
)
from migrator.spark import api
from migrator.spark.kinds import STREAMING, STREAMS, Kind


class _Test(NamedTuple):
    """A test of a name's class; `is_exact` if derived classes do not count."""

    name: str
    classes: Value
    line: int
    is_exact: bool = False


def instance_of(frame: ExecutionState, classes: Value, line: int) -> Value | None:
    """Return an instance of these classes, or None if they are not ours to know."""
    instances = []
    for atom in classes.sorted_atoms():
        match atom:
            case Ref(path):
                kind = api.INSTANCES.get(api.canonical(path))
                if kind is None:
                    return None
                step = Step(line, f"declared as {kind}", frame.program)
                instances.append(obj(kind, step, probable=atom.probable))
            case LocalClass(info):
                instances.append(one(LocalObj(info)))
            case _:
                return None
    return join(*instances) if instances and not classes.unknown else None


def narrowed_names(
    frame: ExecutionState, test: ast.expr, evaluate: Evaluate, truth: bool = True
) -> dict[str, Value]:
    """Return what names are where a test has come out true, or false."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return narrowed_names(frame, operand, evaluate, not truth)
        case ast.BoolOp(op=op, values=values):
            parts = [narrowed_names(frame, part, evaluate, truth) for part in values]
            if isinstance(op, ast.And) is truth:
                return {name: value for part in parts for name, value in part.items()}
            return _either(parts)
        case ast.Call(
            func=ast.Name(id="hasattr") as function, args=[ast.Name(id=name), ast.Constant(attr)]
        ) if _is_builtin(frame, function):
            return _by_attribute(frame, name, attr, test.lineno, truth)
    class_test = _class_test(frame, test, evaluate)
    # the name must be one of this scope for the branch to see it
    if class_test is None or not _is_own(frame, class_test.name):
        return {}
    value = lookup(frame, class_test.name, class_test.line)
    if not truth:
        gone = frozenset(a for a in value.atoms if _matches(a, class_test.classes))
        # objects may be of derived classes, as streams are
        return {class_test.name: _without(value, gone)} if gone and not class_test.is_exact else {}
    declared = instance_of(frame, class_test.classes, class_test.line)
    if declared is None:
        return _other_class(class_test, value)
    sure = frozenset(a for a in value.atoms if _matches(a, class_test.classes))
    return {class_test.name: Value(sure) if sure and not value.unknown else declared}


def _without(value: Value, gone: frozenset[Atom]) -> Value:
    """Return a value that is none of some atoms: what was only probable is something else."""
    guessed = any(isinstance(a, Obj | Ref | Module) and a.probable for a in gone)
    return join(value.with_atoms(value.atoms - gone), UNKNOWN if guessed else BOTTOM)


def _other_class(test: _Test, value: Value) -> dict[str, Value]:
    """Return a stream or RDD that is tested for an unknown class may be something else there."""
    ours = [a for a in value.atoms if isinstance(a, Obj) and (a.kind in STREAMING or a.tag)]
    if not ours or test.classes == BOTTOM or any(_matches(a, test.classes) for a in ours):
        return {}
    return {test.name: join(value, UNKNOWN)}


def names_in_case(
    frame: ExecutionState, subject: ast.expr, pattern: ast.pattern, evaluate: Evaluate
) -> dict[str, Value]:
    """Return what the subject of a `match` is where a pattern of classes fits."""
    alternatives = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    classes = [
        p.cls
        for a in alternatives
        if isinstance(p := a.pattern if isinstance(a, ast.MatchAs) else a, ast.MatchClass)
    ]
    if len(classes) != len(alternatives) or not isinstance(subject, ast.Name):
        return {}
    test = ast.Call(
        ast.Name("isinstance", ast.Load()), [subject, ast.Tuple(classes, ast.Load())], []
    )
    return narrowed_names(
        frame, ast.fix_missing_locations(ast.copy_location(test, subject)), evaluate
    )


def _either(parts: list[dict[str, Value]]) -> dict[str, Value]:
    """Return what holds if any of several tests succeeded."""
    names = set(parts[0]).intersection(*parts[1:])
    return {name: join(*(part[name] for part in parts)) for name in sorted(names)}


def _class_test(frame: ExecutionState, test: ast.expr, evaluate: Evaluate) -> _Test | None:
    match test:
        case ast.Call(
            func=ast.Name(id="isinstance") as function, args=[ast.Name(id=name), classes]
        ) if _is_builtin(frame, function):
            return _Test(name, _flat(evaluate(frame, classes)), test.lineno)
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="type") as function, args=[ast.Name(id=name)]),
            ops=[ast.Is() | ast.Eq()],
            comparators=[ast.Name() | ast.Attribute() as classes],
        ) if _is_builtin(frame, function):
            return _Test(name, evaluate(frame, classes), test.lineno, is_exact=True)
    return None


def _flat(classes: Value) -> Value:
    """Return the classes of a tuple of classes."""
    values = [Value(frozenset(), classes.unknown)]
    for atom in classes.sorted_atoms():
        values += [_flat(item) for item in atom.items] if isinstance(atom, Tuple) else [one(atom)]
    return join(*values)


def _by_attribute(
    frame: ExecutionState, name: str, attr: object, line: int, truth: bool
) -> dict[str, Value]:
    """Return what a name is where it has an attribute, or has it not."""
    if not isinstance(attr, str) or attr.startswith("_") or not _is_own(frame, name):
        return {}
    value = lookup(frame, name, line)
    kind = api.TELLTALE.get(attr)
    if truth and kind is not None and value.unknown:
        step = Step(line, f"only a {kind} has {attr}", frame.program)
        return {name: join(value, obj(kind, step, probable=True))}
    rest = frozenset(a for a in value.atoms if _may_have(a, attr) in (None, truth))
    patched = any(patched_name == attr for _, patched_name in frame.program.project.patched)
    if rest == value.atoms or patched:
        return {}
    # if nothing is left, the test knows of something that is not known here
    return {name: _without(value, value.atoms - rest) if rest else UNKNOWN}


def _may_have(atom: Atom, attr: str) -> bool | None:
    """Return whether a stream or context has an attribute; None for everything else."""
    if isinstance(atom, Obj) and atom.kind in STREAMING:
        return attr in api.METHODS[atom.kind]
    return None


def _is_builtin(frame: ExecutionState, function: ast.Name) -> bool:
    return frame.scope.owner_of(function.id) is None


def _is_own(frame: ExecutionState, name: str) -> bool:
    return name in frame.inner or frame.scope.owner_of(name) is frame.scope


def _matches(atom: Atom, classes: Value) -> bool:
    """Return whether an object is certainly an instance of one of some classes."""
    kinds: set[Kind] = set()
    for wanted_atom in classes.sorted_atoms():
        match wanted_atom, atom:
            case Ref(path), _:
                kind = api.INSTANCES.get(api.canonical(path))
                kinds |= STREAMS if kind is Kind.DSTREAM else {kind} if kind else set()
            case LocalClass(info), LocalObj(own) if info in own.ancestors():
                return True
    if isinstance(atom, Obj):
        return atom.kind in kinds
    inherited = api_instance(atom.info) if isinstance(atom, LocalObj) else None
    return inherited is not None and inherited.kind in kinds
