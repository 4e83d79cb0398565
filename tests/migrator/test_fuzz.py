"""Mutated sources: never a crash, never a result that does not parse."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from tests.migrator.helpers import report

GOLDEN = Path(__file__).parent / "golden"
SEEDS = [p.read_text() for p in sorted(GOLDEN.glob("*/before.py"))]
PIECES = [
    *("import pyspark.streaming\n", "pyspark", ".streaming", "from ", "import ", " as ", "*", "\\"),
    *("(", ")", "[", "]", "{", "}", ":", "\n", "\r\n", "\t", "    ", "#", '"""', "'", "f'{", "é"),
    *(";", ",", "=", "lambda x: ", "def f(x):\n", "class A:\n", "if x: ", "await ", "\x00", "\x0c"),
    *("dstream_compat", "StreamingContext", "KafkaUtils.createStream(", "ssc.", "global x\n"),
]


def mutate(source: str, chance: random.Random) -> str:
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        start = chance.randint(0, len(source))
        end = min(len(source), start + chance.choice((0, 0, 1, 3, 20)))
        piece = chance.choice(PIECES)
        if chance.random() < 0.7:
            other = chance.choice(SEEDS).splitlines(keepends=True)
            piece = "".join(chance.sample(other, min(2, len(other))))
            start = source.rfind("\n", 0, start) + 1
            end = start
        source = source[:start] + piece + source[end:]
    return source


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
        ast.parse(found.content)
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
