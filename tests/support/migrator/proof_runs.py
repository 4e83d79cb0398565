"""Runs jobs over recorded batches in one JVM, each once, for tests of `migrate verify`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final
from unittest import mock

from dstream_compat.testing.recordings import Recording, write_batches
from dstream_compat.testing.results import Results
from migrator.verify.comparison import Comparison, Rules, compare, first_operator
from migrator.verify.ends import compared_batches
from migrator.verify.outcome import outcome_of, outputs_only
from migrator.verify.process import Limits, Work
from migrator.verify.session import JobProcess

# its workers have the libraries: without it, those of a run cost more than the job
_TRIES: Final = 5
SUBMIT: Final = "--conf spark.python.daemon.module=tests.support.worker_daemon pyspark-shell"


class Runs:
    """Runs of jobs in a session; what was run once is not run again.

    Parameters
    ----------
    folder : Path
        for what they leave
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._session = JobProcess(folder / "session", Limits(seconds=180))
        self._known: dict[str, Results] = {}
        self._count = 0

    def close(self) -> None:
        self._session.__exit__(None, None, None)

    def outcome(
        self,
        name: str,
        engine: str,
        job: Path,
        recording: dict[str, Any],
        arguments: tuple[str, ...] = (),
        streams: bool = True,
    ) -> Results:
        """Return what a job gives; the name is that of the run."""
        if name not in self._known:
            self._count += 1
            folder = self._folder / str(self._count)
            folder.mkdir()
            batches = dict(enumerate(recording["batches"], 1))
            given = Recording(
                float(recording.get("interval", 1)),
                recording["sources"],
                {number: one for number, one in batches.items() if one},
                len(batches),
            )
            write_batches(folder / "batches.jsonl", given)
            work = Work(
                name,
                engine,
                job,
                arguments,
                folder / "batches.jsonl",
                folder / "results.jsonl",
                folder / "run.log",
                streams,
            )
            for path, text in recording.get("files", {}).items():
                (folder / "run").mkdir(exist_ok=True)
                (folder / "run" / path).write_text(text, encoding="utf-8")
            for _ in range(_TRIES):
                with mock.patch.dict(os.environ, PYSPARK_SUBMIT_ARGS=SUBMIT):
                    self._session.run(work)
                outcome = outcome_of(work.results)
                if outcome is None or not outcome.may_run_again():
                    break
            log = work.log.read_text(errors="replace")[-3000:]
            assert outcome is not None, log
            assert outcome.end in ("stopped", "exited"), f"{outcome.error}\n{log}"
            self._known[name] = outcome
        return self._known[name]


def compared(old: Results, new: Results, batches: int) -> tuple[Comparison, str]:
    """Return how two runs with their streams differ, and the operator that makes the difference."""
    outputs = outputs_only(old), outputs_only(new)
    found = compare(*outputs, Rules(), compared_batches(*outputs, batches))
    first = found.first()
    return found, "" if first is None else first_operator(old, new, first, Rules())
