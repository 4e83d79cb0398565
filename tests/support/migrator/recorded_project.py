"""A project with recordings, whose jobs are run by a process that takes the place of Spark."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.migrator import fake_run_job

START = (
    f"import sys; import migrator.verify.process as p; import migrator.verify.session as s; "
    f"p.COMMAND = (sys.executable, {fake_run_job.__file__!r}); s.COMMAND = (*p.COMMAND, 'serve'); "
)
BATCHES = [
    {"format": 1, "interval": 1, "sources": {"socket:9999": {}}, "arguments": ["localhost"]},
    {"batch": 1, "input": {"socket:9999": ["a b", "c"]}},
]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def record(path: Path) -> None:
    write(path, "".join(json.dumps(line) + "\n" for line in BATCHES))
