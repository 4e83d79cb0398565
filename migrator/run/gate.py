"""What a run asks before it writes: whether what it would write is fit for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from migrator.discover.paths import Selection
from migrator.model.report import Report
from migrator.run.options import Options


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a gate.

    Parameters
    ----------
    refusal : str
        Why nothing may be written; empty if it may be.
    passes : bool
        Whether all is well; if not, the exit code is 1.
    """

    refusal: str = ""
    passes: bool = True


class WriteCheck(Protocol):
    """Looks at a migration before it is written."""

    def __call__(self, report: Report, selection: Selection, options: Options) -> Answer:
        """Return the answer.

        Parameters
        ----------
        report : Report
            What was found, with the new contents of files.
        selection : Selection
            What is migrated.
        options : Options
            Of the run.
        """
