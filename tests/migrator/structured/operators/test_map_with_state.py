"""Rewritten `mapWithState` gives what the functions give in plain Python, record by record.

PySpark's own DStreams have no `mapWithState`, so the goldens cannot have it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.structured.compare import channels
from tests.support.structured.pairs import MODES, run
from tests.support.structured.values import plain

FUNCTIONS = """
LAST = 3


def statistics(letter, size, state):
    # the sizes before this one
    sizes = ((state.getOption() or []) + [size])[-LAST:]
    state.update(sizes)
    return (letter, min(sizes), max(sizes), round(sum(sizes) / len(sizes), 2))


def number(key, value, state):
    count = state.get() + 1 if state.exists() else 1
    if count == 3:
        state.remove()
    else:
        state.update(count)
    return "%s%d" % (key, count)


def growth(time, key, size, state):
    # None emits nothing
    before = state.getOption()
    state.update((size, 1 if before is None else before[1] + 1))
    if before is None or size <= before[0]:
        return None
    return (key, before[1], None if size == before[0] + 1 else size)
"""
HEAD = """import sys

from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext

"""
JOB = """

sc = SparkContext(appName="MapWithState")
ssc = StreamingContext(sc, 1)
ssc.checkpoint(sys.argv[2])

words = ssc.textFileStream(sys.argv[1]).flatMap(lambda line: line.split())
pairs = words.map(lambda word: (word[:1], len(word)))
pairs.mapWithState(StateSpec.function(statistics)).pprint(100)
pairs.mapWithState(StateSpec.function(number).numPartitions(2)).pprint(100)
pairs.mapWithState(StateSpec.function(growth)).pprint(100)
ssc.start()
ssc.awaitTermination()
"""
TEXTS = [
    "spark storm samza s\nflink fl\n",
    "".join(f"{'s' * (1 + n * 7 % 11)} {'f' * (1 + n * 5 % 13)}\n" for n in range(40)),
    None,
    "f ff s\nkafka\n",
]


class State:
    """A state of one key, as the functions see it."""

    def __init__(self) -> None:
        self.value: Any = None

    def exists(self) -> bool:
        return self.value is not None

    def get(self) -> Any:
        assert self.value is not None
        return self.value

    def getOption(self) -> Any:
        return self.value

    def update(self, value: Any) -> None:
        self.value = value

    def remove(self) -> None:
        self.value = None


def expected(name: str) -> list[list[Any]]:
    """What a function gives in each interval."""
    space: dict[str, Any] = {}
    exec(FUNCTIONS, space)
    states: dict[str, State] = {}
    found = []
    for text in TEXTS:
        given = []
        for word in (text or "").split():
            state = states.setdefault(word[:1], State())
            time = [None] if name == "growth" else []
            given.append(space[name](*time, word[:1], len(word), state))
        found.append([each for each in given if each is not None])
    return found


def by_key(records: list[Any]) -> dict[str, list[Any]]:
    """Records by the first letter, in their order."""
    found: dict[str, list[Any]] = {}
    for record in records:
        found.setdefault(record[0][:1], []).append(record)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "mode", [MODES[0], *(pytest.param(mode, marks=pytest.mark.full) for mode in MODES[1:])]
)
def test_records_are_those_of_the_functions(mode: str, tmp_path: Path) -> None:
    rewritten = rewrite(HEAD + FUNCTIONS + JOB)
    assert isinstance(rewritten, Rewritten)
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
        "queries": 3,
        "steps": steps,
    }
    (result,) = run(mode, [plan], tmp_path)
    assert not result["problems"], result["problems"]
    found = channels(result["events"], [*range(1, len(TEXTS) + 1)])
    for place, name in enumerate(("statistics", "number", "growth"), 1):
        for step, records in enumerate(expected(name), 1):
            events = found[f"shown {place}"].get(step, [])
            shown = [plain(each) for event in events for each in event["records"]]
            assert by_key(shown) == by_key(records), (name, step)


def test_a_batch_time_that_is_used_needs_consent() -> None:
    text = HEAD + FUNCTIONS.replace("return (key, before[1]", "return (str(time), before[1]") + JOB
    found = rewrite(text)
    assert isinstance(found, Reason)
    assert found.code == "BATCH_TIME"


@pytest.mark.parametrize(
    ("window", "spec", "unsafe", "words"),
    [
        ("window(3).pprint()", "number", False, ""),
        ("window(4, 2).pprint()", "number", False, ""),
        ("window(4, 2).pprint()", "number).timeout(9", True, ""),
        ("window(3).count().pprint()", "number", False, ""),
        ("window(4, 2).count().pprint()", "number", False, "of several batches together"),
        ("window(4, 2).count().pprint()", "number", True, ""),
        ("window(4, 2).count().pprint()", "number).timeout(9", True, "time out at slides only"),
    ],
)
def test_a_window_of_records(window: str, spec: str, unsafe: bool, words: str) -> None:
    """The query has a batch for each interval, unless an output would run between two slides."""
    job = JOB.partition("pairs.map")[0] + (
        f"made = pairs.mapWithState(StateSpec.function({spec}))\n"
        f"made.filter(bool).{window}\nssc.start()\nssc.awaitTermination()\n"
    )
    found = rewrite(HEAD + FUNCTIONS + job, unsafe)
    if words:
        assert isinstance(found, Reason)
        assert words in found.text
    else:
        assert isinstance(found, Rewritten), found
        assert found.text.count(".transformWithState(") == 2


def test_a_window_of_other_records_keeps_its_batches() -> None:
    job = JOB.partition("pairs.map")[0] + (
        "made = pairs.mapWithState(StateSpec.function(number))\n"
        "made.countByValueAndWindow(4, 2).pprint()\n"
        "words.countByValueAndWindow(4, 2).pprint()\nssc.start()\nssc.awaitTermination()\n"
    )
    found = rewrite(HEAD + FUNCTIONS + job)
    assert isinstance(found, Rewritten), found
    assert 'WindowedCounts(Row("value", "count"), 4, 2, 1)' in found.text
    assert 'WindowedCounts2(Row("word", "count"), 4, 2)' in found.text
    triggers = [found.text.count(f'processingTime="{n}")') for n in ("1 second", "2 seconds")]
    assert triggers == [1, 1]


def test_a_job_may_have_the_module_datetime() -> None:
    head = HEAD.replace("import sys", "import datetime\nimport sys")
    found = rewrite(head + FUNCTIONS + "\n\nprint(datetime.date.today())\n" + JOB)
    assert isinstance(found, Rewritten), found
    assert " batch_time = datetime.datetime.fromtimestamp(" in found.text
