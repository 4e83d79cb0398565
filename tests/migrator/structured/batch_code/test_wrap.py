"""Statements of code of batches that are longer than a line."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.batch_code.code import wrap


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("words = lines.map(parse)", "words = lines.map(parse)"),
        (
            "counts = words.map(one_of_each).reduceByKey(add)",
            "counts = (\n    words.map(one_of_each)\n    .reduceByKey(add)\n)",
        ),
        (
            "records = spark.sparkContext.parallelize([n.count()], 1)",
            "records = spark.sparkContext.parallelize(\n    [n.count()],\n    1,\n)",
        ),
        (
            "save_what_is_new(users, folder='of the job')",
            "save_what_is_new(\n    users,\n    folder='of the job',\n)",
        ),
        (
            "store.save_what_is_new(n for n in range(1000))",
            "store.save_what_is_new(\n    (n for n in range(1000)),\n)",
        ),
        # nothing to break
        ("a_function_with_a_long_name_of_the_job()", "a_function_with_a_long_name_of_the_job()"),
    ],
)
def test_wrap(statement: str, expected: str) -> None:
    made = wrap(statement, 34)
    assert made == expected
    assert ast.dump(ast.parse(made)) == ast.dump(ast.parse(statement))
