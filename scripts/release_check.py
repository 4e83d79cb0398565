"""Builds wheel and sdist into dist/, and tries the wheel in an environment of its own.

``python scripts/release_check.py [--dist FOLDER]``: checks the metadata with ``twine``, installs
the wheel with what it needs into a new environment, and runs there, outside of the checkout: both
commands with ``--help`` and ``--version``, ``migrate`` on an old job, and the job itself.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
JOB = ROOT / "legacy_examples" / "queue_stream.py"
BATCHES = 3


class ReleaseError(Exception):
    """What is wrong with the release."""


def run(*command: str | Path, folder: Path, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command outside of the checkout; returns what it printed on standard output.

    Parameters
    ----------
    *command : str or Path
        program and arguments
    folder : Path
        where it runs
    codes : tuple of int, optional
        exit codes that are right

    Raises
    ------
    ReleaseError
        if it ends with another code
    """
    words = [str(word) for word in command]
    print("$", *words, flush=True)
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        words,
        cwd=folder,
        env={**kept, "SPARK_LOCAL_IP": "127.0.0.1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in codes:
        shown = "\n".join([*done.stdout.splitlines()[-20:], *done.stderr.splitlines()[-20:]])
        raise ReleaseError(f"{' '.join(words)} ended with {done.returncode}:\n{shown}")
    return done.stdout


def build(target: Path) -> tuple[Path, Path]:
    """Build the release; returns its wheel and its sdist.

    Parameters
    ----------
    target : Path
        folder to write to, which is emptied first
    """
    shutil.rmtree(target, ignore_errors=True)
    run(sys.executable, "-m", "build", "--outdir", target, ROOT, folder=ROOT)
    (wheel,), (sdist,) = target.glob("*.whl"), target.glob("*.tar.gz")
    run(sys.executable, "-m", "twine", "check", "--strict", wheel, sdist, folder=ROOT)
    return wheel, sdist


def check_contents(wheel: Path, sdist: Path) -> None:
    """Check that the release has every file of the packages, and its license.

    Raises
    ------
    ReleaseError
        if a file is missing, or one of the tests is in the wheel
    """
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    with tarfile.open(sdist) as source:
        sent = {name.partition("/")[2] for name in source.getnames()}
    files = {
        path.relative_to(ROOT).as_posix()
        for package in ("dstream_compat", "migrator")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    }
    missing = files - packed
    missing |= (files | {"README.md", "LICENSE", "pyproject.toml"}) - sent
    if missing:
        raise ReleaseError(f"missing in the release: {', '.join(sorted(missing))}")
    foreign = {name.partition("/")[0] for name in packed} - {"dstream_compat", "migrator"}
    foreign = {name for name in foreign if not name.endswith(".dist-info")}
    if foreign:
        raise ReleaseError(f"the wheel has more than the packages: {', '.join(sorted(foreign))}")


def try_wheel(wheel: Path, folder: Path) -> None:
    """Install the wheel into an environment of its own, and use it there.

    Parameters
    ----------
    wheel : Path
        what to install
    folder : Path
        an empty folder outside of the checkout

    Raises
    ------
    ReleaseError
        if something does not work
    """
    print(f"$ python -m venv {folder / 'env'}", flush=True)
    venv.create(folder / "env", with_pip=True)
    programs = folder / "env" / "bin"
    python = programs / "python"
    run(python, "-m", "pip", "install", "--quiet", wheel, folder=folder)
    run(python, "-m", "pip", "check", folder=folder)
    for program in ("migrate", "dstream-compat"):
        run(programs / program, "--help", folder=folder)
        shown = run(programs / program, "--version", folder=folder)
        if version() not in shown:
            raise ReleaseError(f"{program} --version says {shown.strip()}, not {version()}")
    run(python, "-m", "dstream_compat", "--help", folder=folder)
    shutil.copy(JOB, folder / JOB.name)
    run(programs / "migrate", JOB.name, folder=folder)
    migrated = f"{JOB.stem}-migrated.py"
    ways = ([python, "-m", "dstream_compat", "run", JOB.name], [python, migrated])
    for way in ways:
        shown = run(*way, str(BATCHES), folder=folder)
        if shown.count("Time: ") < BATCHES:
            raise ReleaseError(f"the job printed fewer than {BATCHES} batches:\n{shown}")


def version() -> str:
    """Return the version of the checkout."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def main(arguments: list[str] | None = None) -> int:
    """Build and try the release; returns the exit code.

    Parameters
    ----------
    arguments : list of str, optional
        those of the command line if not given
    """
    parser = argparse.ArgumentParser(description="Build the release and try it.")
    parser.add_argument("--dist", type=Path, default=DIST, help="folder of the files (dist)")
    options = parser.parse_args(arguments)
    try:
        wheel, sdist = build(options.dist.resolve())
        check_contents(wheel, sdist)
        with tempfile.TemporaryDirectory(prefix="release-") as name:
            try_wheel(wheel, Path(name))
    except ReleaseError as error:
        print(f"The release is not right. {error}", file=sys.stderr)
        return 1
    print(f"The release {version()} is right: {wheel.name}, {sdist.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
