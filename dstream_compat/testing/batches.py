"""What each output of a job gave, batch by batch, as Python values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .errors import RecordingError
from .results import Output, Results, add_output
from .values import Value, decode, encode, readable


class Batches(Mapping[str, list[list[Any]]]):
    """The outputs of a job by name, such as ``pprint at job.py:12``: a list of rows per batch.

    Parameters
    ----------
    outputs : list of Output
        what the job gives out
    rows : list of list
        per output its batches
    count : int
        how many batches there are
    """

    def __init__(self, outputs: list[Output], rows: list[list[list[Any]]], count: int) -> None:
        self.outputs = outputs
        self.count = count
        self._rows = rows

    def __getitem__(self, name: str) -> list[list[Any]]:
        for output, rows in zip(self.outputs, self._rows, strict=True):
            if output.name == name:
                return rows
        raise KeyError(f"no output {name!r}: there are {', '.join(self) or 'none'}")

    def __iter__(self) -> Iterator[str]:
        return (output.name for output in self.outputs)

    def __len__(self) -> int:
        return len(self.outputs)

    def __repr__(self) -> str:
        return f"Batches({dict(self)!r})"

    def of_kind(self, kind: str) -> list[list[list[Any]]]:
        """Return the batches of each output of a kind, such as ``pprint``.

        Parameters
        ----------
        kind : str
            see :class:`~dstream_compat.testing.Output`
        """
        pairs = zip(self.outputs, self._rows, strict=True)
        return [rows for output, rows in pairs if output.kind == kind]

    @property
    def only(self) -> list[list[Any]]:
        """The batches of the only output.

        Raises
        ------
        ValueError
            if there are none or several
        """
        if len(self._rows) != 1:
            names = ", ".join(self) or "none"
            raise ValueError(f"there are {len(self._rows)} outputs, not one: {names}")
        return self._rows[0]


class BatchesWriter:
    """Keeps in memory what outputs give; takes the place of a file of results."""

    def __init__(self) -> None:
        self._outputs: list[Output] = []
        self._rows: dict[tuple[int, int], list[Any]] = {}
        self._unordered: set[tuple[str, int]] = set()

    def value(self, value: Any) -> Any:
        """Return a record as it is kept."""
        return value

    def records_of(self, rows: list[Value]) -> list[Any]:
        """Return records that were encoded as they are kept."""
        return [decode(row) for row in rows]

    def output(
        self,
        name: str,
        kind: str,
        operator: str,
        place: Sequence[int] | None = None,
        target: str = "",
        **more: Any,
    ) -> int:
        """Add an output; return its number."""
        return add_output(self._outputs, name, kind, operator, place, target, **more)

    def begin(self, **more: Any) -> None:
        """Do nothing: there is no first line."""

    def rows(self, batch: int, output: int, rows: list[Any], **ordered: bool) -> None:
        """Keep what an output gave in a batch."""
        self._rows.setdefault((batch, output), []).extend(rows)
        for name in ("ordered", "from_sorted") if rows else ():
            holds = bool(ordered.get(name)) and (name, output) not in self._unordered
            setattr(self._outputs[output], name, holds)
            if not holds:
                self._unordered.add((name, output))

    def derives(self, output: int) -> None:
        """Note that the function of an output makes others of the records it is given."""
        self._outputs[output].direct = False

    def note_failure(self, batch: int) -> None:
        """Do nothing: the error comes through."""

    def batches(self, count: int) -> Batches:
        """Return what was kept of the first batches."""
        named = [
            [self._rows.get((batch, output), []) for batch in range(1, count + 1)]
            for output in range(len(self._outputs))
        ]
        return Batches(self._outputs, named, count)


def from_results(results: Results, count: int | None = None) -> Batches:
    """Return the batches of a results file.

    Parameters
    ----------
    results : Results
        what was read
    count : int, optional
        how many batches there are; up to the last one with rows if it is missing
    """
    count = results.last() if count is None else count
    rows = [
        [[_value(row) for row in results.rows(batch, output)] for batch in range(1, count + 1)]
        for output in range(len(results.outputs))
    ]
    return Batches(results.outputs, rows, count)


class _Text(str):
    """The text of an object whose class is not known here."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _value(value: Value) -> Any:
    try:
        return decode(value)
    except ValueError:
        return _Text(readable(value))


def as_batches(batches: Any) -> Batches:
    """Return batches of what a test compares with: a list of batches, or such lists by output.

    Parameters
    ----------
    batches : Batches, Results, mapping or list
        what to make batches of

    Raises
    ------
    RecordingError
        if it is none of these
    """
    if isinstance(batches, Batches):
        return batches
    if isinstance(batches, Results):
        return from_results(batches)
    if isinstance(batches, Mapping):
        named = {str(name): _lists(rows) for name, rows in batches.items()}
        outputs = [Output(name, name.partition(" ")[0], "") for name in named]
        return Batches(outputs, [*named.values()], max(map(len, named.values()), default=0))
    if isinstance(batches, list | tuple):
        rows = _lists(batches)
        return Batches([Output("", "", "")], [rows], len(rows))
    raise RecordingError(f"{type(batches).__name__} has no batches: give Batches, a list or a dict")


def _lists(batches: Any) -> list[list[Any]]:
    for number, rows in enumerate(batches, 1):
        if isinstance(rows, str | bytes) or not hasattr(rows, "__iter__"):
            raise RecordingError(f"batch {number} is {rows!r}, not a list of rows")
    return [list(rows) for rows in batches]


def encode_rows(rows: list[Any]) -> list[Value]:
    """Return encoded rows."""
    return [encode(row) for row in rows]
