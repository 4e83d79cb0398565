"""Fixes: the edits of a file's text that solve a finding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from migrator.model.labels import Safety
from migrator.model.places import Spot

if TYPE_CHECKING:
    from migrator.model.findings import Finding


@dataclass(frozen=True, slots=True)
class TextEdit:
    """A span of a file and what takes its place: `old` is the text that has to stand at `at`.

    Parameters
    ----------
    converted : Spot, optional
        Where it stands in the file once that is converted, if the edit is about that text.
    """

    at: Spot
    old: str
    new: str
    converted: Spot | None = None


@dataclass(frozen=True, slots=True)
class Fix:
    """The edits that solve a finding: all of them are made, or none.

    Parameters
    ----------
    summary : str
        What is done, the message of the finding once it is fixed.
    python_only : bool
        Whether it would break the job if that were written in Scala or Java.
    follows_imports : bool
        Whether it is right only if every import of `pyspark.streaming` in the project moves.
    asks : str
        The option whose value a null character in the edits stands for, if they need one.
    reminder : Finding, optional
        What a person has to look at once it is made.
    after : tuple of str
        Files in which no finding of the same rule may stay, else it is not made.
    """

    safety: Safety
    edits: tuple[TextEdit, ...]
    summary: str
    python_only: bool = False
    follows_imports: bool = False
    asks: str = ""
    reminder: Finding | None = None
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversion:
    """A Python 2 file as Python 3, before anything else of it changes.

    Parameters
    ----------
    edits : tuple of TextEdit
        What has become of its text.
    """

    content: bytes
    edits: tuple[TextEdit, ...] = ()
