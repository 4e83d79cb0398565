"""A verdict says what was not compared, and none is given where nothing was."""

from __future__ import annotations

from typing import Any

import pytest

from dstream_compat.testing.results import Output, Results
from migrator.verify.obstacles import limits, missing_comparison, uncompared_outputs
from tests.support.migrator.outcomes import OLD, PPRINT, compared, outcome


def functions(
    engine: str, *given: list[Any], direct: bool = True, more: list[Output] | None = None
) -> Results:
    """A run of one batch with functions, and outputs that they have beside."""
    kind = "foreachBatch" if engine == "structured" else "foreachRDD"
    outputs = [
        Output(f"{kind} at {n}", kind, place=[n], direct=direct) for n, _ in enumerate(given)
    ]
    more = more or []
    rows = [*given, *(["out"] for _ in more)]
    return outcome(rows, outputs=[*outputs, *more], engine=engine)


def test_functions_of_queries_that_are_given_the_same() -> None:
    old = functions("dstreams", ["a"], ["b"], direct=False)
    new = functions("structured", ["b"], ["a"], direct=False)
    found = compared(old, new, 1)
    assert [(pair.old, pair.new) for pair in found.pairs] == [((0,), (1,)), ((1,), (0,))]
    assert missing_comparison(found) is None
    assert uncompared_outputs(old, new, found.pairs) == []


def test_silent_functions_of_queries_must_be_given_the_same() -> None:
    old, new = functions("dstreams", ["a"]), functions("structured", ["b"])
    first = compared(old, new, 1).first()
    assert first is not None
    assert (first.what, first.pair.name) == ("the rows differ", "foreachRDD at 0")


PRINTED = Output("lines printed by it", "printed", place=[0])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # one makes other records of what it is given
        (functions("dstreams", ["a"], direct=False), functions("structured", ["b"])),
        (functions("dstreams", ["a"]), functions("structured", ["b"], direct=False)),
        # which of them it is, is not known
        (functions("dstreams", ["a"]), functions("structured", ["b"], ["c"])),
    ],
)
def test_functions_of_queries_that_may_be_given_others(old: Results, new: Results) -> None:
    found = compared(old, new, 1)
    assert found.pairs == []
    obstacle = missing_comparison(found)
    assert obstacle is not None
    assert "foreachPartition" in obstacle.advice
    notes = uncompared_outputs(old, new, found.pairs)
    assert notes[0].startswith("the records of foreachRDD at 0 were not compared")
    assert notes[1].startswith("the records of foreachBatch at 0 of the migrated job were not")


def test_functions_whose_lines_are_compared_may_be_given_others() -> None:
    old = functions("dstreams", ["a"], more=[PRINTED])
    new = functions("structured", ["b"], more=[PRINTED])
    found = compared(old, new, 1)
    assert found.first() is None
    assert [pair.kind for pair in found.pairs] == ["printed"]
    assert missing_comparison(found) is None
    (note,) = uncompared_outputs(old, new, found.pairs)
    assert note.startswith("the records of foreachRDD at 0 were not compared")


def test_what_functions_send_is_compared() -> None:
    sent = Output("foreachPartition at 3", "sent")
    old = outcome([["a"]], outputs=[sent], engine="dstreams")
    for engine in ("compat", "structured"):
        assert compared(old, outcome([["a"]], outputs=[sent], engine=engine), 1).first() is None
        assert compared(old, outcome([["b"]], outputs=[sent], engine=engine), 1).first() is not None
    # a query may have a sink for it
    other = outcome([], outputs=[PPRINT])
    assert compared(old, other, 1).first() is not None
    other = outcome([], outputs=[PPRINT], engine="structured")
    found = compared(old, other, 1)
    assert found.first() is None
    assert missing_comparison(found) is not None
    assert uncompared_outputs(old, other, found.pairs) == [
        "what foreachPartition at 3 sends was not compared: nothing in the other job stands for it",
        f"the {PPRINT.name} of the migrated job was not compared: it gave no row in any batch",
    ]


def test_a_run_without_rows_is_warned_of() -> None:
    old, new = outcome([[]]), outcome([[]])
    found = compared(old, new, 1)
    assert found.first() is None
    assert [note[:40] for note in limits(old, new, found, False)] == [
        "warning: no output gave a row in any bat"
    ]
    assert limits(OLD, OLD, compared(OLD, OLD), False) == []


def test_what_functions_do_by_other_means_is_noted() -> None:
    old = functions("dstreams", ["a"], ["b"])
    new = functions("compat", ["a"], ["b"])
    (note,) = limits(old, new, compared(old, new, 1), False)
    assert "what the function of foreachRDD at 0, foreachRDD at 1 does by other means" in note


def test_no_batch_is_no_comparison() -> None:
    failed = outcome([["a"]], end="failed", error="ValueError: x", failed=1)
    obstacle = missing_comparison(compared(failed, failed, 0))
    assert obstacle is not None
    assert "no batch could be compared" in obstacle.what
