"""Searches for the smallest input over which two jobs differ, by running both over smaller ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dstream_compat.testing.recordings import Recording, dumped, write_batches
from dstream_compat.testing.results import Results
from migrator.verify.comparison import Rules, compare
from migrator.verify.ends import compared_batches
from migrator.verify.outcome import outcome_of
from migrator.verify.shrink import Budget, shrink


@dataclass(frozen=True, slots=True)
class Smallest:
    """An input that differs, and what the original gave over it; None if that is the whole one."""

    recording: Recording
    old: Path | None


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

    def smallest(self, until: int) -> Smallest:
        """Return the smallest input that was found.

        Parameters
        ----------
        until : int
            The batch in which the whole input differs first.
        """
        found = shrink(self._recording, until, self._differ, self._budget)
        known = self._known.get(_text(found))
        if known is None or not known[0]:
            # nothing smaller was tried or found: the whole input is what is known to differ
            return Smallest(self._recording, None)
        return Smallest(found, known[1])

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
        one, two = outcome_of(old), outcome_of(new)
        if one is None or two is None or not one.end or not two.end:
            return False
        if one.is_starved() or two.is_starved():
            return False
        return self._differs(one, two, batches)


def same_output_differs(name: str, rules: Rules) -> Callable[[Results, Results, int], bool]:
    """Tell whether an output differs."""

    def differs(old: Results, new: Results, batches: int) -> bool:
        found = compare(old, new, rules, compared_batches(old, new, batches))
        return any(difference.pair.name == name for difference in found.differences)

    return differs


def _text(recording: Recording) -> str:
    return json.dumps([recording.length, dumped([[*one] for one in recording.batches.items()])])
