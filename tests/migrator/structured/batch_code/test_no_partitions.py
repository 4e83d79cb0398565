"""A batch may leave an RDD without partitions to later ones, of which Spark saves no file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.structured.compare import channels
from tests.support.structured.pairs import run
from tests.support.structured.values import plain

JOB = """import sys
from operator import add, sub

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def known(rdd):
    return rdd.context.emptyRDD() if rdd.isEmpty() else rdd.map(lambda word: (word, 1))


sc = SparkContext(appName="NoPartitions")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])
pairs = ssc.textFileStream(sys.argv[1]).transform(known)
pairs.window(2).map(lambda pair: ("window", *pair)).pprint(100)
counts = pairs.reduceByKeyAndWindow(add, sub, 5, 1)
counts.map(lambda pair: ("counts", *pair)).pprint(100)
states = pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0))
states.map(lambda pair: ("states", *pair)).pprint(100)
ssc.start()
ssc.awaitTermination()
"""
TEXTS = [None, "a\n", None, None, "b\n"]
EXPECTED = [
    [],
    [("counts", "a", 1), ("states", "a", 1), ("window", "a", 1)],
    [("counts", "a", 1), ("states", "a", 1), ("window", "a", 1)],
    [("counts", "a", 1), ("states", "a", 1)],
    [
        *(("counts", "a", 1), ("counts", "b", 1)),
        *(("states", "a", 1), ("states", "b", 1), ("window", "b", 1)),
    ],
]


@pytest.mark.slow
def test_it_is_read_as_an_empty_one(tmp_path: Path) -> None:
    rewritten = rewrite(JOB, batch_code=True)
    assert isinstance(rewritten, Rewritten), rewritten
    root = tmp_path / "job"
    root.mkdir()
    (root / "after.py").write_text(rewritten.text, encoding="utf-8")
    steps = [
        {} if text is None else {"files": {f"in/{number}.txt": text}}
        for number, text in enumerate(TEXTS)
    ]
    plan = {
        "script": "after.py",
        "root": str(root),
        "args": ["{FOLDER}/in", "{FOLDER}/checkpoint"],
        "interval": 1,
        "end": "stop",
        "steps": steps,
        "portable": False,
    }
    (result,) = run("classic", [plan], tmp_path)
    assert not result["problems"], result["problems"]
    events = channels(result["events"], [*range(1, len(TEXTS) + 1)])["printed lines"]
    for step, records in enumerate(EXPECTED, 1):
        lines = [plain(each) for event in events.get(step, []) for each in event["records"]]
        assert sorted(map(ast.literal_eval, lines)) == records, step
