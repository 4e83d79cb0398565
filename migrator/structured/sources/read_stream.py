"""Streaming readers, with their options."""

from __future__ import annotations

import ast
import json

from ..builder.builder import Builder
from ..dataframes.frames import Chain


def reader(builder: Builder, kind: str, options: dict[str, ast.expr | str]) -> Chain:
    """Return ``spark.readStream`` with a format and options, which are source or literal texts; the
    option ``**`` is a dict of options.
    """
    code = Chain(f"{builder.session}.readStream").call("format", f'"{kind}"')
    for name, value in options.items():
        text = value if isinstance(value, str) else builder.source(value)
        if name == "**":
            code = code.call("options", f"**{text}")
            continue
        code = code.call("option", json.dumps(name, ensure_ascii=False), text)
    return code
