"""Runs every test, the long ones too, and writes the result to tests/full-run.md.

``python scripts/test_full.py [--part K/N] [PYTEST OPTIONS]``: a part of N is a run of its own,
whose result joins those of the other parts.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.support.parts import parse  # noqa: E402

REPORT = ROOT / "tests" / "full-run.md"
HEAD = """# The last full test run

Written by `make test-full`, which takes hours, or in parts, `make test-full ARGS="--part 1/8"`.
It runs 10,000 random pipelines on DStreams and on this package, each differential test at three
paces, 20,000 random inputs of `migrate`, 2,000 batches of a stateful job, and 25 SIGKILLs for each
kind of job.
"""
TABLE = "| part | result | ended (UTC) | minutes | commit | with |\n|---|---|---|---|---|---|"


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--part", default="1/1", metavar="K/N", help="only part K of N")
    options, others = parser.parse_known_args(args)
    try:
        part, parts = parse(options.part)
    except ValueError as error:
        parser.error(str(error))
    tested, started = commit(), time.monotonic()  # files may be changed while tests run
    command = [sys.executable, "-m", "pytest", "--numprocesses", "3", "--dist", "loadgroup"]
    lines: list[str] = []
    with subprocess.Popen(
        [*command, "--durations=10", "--color=no", *others],
        cwd=ROOT,
        env={
            **os.environ,
            "DSTREAM_COMPAT_FULL": "1",
            "DSTREAM_COMPAT_PART": "" if parts == 1 else f"{part}/{parts}",
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as pytest:
        assert pytest.stdout is not None
        for line in pytest.stdout:
            sys.stdout.write(line)
            sys.stdout.flush()
            lines.append(line.rstrip())
    if others:
        # a selection is not the full run, so it must not replace the result of one
        print(f"{REPORT.relative_to(ROOT)} is left as it is: only a selection was run")
        return pytest.returncode
    old = REPORT.read_text() if REPORT.exists() else ""
    minutes = (time.monotonic() - started) / 60
    REPORT.write_text(report(old, part, parts, lines, pytest.returncode, minutes, tested))
    print(f"written to {REPORT.relative_to(ROOT)}")
    return pytest.returncode


def report(
    old: str, part: int, parts: int, lines: list[str], code: int, minutes: float, tested: str
) -> str:
    """Return the page with the result of a part, beside those of other parts of as many.

    Parameters
    ----------
    old : str
        the page so far
    part, parts : int
        which one was run, from 1
    lines : list of str
        what pytest printed
    code : int
        its exit code
    minutes : float
        how long it took
    tested : str
        the commit
    """
    summary = next((line.strip("= ") for line in reversed(lines) if " in " in line), "no summary")
    failed = [line for line in lines if re.match(r"(FAILED|ERROR|SKIPPED|XFAIL|XPASS) ", line)]
    result = f"**{summary}**" + (f" (exit code {code})" if code else "")
    when = f"{datetime.now(UTC):%Y-%m-%d %H:%M}"
    row = f"| {result} | {when} | {minutes:.0f} | {tested} | {machine()} |"
    rows = {
        p: r for p, n, r in re.findall(r"^\| (\d+) of (\d+) (\|.*)$", old, re.M) if _same(n, parts)
    }
    notes = {p: t for p, n, t in re.findall(_NOTE, old) if _same(n, parts)}
    rows[str(part)] = row
    notes.pop(str(part), None)
    if failed:
        notes[str(part)] = "\n".join(failed)
    numbers = [str(number) for number in range(1, parts + 1)]
    table = [f"| {p} of {parts} {rows.get(p, '| not run yet | | | | |')}" for p in numbers]
    sections = [_section(p, parts, notes[p]) for p in numbers if p in notes]
    return "\n".join([HEAD, TABLE, *table, "", *sections])


_NOTE = r"(?s)## Not passed in part (\d+) of (\d+)\n\n```\n(.*?)\n```\n"


def _section(part: str, parts: int, text: str) -> str:
    return f"## Not passed in part {part} of {parts}\n\n```\n{text}\n```\n"


def _same(number: str, parts: int) -> bool:
    return int(number) == parts


def commit() -> str:
    """Return the last commit that changed more than the result, and whether files are changed."""

    def git(*args: str) -> str:
        done = subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    # parts of one run may be committed one by one: what they write is no change of what they test
    others = ("--", ".", ":!tests/full-run.md")
    name = git("log", "-1", "--format=%H", *others)[:12] or "none"
    changed = git("status", "--porcelain", *others)
    return f"{name}, with local changes" if changed else name


def machine() -> str:
    return (
        f"Python {platform.python_version()}, pyspark {version('pyspark')}, "
        f"pyarrow {version('pyarrow')}, {java()}, {os.cpu_count()} cores"
    )


def java() -> str:
    home = os.environ.get("JAVA_HOME")
    command = os.path.join(home, "bin", "java") if home else shutil.which("java")
    if not command:
        return "no Java"
    done = subprocess.run([command, "-version"], capture_output=True, text=True, check=False)
    return (done.stderr.splitlines() or ["unknown Java"])[0].replace("|", "/")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
