"""Docstrings of the packages have one style: that of Spark's Python API and numpydoc."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLACES = ["dstream_compat", "migrator", "benchmarks", "scripts"]
NOUN_PHRASES = {
    *("A", "All", "An", "Another", "Each", "Every", "How", "It", "Its", "Nothing", "One", "Only"),
    *("Several", "The", "There", "These", "This", "Two", "What", "Where", "Whether", "Which"),
    "Why",
}
VERBS_IN_S = {"Pass", "Process", "Suppress"}
# as Spark's own listeners say it
CALLBACK = "Called"

Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@functools.cache
def documented() -> list[tuple[str, Documented, str]]:
    """Every function and class with a docstring, and where it is."""
    found = []
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, Documented) and (text := ast.get_docstring(node)):
                    where = f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
                    found.append((where, node, text))
    return found


def is_imperative(text: str) -> bool:
    """Whether a docstring says what to do: ``Return``, not ``Returns`` or ``The``."""
    first = re.split(r"[ ,;:.\n]", text)[0]
    if first == CALLBACK:
        return True
    third_person = first.endswith("s") and first not in VERBS_IN_S
    return first.isalpha() and first[0].isupper() and first not in NOUN_PHRASES and not third_person


def is_property(node: Documented) -> bool:
    """Whether an attribute is documented, which has the docstring of a noun."""
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def entries(text: str, section: str) -> Iterator[str]:
    """The first lines of what a section lists."""
    found = re.search(rf"^{section}\n-+\n(.*?)(?=\n\w+\n-+\n|\Z)", text, re.M | re.S)
    for line in found[1].split("\n") if found else ():
        if line and not line.startswith(" "):
            yield line


def test_there_are_docstrings() -> None:
    assert len(documented()) > 3000


def test_functions_have_imperatives() -> None:
    found = [
        f"{where}: {text.splitlines()[0]}"
        for where, node, text in documented()
        if not isinstance(node, ast.ClassDef) and not is_property(node) and not is_imperative(text)
    ]
    assert found == []


def test_properties_have_nouns() -> None:
    found = [
        f"{where}: {text.splitlines()[0]}"
        for where, node, text in documented()
        if is_property(node) and re.match(r"(Return|Get|See|Yield)s?\b", text)
    ]
    assert found == []


def test_parameters_have_types() -> None:
    found = [
        f"{where}: {entry}"
        for where, node, text in documented()
        for entry in entries(text, "Parameters")
        if " : " not in entry
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Return what it is.", True),
        ("Process a batch.", True),
        ("Called when a batch ends.", True),
        ("Returns what it is.", False),
        ("The batch.", False),
        ("Whether it is.", False),
        ("`x.y`.", False),
    ],
)
def test_moods_are_told_apart(text: str, expected: bool) -> None:
    assert is_imperative(text) is expected


def test_sections_are_read() -> None:
    text = (
        "Do it.\n\nParameters\n----------\na\n    first\nb : int\n    second\n\nRaises\n------\nE\n"
    )
    assert list(entries(text, "Parameters")) == ["a", "b : int"]
