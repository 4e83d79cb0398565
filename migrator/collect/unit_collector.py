"""The base of the collectors: places, confidence, evidence and texts of their events."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeVar

from migrator.collect.api_uses import ApiUses
from migrator.infer.program import Program
from migrator.infer.values import Obj, Ref, Value
from migrator.model.events import InferredEvent, Surroundings
from migrator.model.report import Confidence
from migrator.source.python import Unit
from migrator.source.python2 import ConvertedOrigin
from migrator.source.tracked_text import Replaced
from migrator.spark.kinds import STREAMING

_LENGTH = 60

E = TypeVar("E", bound=InferredEvent)


class UnitCollector:
    """A collector of events of one unit."""

    def __init__(self, unit: Unit, program: Program, uses: ApiUses) -> None:
        self.unit = unit
        self.program = program
        self.facts = program.facts
        self.uses = uses

    def inferred_event(
        self, make: Callable[..., E], node: ast.expr, value: Value, atom: Obj, *more: object
    ) -> E:
        """Return the event of an object at a node: proven if the value can be nothing else.

        Parameters
        ----------
        make : type of InferredEvent
            The class of the event.
        more : object
            Its other fields.
        """
        sure = (
            not value.unknown
            and not any(isinstance(a, Obj | Ref) and a.probable for a in value.atoms)
            and not atom.probable
            and len({type(a) for a in value.without_none()}) == 1
            and len({a.kind for a in value.without_none() if isinstance(a, Obj)}) < 2
            and self.facts.converged
        )
        confidence = Confidence.PROVEN if sure else Confidence.PROBABLE
        return make(self.unit.name_spot(node), confidence, self.uses.evidence(atom.why), *more)


def text_of(node: ast.expr) -> str:
    """Return the source of an expression, cut to a length that fits a message."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}..."


def streaming_object(value: Value | None) -> Obj | None:
    """Return a stream or context in a value."""
    for atom in () if value is None else value.sorted_atoms():
        if isinstance(atom, Obj) and atom.kind in STREAMING:
            return atom
    return None


# The text of the file that a node of a program stands in, for fixes.


# longer programs are generated, and nothing in their strings is rewritten
_LONGEST = 1024 * 1024


def program_text(unit: Unit, node: ast.expr) -> Surroundings | None:
    """Return the source that an expression stands in; None if it is not the text of the file."""
    chunk = unit.chunk_at(node.lineno)
    text = chunk.text
    match chunk.origin:
        case ConvertedOrigin(original=before) | Replaced(original=before, before=None):
            text = before
        case None:
            pass
        case _:
            return None
    return Surroundings(text, "python") if len(text) <= _LONGEST else None
