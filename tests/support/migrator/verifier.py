"""Verifies jobs as `migrate verify` does, with one JVM for all runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final
from unittest import mock

from dstream_compat.testing.recordings import Recording, write_batches
from migrator.verify import check
from migrator.verify.comparison import Verdict
from migrator.verify.outcome import outcome_of
from migrator.verify.process import Ended, Limits, Work
from migrator.verify.session import JobProcess
from tests.support.migrator.proof_runs import SUBMIT

_TRIES: Final = 5


class Verifier:
    """Verifications whose jobs run in a session.

    Parameters
    ----------
    folder : Path
        for what they leave
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._session = JobProcess(folder / "session", Limits(seconds=240))
        self._count = 0

    def close(self) -> None:
        self._session.__exit__(None, None, None)

    def verify(
        self, job: Path, given: dict[str, Any], arguments: tuple[str, ...] = (), **more: Any
    ) -> Verdict:
        """Return the verdict over recorded batches; see `Request` for further options."""
        self._count += 1
        out = self._folder / str(self._count)
        out.mkdir()
        batches = {n: one for n, one in enumerate(given["batches"], 1) if one}
        recording = Recording(
            float(given.get("interval", 1)), given["sources"], batches, len(given["batches"])
        )
        write_batches(out / "batches.jsonl", recording)
        for side in ("old", "new", "old-streams", "new-streams"):
            for name, text in given.get("files", {}).items():
                (out / side).mkdir(exist_ok=True)
                (out / side / name).write_text(text, encoding="utf-8")
        request = check.Request(
            job, out / "batches.jsonl", out, arguments=arguments, shrinks=False, **more
        )
        with mock.patch.object(check, "run_all", self._run_all):
            return check.Check(request, lambda step, work, count: None).verify()

    def _run_all(
        self, works: Sequence[Work], limits: Limits, progress: Callable[[Work], None]
    ) -> list[Ended]:
        for work in works:
            for _ in range(_TRIES):
                with mock.patch.dict(os.environ, PYSPARK_SUBMIT_ARGS=SUBMIT):
                    self._session.run(work)
                outcome = outcome_of(work.results)
                if outcome is None or not outcome.may_run_again():
                    break
        return [Ended(work, 0) for work in works]
