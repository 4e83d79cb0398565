"""Arguments of a call by the names of the parameters."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.program.arguments import arguments_of, bind_arguments, is_none
from migrator.structured.refusals import NotExpressible

PARAMETERS = ("func", "numPartitions=", "partitionFunc=")


def found_in(text: str) -> dict[str, str] | None:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    found = bind_arguments(call, PARAMETERS)
    return None if found is None else {name: ast.unparse(node) for name, node in found.items()}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("f(add)", {"func": "add"}),
        ("f(add, 4)", {"func": "add", "numPartitions": "4"}),
        ("f(numPartitions=4, func=add)", {"func": "add", "numPartitions": "4"}),
        ("f(add, partitionFunc=hash)", {"func": "add", "partitionFunc": "hash"}),
    ],
)
def test_what_fits(text: str, found: dict[str, str]) -> None:
    assert found_in(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "f()",
        "f(numPartitions=4)",
        "f(add, func=sub)",
        "f(add, other=1)",
        "f(add, 4, hash, 1)",
        "f(*args)",
        "f(add, *args)",
        "f(add, **more)",
    ],
)
def test_what_does_not(text: str) -> None:
    assert found_in(text) is None


def test_a_refusal_names_the_method() -> None:
    call = ast.parse("lines.reduceByKey()", mode="eval").body
    assert isinstance(call, ast.Call)
    with pytest.raises(NotExpressible, match="the arguments of reduceByKey are not known"):
        arguments_of(call, *PARAMETERS)


@pytest.mark.parametrize(("text", "none"), [("None", True), ("0", False), ("none", False)])
def test_the_constant_none(text: str, none: bool) -> None:
    assert is_none(ast.parse(text, mode="eval").body) is none
