"""Thousands of batches: what one costs, and what is kept, does not grow."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from .processes import run_job

BATCHES, EVERY = 2_000, 50
Sample = dict[str, float]


def per_batch(samples: list[Sample], first: int, last: int) -> float:
    """Return the CPU time per batch between two batches, in seconds."""
    cpu = {sample["batch"]: sample["cpu"] for sample in samples}
    return (cpu[last] - cpu[first]) / (last - first)


def highest(samples: list[Sample], what: str, first: int, last: int) -> float:
    return max(sample[what] for sample in samples if first <= sample["batch"] <= last)


@pytest.mark.slow
@pytest.mark.full
def test_nothing_grows(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    place = [str(tmp_path / name) for name in ("checkpoint", "in", "samples")]
    done = run_job("soak", *place, str(BATCHES), str(EVERY), deadline=7200)
    assert done.code == 0, done.err[-3000:]
    samples = [json.loads(line) for line in (tmp_path / "samples").read_text().splitlines()]
    for sample in samples:
        print({name: round(value, 1) for name, value in sample.items()})
    assert len(samples) == BATCHES // EVERY
    early = per_batch(samples, 200, 400)
    late = per_batch(samples, BATCHES - 200, BATCHES)
    print(f"CPU per batch: {early:.3f} s after 200 batches, {late:.3f} s at the end")
    assert late <= 1.2 * early
    half = BATCHES // 2
    for what, slack in (
        ("driver", 16),
        ("heap", 32),
        ("java", 128),
        ("workers", 64),
        ("processes", 2),
        ("files", 20),
        ("checkpoint", 4),
    ):
        before = highest(samples, what, 300, half)
        after = highest(samples, what, half, BATCHES)
        assert after <= 1.05 * before + slack, (what, before, after)


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux has /proc")
def test_measures_this_process() -> None:
    from .resources import Tree

    before = Tree.of(os.getpid())
    block = bytearray(b"x" * (64 << 20))
    after = Tree.of(os.getpid())
    assert after.resident(os.getpid()) > before.resident(os.getpid()) + 50
    assert after.cpu >= before.cpu > 0
    assert after.count >= 1 and after.open_files >= 3
    assert len(block) == 64 << 20
