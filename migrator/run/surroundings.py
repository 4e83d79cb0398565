"""Finds the modules around a job, which are read from the disk when they are asked for."""

from __future__ import annotations

from pathlib import Path

from migrator.discover.candidates import MAX_BYTES
from migrator.discover.neighbours import neighbours
from migrator.infer.around import ModulesAround
from migrator.model.locate import ModuleIndex
from migrator.source.decode import DecodeProblem
from migrator.source.document import read_document
from migrator.source.notebook import NotebookProblem
from migrator.source.python import Unit


def surroundings(file: Path) -> ModulesAround:
    """Return the modules around a file."""
    around = neighbours(file.parent)

    def load(name: str) -> Unit | None:
        source, kind = around.sources[name]
        if source.size > MAX_BYTES:
            return None
        try:
            return read_document(kind, source.path.read_bytes()).unit
        except (OSError, DecodeProblem, NotebookProblem):
            return None

    return ModulesAround(file.name, ModuleIndex(around.sources, around.base), load)
