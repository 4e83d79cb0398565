"""Every function gets an answer: a translation whose source parses, or a refusal with a text."""

from __future__ import annotations

import ast
import os
import sys
from pathlib import Path

import pytest

from dstream_compat.native import ACCEPTABLE, Translation, Translator, column, row, to_source
from dstream_compat.native.names import module_environment
from dstream_compat.native.types import Array, Double, Long, Nullable, String

pytestmark = pytest.mark.slow

LIBRARY = Path(ast.__file__).parent
FILES = sorted(LIBRARY.glob("*.py"))[:: 1 if os.environ.get("DSTREAM_COMPAT_FULL") else 6]
ARGUMENTS = [
    (column("x", String()),),
    (row({"a": String(), "n": Long(0, 9)}),),
    (column("x", Nullable(String())),),
    (column("x", Array(Long())),),
    (column("x", Double()), column("y", Long(0, 5))),
]


# newer versions have fewer functions that can be translated
FEWEST = 100 if sys.version_info < (3, 12) else 70


def test_functions_of_the_standard_library() -> None:
    translated = refused = 0
    for path in FILES:
        module = ast.parse(path.read_text(encoding="utf-8"))
        translator = Translator(module_environment(module), ACCEPTABLE)
        for node in ast.walk(module):
            if not isinstance(node, ast.Lambda | ast.FunctionDef):
                continue
            for arguments in ARGUMENTS:
                for found in (
                    translator.map(node, *arguments),
                    translator.filter(node, *arguments),
                    translator.flat_map(node, *arguments),
                ):
                    if isinstance(found, Translation):
                        translated += 1
                        ast.parse(to_source(found.expression).text, mode="eval")
                    else:
                        refused += 1
                        assert found.code.name in str(found)
    assert translated > FEWEST
    assert refused > 1000
