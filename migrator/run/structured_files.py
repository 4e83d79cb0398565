"""The file of a job: its program is one, whatever cells it is in, and goes back into them."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from migrator.discover.filetypes import FileType
from migrator.model.report import Spot, shown_place
from migrator.model.structured_forms import StructuredForm, StructuredStep
from migrator.source.document import Document, Texts, read_document
from migrator.source.joined import JoinedParts
from migrator.source.notebook import NotebookProblem
from migrator.source.problems import RewriteProblem
from migrator.spark.since import version_name
from migrator.structured.rewrite import NOTED_LINE, Rewritten


@dataclass(frozen=True)
class Misfit:
    """Why a file cannot have its new program, and where."""

    text: str
    at: Spot


def new_content(
    kind: FileType, before: bytes, parts: JoinedParts, form: Rewritten
) -> bytes | Misfit:
    """Return the bytes of a file with a new program, which read back as it."""
    document = read_document(kind, before)
    texts = document.texts
    try:
        texts = {**texts, **parts.split(form.text)}
        content = document.render(texts)
    except (RewriteProblem, NotebookProblem) as problem:
        return Misfit(str(problem), Spot(1, 1, _first_misfit(document, texts)))
    again = read_document(kind, content).texts
    wrong = [cell for cell in texts if not _is_same(texts[cell], again.get(cell, ""))]
    if wrong:
        return Misfit("the result does not read back as it was written", Spot(1, 1, wrong[0]))
    return content


def _first_misfit(document: Document, texts: Texts) -> int | None:
    """Return the first cell that cannot have its new source."""
    for cell, text in texts.items():
        try:
            document.render({**document.texts, cell: text})
        except NotebookProblem:
            return cell
    return None


def _is_same(text: str, other: str) -> bool:
    """Return whether two sources are the same program; cells in comments have no empty lines."""
    return text == other or ast.dump(ast.parse(text)) == ast.dump(ast.parse(other))


def unread_cell(parts: JoinedParts, form: Rewritten) -> Spot | None:
    """Return the place of a cell that may do something with the job, if nobody can read it."""
    for cell, text in parts.unread.items():
        if form.names.intersection(re.findall(r"\w+", text)):
            return Spot(1, 1, cell)
    return None


def form_with_places(form: Rewritten, parts: JoinedParts) -> StructuredForm:
    """Return what a rewriting says, with places in the file."""
    steps = tuple(
        StructuredStep(parts.spot(step.line), step.before, step.after, step.why)
        for step in form.steps
    )
    said = [with_place(text, parts) for text in form.differences]
    said += [f"cell {cell} does not parse, and stays as it is" for cell in parts.unread if cell]
    return StructuredForm(steps, tuple(said), form.is_portable, version_name(form.spark))


def with_place(text: str, parts: JoinedParts) -> str:
    """Return a note about a line with the place of that in the file."""
    return NOTED_LINE.sub(lambda line: shown_place(parts.spot(int(line[1]))), text)
