"""Imports read from text, and the groups of files that they make."""

from __future__ import annotations

import pytest

from migrator.infer.import_graph import ImportGraph
from migrator.model.locate import ModuleIndex

FILES = ("a.py", "b.py", "c.py", "d.py", "pkg/__init__.py", "pkg/x.py", "pkg/y.py", "n.ipynb")


def graph(**sources: str) -> ImportGraph:
    named = {f"{name}.py" if name != "n" else "n.ipynb": text for name, text in sources.items()}
    return ImportGraph(ModuleIndex(FILES), FILES, lambda file: named.get(file, "").encode())


IMPORTS = [
    ("import b", {"b.py"}),
    ("import os, b as bee ,c", {"b.py", "c.py"}),
    ("from b import f", {"b.py"}),
    ("if x: from b import f; import c", {"b.py", "c.py"}),
    ("from b import (\n    f,\n    g,\n)", {"b.py"}),
    ("from pkg import x, \\\n    y", {"pkg/__init__.py", "pkg/x.py", "pkg/y.py"}),
    ("from pkg import (x, # one\n y)", {"pkg/__init__.py", "pkg/x.py", "pkg/y.py"}),
    ("import pkg.x", {"pkg/__init__.py", "pkg/x.py"}),
    ("from . import b", {"b.py"}),
    ("from .pkg.y import *", {"pkg/__init__.py", "pkg/y.py"}),
    ("m = importlib.import_module('pkg.x')", {"pkg/__init__.py", "pkg/x.py"}),
    ("m = import_module(f'pkg.{name}')", {"pkg/__init__.py", "pkg/x.py", "pkg/y.py"}),
    ("import a", set()),
    ("import numpy\nfrom json import loads", set()),
    ("important = fromage", set()),
    ("", set()),
]


@pytest.mark.parametrize(("source", "found"), IMPORTS)
def test_imports(source: str, found: set[str]) -> None:
    assert graph(a=source).imports("a.py") == found


def test_imports_of_a_notebook() -> None:
    cells = '{"cells": [{"source": ["from b import f\\n", "import c"]}]}'
    assert graph(n=cells).imports("n.ipynb") == {"b.py", "c.py"}


def test_importers() -> None:
    found = graph(a="import b", c="from b import f")
    assert found.importers("b.py") == ["a.py", "c.py"]
    assert found.importers("a.py") == []


def test_groups() -> None:
    """Files hang together through others too, in whatever direction, in a circle or not."""
    found = graph(a="import c", b="import c", c="import a", d="")
    assert list(found.groups(["a.py", "b.py", "d.py"])) == [["a.py", "b.py"], ["d.py"]]
    assert list(found.groups([])) == []
