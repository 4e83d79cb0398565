"""Settings are read without a copy of all of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from pyspark import SparkContext

import dstream_compat
from dstream_compat.spark.conf import conf_of


def test_they_are_those_of_the_context(sc: SparkContext) -> None:
    assert dict(conf_of(sc).getAll()) == dict(sc.getConf().getAll())


def calls_of(name: str, code: str) -> list[str]:
    """Return the calls of a method, of whatever object; comments are none."""
    return [
        ast.unparse(node)
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == name
    ]


def test_calls_are_seen_on_whatever_object() -> None:
    code = "# sc.getConf()\nsc.getConf()\nself._sc.getConf()\nf().getConf().get('a')\nsc.getConf\n"
    assert calls_of("getConf", code) == ["sc.getConf()", "self._sc.getConf()", "f().getConf()"]


@pytest.mark.slow
def test_no_module_copies_them() -> None:
    root = Path(dstream_compat.__file__).parent
    copies = [
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if calls_of("getConf", path.read_text())
    ]
    assert copies == []
