"""Mutated sources: never a crash, never a result that does not parse."""

from __future__ import annotations

import ast
import random

import pytest

from tests.support.migrator.mutations import SEEDS, mutate
from tests.support.migrator.parsing import parse
from tests.support.migrator.reports import report

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(20))
def test_mutations(seed: int) -> None:
    chance = random.Random(seed)
    edited = 0
    for _ in range(60):
        source = mutate(chance.choice(SEEDS), chance)
        found = report(source.encode())
        if found.content is None:
            continue
        edited += 1
        parse("job.py", found)
        again = report(found.content)
        assert again.content is None, source
    assert edited > 5


@pytest.mark.parametrize("seed", range(5))
def test_bytes_at_random(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(60):
        data = bytearray(chance.choice(SEEDS).encode())
        for _ in range(3):
            data[chance.randrange(len(data))] = chance.randrange(256)
        found = report(bytes(data))
        assert found.content is None or ast.parse(found.content)


@pytest.mark.parametrize("seed", range(5))
def test_other_formats(seed: int) -> None:
    chance = random.Random(seed)
    seeds = [
        '{"cells": [{"cell_type": "code", "source": ["import pyspark.streaming\\n", "%x\\n"]}]}',
        "spark.streaming.receiver.maxRate 5\n--conf 'spark.streaming.x=1' # y\n",
    ]
    for _ in range(100):
        source = mutate(chance.choice(seeds), chance)
        for name in ("a.ipynb", "a.sh", "a.conf", "a.json"):
            report(source.encode(), name)
