"""Edits stand where `ast` says, whatever characters come before, and nodes know their function."""

from __future__ import annotations

import ast

import pytest

from migrator.collect.chunk_edits import offset_in, replacement
from migrator.collect.enclosing_functions import enclosing_functions
from migrator.collect.unit_collector import text_of
from migrator.discover.filetypes import FileType
from migrator.source.document import read_document
from migrator.source.python import Unit


def unit_of(text: str) -> Unit:
    unit = read_document(FileType.PYTHON, text.encode()).unit
    assert unit is not None
    return unit


@pytest.mark.parametrize(
    "before", ["", "x = 1\n", "x = 1\r\n", "# ä 語 😀\n", "'''a\n\x0c\n'''\n", "'ä 語 😀'; "]
)
def test_an_edit_of_a_name(before: str) -> None:
    unit = unit_of(f"{before}found(1)\n")
    [name] = (each for each in unit.nodes() if isinstance(each, ast.Name) and each.id == "found")
    chunk = unit.chunk_at(name.lineno)
    start = offset_in(chunk, name.lineno, name.col_offset)
    end = offset_in(chunk, name.lineno, name.end_col_offset or 0)
    assert chunk.text[start:end] == "found"
    edit = replacement(chunk, start, end, "new")
    assert (edit.old, edit.new, edit.converted) == ("found", "new", None)
    lines = chunk.text[:start].split("\n")
    assert (edit.at.line, edit.at.column) == (len(lines), len(lines[-1]) + 1)


def test_the_innermost_function() -> None:
    unit = unit_of("a\ndef f(b=c):\n    d\n    return lambda: e\n")
    owners = enclosing_functions(unit)
    found = {
        node.id: type(owners[node]).__name__ for node in unit.nodes() if isinstance(node, ast.Name)
    }
    assert found["a"] == "Module"
    assert found["d"] == "FunctionDef"
    assert found["e"] == "Lambda"


def test_a_text_fits_a_message() -> None:
    node = ast.parse(f"f(\n  1,\n  {'x' * 100})", mode="eval").body
    assert text_of(node).startswith("f(1, xxx")
    assert text_of(node).endswith("x...")
    assert len(text_of(node)) == 63
    assert text_of(ast.Name("x" * 60)) == "x" * 60
