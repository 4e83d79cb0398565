"""Makes the migrated form of a job, and tells what can run a job."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.source.decode import DecodeProblem, decode_python
from migrator.verify.process import COMPAT, DSTREAMS, STRUCTURED
from migrator.verify.programs import beside, imported_modules

_DONE = (0, 1)
_SECONDS = 600


@dataclass(frozen=True, slots=True)
class Migrated:
    """A migrated job: its file, the engine that it is written for, and what is to be said."""

    job: Path
    engine: str
    notes: tuple[str, ...] = ()


def migrate_copy(job: Path, target: str, folder: Path) -> Migrated:
    """Migrate a copy of a job; with the modules beside it, if it imports one of them.

    Parameters
    ----------
    target : str
        ``compat`` or ``structured``.
    folder : Path
        Where the copy is written.

    Raises
    ------
    MigrateError
        If `migrate` cannot do it, or finds no DStream code.
    """
    whole = any(_is_beside(job, name) for name in imported_modules(read_text(job)))
    source, output = (job.parent, folder) if whole else (job, folder / job.name)
    if not whole:
        folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "migrator", str(source.resolve()), "--output", str(output)]
    command += ["--target", target, "--quiet", "--no-color", "--no-config", "--no-cache"]
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=_SECONDS,
        check=False,
    )
    new_target = output / job.name if whole else output
    if done.returncode not in _DONE or not new_target.exists():
        said = (done.stderr or done.stdout).strip()[-2000:]
        raise MigrateError(
            f"{visible(str(job))} could not be migrated; name the migrated file with --migrated\n"
            + said
        )
    engine = engine_of(new_target)
    notes = []
    if done.returncode:
        notes.append("`migrate` reports work that is to be done by hand in this job")
    if target == STRUCTURED and engine != STRUCTURED:
        notes.append(
            "the job has no proven form in Structured Streaming, so its form for dstream_compat "
            "was verified; `migrate --target structured --explain` says why"
        )
    return Migrated(new_target, engine, tuple(notes))


def engine_of(job: Path) -> str:
    """Return the engine that a file is written for: ``dstreams``, ``compat`` or ``structured``.

    Raises
    ------
    MigrateError
        If it cannot be read.
    """
    text = read_text(job)
    names = set(imported_modules(text))
    if any(name.partition(".")[0] == "dstream_compat" for name in names):
        return COMPAT
    if any(name.startswith("pyspark.streaming") for name in names):
        return DSTREAMS
    if "readStream" in text:
        return STRUCTURED
    # a helper of the job makes the context: it belongs to what the helper imports
    for name in names:
        for path in beside(job, name):
            if path != job and (engine := _direct(path)):
                return engine
    return DSTREAMS


def _direct(path: Path) -> str:
    names = set(imported_modules(read_text(path)))
    if any(name.partition(".")[0] == "dstream_compat" for name in names):
        return COMPAT
    return DSTREAMS if any(name.startswith("pyspark.streaming") for name in names) else ""


def read_text(path: Path) -> str:
    """Return the text of a program, with the encoding that it declares.

    Raises
    ------
    MigrateError
        If it cannot be read.
    """
    try:
        return decode_python(path.read_bytes()).text
    except DecodeProblem as problem:
        raise MigrateError(f"{visible(str(path))}: {problem.detail}") from problem
    except OSError as error:
        raise MigrateError(f"{visible(str(path))}: {error.strerror or error}") from error


def _is_beside(job: Path, name: str) -> bool:
    return any(path != job for path in beside(job, name))
