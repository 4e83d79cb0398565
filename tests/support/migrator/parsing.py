"""Checks that what `migrate` wrote parses."""

from __future__ import annotations

import ast
import json

from migrator.source.python2 import convert


def parse(name: str, content: bytes) -> None:
    if name.endswith(".ipynb"):
        json.loads(content)
        return
    try:
        ast.parse(content)
    except SyntaxError:
        # it was Python 2 and still is
        ast.parse(convert(content.decode("utf-8-sig")).converted)
