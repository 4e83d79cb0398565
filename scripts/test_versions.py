"""Runs tests with each PySpark and each Python that is claimed, in virtual environments of .venvs.

``python scripts/test_versions.py [--smoke] [NAME ...]``: without names, all of them. ``--smoke``
takes a few tests each: legacy jobs, state, and recoveries; ``--fast`` takes these and the fast
tests. What cannot be run is skipped, with a reason. The exit code is 0 if all that was run has
passed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[1]
VENVS: Final = ROOT / ".venvs"
OWN: Final = "{}.{}".format(*sys.version_info[:2])


class Combination(NamedTuple):
    """A PySpark and a Python."""

    pyspark: str
    python: str


COMBINATIONS: Final = {
    "pyspark-4.1": Combination("pyspark~=4.1.0", OWN),
    "pyspark-4.2": Combination("pyspark~=4.2.0", OWN),
    "python-3.11": Combination("pyspark~=4.3.0", "3.11"),
    "python-3.12": Combination("pyspark~=4.3.0", "3.12"),
    "python-3.13": Combination("pyspark~=4.3.0", "3.13"),
}
RUNS: Final = {
    "fast": ["--numprocesses", "2", "--dist", "loadfile", "-m", "not slow and not full"],
    "faults": [
        "tests/dstream_compat/recovery/test_faults.py",
        "tests/dstream_compat/recovery/test_recovery.py",
        "tests/dstream_compat/recovery/test_worker_death.py",
    ],
}
SMOKE: Final = {
    "smoke": [
        "tests/legacy_examples/test_word_counts.py::test_network_wordcount[compat]",
        "tests/legacy_examples/test_stateful.py",
        "tests/dstream_compat/recovery/test_worker_death.py::test_result_is_exact[task]",
    ],
}
_SUMMARY: Final = re.compile(
    r"^=* ?(.*\b(?:passed|failed|errors?|no tests ran)\b.* in [\d.]+s.*?) ?=*$"
)


class Skipped(Exception):
    """A combination cannot be run here; the message says why."""


class Result(NamedTuple):
    """What became of a run of tests."""

    combination: str
    run: str
    summary: str
    passed: bool


def main(args: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=" or ".join(COMBINATIONS))
    some = parser.add_mutually_exclusive_group()
    some.add_argument("--smoke", action="store_true", help="only a few tests each")
    some.add_argument(
        "--fast", action="store_true", help="only the fast tests and those of --smoke"
    )
    options = parser.parse_args(args)
    unknown = [name for name in options.names if name not in COMBINATIONS]
    if unknown:
        parser.error(f"{unknown[0]} is none of {', '.join(COMBINATIONS)}")
    runs = SMOKE if options.smoke else RUNS
    if options.fast:
        runs = {"fast": RUNS["fast"], **SMOKE}
    results: list[Result] = []
    for name in options.names or COMBINATIONS:
        print(f"\n--- {name}", flush=True)
        try:
            if not options.names and COMBINATIONS[name].python == OWN and name.startswith("python"):
                raise Skipped(f"`make test` runs on Python {OWN}")
            results.extend(run_all(name, runs))
        except Skipped as reason:
            print(f"skipped: {reason}", flush=True)
            results.append(Result(name, "-", f"skipped: {reason}", True))
    print("\n--- result\n" + table(results), flush=True)
    return 0 if all(result.passed for result in results) else 1


def run_all(name: str, runs: dict[str, list[str]]) -> Iterator[Result]:
    """Run tests of a combination, in a virtual environment that is made if there is none.

    Raises
    ------
    Skipped
        if this machine has no such Python
    """
    try:
        python = environment(name, COMBINATIONS[name])
    except subprocess.CalledProcessError as error:
        yield Result(name, "-", f"no environment: {error}", False)
        return
    for run, arguments in runs.items():
        cache = f"cache_dir={VENVS / name / '.pytest_cache'}"
        command = [str(python), "-m", "pytest", "--color=no", "-o", cache, *arguments]
        started = time.monotonic()
        summary, code = pytest(command)
        if summary is None:
            summary = f"no summary (exit code {code}) after {time.monotonic() - started:.0f} s"
        yield Result(name, run, summary, code == 0)


def pytest(command: list[str]) -> tuple[str | None, int]:
    """Run pytest; returns its last line, if it got that far, and its exit code."""
    summary = None
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name not in _FOREIGN},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            if match := _SUMMARY.match(line.rstrip()):
                summary = match[1]
    return summary, process.returncode


_FOREIGN: Final = {"SPARK_HOME", "PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON", "PYTHONPATH"}
"""Variables that would let another Spark or another Python run than that of the environment."""


def environment(name: str, combination: Combination) -> Path:
    """Return the Python of a combination's virtual environment.

    Parameters
    ----------
    name : str
        of its folder
    combination : Combination
        what is in it

    Raises
    ------
    Skipped
        if this machine has no such Python
    """
    base = find_python(combination.python)
    folder = VENVS / name
    python, stamp = folder / "bin" / "python", folder / ".installed"
    project = (ROOT / "pyproject.toml").read_text()
    key = hashlib.sha256("\n".join([base, *combination, project]).encode()).hexdigest()
    if not stamp.exists() or stamp.read_text() != key:
        print(f"making {folder.relative_to(ROOT)} with {base}", flush=True)
        subprocess.run([base, "-m", "venv", "--clear", str(folder)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run(
            [*pip, "--editable", f"{ROOT}[test]", combination.pyspark], cwd=ROOT, check=True
        )
        stamp.write_text(key)  # last: what was broken off is done again
    return python


def find_python(version: str) -> str:
    """Return a Python of a version that can make virtual environments.

    Raises
    ------
    Skipped
        if there is none
    """
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    on_path = shutil.which(f"python{version}")
    candidates = [sys._base_executable] if version == OWN else []
    candidates += [on_path] if on_path else []
    candidates += sorted(map(str, pyenv.glob(f"versions/{version}.*/bin/python")))
    asked = "import ensurepip, sys, venv; print('{}.{}'.format(*sys.version_info[:2]))"
    for python in candidates:
        # one on the PATH may be a stub of a version manager, which fails
        done = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
        if done.stdout.strip() == version:
            return python
    raise Skipped(f"there is no Python {version} here, on the PATH or of pyenv")


def table(results: Sequence[Result]) -> str:
    """Return the results as lines of text."""
    widths = [max(len(result[column]) for result in results) for column in (0, 1)]
    lines = [
        f"{result.combination:{widths[0]}}  {result.run:{widths[1]}}  {result.summary}"
        + ("" if result.passed else "  FAILED")
        for result in results
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
