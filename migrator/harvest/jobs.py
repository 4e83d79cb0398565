"""What a job has and lacks, over all modules that it may consist of."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrator.infer.program import Program
from migrator.infer.values import STREAMING, Map, Method, Obj, Ref, Seq, Tuple, Value

_OUTPUTS = frozenset({"pprint", "foreachRDD", "saveAsTextFiles", "foreach"})
_STATE = frozenset(
    {
        *("updateStateByKey", "mapWithState", "reduceByKeyAndWindow", "reduceByWindow"),
        *("countByWindow", "countByValueAndWindow", "getOrCreate", "getActiveOrCreate"),
    }
)
_PRIVATE = frozenset({"_jdstream", "_jssc"})
# what is given to these does not get outputs or state
_HARMLESS = ("builtins.", "pyspark.", "functools.", "threading.", "signal.", "logging.", "atexit.")


@dataclass(frozen=True, slots=True)
class Summary:
    """What a module does to streams; `escapes`: it hands them to code that is not known."""

    outputs: bool
    state: bool
    escapes: bool


def job_of(program: Program) -> Summary:
    """The same for all modules that may run together with one."""
    parts = [_summary(p) for p in _together(program)]
    return Summary(
        any(p.outputs for p in parts),
        any(p.state for p in parts),
        any(p.escapes for p in parts) or bool(program.project.failed),
    )


def _together(program: Program) -> set[Program]:
    """The modules that import a module, directly or not, and all that these import."""
    programs = program.project.programs
    imports = {
        p: [q for path in p.imports if (q := p.project.program(path)) is not None]
        for p in programs.values()
    }
    above = {program}
    while True:
        more = {p for p, found in imports.items() if p not in above and above.intersection(found)}
        if not more:
            break
        above |= more
    found: set[Program] = set()
    pending = list(above)
    while pending:
        current = pending.pop()
        if current not in found:
            found.add(current)
            pending += imports.get(current, [])
    return found


def _summary(program: Program) -> Summary:
    names = set(_used(program))
    private = bool(names & _PRIVATE)
    return Summary(
        bool(names & _OUTPUTS) or private,
        bool(names & _STATE) or private,
        any(_escapes(program)),
    )


def _used(program: Program) -> Iterator[str]:
    """Names taken from something that is or may be a stream or context."""
    for node, value in program.facts.receivers.items():
        if node.attr in _PRIVATE or value.unknown or _has_streams(value) or _is_api(value):
            yield node.attr


def _is_api(value: Value) -> bool:
    return any(isinstance(a, Ref) and a.path.startswith("pyspark.streaming") for a in value.atoms)


def _escapes(program: Program) -> Iterator[bool]:
    values = program.facts.values
    for call, callee in program.facts.callees.items():
        if callee.unknown or not all(_known(a) for a in callee.atoms):
            given = [*call.args, *(k.value for k in call.keywords)]
            yield any(_has_streams(values.get(_inner(node))) for node in given)


def _inner(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def _known(atom: object) -> bool:
    return not isinstance(atom, Ref) or atom.path.startswith(_HARMLESS)


def _has_streams(value: Value | None) -> bool:
    """Whether a value is or holds a stream or context."""
    pending = [] if value is None else [value]
    while pending:
        for atom in pending.pop().atoms:
            match atom:
                case Obj(kind) | Method(Obj(kind)) if kind in STREAMING:
                    return True
                case Seq(item):
                    pending.append(item)
                case Tuple(items):
                    pending += items
                case Map():
                    pending.append(atom.all())
    return False
