"""`migrate verify` finds rewrites to Structured Streaming equal, and faults in them different.

Each golden is verified with an interval without input in the middle: there a query has no batch,
unless a timer wakes it, and DStreams go on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dstream_compat.testing.values import readable
from migrator.verify.comparison import Difference, Result, Verdict
from migrator.verify.outcome import read_outcome
from migrator.verify.process import STRUCTURED
from tests.support.migrator.verifier import Verifier
from tests.support.structured.pairs import BY_HAND, Golden, goldens
from tests.support.structured.recorded import recording

GOLDENS = {golden.name: golden for golden in goldens() if golden.name not in BY_HAND}
# the others are for the long run
SHORT = {"batch_idle", "running_count"}
SHORT_FAULTS = {"function"}
NOT_SEEN = ("the state of ", "the records of ", "what the function of ")
# the original fails in an interval without input: it makes a DataFrame of an empty RDD; or it ends
# by itself in the last interval
NO_PAUSE = {"top_tags", "queue_in_functions"}
# by name: the golden, what is replaced in its rewrite and with what, the first batch that differs
FAULTS = {
    "state": ("state_pairs", 'F.length(F.col("word")).alias', '(F.length("word") + 1).alias', 1),
    "state with a timer": ("state_reset", "registerTimer(timer", "listTimers or (timer", 2),
    "slow trigger": ("running_count", '"1 second"', '"2 seconds"', 1),
    "idle window": ("window_counts", "end + self.slide)", "end + 2 * self.slide)", 4),
    "function": ("log_levels", "batch.", "batch.limit(1).", 1),
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Verifier]:
    made = Verifier(tmp_path_factory.mktemp("verified"))
    yield made
    made.close()


def verified(verifier: Verifier, golden: Golden, after: Path) -> Verdict:
    arguments, given = recording(golden, pause=golden.name not in NO_PAUSE)
    return verifier.verify(golden.folder / "before.py", given, arguments, migrated=after)


def is_stated(difference: Difference, golden: Golden) -> bool:
    """Return whether printed lines differ only in what the rewriting says to differ."""
    patterns = golden.options.get("stated", [])
    sides = [
        sorted(re.sub("|".join(patterns), "", readable(row)) for row in rows)
        for rows in (difference.only_old, difference.only_new)
    ]
    return bool(patterns) and difference.pair.kind == "printed" and _texts(*sides)


def _texts(old: list[str], new: list[str]) -> bool:
    empty = "''"
    return [text for text in old if text != empty] == [text for text in new if text != empty]


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in SHORT else pytest.mark.full) for name in GOLDENS],
)
def test_a_golden_is_verified(verifier: Verifier, name: str) -> None:
    golden = GOLDENS[name]
    verdict = verified(verifier, golden, golden.folder / "after.py")
    assert verdict.obstacle is None
    assert verdict.failure == ""
    assert verdict.comparison is not None
    assert verdict.comparison.rows_both > 0
    assert [one for one in verdict.comparison.differences if not is_stated(one, golden)] == []
    assert verdict.result is (Result.DIFFERENT if verdict.comparison.differences else Result.EQUAL)
    assert "stated" in golden.options or verdict.result is Result.EQUAL
    # what a query keeps has another form, and what a function sends by itself nobody sees
    left = [note for note in verdict.notes if " not compared" in note]
    assert [note for note in left if not note.startswith(NOT_SEEN)] == []


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(fault, marks=[] if fault in SHORT_FAULTS else pytest.mark.full)
        for fault in FAULTS
    ],
)
def test_a_fault_is_found(verifier: Verifier, fault: str, tmp_path: Path) -> None:
    name, text, wrong, batch = FAULTS[fault]
    golden = GOLDENS[name]
    code = (golden.folder / "after.py").read_text(encoding="utf-8")
    assert text in code
    (tmp_path / "after.py").write_text(code.replace(text, wrong), encoding="utf-8")
    verdict = verified(verifier, golden, tmp_path / "after.py")
    assert verdict.result is Result.DIFFERENT
    assert verdict.comparison is not None
    first = verdict.comparison.first()
    assert first is not None
    assert first.batch == batch


def test_what_is_left_out_is_a_note(verifier: Verifier) -> None:
    golden = GOLDENS["running_count"]
    verdict = verified(verifier, golden, golden.folder / "after.py")
    (note,) = [note for note in verdict.notes if "nothing came for it" in note]
    assert note.startswith("pprint at before.py:19 has rows of one job only in batch 2, 3: ")


ODD_WINDOW = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(), 17)
ssc.checkpoint("checkpoint")
pairs = ssc.textFileStream("in").map(lambda line: (line, 1))
pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, 102, 51).pprint()
ssc.start()
ssc.awaitTermination()
"""


def test_windows_begin_with_the_recording(verifier: Verifier, tmp_path: Path) -> None:
    """A slide of 51 s divides no time that begins a recording by itself."""
    (tmp_path / "job.py").write_text(ODD_WINDOW, encoding="utf-8")
    files = [{"file:in": {f"{number}.txt": ["a", "b" * number]}} for number in range(5)]
    given = {"interval": 17, "sources": {"file:in": {}}, "batches": [*files, {}, {}, {}, {}]}
    verdict = verifier.verify(tmp_path / "job.py", given, target=STRUCTURED)
    assert (verdict.result, verdict.new.engine) == (Result.EQUAL, STRUCTURED)
    assert verdict.comparison is not None
    assert verdict.comparison.rows_both > 5
    results = [Path(side.results) for side in (verdict.old, verdict.new)]
    begins = [read_outcome(path).header["begin"] for path in results]
    assert begins[0] == begins[1]
    assert begins[0] % 51_000 == 0
