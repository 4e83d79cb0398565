"""Knows what a query leaves out in intervals without input, where its target says that it does."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from dstream_compat.testing.results import Output, Results
from dstream_compat.testing.values import Value, fields
from migrator.run.surroundings import surroundings
from migrator.structured.json_shape import json_shape
from migrator.structured.rewrite import Rewritten, rewrite
from migrator.verify.pairing import FOREACH, Pair, kind_of

_LINE = re.compile(r":(\d+)(?: \(\d+\))?$")
# receivers of Kafka need the addresses of brokers to become a query, which do not matter here
_BROKERS = "broker:9092"


def idle_outputs(text: str, shape: str | None = None, file: Path | None = None) -> frozenset[int]:
    """Return the lines of the outputs that a query does not give in intervals without input.

    Parameters
    ----------
    text : str
        The original; one that has no form in Structured Streaming has none.
    shape : str, optional
        The shape of its JSON texts with which it was migrated.
    file : Path, optional
        Its file, beside which its modules are.
    """
    try:
        json = None if shape is None else json_shape(shape)
        around = None if file is None else surroundings(file)
        for batch_code in (False, True):
            for unsafe in (False, True):
                form = rewrite(text, unsafe, _BROKERS, json, batch_code=batch_code, around=around)
                if isinstance(form, Rewritten):
                    return form.idle
    except SyntaxError:
        pass
    return frozenset()


def only_zero(rows: Sequence[Value]) -> bool:
    """Return whether rows are a single count of nothing."""
    return len(rows) == 1 and rows[0][0] == "row" and fields(rows[0]) == [["int", "0"]]


class IdleIntervals:
    """The intervals in which nothing came for outputs whose query has no batch then.

    Parameters
    ----------
    lines : collection of int
        Where the original defines these outputs.
    """

    def __init__(self, lines: Collection[int], old: Results, new: Results) -> None:
        self._old = old
        self._new = new
        self._input: dict[str, list[int]] | None = old.header.get("input") if lines else None
        self._lines = lines

    def omitted_outputs(self, pair: Pair, batch: int) -> tuple[int, ...]:
        """Return the outputs of the old job in a pair that the query may leave out in a batch."""
        if self._input is None:
            return ()
        outputs = tuple(self._idle(pair, batch, self._input))
        has_run = len(pair.new) == 1 and self._has_run(pair.new[0], batch)
        gave = any(rows for number in outputs for rows in self._old.runs[number].get(batch, ()))
        return () if has_run and gave else outputs

    def _idle(self, pair: Pair, batch: int, numbers: dict[str, list[int]]) -> Iterator[int]:
        for number in pair.old:
            owner = self._owner(number)
            match = _LINE.search(owner.name)
            if match is None or int(match[1]) not in self._lines:
                continue
            if not any(batch in numbers.get(source, ()) for source in owner.sources or numbers):
                yield number

    def _owner(self, number: int) -> Output:
        """Return the output in whose function another one is given out, or itself."""
        first = self._old.outputs[number].place[0]
        return self._old.outputs[first if first < len(self._old.outputs) else number]

    def _has_run(self, number: int, batch: int) -> bool:
        """Return whether the query of an output had a batch."""
        query = self._new.outputs[number].place[:1]
        return any(
            batch in runs
            for output, runs in zip(self._new.outputs, self._new.runs, strict=True)
            if kind_of(output) == FOREACH and output.place[:1] == query
        )
