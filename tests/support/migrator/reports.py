"""What the tests of the migrator share."""

from __future__ import annotations

import hashlib
import os
import textwrap
from dataclasses import replace
from pathlib import Path

from migrator.discover.filetypes import type_of
from migrator.model.report import FileReport, Report
from migrator.rules.registry import judge
from migrator.run.analyse_file import analyse
from migrator.run.project_facts import project_facts
from migrator.run.scan import scan
from migrator.select.comments import apply_comments

CONTEXT = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

def make_context():
    return StreamingContext(SparkContext(), 1)

ssc = make_context()
"""


def report(source: str | bytes, name: str = "job.py", convert: bool = True) -> FileReport:
    """The report of one file, as in a project with DStream code; Python 2 is converted or kept."""
    kind = type_of(name)
    assert kind is not None
    data = textwrap.dedent(source).encode() if isinstance(source, str) else source
    found = analyse(name, kind, data, convert=convert)
    names = frozenset({"job.py"})
    judge(found, replace(project_facts([found]), job_files=names, programs=names))
    apply_comments(found)
    found.sort()
    return found


def project(root: Path, files: dict[str, str]) -> Report:
    """The report of a tree of these files."""
    for name, source in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(source), "utf-8")
    return scan(root, "check")


def codes(source: str | bytes, name: str = "job.py", convert: bool = True) -> list[str]:
    """`line:code` of every finding that is not a rewrite."""
    found = report(source, name, convert)
    return [f"{f.at.line}:{f.code}" for f in found.findings if not f.is_fixed]


def rewritten(source: str) -> str:
    """The source after migration."""
    found = report(source)
    assert found.content is not None
    return found.content.decode()


def tree_hash(root: Path) -> str:
    """A digest of the names, types, modes and contents of a tree."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        stat = os.lstat(path)
        digest.update(f"{path.relative_to(root)} {stat.st_mode} {stat.st_mtime_ns}\n".encode())
        if path.is_symlink():
            digest.update(os.readlink(path).encode())
        elif path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()
