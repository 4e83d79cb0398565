"""The texts of goldens: a job, its result, and what the rewriting is given."""

from __future__ import annotations

import io
import json
import tokenize
from collections import Counter
from typing import Any

from migrator.run.surroundings import surroundings
from migrator.structured.json_shape import json_shape
from tests.support.structured.pairs import BY_HAND, GOLDENS, goldens

NAMES = sorted({golden.name for golden in goldens()} - BY_HAND)


def golden(name: str) -> tuple[str, str, dict[str, Any]]:
    """The job of a golden, its result, and what the rewriting is given."""
    folder = GOLDENS / name
    plan = json.loads((folder / "batches.json").read_text(encoding="utf-8"))
    before, after = (
        (folder / each).read_text(encoding="utf-8") for each in ("before.py", "after.py")
    )
    given = {"name": name} | ({"unsafe": True} if plan.get("unsafe") else {})
    if not plan.get("portable", True):
        given |= {"batch_code": True, "around": surroundings(folder / "before.py")}
    return before, after, given | ({"json": json_shape(plan["json"])} if "json" in plan else {})


def comments(text: str) -> Counter[str]:
    # since Python 3.12, `tokenize` takes no lone carriage return
    lines = io.StringIO("\n".join(text.splitlines()) + "\n")
    tokens = tokenize.generate_tokens(lines.readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)
