"""Infers a module together with what it imports of its project."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from migrator.infer.fixpoint import add_module, infer
from migrator.infer.program import Program, Project
from migrator.model.locate import ModuleIndex
from migrator.source.python import Unit


@dataclass(frozen=True, eq=False)
class ModulesAround:
    """The modules around a file.

    Parameters
    ----------
    file : str
        The file, as the index names it.
    index : ModuleIndex
        Where imports lead.
    load : callable
        Reads a module by its file, or None if it cannot be read.
    stream_lines : callable, optional
        The lines of a file that use streams or contexts, as all of the project says; without it a
        job takes no code from other files.
    """

    file: str
    index: ModuleIndex
    load: Callable[[str], Unit | None]
    stream_lines: Callable[[str], Collection[int]] | None = None


def infer_around(unit: Unit, around: ModulesAround) -> Program:
    """Infer a module with what it imports; `facts` of the result describe the nodes of its tree.

    Parameters
    ----------
    unit : Unit
        The parsed source; the file may have another text.
    around : ModulesAround
        What is around its file.
    """
    project = Project(around.index, around.load, lambda name: ())
    program = add_module(project, around.file, unit, True)
    infer(project)
    return program
