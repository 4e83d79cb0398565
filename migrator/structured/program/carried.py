"""States and positions that a job begins with: what `dstream-compat checkpoint export` wrote."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dstream_compat.native.types import Array, Boolean, Double, Long, String, Type, tuple_of

from ..refusals import NotExpressible
from .graph import Node, Stage
from .job import JobBlock

STATES = ("mapWithState", "updateStateByKey")
SOURCES = {
    "condition": ("textFileStream",),
    "startingOffsets": ("createDirectStream", "createStream"),
}
"""The operators of the sources that begin at a position, by what says it."""
_SIMPLE: dict[str, Type] = {
    "boolean": Boolean(),
    "double": Double(),
    "long": Long(),
    "string": String(),
}


@dataclass(frozen=True)
class CarriedState:
    """The state of one operator.

    Parameters
    ----------
    operator : str
        such as ``updateStateByKey``
    folder : str
        its files of Parquet
    columns : dict
        its columns, ``key`` and ``value`` or ``pickled``, with the types of Spark in JSON
    """

    operator: str
    folder: str
    columns: dict[str, Any]

    @property
    def path(self) -> str:
        """The folder as source."""
        return json.dumps(self.folder, ensure_ascii=False)

    def type(self, column: str) -> Type | None:
        """Return the type of a column; None if it has none that expressions have."""
        return _type(self.columns[column]) if column in self.columns else None


@dataclass(frozen=True)
class Position:
    """How far a source was read.

    Parameters
    ----------
    number : int
        which of the sources it is, from 1 in the order in which outputs need them
    kind : str
        ``startingOffsets`` or ``condition``
    file : str
        the file that says it
    """

    number: int
    kind: str
    file: str

    def source_text(self, session: str) -> str:
        """Return what reads it, as source."""
        rows = f"{session}.read.json({json.dumps(self.file, ensure_ascii=False)})"
        return f'{rows}.where("number = {self.number}").first().{self.kind}'


@dataclass(frozen=True)
class Carried:
    """What a job begins with.

    Parameters
    ----------
    folder : str
        of the export
    states : tuple of CarriedState
        in the order in which outputs need them
    positions : tuple of Position
        of the sources that have one
    """

    folder: str
    states: tuple[CarriedState, ...]
    positions: tuple[Position, ...]

    @classmethod
    def of(cls, folder: str) -> Carried:
        """Return what is in the folder of an export.

        Raises
        ------
        OSError
            if a file of it cannot be read
        ValueError
            if it is no export
        """
        place = Path(folder)
        try:
            said = json.loads((place / "export.json").read_text(encoding="utf-8"))
            sources = json.loads((place / "positions.json").read_text(encoding="utf-8"))
            if said["format"] != 1:
                raise ValueError(f"export.json has format {said['format']}, and 1 is known")
            return cls(
                folder,
                tuple(
                    CarriedState(each["operator"], f"{place}/{each['folder']}", each["columns"])
                    for each in said["states"]
                ),
                tuple(
                    Position(source["number"], kind, f"{place}/positions.json")
                    for source in sources
                    for kind in SOURCES
                    if kind in source
                ),
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"a file has no {error}") from error

    def states_of(self, job: JobBlock) -> dict[Node, CarriedState]:
        """Return which operator of a job gets which state.

        Raises
        ------
        NotExpressible
            if the job has other operators, or would begin with the states at each start
        """
        if not job.is_recovered:
            text = (
                "a job without `getOrCreate` begins anew at each start: each would begin with the "
                f"states and positions of {self.folder}"
            )
            raise NotExpressible("CARRIED_STATE", text, job.outputs[0].call)
        nodes = [node for node in _in_order(job) if node.operator in STATES]
        if [node.operator for node in nodes] != [state.operator for state in self.states]:
            have, had = (
                ", ".join(f"`{state.operator}`" for state in some) or "no operator with a state"
                for some in (nodes, self.states)
            )
            text = f"the job has {have}, and {self.folder} is of {had}, in the order of outputs"
            raise NotExpressible("CARRIED_STATE", text, (nodes or job.outputs)[0].call)
        return dict(zip(nodes, self.states, strict=True))

    def positions_of(self, job: JobBlock) -> dict[Node, Position]:
        """Return which source of a job begins at which position.

        Raises
        ------
        NotExpressible
            if a source would begin at none, or the job has other sources
        """
        nodes = [node for node in _in_order(job) if node.is_source and node.stage != Stage.STATIC]
        by_number = {position.number: position for position in self.positions}
        positions: dict[Node, Position] = {}
        for number, node in enumerate(nodes, 1):
            position = by_number.pop(number, None)
            kinds = [kind for kind, names in SOURCES.items() if node.operator in names]
            if position is not None and position.kind in kinds:
                positions[node] = position
            elif position is not None or (kinds and node.operator != "createStream"):
                text = f"{self.folder} has no position for source {number} of the job"
                raise NotExpressible("CARRIED_STATE", text, node.call)
        if by_number:
            text = f"{self.folder} has positions of {len(nodes) + len(by_number)} sources"
            raise NotExpressible("CARRIED_STATE", text, job.outputs[0].call)
        return positions


def _in_order(job: JobBlock) -> Iterator[Node]:
    """Yield the streams that outputs need, in the order in which their parents come up."""
    seen: set[Node] = set()
    todo = [(output.node, False) for output in reversed(job.outputs)]
    while todo:
        node, is_done = todo.pop()
        if is_done:
            yield node
        elif node not in seen:
            seen.add(node)
            todo.append((node, True))
            todo += [(parent, False) for parent in reversed(node.parents)]


def _type(kind: Any) -> Type | None:
    """Return a type of Spark, in JSON, as one of expressions."""
    if isinstance(kind, str):
        return _SIMPLE.get(kind)
    if kind["type"] == "array":
        inner = _type(kind["elementType"])
        return None if inner is None else Array(inner)
    if kind["type"] == "struct":
        fields = [_type(each["type"]) for each in kind["fields"]]
        kinds = [field for field in fields if field is not None]
        return tuple_of(*kinds) if len(kinds) == len(fields) else None
    return None
