"""Writes tests that run a job over recorded batches and compare it with results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from migrator.verify.comparison import Rules

_TEST = '''\
"""{about}"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def test_{name}():
    command = [sys.executable, "-m", "migrator", "verify"]
    command += [{job}{migrated}]
    command += ["--input", HERE / {input!r}, "--expected", HERE / {expected!r}]
    command += ["--out", HERE / {out!r}, {options}"--no-shrink", "--no-color"]
    command += ["--", *{arguments!r}]
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
'''


def write_test(
    path: Path,
    about: str,
    job: Path,
    migrated: Path | None,
    recording: Path,
    expected: Path,
    arguments: tuple[str, ...],
    options: tuple[str, ...] = (),
) -> None:
    """Write a test of pytest beside its input and its expected results.

    Parameters
    ----------
    about : str
        What the test shows.
    job, migrated : Path, Path or None
        The original and the migrated job; the test migrates a copy if that is missing.
    recording, expected : Path
        In the folder of the file.
    options : tuple of str
        More options of `migrate verify`.
    """
    name = identifier(job.stem)
    text = _TEST.format(
        about=about,
        name=name,
        job=_place(job, path.parent),
        migrated="" if migrated is None else f', "--migrated", {_place(migrated, path.parent)}',
        input=recording.name,
        expected=expected.name,
        out=f".{name}",
        options="".join(f"{option!r}, " for option in options),
        arguments=list(arguments),
    )
    path.write_text(text, encoding="utf-8")


def identifier(text: str) -> str:
    """Return a text as a part of a name of Python."""
    return re.sub(r"\W+", "_", text, flags=re.ASCII).strip("_").lower() or "job"


def _place(path: Path, folder: Path) -> str:
    """Return how a test names a file: from its own folder where that is near, else in full."""
    path, folder = path.resolve(), folder.resolve()
    for up, base in enumerate([folder, *list(folder.parents)[:3]]):
        if path.is_relative_to(base):
            parts = [*[".."] * up, *path.relative_to(base).parts]
            return f"HERE / {'/'.join(parts)!r}"
    return repr(str(path))


def options_of(rules: Rules, real: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the options of `migrate verify` that stand for rules of comparison.

    Parameters
    ----------
    real : sequence of str
        The clients that the jobs use themselves.
    """
    options = ["--order"] if rules.order else []
    if rules.tolerance != Rules().tolerance:
        options += ["--tolerance", f"{rules.tolerance:g}"]
    for path in rules.ignore:
        options += ["--ignore", path]
    for client in real:
        options += ["--real", client]
    return tuple(options)
