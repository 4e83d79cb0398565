"""Events about names that Python or PySpark had, and that the versions we need lack."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.events import Event
from migrator.model.report import TextEdit


@dataclass(frozen=True, eq=False)
class RemovedName(Event):
    """A use of something that is gone.

    Parameters
    ----------
    what : str
        "builtin", "module", "name" (of a module of Python), "argument", "method" (of an object of
        Python), "dict-method", "print", "list" (an iterator used as a list), "spark-name" or
        "spark-method".
    text : str
        What is used, as a message names it.
    since : str
        The first version without it, or the last Spark with it.
    error : str
        What using it raises, "" if it raises nothing.
    becomes : str
        What the edits make of it.
    advice : str
        What to use instead.
    caveat : str
        What differs then, so that the edits are not safe.
    edits : tuple of TextEdit
        What replaces it, nothing if that is not proven right.
    hidden_by : int
        The line of an `except` that catches the error, 0 if there is none.
    guessed : str
        What has to be true of the receiver, "" if it is known.
    """

    KEY = "what"
    what: str
    text: str
    since: str = "3.0"
    error: str = ""
    becomes: str = ""
    advice: str = ""
    caveat: str = ""
    edits: tuple[TextEdit, ...] = ()
    hidden_by: int = 0
    guessed: str = ""


@dataclass(frozen=True, eq=False)
class LostSession(Event):
    """`toDF` of an RDD in a program that makes no session: the receiver, and the edits."""

    text: str
    edits: tuple[TextEdit, ...] = ()


@dataclass(frozen=True, eq=False)
class AnsiUse(Event):
    """SQL or a cast that may raise now, where it gave NULL: what is done."""

    text: str
