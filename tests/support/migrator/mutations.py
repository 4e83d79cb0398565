"""Sources at random, made of those of the golden tests."""

from __future__ import annotations

import random
from pathlib import Path

GOLDEN = Path(__file__).parents[2] / "migrator" / "golden"
SEEDS = [p.read_text() for p in sorted(GOLDEN.glob("*/before.py"))]
JOBS = sorted(GOLDEN.with_name("projects").rglob("*.py"))
JOBS += sorted(GOLDEN.with_name("python2_projects").rglob("job.py"))
JOBS += sorted(GOLDEN.with_name("input_projects").rglob("clicks.py"))  # Python 2, too
SEEDS += [text for p in JOBS if "pyspark.streaming" in (text := p.read_text())]
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
