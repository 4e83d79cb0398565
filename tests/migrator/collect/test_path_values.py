"""Paths of a program are known as far as they are constant."""

from __future__ import annotations

import ast

import pytest

from migrator.collect.path_values import PathValues
from migrator.discover.filetypes import FileType
from migrator.source.document import read_document


def path(text: str) -> str | None:
    """The path that the last statement of a program gives."""
    unit = read_document(FileType.PYTHON, text.encode()).unit
    assert unit is not None
    last = unit.tree.body[-1]
    assert isinstance(last, ast.Expr)
    return PathValues(unit).path(last.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("'/opt/spark'", "/opt/spark"),
        ("home = '/opt'\nhome + '/spark'", "/opt/spark"),
        ("home = '/opt'\nf'{home}/spark'", "/opt/spark"),
        ("import os\nos.path.join('/opt', 'spark')", "/opt/spark"),
        ("from os.path import join as j\nj('/opt', 'spark')", "/opt/spark"),
        ("from pathlib import Path\nPath('/opt') / 'spark'", "/opt/spark"),
        ("import os\nos.environ['SPARK_HOME'] + '/python'", "$SPARK_HOME/python"),
        ("import os\nos.environ['H'] = '/opt'\nos.getenv('H')", "/opt"),
        ("import os\nos.getenv('H', '/opt')", "/opt"),
        ("import os\nos.getenv('H') or '/opt'", "/opt"),
        ("import glob\nglob.glob('/opt/py4j-*.zip')[0]", "/opt/py4j-*.zip"),
    ],
)
def test_constant_paths(text: str, found: str) -> None:
    assert path(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "home = '/opt'\nhome = '/usr'\nhome",
        "home = '/opt'\ndef f(home): pass\nhome",
        "for home in ['/opt']: pass\nhome",
        "import mine as os\nos.path.join('/opt', 'spark')",
        "def join(*parts): pass\njoin('/opt', 'spark')",
        "home = home\nhome",
        "f('/opt')",
        "home = '/opt'\nf'{home!r}/spark'",
    ],
)
def test_paths_that_may_be_others(text: str) -> None:
    assert path(text) is None


def test_a_variable_that_is_set_twice_is_not_known() -> None:
    assert path("import os\nos.environ['H'] = 'a'\nos.environ['H'] = 'b'\nos.environ['H']") is None
