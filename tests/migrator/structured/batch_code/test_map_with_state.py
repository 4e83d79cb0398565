"""`mapWithState` in code of batches gives what the functions give in plain Python.

PySpark's own DStreams have no `mapWithState`, so the goldens cannot have it.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.state import State
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.structured.compare import channels
from tests.support.structured.pairs import run
from tests.support.structured.values import plain

FUNCTIONS = """
def groups(key, word, state):
    if state.isTimingOut():
        return ("out", key, sorted(state.get()))
    # a set is no value of a DataFrame
    words = state.getOption() or set()
    if len(words) == 3:
        state.remove()
        return ("full", key, state.exists())
    state.update(words | {word})
    return None if word == "none" else (key, sorted(state.get()))


def timed(at, key, word, state):
    before = state.get() if state.exists() else []
    state.update([word, *before][:2])
    return (key, before) if before else None
"""
JOB = f"""import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext

{FUNCTIONS}

sc = SparkContext(appName="MapWithState")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])
known = sc.parallelize([("s", {{"snow"}}), ("x", {{"xml"}})])

pairs = ssc.textFileStream(sys.argv[1]).flatMap(str.split).map(lambda word: (word[0], word))
pairs.mapWithState(StateSpec.function(groups).initialState(known)).pprint(100)
pairs.mapWithState(StateSpec.function(timed).numPartitions(2)).pprint(100)
pairs.mapWithState(StateSpec.function(groups).timeout(0)).pprint(100)
ssc.start()
ssc.awaitTermination()
"""
TEXTS = ["sun sea none\nfog\n", None, "sky sand s f\n", "none snow xyz\n", None]


def expected(name: str, known: dict[str, Any], times_out: bool = False) -> list[list[Any]]:
    """What a function gives in each interval."""
    space: dict[str, Any] = {}
    exec(FUNCTIONS, space)
    states, found = dict(known), []
    for text in TEXTS:
        words = (text or "").split()
        idle = [key for key in states if key not in {word[0] for word in words}]
        given = []
        for word in words:
            key = word[0]
            state = State.of(states[key]) if key in states else State.absent()
            given.append(space[name](*[None] * (name == "timed"), key, word, state))
            states.pop(key, None)
            if state.exists():
                states[key] = state.get()
        if times_out:
            given += [space[name](key, None, State.timing_out(states.pop(key))) for key in idle]
        found.append([each for each in given if name == "groups" or each is not None])
    return found


@pytest.mark.slow
def test_records_are_those_of_the_functions(tmp_path: Path) -> None:
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
    parts = [
        expected("groups", {"s": {"snow"}, "x": {"xml"}}),
        expected("timed", {}),
        expected("groups", {}, times_out=True),
    ]
    for step in range(1, len(TEXTS) + 1):
        lines = [plain(each) for event in events.get(step, []) for each in event["records"]]
        records = [each for part in parts for each in part[step - 1]]
        assert sorted(map(str, map(ast.literal_eval, lines))) == sorted(map(str, records)), step
