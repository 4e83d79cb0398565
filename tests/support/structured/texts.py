"""The texts of goldens: a job, its result, and what the rewriting is given."""

from __future__ import annotations

import io
import json
import re
import tokenize
from collections import Counter
from pathlib import Path
from typing import Any

from migrator.infer.around import ModulesAround
from migrator.run.scan import scan
from migrator.run.taken_code import surroundings
from migrator.structured.json_shape import json_shape
from tests.support.structured.around import modules_in
from tests.support.structured.pairs import BY_HAND, GOLDENS, goldens

HEAD = re.compile(r"^# Needs Spark \d+\.\d+ or newer\.\n\n?", re.MULTILINE)
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
    given |= {"around": around} if (around := files_beside(folder / "before.py")) else {}
    given |= {"brokers": plan["brokers"]} if "brokers" in plan else {}
    return before, after, given | ({"json": json_shape(plan["json"])} if "json" in plan else {})


def files_beside(job: Path) -> ModulesAround | None:
    """The other modules in the folder of a job, if it has a folder of its own."""
    root = job.parent
    paths = {path.relative_to(root).as_posix() for path in root.rglob("*.py")}
    if job.name != "before.py" or paths <= {"before.py", "after.py"}:
        return None
    sites = {file.path: file.sites for file in scan(root, "check").files}
    texts = {path: (root / path).read_text(encoding="utf-8") for path in paths}

    def stream_lines(path: str) -> set[int]:
        return {site.at.line for site in sites.get(path, ()) if site.receiver != "module"}

    return modules_in(texts, stream_lines, job.name)


def without_head(text: str) -> str:
    """A result without the line that says what it needs."""
    found = HEAD.sub("", text, count=1)
    assert found != text, text
    return found


def comments(text: str) -> Counter[str]:
    # since Python 3.12, `tokenize` takes no lone carriage return
    lines = io.StringIO("\n".join(text.splitlines()) + "\n")
    tokens = tokenize.generate_tokens(lines.readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)
