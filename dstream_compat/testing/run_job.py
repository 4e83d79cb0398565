"""Runs one job over recorded batches and writes what each of its outputs gives.

``python -m dstream_compat.testing.run_job --engine compat --input FILE --output FILE JOB ARGS``.
The exit code is 0 when all batches are complete or the job has ended itself, 2 for wrong use, 3
when the job has failed, and 4 when it had not ended in time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from .errors import RecordingError
from .intervals import is_interval
from .parent import end_with_parent
from .recordings import Recording, read_batches

ENGINES = ("dstreams", "compat", "structured")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a job in this process, which nothing else may use afterwards; return the exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        arguments without the program's name; those of this process if it is missing
    """
    options = _parser().parse_args(argv)
    script = Path(options.job)
    try:
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            recording = read_batches(options.input)
        for warning in found:
            print(f"run_job: {warning.message}", file=sys.stderr)
        if not script.is_file():
            raise RecordingError(f"there is no job {options.job}")
        _adjust(recording, options)
        if not Path(options.output).absolute().parent.is_dir():
            raise RecordingError(f"there is no folder for {options.output}")
    except RecordingError as error:
        print(f"run_job: {error}", file=sys.stderr)
        return 2
    folder = Path(tempfile.mkdtemp(prefix="run-job-"))
    try:
        from .job_run import JobRun, prepare_environment
        from .shared_jvm import name_proxies_apart

        prepare_environment(options.engine, script.absolute(), folder, options.memory)
        if "PYSPARK_GATEWAY_PORT" in os.environ:
            name_proxies_apart()
        return JobRun(options, recording, script.absolute(), folder).run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _adjust(recording: Recording, options: argparse.Namespace) -> None:
    if options.batches is not None:
        recording.batches = {n: v for n, v in recording.batches.items() if n <= options.batches}
        recording.count = options.batches
    if recording.length == 0:
        raise RecordingError(f"{options.input} has no batches: say how many with --batches")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m dstream_compat.testing.run_job",
        description="Run a job over recorded batches, and write what each output gives.",
    )
    add = parser.add_argument
    add("--engine", choices=ENGINES, required=True, help="what runs the job")
    add("--input", required=True, metavar="FILE", help="recorded batches: a file or a folder")
    add("--output", required=True, metavar="FILE", help="where the results go, as JSON lines")
    add(
        "--interval", type=_interval, metavar="S", help="seconds per batch, which the job must have"
    )
    add("--begin", type=int, metavar="MS", help="when the first batch of a query begins")
    add("--batches", type=_number, metavar="N", help="how many; those up to the last with input")
    add("--state", action="store_true", help="record the state after each batch")
    add("--streams", action="store_true", help="record each intermediate stream")
    add(
        "--real",
        metavar="CLIENT",
        action="append",
        default=[],
        help="a client that the job uses itself, such as sqlite3, instead of what stands for it",
    )
    add("--timeout", type=_seconds, metavar="S", default=600.0, help="for the whole run (600)")
    add("--memory", metavar="SIZE", default="1g", help="of the JVM, such as 2g (1g)")
    add("job", metavar="JOB", help="the job's file")
    add("args", metavar="ARGS", nargs=argparse.REMAINDER, help="the job's arguments")
    return parser


def _seconds(text: str) -> float:
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds above 0")
    return value


def _interval(text: str) -> float:
    value = float(text)
    if not is_interval(value):
        raise argparse.ArgumentTypeError(f"{text} is not a number of seconds, at least 0.001")
    return value


def _number(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of batches above 0")
    return value


def leave(code: int) -> NoReturn:
    """End this process, which threads of the job, and Spark's, do not keep."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    end_with_parent()
    leave(main())
