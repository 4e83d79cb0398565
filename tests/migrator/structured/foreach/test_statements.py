"""What a lambda of `foreachRDD` computes becomes statements."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.foreach.statements import statements_of


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("f(rdd)", ["f(rdd)"]),
        ("f(rdd) if rdd.count() else None", ["if rdd.count():", "    f(rdd)"]),
        ("(f(rdd) if not rdd.isEmpty() else g(1))",
         ["if not rdd.isEmpty():", "    f(rdd)", "else:", "    g(1)"]),
        ("None if rdd.isEmpty() else f(rdd)", ["if not rdd.isEmpty():", "    f(rdd)"]),
        ("0 if a or b else f(rdd)", ["if not (a or b):", "    f(rdd)"]),
        ("rdd.isEmpty() or f(rdd)", ["if not rdd.isEmpty():", "    f(rdd)"]),
        ("not a == b and f(rdd)", ["if not a == b:", "    f(rdd)"]),
        ("not a or f(rdd)", ["if a:", "    f(rdd)"]),
        ("(a or b) and f(rdd)", ["if a or b:", "    f(rdd)"]),
        ("a and (b or f(rdd))", ["if a:", "    if not b:", "        f(rdd)"]),
        ("f(rdd) if a else g(rdd) if b else 0",
         ["if a:", "    f(rdd)", "else:", "    if b:", "        g(rdd)"]),
        ("rdd\n  .map(f)\n  .count() if a\n  .b else 0",
         ["if (a\n  .b):", "    (rdd\n  .map(f)\n  .count())"]),
        # nothing is done in a branch
        ("None if a else 0", ["None if a else 0"]),
        ("a and 0", ["a and 0"]),
        # its values have to be tested one after the other
        ("a and b and f(rdd)", ["a and b and f(rdd)"]),
    ],
)  # fmt: skip
def test_statements(text: str, lines: list[str]) -> None:
    assert statements_of(text) == lines
    ast.parse("\n".join(lines))
