"""Places of `ast` are found in the text and back, whatever characters come before."""

from __future__ import annotations

import ast

import pytest

from migrator.discover.filetypes import FileType
from migrator.source.document import read_document
from migrator.source.lines import TextLines

BEFORE = ["", "x = 1\n", "x = 1\r\n", "# ä 語 😀\n", "'''a\n\x0c\n'''\n", "'ä 語 😀'; "]


@pytest.mark.parametrize("before", [*BEFORE, "x = 1\r", "'\u2028\x1c'; "])
@pytest.mark.parametrize("after", ["", "\n", "\r\n"])
def test_a_node_and_its_place(before: str, after: str) -> None:
    text = f"{before}found(1){after}"
    lines = TextLines(text)
    node = ast.parse(text).body[-1]
    start, end = lines.span(node)
    assert text[start:end] == "found(1)"
    assert lines.place(start) == (node.lineno, lines.column(node.lineno, node.col_offset))
    assert lines.offset(node.lineno, node.col_offset) == start


@pytest.mark.parametrize("text", ["", "a", "a\n", "a\nb", "a\r\rb\n", "\n"])
def test_offsets_and_lines(text: str) -> None:
    lines = TextLines(text)
    assert "".join(lines.rows) == text
    assert lines.starts[-1] == len(text)
    for offset in range(len(text) + 1):
        line, column = lines.place(offset)
        assert lines.starts[line - 1] + column == offset
        assert offset < lines.starts[line] or offset == len(text)


@pytest.mark.parametrize(
    ("text", "end"), [("", "\n"), ("a\rb", "\r"), ("a\n\r\n\r\n", "\r\n"), ("a\r\n\n", "\n")]
)
def test_the_usual_end(text: str, end: str) -> None:
    assert TextLines(text).usual_end == end


@pytest.mark.parametrize("before", BEFORE)
def test_the_edit_of_a_name(before: str) -> None:
    unit = read_document(FileType.PYTHON, f"{before}found(1)\n".encode()).unit
    assert unit is not None
    [name] = (each for each in unit.nodes() if isinstance(each, ast.Name) and each.id == "found")
    chunk = unit.chunk_at(name.lineno)
    start, end = chunk.span(name)
    edit = chunk.edit(start, end, "new")
    assert (edit.old, edit.new, edit.converted) == ("found", "new", None)
    lines = chunk.text[:start].split("\n")
    assert (edit.at.line, edit.at.column) == (len(lines), len(lines[-1]) + 1)
    assert unit.spot_of(name) == unit.name_spot(name) == edit.at


def test_the_place_of_the_name_of_an_attribute() -> None:
    unit = read_document(FileType.PYTHON, "ä.b . has_key\n".encode()).unit
    assert unit is not None
    [node] = (each for each in unit.nodes() if getattr(each, "attr", "") == "has_key")
    assert isinstance(node, ast.Attribute)
    assert (unit.spot_of(node).column, unit.name_spot(node).column) == (1, 7)
    assert unit.chunks[0].source(node) == "ä.b . has_key"
