"""A rewritten job with state that is killed goes on with exactly the state that it had.

The jobs are goldens that run as they are, as processes of their own. They are killed with SIGKILL
after a batch was planned, done or not, and started again with the same checkpoint folder.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.support.structured.processes import appear, running, tables, wait_for

GOLDENS = Path(__file__).parent / "goldens"
FILES = [
    "spark Storm storm\nflink!\n",
    "storm storm kafka\nbeam Beam\n",
    "spark\nkafka kafka samza\n",
    "flink heron!\nspark spark\n",
    "last spark\n",
]
KNOWN_BEFORE = {"spark": 100, "storm": 3}


def forgotten(texts: list[str]) -> dict[str, int]:
    totals = dict(KNOWN_BEFORE)
    for token in " ".join(texts).split():
        word = token.rstrip("!").lower()
        totals[word] = 0 if token.endswith("!") else totals.get(word, 0) + 1
    return {word: total for word, total in totals.items() if total}


def totals(output: Path) -> list[dict[str, int]]:
    """The tables of words and totals that a job has shown."""
    return [{word: int(total) for word, total in rows} for rows in tables(output)]


def planned(folder: Path, kind: str) -> int:
    """How many batches the queries with checkpoints in a folder have planned or committed."""
    return sum(each.name.isdigit() for each in folder.glob(f"checkpoint/*/{kind}/*"))


def exceeds(folder: Path, kind: str, number: int) -> bool:
    return planned(folder, kind) > number


def has_started(folder: Path) -> bool:
    return any(folder.glob("checkpoint/*/metadata"))


def has_shown(output: Path, expected: dict[str, int]) -> bool:
    return expected in totals(output)


@pytest.mark.slow
@pytest.mark.full
def test_state_survives_sigkill(tmp_path: Path) -> None:
    script, arguments = GOLDENS / "state_recover" / "after.py", ["in", "checkpoint"]
    (tmp_path / "in").mkdir()
    expected = forgotten(FILES)
    appear(tmp_path / "in" / "0.txt", FILES[0])
    for run, kind in enumerate(["offsets", "commits", "offsets", ""]):
        output = tmp_path / f"output-{run}"
        with running(script, arguments, tmp_path, run) as process:
            before = planned(tmp_path, kind) if kind else 0
            appear(tmp_path / "in" / f"{run + 1}.txt", FILES[run + 1])
            if kind:
                wait_for(kind, process, partial(exceeds, tmp_path, kind, before))
            else:
                wait_for(str(expected), process, partial(has_shown, output, expected))
                assert totals(output)[-1] == expected


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("name", ["state_recover", "state_count", "files_window"])
def test_more_keys_than_are_shown(name: str, tmp_path: Path) -> None:
    """`show` reads the first partitions only; the state of all is saved in each batch."""
    (tmp_path / "in").mkdir()
    words = "".join(f"word{word}\n" for word in range(300))
    with running(GOLDENS / name / "after.py", ["in", "checkpoint"], tmp_path, 0) as process:
        wait_for("a start", process, partial(has_started, tmp_path))
        for number in range(3):
            before = planned(tmp_path, "commits")
            appear(tmp_path / "in" / f"{number}.txt", words)
            wait_for("a batch", process, partial(exceeds, tmp_path, "commits", before))
