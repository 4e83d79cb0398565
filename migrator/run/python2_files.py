"""Reads programs, and converts those that are Python 2."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from migrator.discover.filetypes import FileType
from migrator.model.events import Event
from migrator.model.report import Conversion
from migrator.python2.program import Siblings
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


def read_program(
    kind: FileType, data: bytes, convert: bool, siblings: Siblings | None = None
) -> ReadProgram:
    """Read a Python file or a notebook.

    Parameters
    ----------
    kind : FileType
        Which of both it is.
    data : bytes
        Its bytes.
    convert : bool
        Whether Python 2 becomes Python 3.
    siblings : Siblings, optional
        What lies beside it, if that is known.

    Raises
    ------
    DecodeProblem, NotebookProblem
        If it is not text, or not a notebook.
    """
    document = read_document(kind, data)
    if not convert or not document.python2 or document.unit is None:
        return ReadProgram(document)
    # only Python 2 files pay for it
    from migrator.python2.documents import convert_document

    try:
        return ReadProgram(*convert_document(kind, document, siblings or Siblings()))
    except ConvertProblem as problem:
        # the first one may have been changed
        return ReadProgram(read_document(kind, data), refused=str(problem))


def modules_by_folder(sources: Iterable[str]) -> dict[str, Counter[str]]:
    """Return the modules and packages in each folder, with how many files each is made of.

    Parameters
    ----------
    sources : iterable of str
        The paths of all programs.
    """
    found: dict[str, Counter[str]] = {}
    for path in sources:
        folder, _, name = path.rpartition("/")
        if name.endswith(".py"):
            found.setdefault(folder, Counter())[name.removesuffix(".py")] += 1
        if name == "__init__.py" and folder:
            above, _, package = folder.rpartition("/")
            found.setdefault(above, Counter())[package] += 1
    return found


def siblings_of(path: str, folders: Mapping[str, Counter[str]]) -> Siblings:
    """Return the modules in the folder of a program.

    Parameters
    ----------
    path : str
        Where the program lies.
    folders : mapping of str to Counter[str]
        What `modules_by_folder` gives for all programs.
    """
    folder, _, name = path.rpartition("/")
    others = Counter(folders.get(folder, ()))
    if name.endswith(".py"):
        others[name.removesuffix(".py")] -= 1
    modules = {module for module, count in others.items() if count > 0}
    return Siblings(frozenset(modules - {"__init__"}), "__init__" in modules)
