"""Thousands of batches: what one costs, and what is kept, does not grow."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from statistics import median

import pytest

from tests.support.streaming.processes import run_job

BATCHES, EVERY = 2_000, 50
Sample = dict[str, float]


def per_batch(samples: list[Sample], first: int, last: int) -> float:
    """Return the CPU time per batch between two batches, in seconds."""
    cpu = {sample["batch"]: sample["cpu"] for sample in samples}
    return (cpu[last] - cpu[first]) / (last - first)


def growth(samples: list[Sample], what: str, first: int) -> float:
    """Return by how much a figure grows in 1,000 batches: the median slope of all pairs.

    A single sample far off, such as one taken while a process starts another, does not count.
    """
    points = [(sample["batch"], sample[what]) for sample in samples if sample["batch"] >= first]
    slopes = [(y - b) / (x - a) for (a, b), (x, y) in combinations(points, 2)]
    return 1000 * median(slopes)


def highest(samples: list[Sample], what: str, first: int, last: int) -> float:
    return max(sample[what] for sample in samples if first <= sample["batch"] <= last)


LIMITS = {  # growth in 1,000 batches; what is measured scatters by about as much
    "driver": 1,  # MiB, as all that follow but two
    "heap": 12,
    "java": 100,
    "workers": 5,
    "processes": 0.5,
    "files": 10,
    "checkpoint": 2,
}
SLACK = {  # between the highest figures of both halves, which a step shows that is no slope
    "driver": 16,
    "heap": 32,
    "java": 128,
    "workers": 64,
    "processes": 2,
    "files": 20,
    "checkpoint": 4,
}


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
    grown = {what: growth(samples, what, 400) for what in LIMITS}
    print("growth in 1,000 batches:", {what: round(value, 2) for what, value in grown.items()})
    assert {what for what, limit in LIMITS.items() if grown[what] > limit} == set()
    half = BATCHES // 2
    for what, slack in SLACK.items():
        before = highest(samples, what, 300, half)
        after = highest(samples, what, half, BATCHES)
        assert after <= 1.05 * before + slack, (what, before, after)


def test_growth_is_seen_through_noise_and_stray_samples() -> None:
    rng = random.Random(1)
    noise = [rng.uniform(-10, 10) for _ in range(40)]
    even = [{"batch": 50.0 * n, "size": 100 + noise[n]} for n in range(40)]
    even[17]["size"] = even[30]["size"] = 500
    assert abs(growth(even, "size", 0)) < 3
    leak = [{"batch": s["batch"], "size": s["size"] + 0.01 * s["batch"]} for s in even]
    assert 7 < growth(leak, "size", 0) < 13
    assert growth(leak, "size", 1000) > 5


# a process with one child that holds 64 MiB and computes for 0.3 s; then the child ends, and is
# waited for
PARENT = """
import subprocess, sys
CHILD = '''
import time
block = b'x' * (64 << 20)
while time.process_time() < 0.3:
    pass
print(flush=True)
input()
'''
child = subprocess.Popen(
    [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE
)
child.stdout.readline()
print(child.pid, flush=True)
input()
child.communicate(b"end\\n")
print(flush=True)
input()
"""


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="only Linux has /proc")
def test_measures_a_process_and_its_child() -> None:
    from tests.support.streaming.resources import Tree

    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdin and parent.stdout
        try:
            child = int(parent.stdout.readline())
            both = Tree.of(parent.pid)
            parent.stdin.write("\n")
            parent.stdin.flush()
            parent.stdout.readline()
            alone = Tree.of(parent.pid)
        finally:
            parent.kill()
    assert (both.count, alone.count) == (2, 1)
    assert both.resident(child) > both.resident(parent.pid) + 50
    assert both.resident_of("python") == both.resident(parent.pid) + both.resident(child)
    # Linux counts in ticks of 10 ms, and rounds the time of an ended child anew.
    assert alone.cpu + 0.05 >= both.cpu >= 0.25, "time of ended children counts"
    assert both.open_files >= alone.open_files + 3 >= 6
