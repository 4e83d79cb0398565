"""Verifies a migrated job: runs both jobs over recorded batches, and compares what they gave."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dstream_compat.testing.recordings import write_batches
from dstream_compat.testing.results import RUNS, Results
from migrator import __version__
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.run.verified_jobs import file_hash
from migrator.verify.comparison import (
    Result,
    Rules,
    Side,
    Verdict,
    compare,
    first_operator,
    idle_outputs,
)
from migrator.verify.ends import (
    begin_of,
    compared_batches,
    differs_in,
    failing_operator,
    fails_like,
    failure,
    last_batch,
    same_failure,
)
from migrator.verify.obstacles import (
    differs_from_itself,
    limits,
    missing_comparison,
    of_original,
    of_process,
    uncompared_outputs,
)
from migrator.verify.outcome import (
    outcome_of,
    read_outcome,
    read_recording,
    recording_file,
    records,
)
from migrator.verify.pairing import kept_windows
from migrator.verify.process import (
    COMPAT,
    DSTREAMS,
    STRUCTURED,
    Ended,
    Limits,
    Work,
    environment,
    run_all,
)
from migrator.verify.programs import beside, hashes, imported_modules, read_text
from migrator.verify.session import JobProcess
from migrator.verify.shrink import Budget, Search, same_output_differs
from migrator.verify.written_test import identifier, options_of, write_test

ORIGINAL = "original"
MIGRATED = "migrated job"
SMALLEST = "smallest.jsonl"
# of what a job printed before it gave up, such as its usage
_SHOWN = 5
SEARCH = "looking for the smallest input"
_DONE = (0, 1)
_MIGRATE_SECONDS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """How jobs are verified.

    Parameters
    ----------
    target : str
        What a copy of a job is migrated to, if there is no migrated one.
    shrinks : bool
        Whether the smallest input that differs is looked for.
    shrink_seconds : float
        How long, for each job.
    json_shape : str, optional
        The shape of JSON texts with which migrated jobs were made.
    real : tuple of str
        The clients that the jobs use themselves.
    """

    target: str = COMPAT
    rules: Rules = field(default_factory=Rules)
    limits: Limits = field(default_factory=Limits)
    shrinks: bool = True
    shrink_seconds: float = Budget().seconds
    json_shape: str | None = None
    real: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Request(Conditions):
    """What is to be verified, and how.

    Parameters
    ----------
    job : Path
        The original.
    recording : Path
        Recorded batches.
    out : Path
        The folder for everything that is written.
    migrated : Path, optional
        The migrated job; a copy is migrated if it is missing.
    expected : Path, optional
        Results that the original gave, where it cannot run.
    """

    job: Path
    recording: Path
    out: Path
    migrated: Path | None = None
    expected: Path | None = None
    arguments: tuple[str, ...] = ()

    def dependencies(self) -> dict[str, Any]:
        """Return what a verdict depends on beside the files of the jobs, as values of JSON."""
        return {
            "version": __version__,
            "recording": file_hash(recording_file(self.recording)),
            "expected": None if self.expected is None else file_hash(self.expected),
            "target": self.target if self.migrated is None else None,
            "arguments": [*self.arguments],
            "order": self.rules.order,
            "tolerance": self.rules.tolerance,
            "ignore": [*self.rules.ignore],
            "json_shape": self.json_shape,
            "real": [*self.real],
        }

    def files(self) -> list[tuple[str, str]]:
        """Return the files that a verdict is about, relative to its folder, with their SHA-256."""
        # a copy that is migrated here follows from the job
        return hashes([job_file for job_file in (self.job, self.migrated) if job_file], self.out)


class Check:
    """One verification.

    Parameters
    ----------
    progress : callable
        Told of the step that runs, and of the results file that grows meanwhile.
    """

    def __init__(self, request: Request, progress: Callable[[str, Work | None, int], None]) -> None:
        self._request = request
        self._progress = progress
        self._recording = read_recording(request.recording)
        self._text = read_text(request.job)
        self._begin: int | None = None
        self._budget = Budget(request.shrink_seconds)
        self._expected = None if request.expected is None else read_outcome(request.expected)

    def verify(self) -> Verdict:
        """Run the jobs and compare them."""
        asked = self._request
        if asked.expected is None and engine_of(asked.job) != DSTREAMS:
            raise MigrateError(
                f"{asked.job} imports no pyspark.streaming, so it is no original that DStreams can "
                "run; name the original, or give its results with --expected"
            )
        notes: list[str] = []
        migrated, engine = asked.migrated, ""
        if migrated is None:
            self._progress(f"migrating a copy of {asked.job.name}", None, 0)
            copy = migrate_copy(asked.job, asked.target, asked.out / "migrated")
            migrated, engine = copy.job, copy.engine
            notes += copy.notes
        else:
            engine = engine_of(migrated)
        # names of the old package are this package's there
        engine = COMPAT if engine == DSTREAMS else engine
        self._new = (migrated, engine)
        if engine == STRUCTURED:
            idle = idle_outputs(self._text, asked.json_shape, asked.job)
            rules = replace(asked.rules, idle=idle)
            self._request = asked = replace(asked, rules=rules)
        verdict = Verdict(
            str(asked.job),
            Side(str(asked.job), DSTREAMS),
            Side(str(migrated), engine),
            self._recording.length,
            records(self._recording),
            notes=notes,
            date=datetime.now(UTC).isoformat(timespec="seconds"),
            sources=asked.files(),
            request=asked.dependencies(),
        )
        self._run(verdict)
        if verdict.result is Result.DIFFERENT:
            self._explain(verdict)
        return verdict

    def _run(self, verdict: Verdict) -> None:
        """Run both jobs and compare them, unless one cannot be."""
        asked, works = self._request, [self._work(MIGRATED, "new")]
        if asked.expected is None:
            works.insert(0, self._work(ORIGINAL, "old"))
        ended = self._run_works("running", works)
        outcomes = [outcome_of(result.work.results) for result in ended]
        old = self._expected if asked.expected is not None else outcomes[0]
        self._begin = begin_of(old, outcomes[-1]) if self._new[1] == STRUCTURED else None
        if self._begin is not None:
            ended[-1:] = self._run_works("running", [self._work(MIGRATED, "new")])
            outcomes[-1] = outcome_of(ended[-1].work.results)
        new, new_ended = outcomes[-1], ended[-1]
        if asked.expected is not None:
            verdict.old = (
                Side(old.job or str(asked.job), f"{old.engine}, recorded") if old else verdict.old
            )
        else:
            verdict.old = _side(verdict.old, ended[0], old)
        verdict.new = _side(verdict.new, new_ended, new)
        seconds = asked.limits.seconds
        if asked.expected is None:
            verdict.obstacle = of_process(ended[0], old, seconds)
        if verdict.obstacle is None and old is not None:
            verdict.obstacle = of_original(
                old, self._text, "" if asked.expected else ended[0].last_lines(_SHOWN)
            )
        verdict.obstacle = verdict.obstacle or of_process(new_ended, new, seconds)
        if verdict.obstacle is None and old is not None and new is not None:
            self._compare(verdict, old, new)
        for outcome in (old, new):
            verdict.notes += [] if outcome is None else outcome.warnings

    def _compare(self, verdict: Verdict, old: Results, new: Results) -> None:
        batches = compared_batches(old, new, self._recording.length)
        verdict.batches = batches
        verdict.comparison = compare(old, new, self._request.rules, batches)
        verdict.failure = failure(old, new)
        verdict.notes += uncompared_outputs(old, new, verdict.comparison.pairs)
        verdict.notes += limits(old, new, verdict.comparison, self._request.rules.order)
        if not verdict.failure:
            verdict.obstacle = missing_comparison(verdict.comparison)
        if windows := kept_windows(self._text):
            verdict.notes.append(
                f"the totals that the windows keep (line {', '.join(map(str, windows))}) are "
                "compared where they are given out, not as a state"
            )
        if both := same_failure(old, new):
            verdict.notes.append(both)

    def _explain(self, verdict: Verdict) -> None:
        """Look for the operator, for what differs from itself, and for the smallest input."""
        asked, comparison = self._request, verdict.comparison
        first = None if comparison is None else comparison.first()
        if first is not None:
            verdict.operator = first.pair.operator
        if asked.expected is not None or comparison is None:
            return
        works = [
            self._work(ORIGINAL, "old-streams", streams=True),
            self._work(MIGRATED, "new-streams", streams=True),
        ]
        ended = self._run_works("looking for the operator", works)
        again, streams = (outcome_of(result.work.results) for result in ended)
        old, new = (read_outcome(asked.out / f"{name}.jsonl") for name in ("old", "new"))
        if again is not None and (where := differs_in(old, again, asked.rules, comparison.batches)):
            verdict.obstacle = differs_from_itself(where, self._text)
            return
        if first is not None:
            if again is not None and streams is not None:
                verdict.operator = first_operator(again, streams, first, asked.rules)
            until = first.batch
            differs = same_output_differs(first.pair.name, asked.rules)
        else:
            if again is not None and streams is not None:
                verdict.operator = failing_operator(again, streams, verdict.job, verdict.new.job)
            until = last_batch(old, new)

            def differs(results: Results, two: Results, _: int) -> bool:
                return fails_like(old, new, results, two)

        if asked.shrinks and until:
            self._shrink(verdict, until, differs)

    def _shrink(
        self, verdict: Verdict, until: int, differs: Callable[[Results, Results, int], bool]
    ) -> None:
        asked = self._request
        folder = asked.out / "shrinking"
        with JobProcess(folder.resolve(), asked.limits) as session:

            def run(recording: Path) -> None:
                for label, side in ((ORIGINAL, "old"), (MIGRATED, "new")):
                    work = self._work(label, f"shrinking/{recording.stem}-{side}")
                    results = recording.with_suffix(f".{side}")
                    session.run(
                        replace(work, recording=recording.resolve(), results=results.resolve()),
                        lambda one: self._progress(
                            f"{SEARCH} ({self._budget.used} tried)", None, 0
                        ),
                    )

            search = Search(self._recording, folder, differs, run, self._budget)
            smallest, old = search.smallest(until)
        verdict.smallest = asked.out / SMALLEST
        verdict.smallest_size = (smallest.length, records(smallest))
        write_batches(verdict.smallest, smallest)
        expected = asked.out / "smallest-expected.jsonl"
        shutil.copyfile(old or asked.out / "old.jsonl", expected)
        if warning := self._budget.warning():
            verdict.notes.append(warning)
        job = self._new[0]
        verdict.test = asked.out / f"test_{identifier(asked.job.stem)}.py"
        about = f"{job.name} gives what {asked.job.name} gave; the smallest input found."
        options = options_of(asked.rules, asked.real)
        write_test(
            verdict.test,
            about,
            asked.job,
            job,
            verdict.smallest,
            expected,
            asked.arguments,
            options,
        )

    def _work(self, label: str, name: str, streams: bool = False) -> Work:
        asked = self._request
        job, engine = (asked.job, DSTREAMS) if label == ORIGINAL else self._new
        results = asked.out / f"{name}.jsonl"
        return Work(
            label,
            engine,
            job.resolve(),
            asked.arguments,
            asked.recording.resolve(),
            results.resolve(),
            (asked.out / f"{name}.log").resolve(),
            streams,
            self._begin if label == MIGRATED else None,
            asked.real,
        )

    def _run_works(self, step: str, works: list[Work]) -> list[Ended]:
        def progress(work: Work) -> None:
            self._progress(f"{step}: {work.label}", work, self._recording.length)

        ended = run_all(works, self._request.limits, progress)
        for _ in range(RUNS - 1):
            starved = [at for at, work in enumerate(works) if _may_run_again(work)]
            if not starved:
                break
            step = f"{step}, again"
            again = run_all([works[at] for at in starved], self._request.limits, progress)
            for at, work in zip(starved, again, strict=True):
                ended[at] = work
        return ended


def _may_run_again(work: Work) -> bool:
    outcome = outcome_of(work.results)
    return outcome is not None and outcome.may_run_again()


def _side(side: Side, ended: Ended, outcome: Results | None) -> Side:
    peak = max(ended.peak_bytes, outcome.peak_bytes if outcome else 0)
    return replace(side, seconds=ended.seconds, peak_bytes=peak, results=str(ended.work.results))


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
    whole = bool(beside(job, read_text(job)))
    source, output = (job.parent, folder) if whole else (job, folder / job.name)
    if not whole:
        folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "migrator", str(source.resolve()), "--output", str(output)]
    command += ["--target", target, "--quiet", "--no-color", "--no-config", "--no-cache"]
    done = subprocess.run(
        command,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=_MIGRATE_SECONDS,
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
    if engine := _imported_engine(text):
        return engine
    if "readStream" in text:
        return STRUCTURED
    # a helper of the job makes the context: it belongs to what the helper imports
    engines = (_imported_engine(read_text(path)) for path in beside(job, text))
    return next(filter(None, engines), DSTREAMS)


def _imported_engine(text: str) -> str:
    names = imported_modules(text)
    if any(name.partition(".")[0] == "dstream_compat" for name in names):
        return COMPAT
    return DSTREAMS if any(name.startswith("pyspark.streaming") for name in names) else ""
