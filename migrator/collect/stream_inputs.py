"""Finds the streams that go into a call: the edges of a job's pipeline."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

from migrator.infer.program import Program
from migrator.infer.values import Map, Method, Obj, Ref, Seq, Step, Tuple, Value
from migrator.model.events import Event, Use
from migrator.model.report import Spot, StreamOrigin
from migrator.source.python import Unit
from migrator.spark.kinds import STREAMS


class StreamCalls:
    """The calls of a module that make streams, by line and name, with their places."""

    def __init__(self, program: Program, unit: Unit) -> None:
        self.spots: dict[ast.expr, Spot] = {}
        self.places: dict[tuple[int, str], list[ast.Call]] = {}
        facts = program.facts
        for call, callee in facts.callees.items():
            api = any(isinstance(a, Method | Ref) for a in callee.atoms)
            if api and _is_stream(facts.values.get(call)):
                function = program.without_getattr(call.func)
                self.spots[call] = unit.name_spot(function)
                line = function.end_lineno or function.lineno
                self.places.setdefault((line, _name(function)), []).append(call)
        functions = [
            program.without_getattr(c.func) for calls in self.places.values() for c in calls
        ]
        # `a.map(f).map(g)`: what is used further on the spot is not what a name stands for
        inner = {f.value for f in functions if isinstance(f, ast.Attribute)}
        for place, calls in self.places.items():
            self.places[place] = [c for c in calls if c not in inner] or calls

    def at(self, line: int, name: str) -> Spot | None:
        """Return the place of the last call of that name in a line."""
        calls = self.places.get((line, name))
        return self.spots[max(calls, key=lambda c: self.spots[c].order)] if calls else None


# modules are looked into by all that use their streams
_CALLS: WeakKeyDictionary[Program, StreamCalls] = WeakKeyDictionary()


def _calls_of(program: Program, unit: Unit) -> StreamCalls:
    stream_calls = _CALLS.get(program)
    if stream_calls is None:
        stream_calls = _CALLS[program] = StreamCalls(program, unit)
    return stream_calls


class StreamInputs:
    """Finds where the streams that a call works on were made.

    A call that stands in the expression itself is that place. Otherwise the evidence of the value
    says which call made it, here or in another module.
    """

    def __init__(self, unit: Unit, program: Program) -> None:
        self.unit = unit
        self.program = program
        self.calls = _calls_of(program, unit)

    def resolve(self, events: list[Event]) -> list[Event]:
        """Return the events, with their inputs where they are calls."""
        return [self._with_inputs(event) for event in events]

    def _with_inputs(self, event: Event) -> Event:
        if not isinstance(event, Use) or event.call is None:
            return event
        call = event.call
        function = self.program.without_getattr(call.func)
        parts = [function.value] if isinstance(function, ast.Attribute) else []
        parts += [*call.args, *(k.value for k in call.keywords)]
        inputs = dict.fromkeys(origin for part in parts for origin in self._origins(part))
        inputs.pop(StreamOrigin(self.program.path, event.at), None)
        # rules look at the arguments only
        arguments = ast.Call(ast.Name(""), call.args, call.keywords)
        return replace(event, inputs=tuple(inputs), call=arguments)

    def _origins(self, node: ast.expr) -> Iterator[StreamOrigin]:
        match node:
            case ast.Starred(value=value):
                yield from self._origins(value)
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                for item in items:
                    yield from self._origins(item)
            case ast.ListComp(elt=item) | ast.GeneratorExp(elt=item) | ast.SetComp(elt=item):
                yield from self._origins(item)
            case ast.IfExp(body=body, orelse=orelse):
                yield from self._origins(body)
                yield from self._origins(orelse)
            case ast.Call() if node in self.calls.spots:
                yield StreamOrigin(self.program.path, self.calls.spots[node])
            case ast.Lambda():
                return
            case _:
                yield from self._origins_in_value(self.program.facts.values.get(node))

    def _origins_in_value(self, value: Value | None) -> Iterator[StreamOrigin]:
        """Yield where the streams in a value were made, by their evidence."""
        for atom in () if value is None else value.sorted_atoms():
            match atom:
                case Obj(kind, _, why) if kind in STREAMS:
                    yield from self._maker(why)
                case Seq(item):
                    yield from self._origins_in_value(item)
                case Tuple(items):
                    for item in items:
                        yield from self._origins_in_value(item)
                case Map():
                    yield from self._origins_in_value(atom.all())

    def _maker(self, why: tuple[Step, ...]) -> Iterator[StreamOrigin]:
        for line, text, program in reversed(why):
            unit = self.unit if program is self.program else program.unit
            if unit is None:
                continue
            spot = _calls_of(program, unit).at(line, text.removesuffix("()"))
            if spot is not None:
                yield StreamOrigin(program.path, spot)
                return


def _is_stream(value: Value | None) -> bool:
    return value is not None and any(isinstance(a, Obj) and a.kind in STREAMS for a in value.atoms)


def _name(function: ast.expr) -> str:
    match function:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
        case _:
            return ""
