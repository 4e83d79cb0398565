"""Applies the fixes of findings to a file: spans of its text, beside the rewrite of its imports."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass, replace

from migrator.discover.filetypes import FileType
from migrator.model.report import Fix, Safety, TextEdit
from migrator.source.decode import decode_python
from migrator.source.document import Texts
from migrator.source.lines import TextLines, changes, keep_ends
from migrator.source.notebook import read_notebook
from migrator.source.spans import Span, collide, minimal_span, with_spans


@dataclass(frozen=True, slots=True)
class FileTexts:
    """The texts of a file, one for each cell of a notebook, and a way to write them back."""

    texts: Texts
    render: Callable[[Texts], bytes]


def file_texts(kind: FileType, data: bytes) -> FileTexts:
    """Return the texts of a file, in which every byte can be told again.

    Raises
    ------
    DecodeProblem, NotebookProblem
        If it cannot be read as what it is.
    """
    if kind is FileType.NOTEBOOK:
        notebook = read_notebook(data)
        cells = (*notebook.cells, *notebook.texts)
        texts: Texts = {cell.number: cell.source for cell in cells}
        return FileTexts(
            texts,
            lambda new: notebook.with_sources(
                {n: text for n, text in new.items() if n is not None and text != texts[n]}
            ),
        )
    if kind is FileType.PYTHON:
        decoded = decode_python(data)
        return FileTexts({None: decoded.text}, lambda new: decoded.encode(new[None]))
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    text = data[len(bom) :].decode("utf-8", "surrogateescape")
    return FileTexts({None: text}, lambda new: bom + new[None].encode("utf-8", "surrogateescape"))


class FileEditor:
    """Collects the fixes of a file that fit together.

    Parameters
    ----------
    texts : Texts
        The texts of the file.
    moved : Texts, optional
        The same after the rewrite of its imports, if there was one.
    """

    def __init__(self, texts: Texts, moved: Texts | None = None) -> None:
        self.texts = texts
        self.spans: dict[int | None, set[Span]] = {
            cell: set(differences(text, texts[cell] if moved is None else moved[cell]))
            for cell, text in texts.items()
        }

    def add(self, fix: Fix) -> bool:
        """Add a fix, unless one of its edits does not fit the text or what was added before."""
        new_spans: list[tuple[int | None, Span]] = []
        for edit in fix.edits:
            span = self._span(edit)
            if span is None:
                return False
            taken = self.spans[edit.at.cell]
            if span not in taken and any(collide(span, other) for other in taken):
                return False
            new_spans.append((edit.at.cell, span))
        for cell, span in new_spans:
            self.spans[cell].add(span)
        return True

    def _span(self, edit: TextEdit) -> Span | None:
        text = self.texts.get(edit.at.cell)
        if text is None:
            return None
        lines = keep_ends(text)[: edit.at.line]
        if len(lines) < edit.at.line or edit.at.column > len(lines[-1]) + 1:
            return None
        start = sum(map(len, lines[:-1])) + edit.at.column - 1
        end = start + len(edit.old)
        return Span(start, end, edit.new) if text[start:end] == edit.old else None

    def result(self) -> Texts:
        """Return the texts with all that was added."""
        return {cell: with_spans(text, self.spans[cell]) for cell, text in self.texts.items()}


class ConvertedEditor(FileEditor):
    """Collects fixes for a text that was converted before.

    Parameters
    ----------
    texts : Texts
        The texts of the file, which the edits of fixes are about.
    moved : Texts, optional
        The converted ones after the rewrite of their imports, if there was one.
    edits : tuple of TextEdit
        The edits that lead to them.
    """

    def __init__(
        self, texts: Texts, moved: Texts | None, converted: Texts, edits: tuple[TextEdit, ...]
    ) -> None:
        super().__init__(converted, moved)
        plain = FileEditor(texts)
        whole = plain.add(Fix(Safety.SAFE, edits, "")) and plain.result() == converted
        # the spans that are known to lead there may be those of whole lines only
        self.before = plain if whole else FileEditor(texts, converted)

    def _span(self, edit: TextEdit) -> Span | None:
        if edit.converted is not None:
            return super()._span(replace(edit, at=edit.converted))
        edit_span = self.before._span(edit)
        if edit_span is None:
            return None
        shift = 0
        for span in self.before.spans[edit.at.cell]:
            if collide(edit_span, span):
                return None
            if span.end <= edit_span.start:
                shift += len(span.new) - (span.end - span.start)
        return Span(edit_span.start + shift, edit_span.end + shift, edit_span.new)


def differences(before: str, after: str) -> list[Span]:
    """Return the spans that turn one text into another, as small as whole lines let them be."""
    if before == after:
        return []
    old, new = keep_ends(before), keep_ends(after)
    starts = TextLines(before).starts
    return [
        minimal_span(starts[i1], "".join(old[i1:i2]), "".join(new[j1:j2]))
        for i1, i2, j1, j2 in changes(old, new)
    ]
