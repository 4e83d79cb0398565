"""Two runs are compared by output and batch; the first difference is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pyspark.sql import Row

from dstream_compat.testing.results import Output, Results
from dstream_compat.testing.values import encode
from migrator.verify.comparison import ORDER, Rules, first_operator
from migrator.verify.ends import compared_batches, failure
from migrator.verify.obstacles import limits, uncompared_outputs
from migrator.verify.outcome import outputs_only
from tests.support.migrator.outcomes import OLD, PPRINT, compared, outcome


def test_equal() -> None:
    found = compared(OLD, outcome([[("b", 2), ("a", 1)]], [[]], [[("c", 0.5)]]))
    assert found.first() is None
    assert found.equal_batches() == 3
    assert (found.rows_old, found.rows_new, found.rows_both, found.share()) == (3, 3, 3, 1.0)


def test_first_difference_has_rows_of_each_side() -> None:
    found = compared(OLD, outcome([[("b", 2), ("a", 1)]], [[("x", 1)]], [[("c", 1.5)]]))
    first = found.first()
    assert first is not None
    assert (first.batch, first.pair.name) == (2, PPRINT.name)
    assert first.only_new == (encode(("x", 1)),)
    assert found.equal_batches() == 1
    assert found.share() == 0.5


def test_an_empty_batch_that_did_not_run_is_a_difference() -> None:
    first = compared(OLD, outcome([[("a", 1), ("b", 2)]], [None], [[("c", 0.5)]])).first()
    assert first is not None
    assert (first.batch, first.what) == (
        2,
        "it ran once in the old job and not at all in the new one",
    )


def test_a_query_has_no_idle_batches() -> None:
    old = outcome([[("a", 1)]], [[]], engine="dstreams")
    assert compared(old, outcome([[("a", 1)]], None, engine="structured"), 2).first() is None
    assert compared(old, outcome([[("a", 1)]], None), 2).first() is not None


def test_an_output_that_ran_twice_is_a_difference() -> None:
    new = outcome([[("a", 1), ("b", 2)]], [[]], [[("c", 0.5)]])
    new.runs[0][2].append([])
    first = compared(OLD, new).first()
    assert first is not None
    assert first.what == "it ran once in the old job and twice in the new one"


def test_order_counts_where_it_is_promised_or_asked_for() -> None:
    other = outcome([[("b", 2), ("a", 1)]], [[]], [[("c", 0.5)]])
    assert compared(OLD, other).first() is None
    first = compared(OLD, other, order=True).first()
    assert first is not None
    assert first.what == ORDER
    promised = [Output("pprint", "pprint", ordered=True)]
    old = outcome([["a", "b"]], outputs=promised)
    assert compared(old, outcome([["b", "a"]], outputs=promised), 1).first() is not None
    # a new job that promises none has lost its sort, and one that promises more is right
    assert compared(old, outcome([["b", "a"]]), 1).first() is not None
    assert compared(old, outcome([["a", "b"]]), 1).first() is None
    assert (
        compared(outcome([["b", "a"]]), outcome([["a", "b"]], outputs=promised), 1).first() is None
    )


@pytest.mark.parametrize(
    "output",
    [
        Output("lines printed by foreachRDD at 1", "printed", ordered=True),
        Output("file counts.txt", "files", ordered=True),
    ],
)
def test_lines_of_python_have_the_order_of_what_was_sorted(output: Output) -> None:
    old, new = (outcome([lines], outputs=[output]) for lines in (["a", "b"], ["b", "a"]))
    found = compared(old, new, 1)
    assert found.first() is None
    assert limits(old, new, found, False) == [
        f"the {output.name} come in another order from batch 1 on, which does not count, because "
        "no sort is known to promise it; --order lets it count"
    ]
    assert limits(old, old, compared(old, old, 1), False) == []
    assert compared(old, new, 1, order=True).first() is not None
    old.outputs[0] = replace(output, from_sorted=True)
    first = compared(old, new, 1).first()
    assert first is not None
    assert first.what == ORDER


def printing(
    num: int | None, kind: str = "pprint", engine: str = "compat", rows: int = 3
) -> Results:
    outputs = [Output(f"{kind} at 1", kind, num=num)]
    return outcome([[*range(rows)]], outputs=outputs, engine=engine)


def test_how_many_records_are_printed() -> None:
    old, new = printing(10), printing(2)
    found = compared(old, new, 1)
    first = found.first()
    assert first is not None
    assert first.what == "the old job prints the first 10 of the rows, the new one the first 2"
    assert found.rows_both == 3
    assert compared(printing(2), printing(10), 1).first() is not None
    # it shows in no batch
    few = printing(10, rows=2), printing(2, rows=2)
    found = compared(*few, 1)
    assert found.first() is None
    note = "pprint at 1 prints up to 10 records of a batch, pprint at 1 of the migrated job up to 2"
    assert limits(*few, found, False) == [note]
    # a file of an earlier version does not know
    assert compared(printing(None), new, 1).first() is None
    assert limits(printing(None), new, compared(printing(None), new, 1), False) == []


def test_how_many_rows_a_query_shows_is_noted() -> None:
    old, new = printing(10, engine="dstreams"), printing(2, "show", "structured")
    found = compared(old, new, 1)
    assert found.first() is None
    assert "show at 1 of the migrated job up to 2" in limits(old, new, found, False)[0]


@pytest.mark.parametrize(("tolerance", "equal"), [(0.0, False), (1e-9, True), (1e-20, False)])
def test_tolerance(tolerance: float, equal: bool) -> None:
    found = compared(outcome([[0.1 + 0.2]]), outcome([[0.3]]), 1, tolerance=tolerance)
    assert (found.first() is None) is equal


def test_ignored_fields() -> None:
    other = outcome([[("a", 7), ("b", 8)]], [[]], [[("c", 9)]])
    assert compared(OLD, other, ignore=("1",)).first() is None
    assert compared(OLD, other, ignore=("2",)).first() is not None


def test_state_comes_last_in_a_batch() -> None:
    outputs = [Output("state of updateStateByKey", "state"), PPRINT]
    old = outcome([[("k", 1)], [("a", 1)]], outputs=outputs)
    new = outcome([[("k", 2)], [("a", 2)]], outputs=outputs)
    found = compared(old, new, 1)
    first = found.first()
    assert first is not None
    assert first.pair.name == PPRINT.name
    assert [one.pair.kind for one in found.differences] == ["pprint", "state"]
    # the rows of a state leave the job in no output
    assert found.rows_old == 1


def test_state_alone_is_a_difference() -> None:
    outputs = [PPRINT, Output("state", "state")]
    old = outcome([[], [("k", 1)]], outputs=outputs)
    first = compared(old, outcome([[], []], outputs=outputs), 1).first()
    assert first is not None
    assert first.pair.kind == "state"


def test_outputs_are_paired_by_kind_and_order() -> None:
    old = [
        Output("pprint at 1", "pprint"),
        Output("foreachRDD at 2", "foreachRDD"),
        Output("pprint at 3", "pprint"),
    ]
    new = [
        Output("foreachRDD at 9", "foreachRDD"),
        Output("pprint at 7", "pprint"),
        Output("pprint at 8", "pprint"),
    ]
    found = compared(
        outcome([["a"], ["b"], ["c"]], outputs=old),
        outcome([["b"], ["a"], ["c"]], outputs=new),
        1,
    )
    assert found.first() is None
    assert [pair.name for pair in found.pairs] == [output.name for output in old]


@pytest.mark.parametrize("swapped", [False, True])
def test_an_output_that_one_job_lacks(swapped: bool) -> None:
    two = outcome([["a"], ["b"]], outputs=[PPRINT, Output("pprint at 4", "pprint")])
    sides = [outcome([["a"]]), two]
    found = compared(*(sides[::-1] if swapped else sides), 1)
    first = found.first()
    assert first is not None
    assert first.what == f"only the {'old' if swapped else 'new'} job has this output"


def test_files_are_paired_by_name() -> None:
    a, b = Output("file a.txt", "files"), Output("file b.txt", "files")
    old = outcome([["1"], ["2"]], outputs=[a, b])
    assert compared(old, outcome([["2"], ["1"]], outputs=[b, a]), 1).first() is None


def test_a_rewrite_may_leave_out_what_has_no_rows() -> None:
    outputs = [Output("pprint at 1", "pprint"), PPRINT]
    old = outcome([[], [("a", 1)]], outputs=outputs, engine="dstreams")
    new = outcome([[("a", 1)]], outputs=[Output("show at 5", "show")], engine="structured")
    assert compared(old, new, 1).first() is None


def shown(*batches: list[list[Any]], engine: str, kind: str, places: list[list[int]]) -> Results:
    outputs = [Output(f"{kind} at {place}", kind, "", place=place) for place in places]
    return outcome(*batches, engine=engine, outputs=outputs)


# two queries, of which the second answers first
OLD_TABLES = shown(
    [["a"], ["b"]], [["c"], ["d"]], engine="dstreams", kind="pprint", places=[[0], [1]]
)


@pytest.mark.parametrize("places", [[[1, 9], [0, 5]], [[0, 5], [1, 9]]])
def test_tables_of_queries_are_paired_by_what_they_are(places: list[list[int]]) -> None:
    new = shown([["b"], ["a"]], [["d"], ["c"]], engine="structured", kind="show", places=places)
    assert compared(OLD_TABLES, new, 2).first() is None


def test_a_table_that_differs_is_paired_by_its_place() -> None:
    new = shown(
        [["b"], ["a"]],
        [["x"], ["c"]],
        engine="structured",
        kind="show",
        places=[[1, 9], [0, 5]],
    )
    first = compared(OLD_TABLES, new, 2).first()
    assert first is not None
    assert (first.batch, first.pair.name) == (2, "pprint at [1]")
    assert first.only_old == (encode("d"),)


def test_tables_are_not_paired_batch_by_batch() -> None:
    new = shown(
        [["a"], ["b"]],
        [["d"], ["c"]],
        engine="structured",
        kind="show",
        places=[[0, 5], [1, 9]],
    )
    assert compared(OLD_TABLES, new, 2).first() is not None


def test_tables_of_the_same_kind_of_engine_are_paired_in_order() -> None:
    new = shown([["b"], ["a"]], [["d"], ["c"]], engine="compat", kind="pprint", places=[[0], [1]])
    assert compared(OLD_TABLES, new, 2).first() is not None


def test_lines_that_queries_print_are_one_output() -> None:
    places = [[0], [1]]
    old = shown([["a"], ["b"]], engine="dstreams", kind="printed", places=places)
    new = shown([["b", "a"]], engine="structured", kind="printed", places=[[1]])
    assert compared(old, new, 1).first() is None
    wrong = shown([["b", "b"]], engine="structured", kind="printed", places=[[1]])
    assert compared(old, wrong, 1).first() is not None


def saved(target: str, engine: str = "compat") -> Results:
    return outcome(
        [["a"]], engine=engine, outputs=[Output("text at 1", "files", "", target=target)]
    )


def test_a_target_that_is_another_one_is_a_difference() -> None:
    assert compared(saved("out/a"), saved("out/a"), 1).first() is None
    first = compared(saved("out/a"), saved("out/b"), 1).first()
    assert first is not None
    assert first.what == "the old job writes it to out/a, the new one to out/b"


def test_files_of_queries_are_paired_by_their_targets() -> None:
    def job(engine: str, *targets: str) -> Results:
        outputs = [Output("text", "files", "", place=[n], target=t) for n, t in enumerate(targets)]
        return outcome([[target[:5]] for target in targets], engine=engine, outputs=outputs)

    old = job("dstreams", "out/a.txt", "out/b.txt")
    assert compared(old, job("structured", "out/b-3.txt", "out/a-3.txt"), 1).first() is None


def with_states(engine: str, *states: list[Any]) -> Results:
    """A run of one batch that prints nothing and keeps states."""
    outputs = [PPRINT, *(Output(f"state {n} of {engine}", "state") for n, _ in enumerate(states))]
    return outcome([[], *states], outputs=outputs, engine=engine)


@pytest.mark.parametrize(
    ("state", "other", "equal"),
    [
        ([("a", 1)], [("a", 1)], True),
        ([("a", 1)], [("a", 2)], False),
        ([("a", 1)], [], False),
        ([], [("a", 1)], False),
        ([(("a", 1), (2, 0.5))], [(Row(x="a", y=1), Row(n=2, s=0.5))], True),
        ([(("a", 1), (2, 0.5))], [(Row(x="a", y=1), Row(n=3, s=0.5))], False),
        ([("a", None), ("b", 1)], [("a", None), ("b", 1)], True),
        ([("a", {1, 2})], [("a", [2, 1])], True),
    ],
)
def test_state_of_a_query_in_the_same_form(state: list[Any], other: list[Any], equal: bool) -> None:
    old, new = with_states("dstreams", state), with_states("structured", other)
    found = compared(old, new, 1)
    assert (found.first() is None) is equal
    assert not [note for note in uncompared_outputs(old, new, found.pairs) if "state" in note]


@pytest.mark.parametrize("other", [[("a", 0.5)], [("a", [1])], [("a", 1, 2)]])
def test_state_of_a_query_in_another_form(other: list[Any]) -> None:
    old, new = with_states("dstreams", [("a", 1)]), with_states("structured", other)
    found = compared(old, new, 1)
    assert found.first() is None
    assert uncompared_outputs(old, new, found.pairs)[1:-1] == [
        "the state 0 of dstreams was not compared: the query keeps none, or in another form"
    ]


def test_states_of_queries_are_paired_by_what_they_are() -> None:
    old = with_states("dstreams", [("a", 1)], [("b", 1)])
    # the last is kept by a query that has no state on DStreams
    new = with_states("structured", [("b", 2)], [("a", 1)], [("c", 1)])
    found = compared(old, new, 1)
    assert [(one.pair.name, one.only_new) for one in found.differences] == [
        ("state 1 of dstreams", (encode(("b", 2)),))
    ]
    # a state is a state where both jobs are of DStreams
    assert compared(old, with_states("compat", [("a", 1)], [("b", 1)]), 1).first() is None


STREAMS = [PPRINT, *(Output(f"{name} at job.py:1", "stream") for name in ("map", "window"))]


def test_operator_is_the_first_stream_that_differs() -> None:
    old = outcome([["x"], ["a"], ["x"]], outputs=STREAMS)
    for streams, name in ((["b"], "map"), (["a"], "window")):
        new = outcome([["y"], streams, ["y"]], outputs=STREAMS)
        first = compared(outputs_only(old), outputs_only(new), 1).first()
        assert first is not None
        assert first_operator(old, new, first, Rules()) == f"{name} at job.py:1"


def test_operator_of_an_earlier_batch() -> None:
    old = outcome([["x"], ["a"], ["x"]], [["x"], ["a"], ["x"]], outputs=STREAMS)
    new = outcome([["x"], ["b"], ["x"]], [["y"], ["a"], ["y"]], outputs=STREAMS)
    first = compared(outputs_only(old), outputs_only(new), 2).first()
    assert first is not None
    assert first_operator(old, new, first, Rules()) == (
        "map at job.py:1, whose rows differ from batch 1 on"
    )


def test_operator_of_the_output_where_no_streams_are_known() -> None:
    old, new = outcome([["x"]]), outcome([["y"]])
    first = compared(old, new, 1).first()
    assert first is not None
    assert first_operator(old, new, first, Rules()) == PPRINT.operator


def test_streams_are_aligned_by_what_makes_them() -> None:
    more = [PPRINT, Output("cache at new.py:1", "stream"), *STREAMS[1:]]
    old = outcome([["x"], ["a"], ["x"]], outputs=STREAMS)
    new = outcome([["y"], ["q"], ["a"], ["y"]], outputs=more)
    first = compared(outputs_only(old), outputs_only(new), 1).first()
    assert first is not None
    assert first_operator(old, new, first, Rules()).startswith("window")


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (OLD, OLD, ""),
        (
            OLD,
            outcome(end="failed", error="ValueError: x", failed=1),
            "fails in batch 1: ValueError: x",
        ),
        (
            outcome(end="failed", error="ValueError: x", failed=1),
            OLD,
            "the original fails in batch 1",
        ),
        (
            outcome(end="failed", error="ValueError: x"),
            outcome(end="failed", error="ValueError: other words"),
            "fails after batch 0 with ValueError: other words",
        ),
        (
            outcome(end="failed", error="ValueError: x", failed=2),
            outcome(end="failed", error="KeyError: x", failed=2),
            "the migrated job fails in batch 2 with KeyError: x",
        ),
        (
            outcome(end="failed", error="ValueError: x", failed=3),
            outcome(end="failed", error="ValueError: x", failed=2),
            "fails in batch 3 with ValueError: x; the migrated job fails in batch 2 with",
        ),
        # an error outside of the batches comes after no certain one
        (
            outcome([["a"]], end="failed", error="the job called sys.exit(3)"),
            outcome([["a"]], [[]], end="failed", error="the job called sys.exit(3)"),
            "",
        ),
        (outcome(end="exited"), OLD, ""),
    ],
)
def test_how_jobs_end(old: Results, new: Results, text: str) -> None:
    found = failure(old, new)
    assert text in found
    assert bool(text) == bool(found)


def test_idle_batches_of_a_job_that_ends_itself_do_not_count() -> None:
    old = outcome([["a"]], [[]], [[]], end="exited")
    new = outcome([["a"]], [[]], end="exited")
    assert compared_batches(old, new, 5) == 2
    assert compared_batches(OLD, OLD, 5) == 5


def test_rows_count_however_a_job_ends() -> None:
    old = outcome([["a"]], [["b"]], end="exited")
    new = outcome([["a"]], end="exited")
    assert compared_batches(old, new, 5) == 2


def test_no_batch_counts_from_the_one_that_failed() -> None:
    # DStreams begin others before they stop
    old = outcome([["a"]], [["b"]], [["c"]], end="failed", error="ValueError: x", failed=2)
    new = outcome([["a"]], [["b"]], end="failed", error="ValueError: x", failed=2)
    assert compared_batches(old, new, 5) == 1
    assert "fails in batch 2: ValueError" in failure(OLD, new)
    assert compared_batches(OLD, new, 5) == 1
