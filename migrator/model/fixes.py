"""Fixes: the edits of a file's text that solve a finding."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.labels import Safety
from migrator.model.places import Spot


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A span of a file and what takes its place: `old` is the text that has to stand at `at`."""

    at: Spot
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Fix:
    """The edits that solve a finding: all of them are made, or none.

    Attributes
    ----------
    summary
        What is done, the message of the finding once it is fixed.
    python_only
        Whether it would break the job if that were written in Scala or Java.
    asks
        The option whose value a null character in the edits stands for, if they need one.
    reminder
        Message and advice of a warning that stays.
    """

    safety: Safety
    edits: tuple[TextEdit, ...]
    summary: str
    python_only: bool = False
    asks: str = ""
    reminder: tuple[str, str] | None = None
