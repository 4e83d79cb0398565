"""What findings, uses and files are labelled with in a report."""

from __future__ import annotations

from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters: the job breaks, it may behave differently, or it is a note."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Category(StrEnum):
    """What a finding is about.

    Attributes
    ----------
    migration
        Something that changes with the move, or stands in its way.
    bug
        Something that is wrong with DStreams too, since the job was written.
    note
        Something that asks for nothing; it is shown only if asked for.
    """

    MIGRATION = "migration"
    BUG = "bug"
    NOTE = "note"


class Safety(StrEnum):
    """How a fix is used: applied, applied with `--unsafe-fixes` only, or only shown."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Confidence(StrEnum):
    """Whether every way into an expression shows its kind, or only its use suggests it."""

    PROVEN = "proven"
    PROBABLE = "probable"


class Outcome(StrEnum):
    """What the run did with a use of the DStream API: changed it, left it alone, reported it."""

    REWRITTEN = "rewritten"
    KEPT = "kept"
    REPORTED = "reported"


class Migration(StrEnum):
    """How a use of the DStream API gets to Structured Streaming.

    Attributes
    ----------
    runs
        It runs, as it is or as rewritten.
    review
        It runs, but only a person can tell whether it does the same.
    manual
        A person has to change it.
    impossible
        There is no counterpart, so what it did has to be done some other way.
    """

    RUNS = "runs"
    REVIEW = "review"
    MANUAL = "manual"
    IMPOSSIBLE = "impossible"


class SuppressedBy(StrEnum):
    """Why a finding does not count: a comment, the baseline, or an unchanged line."""

    COMMENT = "comment"
    BASELINE = "baseline"
    UNCHANGED = "unchanged-line"


class Status(StrEnum):
    """What the run did with a file."""

    REWRITTEN = "rewritten"
    UNCHANGED = "unchanged"
    UNREADABLE = "unreadable"
