"""Sums up what a job has (outputs, state, checkpoints) over all modules that it may consist of."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrator.infer.containers import holds_streams
from migrator.infer.program import Program
from migrator.infer.values import Obj, Ref, Value
from migrator.spark.kinds import Kind

_OUTPUTS = frozenset(
    {
        *("pprint", "foreachRDD", "saveAsTextFiles", "foreach", "to_dataframe"),
        "saveToCassandra",  # of pyspark_cassandra
        "trainOn",  # of MLlib's models
    }
)
_STATE = frozenset(
    {
        *("updateStateByKey", "mapWithState", "reduceByKeyAndWindow", "reduceByWindow"),
        *("countByWindow", "countByValueAndWindow", "getOrCreate", "getActiveOrCreate"),
    }
)
_PRIVATE = frozenset({"_jdstream", "_jssc"})
# what is given to these does not get outputs or state
_HARMLESS = (
    *("builtins.", "pyspark.", "functools.", "threading.", "signal.", "logging.", "atexit."),
    *("collections.", "contextlib.", "itertools.chain", "itertools.islice", "itertools.cycle"),
)
# these call what they are given
_CALLERS = frozenset(
    {
        *("builtins.map", "builtins.filter", "functools.reduce", "functools.partial"),
        *("threading.Thread", "threading.Timer", "multiprocessing.Process", "atexit.register"),
    }
)
# these may do anything with whatever is in reach
_ANYTHING = frozenset(
    {"builtins.exec", "builtins.eval", "runpy.run_path", "runpy.run_module", "IPython.get_ipython"}
)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a module does to streams; `escapes`: it hands them to code that is not known."""

    outputs: bool
    state: bool
    escapes: bool


def job_of(program: Program) -> Summary:
    """Return the same for all modules that may run together with one."""
    parts = [_summary(p) for p in _together(program)]
    return Summary(
        any(p.outputs for p in parts),
        any(p.state for p in parts),
        any(p.escapes for p in parts) or bool(program.project.failed),
    )


def _together(program: Program) -> set[Program]:
    """Return the modules that import a module, directly or not, and all that these import."""
    programs = program.project.programs
    imports = {
        p: [q for path in p.imports if (q := p.project.program(path)) is not None]
        for p in programs.values()
    }
    above = {program}
    while True:
        more = {
            p for p, programs in imports.items() if p not in above and above.intersection(programs)
        }
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
    names = set(_attribute_names(program))
    private = bool(names & _PRIVATE)
    return Summary(
        bool(names & _OUTPUTS) or private,
        bool(names & _STATE) or private,
        program.facts.escapes or _is_unread(program) or any(_escapes(program)),
    )


def _is_unread(program: Program) -> bool:
    """Return whether a part of a module does not parse, which may have outputs and state."""
    return program.unit is not None and bool(program.unit.unread)


def _attribute_names(program: Program) -> Iterator[str]:
    """Yield names taken from something that is or may be a stream or context."""
    for node, value in program.facts.receivers.items():
        ours = holds_streams(value) or _is_api(value)
        if node.attr in _PRIVATE or value.unknown or ours:
            yield node.attr


def _is_api(value: Value) -> bool:
    return any(
        (isinstance(a, Ref) and a.path.startswith("pyspark.streaming"))
        or (isinstance(a, Obj) and a.kind is Kind.STREAMING_MODEL)
        for a in value.atoms
    )


def _escapes(program: Program) -> Iterator[bool]:
    values = program.facts.values
    for node in values:
        match node:
            case ast.Call(func=ast.Name(id="getattr"), args=[base, name, *_]):
                # any method, an output too
                yield not isinstance(name, ast.Constant) and holds_streams(values.get(base))
    for call, callee in program.facts.callees.items():
        if callee.paths & _ANYTHING:
            yield True
        arguments = [*call.args, *(k.value for k in call.keywords)]
        if _is_unknown(callee) or (_calls_others(callee) and _any_unknown(values, arguments)):
            yield any(holds_streams(values.get(_inner(node))) for node in arguments)


def _is_unknown(callee: Value) -> bool:
    return callee.unknown or not all(_is_harmless(a) for a in callee.atoms)


def _calls_others(callee: Value) -> bool:
    return not callee.paths.isdisjoint(_CALLERS)


def _any_unknown(values: dict[ast.expr, Value], arguments: list[ast.expr]) -> bool:
    values_found = (values.get(node) for node in arguments)
    return any(value is not None and _is_unknown(value) for value in values_found)


def _inner(node: ast.expr) -> ast.expr:
    return node.value if isinstance(node, ast.Starred) else node


def _is_harmless(atom: object) -> bool:
    return not isinstance(atom, Ref) or atom.path.startswith(_HARMLESS)
