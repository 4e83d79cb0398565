"""Infers a module together with what it imports of its project, which is read from the disk."""

from __future__ import annotations

from pathlib import Path

from migrator.discover.candidates import MAX_BYTES
from migrator.discover.neighbours import neighbours
from migrator.infer.fixpoint import add_module, infer
from migrator.infer.locate import ModuleIndex
from migrator.infer.program import Program
from migrator.infer.project import Project
from migrator.source.decode import DecodeProblem
from migrator.source.document import read_document
from migrator.source.notebook import NotebookProblem
from migrator.source.python import Unit


def infer_around(unit: Unit, file: Path) -> Program:
    """Infer a module with what it imports.

    Parameters
    ----------
    unit : Unit
        The parsed source.
    file : Path
        Where it is; the file may have another text.

    Returns
    -------
    Program
        The module, whose `facts` describe the nodes of its tree.
    """
    around = neighbours(file.parent)

    def load(name: str) -> Unit | None:
        source, kind = around.sources[name]
        if source.size > MAX_BYTES:
            return None
        try:
            return read_document(kind, source.path.read_bytes()).unit
        except (OSError, DecodeProblem, NotebookProblem):
            return None

    project = Project(ModuleIndex(around.sources, around.base), load, lambda name: ())
    program = add_module(project, file.name, unit, True)
    infer(project)
    return program
