"""Clones of several projects with recordings of some of their jobs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from tests.support.fenced import ROOT

PROJECTS = ROOT / "tests" / "migrator" / "projects"
EXAMPLES = ROOT / "legacy_examples"
_SOCKET = ["localhost", "9999"]
_ARGUMENTS = {
    "legacy_examples/network_wordcount": _SOCKET,
    "legacy_examples/sql_network_wordcount": _SOCKET,
    "legacy_examples/windowed_wordcount": [*_SOCKET, "3", "1"],
    "legacy_examples/stateful_network_wordcount": [*_SOCKET, "checkpoint"],
    "stateful/sessions": [],
}
"""The arguments of jobs that read lines of a socket, by their projects and files."""
_LINES = [["to be or not to be"], [], ["that is the question", "a c"]]


def write_clones(clones: Path, names: Iterable[str]) -> None:
    """Copy golden projects and the examples into a folder."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(EXAMPLES, clones / EXAMPLES.name, ignore=ignored)
    for name in names:
        shutil.copytree(PROJECTS / name, clones / name, ignore=ignored)


def record(clones: Path, jobs: Iterable[str] = tuple(_ARGUMENTS)) -> None:
    """Write recordings of jobs where `migrate verify --all` looks for them: in their projects."""
    for job in jobs:
        project, name = job.split("/")
        header = {
            "format": 1,
            "sources": {"socket:9999": {}},
            "arguments": _ARGUMENTS[job],
            "batches": len(_LINES),
        }
        lines = [header]
        lines += [
            {"batch": number, "input": {"socket:9999": given}}
            for number, given in enumerate(_LINES, 1)
            if given
        ]
        path = clones / project / "recordings" / f"{name}.jsonl"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def make_a_mistake(moved: Path) -> None:
    """Change what a migrated job does, as a review by hand may; `fake_run_job` knows the word."""
    job = moved / "legacy_examples" / "windowed_wordcount.py"
    text = job.read_text("utf-8")
    assert "a + b" in text
    job.write_text(text.replace("a + b", "a + b + 1") + "# WRONG\n", "utf-8")


def change(clones: Path) -> None:
    """Change a job after its verification."""
    with (clones / "legacy_examples" / "sql_network_wordcount.py").open("a") as file:
        file.write("# changed\n")
