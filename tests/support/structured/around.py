"""Modules around a job, from their texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from migrator.discover.filetypes import FileType
from migrator.infer.around import ModulesAround
from migrator.model.locate import ModuleIndex
from migrator.source.document import read_document


def modules_in(
    texts: Mapping[str, str], stream_lines: Callable[[str], Collection[int]], job: str = "job.py"
) -> ModulesAround:
    """The modules with some texts around a job, from which it may take code."""
    return ModulesAround(
        job,
        ModuleIndex({*texts, job}),
        lambda path: read_document(FileType.PYTHON, texts[path].encode()).unit,
        stream_lines,
    )
