"""Sources in the plain layout, and back."""

from __future__ import annotations

import ast

import pytest

from migrator.source.layout import plain_layout
from migrator.source.problems import RewriteProblem

PLAIN = "def f(x):\n    if x:\n        return 1\n    return 2\n\n\nf(0)\n"
# how it is written, and the same with a statement a line
SOURCES = [
    ("a = 1; b = 2;  # c\n", "a = 1\nb = 2  # c\n"),
    ("a = 1;\n", "a = 1\n"),
    ("a = 1; \\\n  b = 2\n", "a = 1\nb = 2\n"),
    ("if x: y(); z()\nelse: pass\n", "if x:\n    y()\n    z()\nelse:\n    pass\n"),
    ("class A: pass  # c\n", "class A:\n    pass  # c\n"),
    ("def f(x): return x", "def f(x):\n    return x"),
    ("for a in b:\n\tc\n\n\t# d\n\te\n", "for a in b:\n    c\n\n    # d\n    e\n"),
    ("if x:\n  f(1,\n    2)\n", "if x:\n    f(1,\n      2)\n"),
    ("if x:\n\tf(1,\n\t\t2)\n", "if x:\n    f(1,\n        2)\n"),
    ("if x:\n\ty = a \\\n\t\t.b()\n", "if x:\n    y = a \\\n        .b()\n"),
    ("if x:\r\n    a\r    b\n", "if x:\n    a\n    b\n"),
    ("if x:\n\ty = '''\n\t;\n'''\n", "if x:\n    y = '''\n\t;\n'''\n"),
    ("x = 'a;b'; y = {1: 2}\n", "x = 'a;b'\ny = {1: 2}\n"),
    (
        "try: a\nexcept B: c\nfinally: d; e\n",
        "try:\n    a\nexcept B:\n    c\nfinally:\n    d\n    e\n",
    ),
]


@pytest.mark.parametrize(("text", "plain"), SOURCES)
def test_the_plain_layout(text: str, plain: str) -> None:
    layout = plain_layout(text)
    assert layout.text == plain
    assert layout.restore(plain) == text


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "",
        "# only this",
        "match x:\n    case 1 if y:\n        z\n",
        "if a:\n    b = '; \t'  # \t;",
        "if a:\n    b\nelif c:\n    d\n",
    ],
)
def test_a_plain_source_is_not_touched(text: str) -> None:
    layout = plain_layout(text)
    assert layout.text == text
    assert layout.restore("whatever (") == "whatever ("


@pytest.mark.parametrize("text", [text for text, _ in SOURCES])
def test_lines_around_an_edit_stay(text: str) -> None:
    layout = plain_layout(text)
    found = layout.restore(f"import os\n{layout.text}")
    head, end = (f"import os{end}" for end in ("\r\n", "\n"))
    assert found.endswith(text)
    assert found.removesuffix(text) in (head, end)


def test_tabs_that_python_alone_reads() -> None:
    text = "def f():\n    for a in b:\n\t    if a:\n\t\t    c\n    return 1\n"
    layout = plain_layout(text)
    assert layout.text.split("\n")[2:4] == ["        if a:", "            c"]
    assert layout.restore(layout.text) == text
    assert layout.restore(layout.text.replace("return 1", "return 2")) == text.replace("1", "2")
    with pytest.raises(RewriteProblem, match="does not fit"):
        layout.restore(layout.text.replace("            c", "            c\n            d"))


def test_new_lines_are_indented_as_their_block() -> None:
    text = "def f():\n\treturn 1\ndef g():\n  if 1:\n     return 2\nx = 1;\n"
    layout = plain_layout(text)
    edited = layout.text.replace("    return 1", "    a = (\n        1\n    )\n    return 1")
    edited = edited.replace(
        "        return 2", "        b\n        if b:\n            c\n        return 2"
    )
    expected = text.replace("\treturn 1", "\ta = (\n\t\t1\n\t)\n\treturn 1")
    expected = expected.replace("     return 2", "     b\n     if b:\n     \tc\n     return 2")
    assert layout.restore(edited) == expected


def test_one_statement_of_a_line_changes() -> None:
    layout = plain_layout("if x: a; b  # c\nd; e\n")
    edited = layout.text.replace("b  # c", "z(1)  # c")
    assert layout.restore(edited) == "if x:\n    a\n    z(1)  # c\nd; e\n"


def test_new_lines_end_as_most_do() -> None:
    layout = plain_layout("a\r\nb\r\nc\nd")
    assert layout.restore("a\nnew\nb\nc\nd") == "a\r\nnew\r\nb\r\nc\nd"


def test_places_are_those_of_the_source() -> None:
    text = "x = 'é'; y = 1\nif x:\n\tz; w = y\n"
    layout = plain_layout(text)
    lines = text.encode().split(b"\n")
    for node in ast.walk(ast.parse(layout.text)):
        if isinstance(node, ast.Name):
            line, column = layout.place(node.lineno, node.col_offset)
            assert lines[line - 1][column:].startswith(node.id.encode())


def test_what_does_not_fit_is_refused() -> None:
    layout = plain_layout("if x: a; b\n")
    with pytest.raises(RewriteProblem, match="does not fit"):
        layout.restore("if x:\n    a\n\n\n   \\\n    b\n(")


def test_a_source_that_is_too_new_stays() -> None:
    # nobody but the newest parsers reads it as a program
    text = "x = 1;\ntype = 2\n\f\nif x: y\n"
    layout = plain_layout(text)
    assert layout.restore(layout.text) == text
