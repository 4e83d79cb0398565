"""Reads programs, and converts those that are Python 2.

Decision 0083: Python 2 is converted in the same run, and what is not proven is reported.
"""

from __future__ import annotations

from dataclasses import dataclass

from migrator.discover.filetypes import FileType
from migrator.model.events import Event
from migrator.model.report import Conversion
from migrator.source.document import Document, read_document
from migrator.source.python2 import ConvertProblem


@dataclass(frozen=True, slots=True)
class ReadProgram:
    """A program as it is analysed.

    Parameters
    ----------
    conversion : Conversion, optional
        The file in Python 3 if it was converted.
    events : tuple of Event
        What the conversion has changed, and what it cannot know.
    refused : str
        Why it was not converted.
    """

    document: Document
    conversion: Conversion | None = None
    events: tuple[Event, ...] = ()
    refused: str = ""


def read_program(kind: FileType, data: bytes, convert: bool) -> ReadProgram:
    """Read a Python file or a notebook.

    Parameters
    ----------
    convert : bool
        Whether Python 2 becomes Python 3.

    Raises
    ------
    DecodeProblem, NotebookProblem
        If it is not text, or not a notebook.
    """
    document = read_document(kind, data)
    if not convert or not document.python2 or document.unit is None:
        return ReadProgram(document)
    # only Python 2 files pay for it
    from migrator.python2.convert import convert_document

    try:
        return ReadProgram(*convert_document(kind, document))
    except ConvertProblem as problem:
        # the first one may have been changed
        return ReadProgram(read_document(kind, data), refused=str(problem))
