"""Which streams go into a call: the edges of a job's pipeline."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from migrator.events import Event, Use
from migrator.infer.program import Facts
from migrator.infer.values import STREAMS, Map, Obj, Seq, Step, Tuple, Value
from migrator.model import Spot


class Inputs:
    """Finds where the streams that a call works on were made.

    A call that stands in the expression itself is that place. Otherwise the evidence of the value
    says which call made it.
    """

    def __init__(self, events: list[Event], facts: Facts) -> None:
        self.events = events
        self.facts = facts
        self.calls: dict[ast.expr, Use] = {}
        self.places: dict[Step, list[Use]] = {}
        for event in events:
            if isinstance(event, Use) and event.call is not None and self._streams(event.call):
                self.calls[event.call] = event
                line = event.call.func.end_lineno or event.call.func.lineno
                self.places.setdefault((line, event.name), []).append(event)
        # `a.map(f).map(g)`: what is used further on the spot is not what a name stands for
        functions = [call.func for call in self.calls if isinstance(call, ast.Call)]
        self.inner = {f.value for f in functions if isinstance(f, ast.Attribute)}

    def resolve(self) -> list[Event]:
        """The events, with their inputs where they are calls."""
        return [self._resolved(event) for event in self.events]

    def _resolved(self, event: Event) -> Event:
        if not isinstance(event, Use) or event.call is None:
            return event
        call = event.call
        parts = [call.func.value] if isinstance(call.func, ast.Attribute) else []
        parts += [*call.args, *(k.value for k in call.keywords)]
        found = dict.fromkeys(spot for part in parts for spot in self._origins(part))
        found.pop(event.at, None)
        return replace(event, inputs=tuple(found)) if found else event

    def _origins(self, node: ast.expr) -> Iterator[Spot]:
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
            case ast.Call() if node in self.calls:
                yield self.calls[node].at
            case ast.Lambda():
                return
            case _:
                yield from self._made(self.facts.values.get(node))

    def _made(self, value: Value | None) -> Iterator[Spot]:
        """Where the streams in a value were made, by their evidence."""
        for atom in () if value is None else value.ordered():
            match atom:
                case Obj(kind, _, why) if kind in STREAMS:
                    yield from self._maker(why)
                case Seq(item):
                    yield from self._made(item)
                case Tuple(items):
                    for item in items:
                        yield from self._made(item)
                case Map():
                    yield from self._made(atom.all())

    def _maker(self, why: tuple[Step, ...]) -> Iterator[Spot]:
        for line, text in reversed(why):
            uses = self.places.get((line, text.removesuffix("()")))
            if uses:
                outer = [u for u in uses if u.call not in self.inner] or uses
                yield outer[-1].at
                return

    def _streams(self, call: ast.Call) -> bool:
        """Whether a call gives a stream."""
        value = self.facts.values.get(call)
        return value is not None and any(
            isinstance(a, Obj) and a.kind in STREAMS for a in value.atoms
        )
