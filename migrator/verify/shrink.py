"""Searches for the smallest input over which two jobs differ, by running both over smaller ones.

Delta debugging, first over batches, then over their records: parts are left out for as long as the
difference stays.
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from dstream_compat.testing.recordings import Recording, dump_value, write_batches
from dstream_compat.testing.results import Results
from migrator.report.wording import quantity
from migrator.verify.comparison import Rules, compare
from migrator.verify.ends import compared_batches
from migrator.verify.outcome import outcome_of
from migrator.verify.process import RunFailed

T = TypeVar("T")
Test = Callable[[Recording], bool]
# inputs in a row that cannot be run
_HOPELESS = 3


@dataclass(slots=True)
class Budget:
    """What the search may take.

    Parameters
    ----------
    seconds : float
        Of time.
    runs : int
        Inputs that are tried.
    failed, in_a_row, problem : int, int, str
        How many of them could not be run, how many the last of them are, and why the last one.
    """

    seconds: float = 300.0
    runs: int = 200
    used: int = 0
    until: float = 0.0
    failed: int = 0
    in_a_row: int = 0
    problem: str = ""

    def begin(self) -> None:
        """Start the clock."""
        self.until = time.monotonic() + self.seconds

    def is_used_up(self) -> bool:
        """Return whether no more can be tried."""
        return self.used >= self.runs or time.monotonic() >= self.until or self.is_hopeless()

    def is_hopeless(self) -> bool:
        """Return whether nothing can be run any more."""
        return self.in_a_row >= _HOPELESS

    def try_one(self, test: Test, recording: Recording) -> bool:
        """Return whether the jobs differ over an input; one that cannot be run shows nothing."""
        self.used += 1
        try:
            different = test(recording)
        except RunFailed as error:
            self.failed += 1
            self.in_a_row += 1
            self.problem = str(error)
            return False
        self.in_a_row = 0
        return different

    def warning(self) -> str:
        """Return what is to be said of inputs that could not be run; nothing if there are none."""
        if self.is_hopeless():
            return f"the search for the smallest input ended early: {self.problem}"
        if self.failed:
            inputs = quantity(self.failed, "input")
            return f"the search for the smallest input could not run {inputs}: {self.problem}"
        return ""


def shrink(recording: Recording, until: int, test: Test, budget: Budget) -> Recording:
    """Return the smallest input found over which the jobs differ.

    Parameters
    ----------
    recording : Recording
        An input over which they do.
    until : int
        The batch in which they differ first: no later one is needed.
    test : Test
        Tells whether the jobs differ over an input.
    """
    budget.begin()
    batches = [recording.batches.get(number, {}) for number in range(1, until + 1)]

    def of_batches(batches_left: Sequence[dict[str, Any]]) -> Recording:
        return _recording(recording, batches_left)

    batches = minimal(batches, of_batches, test, budget)
    pieces = [
        (at, source, piece)
        for at, batch in enumerate(batches)
        for source, value in batch.items()
        for piece in _pieces(value)
    ]

    def of_pieces(pieces_left: Sequence[tuple[int, str, Any]]) -> Recording:
        return _recording(recording, _join_pieces(len(batches), pieces_left))

    pieces = minimal(pieces, of_pieces, test, budget)
    batches_left = _join_pieces(len(batches), pieces)
    # records that are gone may make a batch of no use that was of some before
    return of_batches(minimal(batches_left, of_batches, test, budget))


def minimal(
    parts: list[T], make: Callable[[Sequence[T]], Recording], test: Test, budget: Budget
) -> list[T]:
    """Leave out parts for as long as the difference stays; none of the rest can be left out.

    Parameters
    ----------
    make : callable
        The input of some of them.
    test : Test
        Tells whether the jobs differ over an input.
    """
    pieces = 2
    while len(parts) > 1 and not budget.is_used_up():
        pieces = min(pieces, len(parts))
        cuts = [len(parts) * i // pieces for i in range(pieces + 1)]
        spans = list(itertools.pairwise(cuts))
        candidates = [parts[a:b] for a, b in spans] if pieces > 2 else []
        candidates += [parts[:a] + parts[b:] for a, b in spans]
        smallest = _first(candidates, make, test, budget)
        if smallest is not None:
            # what was left of one part is divided anew, what was left of all but one is not
            pieces = 2 if len(smallest) * 2 <= len(parts) else max(pieces - 1, 2)
            parts = smallest
        elif pieces == len(parts):
            break
        else:
            pieces = min(pieces * 2, len(parts))
    return parts


def _first(
    candidates: list[list[T]],
    make: Callable[[Sequence[T]], Recording],
    test: Test,
    budget: Budget,
) -> list[T] | None:
    """Return the first of some parts over which the jobs differ; none if time is up."""
    for candidate in candidates:
        if budget.is_used_up():
            return None
        if budget.try_one(test, make(candidate)):
            return candidate
    return None


def _recording(whole: Recording, batches: Sequence[dict[str, Any]]) -> Recording:
    batches_by_number = {number: batch for number, batch in enumerate(batches, 1) if batch}
    return Recording(
        whole.interval, whole.sources, batches_by_number, len(batches), whole.arguments
    )


def _pieces(value: Any) -> list[Any]:
    """Return the records of a source in a batch; a file that has no line is one piece."""
    if isinstance(value, dict):
        return [(name, line) for name, lines in value.items() for line in _lines(lines)]
    return list(value)


def _lines(lines: Any) -> list[Any]:
    return lines if isinstance(lines, list) and lines else [None]


def _join_pieces(count: int, pieces: Sequence[tuple[int, str, Any]]) -> list[dict[str, Any]]:
    batches: list[dict[str, Any]] = [{} for _ in range(count)]
    for at, source, piece in pieces:
        if source.startswith("file:"):
            name, line = piece
            lines = batches[at].setdefault(source, {}).setdefault(name, [])
            lines += [] if line is None else [line]
        else:
            batches[at].setdefault(source, []).append(piece)
    return batches


class Search:
    """The search for one difference.

    Parameters
    ----------
    folder : Path
        For inputs and results.
    differs : callable
        Whether two runs over so many batches, that both came to their end, show the difference.
    run : callable
        Runs both jobs over an input; the results are beside it, ``.old`` and ``.new``.
    """

    def __init__(
        self,
        recording: Recording,
        folder: Path,
        differs: Callable[[Results, Results, int], bool],
        run: Callable[[Path], None],
        budget: Budget,
    ) -> None:
        self._recording = recording
        self._folder = folder
        self._folder.mkdir(parents=True, exist_ok=True)
        self._differs = differs
        self._run = run
        self._budget = budget
        self._known: dict[str, tuple[bool, Path]] = {}

    def smallest(self, until: int) -> tuple[Recording, Path | None]:
        """Return the smallest input that was found, and what the original gave over it; None if
        that is the whole one.

        Parameters
        ----------
        until : int
            The batch in which the whole input differs first.
        """
        result = shrink(self._recording, until, self._differ, self._budget)
        outcome = self._known.get(_text(result))
        if outcome is None or not outcome[0]:
            # nothing smaller was tried or found: the whole input is what is known to differ
            return self._recording, None
        return result, outcome[1]

    def _differ(self, recording: Recording) -> bool:
        text = _text(recording)
        if text not in self._known:
            path = self._folder / f"{len(self._known) + 1}.jsonl"
            write_batches(path, recording)
            self._run(path)
            old = path.with_suffix(".old")
            different = self._is_different(old, path.with_suffix(".new"), recording.length)
            self._known[text] = different, old
        return self._known[text][0]

    def _is_different(self, old: Path, new: Path, batches: int) -> bool:
        """Return whether runs that both came to their end show the difference."""
        first, two = outcome_of(old), outcome_of(new)
        if first is None or two is None or not first.end or not two.end:
            return False
        if first.is_starved() or two.is_starved():
            return False
        return self._differs(first, two, batches)


def same_output_differs(name: str, rules: Rules) -> Callable[[Results, Results, int], bool]:
    """Tell whether an output differs."""

    def differs(old: Results, new: Results, batches: int) -> bool:
        comparison = compare(old, new, rules, compared_batches(old, new, batches))
        return any(difference.pair.name == name for difference in comparison.differences)

    return differs


def _text(recording: Recording) -> str:
    return json.dumps(
        [recording.length, dump_value([[*item] for item in recording.batches.items()])]
    )
