"""Random jobs give as Structured Streaming, without consent, what they give on Spark's DStreams.

A job that fails is printed with its seed; ``python -m tests.support.structured.random_jobs SEED``
prints it again, with its rewriting.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dstream_compat.testing.values import readable
from migrator.structured.rewrite import Rewritten, rewrite
from migrator.verify.comparison import Result, Verdict
from migrator.verify.outcome import read_outcome
from migrator.verify.pairing import gives_rows
from migrator.verify.process import STRUCTURED
from tests.support.migrator.verifier import Verifier
from tests.support.structured.random_jobs import RandomJob, random_job

JOBS = 40
ALL = 2000 if os.environ.get("DSTREAM_COMPAT_FULL") else JOBS
CLASSIC = 3
ALL_CLASSIC = 200 if os.environ.get("DSTREAM_COMPAT_FULL") else CLASSIC
# most jobs of random seeds are rewritten; the others need consent, or stay
TRIES = 20

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Verifier]:
    made = Verifier(tmp_path_factory.mktemp("random"))
    yield made
    made.close()


def rewritten_jobs(number: int, batch_code: bool) -> Iterator[tuple[RandomJob, Rewritten]]:
    """Yield the jobs of some seeds that are rewritten."""
    for seed in range(number * TRIES, (number + 1) * TRIES):
        job = random_job(seed)
        if batch_code:
            # other partitions: of more records than are printed, others may be
            job.text = re.sub(r"\.pprint\(3?\)", ".pprint(100)", job.text)
        found = rewrite(job.text, batch_code=batch_code)
        if isinstance(found, Rewritten):
            yield job, found


def gives_nothing(verdict: Verdict) -> bool:
    """Return whether DStreams gave no row to the end, and verify found nothing to compare."""
    old = read_outcome(Path(verdict.old.results))
    rows = any(gives_rows(old, number) for number in range(len(old.outputs)))
    differs = verdict.comparison is not None and verdict.comparison.differences
    return verdict.obstacle is not None and old.end == "stopped" and not rows and not differs


def described(job: RandomJob, after: str, verdict: Verdict) -> str:
    """Return what is to be known of a job that differs."""
    lines = [f"seed {job.seed}: {verdict.obstacle or verdict.failure or verdict.result}", job.text]
    lines += ["# becomes", after, *(f"batch {each}" for each in job.recording["batches"])]
    for one in verdict.comparison.differences if verdict.comparison else ():
        rows = [", ".join(map(readable, side)) for side in (one.only_old, one.only_new)]
        lines.append(
            f"batch {one.batch}, {one.pair.name}: {one.what}; "
            f"DStreams [{rows[0]}], query [{rows[1]}]"
        )
    return "\n".join([*lines, *verdict.notes])


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(
            n, id=f"{n // 100:02}-{n % 100:02}", marks=[] if n < JOBS else pytest.mark.full
        )
        for n in range(ALL)
    ],
)
def test_random_job(verifier: Verifier, number: int, tmp_path: Path) -> None:
    check_jobs(verifier, rewritten_jobs(number, batch_code=False), tmp_path)


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(
            n, id=f"{n // 100:02}-{n % 100:02}", marks=[] if n < CLASSIC else pytest.mark.full
        )
        for n in range(ALL_CLASSIC)
    ],
)
def test_random_job_as_batch_code(verifier: Verifier, number: int, tmp_path: Path) -> None:
    check_jobs(verifier, rewritten_jobs(number, batch_code=True), tmp_path)


def check_jobs(
    verifier: Verifier, jobs: Iterator[tuple[RandomJob, Rewritten]], tmp_path: Path
) -> None:
    """Check the first of some jobs that gives something."""
    for job, rewritten in jobs:
        paths = tmp_path / "job.py", tmp_path / "rewritten.py"
        for path, text in zip(paths, (job.text, rewritten.text), strict=True):
            path.write_text(text, encoding="utf-8")
        verdict = verifier.verify(paths[0], job.recording, migrated=paths[1])
        assert verdict.new.engine == STRUCTURED
        if verdict.result is Result.EQUAL:
            return
        if not gives_nothing(verdict):
            pytest.fail(described(job, rewritten.text, verdict), pytrace=False)
    pytest.fail(f"none of {TRIES} jobs is rewritten and gives something")
