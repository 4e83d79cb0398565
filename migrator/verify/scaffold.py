"""Writes a regression test of a job: its input, what it gives today, and a test that compares."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from dstream_compat.testing.recordings import write_batches
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.report.wording import quantity
from migrator.verify.check import ORIGINAL, Check, Request, engine_of, migrate_copy
from migrator.verify.comparison import Result, Rules
from migrator.verify.obstacles import of_original, of_process
from migrator.verify.outcome import outcome_of, read_recording
from migrator.verify.process import COMPAT, DSTREAMS, Limits, Work, run_all
from migrator.verify.written_test import identifier, options_of, write_test


def scaffold(
    job: Path,
    recording: Path,
    folder: Path,
    arguments: tuple[str, ...],
    rules: Rules,
    limits: Limits,
    progress: Callable[[str, Work | None, int], None],
    real: tuple[str, ...] = (),
) -> tuple[Path, str]:
    """Write a test, its input and its expected results; the test passes when it is written.

    Returns the file of the test, and what it has.

    Parameters
    ----------
    job : Path
        The job: what it gives today is expected.
    recording : Path
        Recorded batches.
    folder : Path
        Where the files are written.
    limits : Limits
        What each run may use.
    real : tuple of str
        The clients that the job uses itself, also in the test.

    Raises
    ------
    MigrateError
        If the job cannot be run, gives something else the next time, or files are there already.
    """
    name = identifier(job.stem)
    test = folder / f"test_{name}.py"
    batches, expected = folder / f"{name}-batches.jsonl", folder / f"{name}-expected.jsonl"
    for path in (test, batches, expected):
        if path.exists():
            raise MigrateError(f"{visible(str(path))} exists; name another folder with --out")
    given_recording = read_recording(recording)
    engine = engine_of(job)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="migrate-") as temporary:
        work = Path(temporary)
        results = work / "expected.jsonl"
        run = Work(
            ORIGINAL if engine == DSTREAMS else "job",
            engine,
            job.resolve(),
            arguments,
            recording.resolve(),
            results,
            work / "expected.log",
            real=real,
        )
        (ended,) = run_all(
            [run], limits, lambda one: progress("running the job", one, given_recording.length)
        )
        outcome = outcome_of(results)
        obstacle = of_process(ended, outcome, limits.seconds)
        if obstacle is None and outcome is not None:
            text = job.read_text(encoding="utf-8", errors="replace")
            obstacle = of_original(outcome, text, ended.last_lines(5))
        if obstacle is not None:
            raise MigrateError(f"{obstacle.what}\nwhat to do: {obstacle.advice}")
        tested = job
        if engine == DSTREAMS:
            tested = migrate_copy(job, COMPAT, work / "migrated").job
        request = Request(
            *(job, recording, work, tested, results, arguments),
            rules=rules,
            limits=limits,
            shrinks=False,
            real=real,
        )
        verdict = Check(request, progress).verify()
        if verdict.result is not Result.EQUAL:
            # a test that fails at once is of no use; verify says more about it
            raise MigrateError(
                f"no test was written: the next run gave something else ({verdict.result}); "
                f"`migrate verify {job} --input {recording}` says what"
            )
        shutil.copyfile(results, expected)
    write_batches(batches, given_recording)
    about = f"{job.name} gives for recorded batches what it gave when this test was written."
    migrated = None if engine == DSTREAMS else job
    write_test(test, about, job, migrated, batches, expected, arguments, options_of(rules, real))
    compared = verdict.comparison
    outputs = 0 if compared is None else len(compared.pairs)
    size = quantity(given_recording.length, "batch", "batches"), quantity(outputs, "output")
    return test, f"{size[0]}, {size[1]}; run it with pytest"
