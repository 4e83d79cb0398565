"""Checks that what `migrate` wrote parses."""

from __future__ import annotations

import ast
import json

from migrator.model.report import FileReport
from migrator.source.python2 import read_as_python3


def parse(name: str, found: FileReport) -> None:
    """Check that the new content of a file parses as Python 3.

    It cannot for Python 2 that is refused by the conversion, of which only imports are rewritten:
    then the file did not parse before either, and is still the Python 2 that it was.
    """
    assert found.content is not None
    if name.endswith(".ipynb"):
        json.loads(found.content)
    elif found.conversion is not None or _is_python3(found.original):
        ast.parse(found.content)
    elif not _is_python3(found.content):
        ast.parse(read_as_python3(found.content.decode("utf-8-sig")).text.text)


def _is_python3(content: bytes) -> bool:
    try:
        ast.parse(content)
    except SyntaxError:
        return False
    return True
