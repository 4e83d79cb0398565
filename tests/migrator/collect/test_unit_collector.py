"""Nodes know their function, and their text fits a message."""

from __future__ import annotations

import ast

from migrator.collect.unit_collector import text_of
from migrator.discover.filetypes import FileType
from migrator.source.child_nodes import enclosing_functions
from migrator.source.document import read_document
from migrator.source.python import Unit


def unit_of(text: str) -> Unit:
    unit = read_document(FileType.PYTHON, text.encode()).unit
    assert unit is not None
    return unit


def test_the_innermost_function() -> None:
    unit = unit_of("a\ndef f(b=c):\n    d\n    return lambda: e\n")
    owners = enclosing_functions(unit.tree)
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
