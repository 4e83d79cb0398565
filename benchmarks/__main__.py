"""``python -m benchmarks``: see docs/benchmarks.md."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .harness.chart import chart
from .harness.compare import OutputsDiffer
from .harness.figures import ENGINES, TITLES
from .harness.job import Scale, load, names
from .harness.results import HEADER, document, job_results, table, text
from .harness.run import ROOT, RunFailed
from .harness.schedule import Budget, LeftOut, run_job

RESULTS = ROOT / "benchmarks" / "results.json"
PICTURE = ROOT / "docs" / "images" / "benchmarks.svg"
MINUTES = 15.0
RESERVE = 20.0
"""Seconds of them that are kept for the end of the last job."""


@dataclass(frozen=True)
class Options:
    """What the command line says.

    Parameters
    ----------
    jobs : list of str
        their names
    engines : list of str
        those that run
    scale : Scale
        how much
    minutes : float, optional
        after which nothing begins; None for no end
    results, picture : Path, optional
        where they are written, if they are
    """

    jobs: list[str]
    engines: list[str]
    scale: Scale
    minutes: float | None
    results: Path | None
    picture: Path | None


def options(arguments: Sequence[str] | None = None) -> Options:
    """Read the command line; ends the process if it is wrong."""
    parser = argparse.ArgumentParser(
        prog="benchmarks",
        description="Measures the same jobs on DStreams, on this package and by hand in Structured "
        "Streaming. A complete run writes benchmarks/results.json and the README's chart.",
    )
    known = names()
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"jobs, all by default: {', '.join(known)}"
    )
    size = parser.add_mutually_exclusive_group()
    size.add_argument("--quick", action="store_true", help="a tenth of the data, one round")
    size.add_argument(
        "--full",
        action="store_true",
        help="more batches, each round in new processes, no time limit",
    )
    parser.add_argument("--rounds", type=_positive, metavar="N", help="instead of the jobs' own")
    parser.add_argument(
        "--engine", action="append", choices=ENGINES, help="only this one (may be repeated)"
    )
    parser.add_argument(
        "--minutes", type=float, help=f"nothing begins that would take longer ({MINUTES:g}; 0: any)"
    )
    parser.add_argument("--results", type=Path, help="where to write the results")
    parser.add_argument("--picture", type=Path, help="where to write the chart")
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.names if name not in known]:
        parser.error(f"no such job: {', '.join(unknown)}; there are {', '.join(known)}")
    if given.minutes is not None and given.minutes < 0:
        parser.error(f"--minutes {given.minutes:g}: it must not be negative")
    minutes = given.minutes if given.minutes is not None else 0.0 if given.full else MINUTES
    complete = not (given.names or given.quick or given.engine)
    return Options(
        [name for name in known if name in given.names] or known,
        [engine for engine in ENGINES if not given.engine or engine in given.engine],
        Scale("quick" if given.quick else "full" if given.full else "default", given.rounds),
        minutes or None,
        given.results or (RESULTS if complete else None),
        given.picture or (PICTURE if complete else None),
    )


def _positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"it must be a number above 0, not {text!r}")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    given = options(arguments)
    # processes that stand still must not outlive this one
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    started, load_before = time.monotonic(), os.getloadavg()[0]
    budget = Budget(None if given.minutes is None else given.minutes * 60 - RESERVE)
    try:
        jobs, left_out = run_all(given, budget)
    except (OutputsDiffer, RunFailed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    seconds = time.monotonic() - started
    results = document(jobs, left_out, given.scale, seconds, load_before)
    if given.results is not None:
        given.results.write_text(text(results))
    if given.picture is not None:
        try:
            given.picture.write_text(chart(results))
        except ValueError as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
    return 0


def run_all(given: Options, budget: Budget) -> tuple[dict[str, Any], dict[str, str]]:
    """Run the jobs, printing each as it ends; returns their results and why some are left out.

    Raises
    ------
    OutputsDiffer
        if engines do not agree
    RunFailed
        if an engine failed
    """
    jobs: dict[str, Any] = {}
    left_out: dict[str, str] = {}
    print(HEADER, flush=True)
    waiting = [load(name) for name in given.jobs]
    while waiting:
        job = waiting.pop(0)
        name = job.name
        engines = [engine for engine in given.engines if engine in job.engines]
        if not engines:
            left_out[name] = (
                f"it runs on {', '.join(TITLES[engine] for engine in job.engines)} only"
            )
            print(f"{name}: {left_out[name]}", flush=True)
            continue
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="benchmark-", ignore_cleanup_errors=True) as folder:
            try:
                found = run_job(job, engines, given.scale, Path(folder), budget, _say, waiting)
            except LeftOut as error:
                left_out[name] = str(error)
                print(f"{name}: left out, {error}", flush=True)
                continue
        jobs[name] = job_results(job, found, time.monotonic() - begun)
        print("\n".join(table(name, jobs[name])), flush=True)
    return jobs, left_out


def _say(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="\r", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
