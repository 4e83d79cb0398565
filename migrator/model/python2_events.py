"""Events of the conversion of Python 2."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.events import Event


@dataclass(frozen=True, eq=False)
class Python2Change(Event):
    """Something that was converted: by which fixer, and what became of it."""

    KEY = "fixer"
    fixer: str
    text: str


@dataclass(frozen=True, eq=False)
class Python2Doubt(Event):
    """A place whose meaning in Python 3 is not proven to be the same.

    Parameters
    ----------
    kind : str
        Which doubt it is, for one rule.
    text : str
        The source that it is about.
    detail : str
        What is known of it.
    proven : bool
        Whether it is known to fail or to differ.
    """

    KEY = "kind"
    kind: str
    text: str
    detail: str = ""
    proven: bool = False
