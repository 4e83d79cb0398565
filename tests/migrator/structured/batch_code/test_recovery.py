"""Code of batches that is killed goes on with exactly the states and windows that it had.

The job is killed with SIGKILL when a batch has saved its states and is not committed.
"""

from __future__ import annotations

import shutil
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.structured.processes import appear, running, wait_for
from tests.support.structured.state_job import JOB, has_printed

TEXTS = ["a b a\n", "b c\nb c\n", "a\n", "c a\n", "d\n"] * 5


def numbers(folder: Path) -> set[int]:
    return {int(each.name) for each in folder.glob("*") if each.name.isdigit()}


def committed(folder: Path) -> set[int]:
    return numbers(folder / "checkpoint" / "job" / "commits")


def saved(folder: Path) -> set[int]:
    states = folder / "checkpoint" / "job" / "states" / "updateStateByKey"
    return {number for number in numbers(states) if (states / f"{number}" / "_SUCCESS").exists()}


def has_committed(folder: Path, before: set[int]) -> bool:
    return bool(committed(folder) - before)


@pytest.mark.slow
@pytest.mark.full
def test_states_survive_sigkill(tmp_path: Path) -> None:
    made = rewrite(JOB, batch_code=True)
    assert isinstance(made, Rewritten), made
    script = tmp_path / "job.py"
    script.write_text(made.text, encoding="utf-8")
    (tmp_path / "in").mkdir()
    arguments, known = ["in", "checkpoint"], Counter[str]()
    held = tmp_path / "held"
    for run, text in enumerate(TEXTS):
        before, output = committed(tmp_path), tmp_path / f"output-{run}"
        held.unlink(missing_ok=True)
        with running(script, arguments, tmp_path, run) as process:
            if run:
                # what was repeated has been counted once
                wait_for("a commit", process, partial(has_committed, tmp_path, before))
            known.update(text.split())
            lines = [f"{kind} {sorted(known.items())}" for kind in ("window", "totals")]
            held.write_text(lines[1], encoding="utf-8")
            appear(tmp_path / "in" / f"{run}.txt", text)
            for line in lines:
                wait_for(line, process, partial(has_printed, output, line))
        # it was killed between its state and its commit
        last = max(saved(tmp_path))
        assert last not in committed(tmp_path)
        assert saved(tmp_path) == {*range(max(last - 1, 0), last + 1)}
        printed = output.read_text(encoding="utf-8").splitlines()
        assert [line for line in printed if line.startswith("totals")][-1] == lines[1]
    # a state that is gone is no empty one
    shutil.rmtree(tmp_path / "checkpoint" / "job" / "states" / "updateStateByKey")
    number = max(committed(tmp_path))
    with running(script, arguments, tmp_path, len(TEXTS)) as process:
        assert process.wait(300) != 0
    log = (tmp_path / f"log-{len(TEXTS)}").read_text(encoding="utf-8")
    assert f"updateStateByKey/{number} is missing, which batch {number} has saved" in log
