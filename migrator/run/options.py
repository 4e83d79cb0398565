"""The options of a run, and what it asks before it writes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from migrator.discover.paths import Selection
from migrator.model.report import Report


class Mode(StrEnum):
    """What a run does with its edits."""

    WRITE = "write"
    IN_PLACE = "in-place"
    CHECK = "check"
    DIFF = "diff"


@dataclass(frozen=True, slots=True)
class Options:
    """A run: what to migrate (patterns are still to be expanded), where to, and what counts."""

    paths: tuple[Path, ...]
    mode: Mode = Mode.WRITE
    output: Path | None = None
    format: str = "text"
    color: bool = True
    quiet: bool = False
    verbose: bool = False
    reports: tuple[Path, ...] = ()
    group_by: str = "file"
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: Path | None = None
    write_baseline: Path | None = None
    diff_base: str | None = None
    fail_on: str = "warning"
    fail_on_bugs: bool = False
    notes: bool = False
    unsafe_fixes: bool = False
    submit: bool = False
    portable: bool = False
    kafka_brokers: str | None = None
    json_shape: str | None = None
    state: str | None = None
    spark: str | None = None
    target: str = "compat"
    explain: bool = False
    cache: bool = True
    interactive: bool = False
    accept: Path | None = None
    add_ignores: bool = False
    allow_dirty: bool = False

    @property
    def is_choosy(self) -> bool:
        """Whether the changes are made that are accepted, and no others."""
        return self.interactive or self.accept is not None


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
