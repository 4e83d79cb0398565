"""The smallest input that still differs is found within what the search may take."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dstream_compat.testing.recordings import Recording
from migrator.verify.process import RunFailed
from migrator.verify.shrink import Budget, shrink

SOURCE = "socket:1"


def recording(*batches: list[str], source: str = SOURCE) -> Recording:
    given = {number: {source: lines} for number, lines in enumerate(batches, 1) if lines}
    return Recording(1.0, {source: {}}, given, len(batches))


def lines(one: Recording) -> list[list[str]]:
    return [one.batches.get(n, {}).get(SOURCE, []) for n in range(1, one.length + 1)]


class Search:
    """A search whose test is a predicate over the lines of all batches."""

    def __init__(self, differs: Callable[[list[list[str]]], bool]) -> None:
        self.differs = differs
        self.tried = 0

    def __call__(self, one: Recording) -> bool:
        self.tried += 1
        return self.differs(lines(one))


def shrunk(
    given: Recording, differs: Callable[[list[list[str]]], bool], budget: Budget | None = None
) -> list[list[str]]:
    assert differs(lines(given))
    found = lines(shrink(given, given.length, Search(differs), budget or Budget(runs=10_000)))
    assert differs(found)
    return found


MANY = recording(*([f"{n}{letter}" for letter in "abcdef"] for n in range(20)))


def test_one_record_of_one_batch() -> None:
    assert shrunk(MANY, lambda batches: any("7c" in batch for batch in batches)) == [["7c"]]


def test_two_records_of_one_batch() -> None:
    def differs(batches: list[list[str]]) -> bool:
        return any({"7c", "7f"} <= set(batch) for batch in batches)

    assert shrunk(MANY, differs) == [["7c", "7f"]]


def test_records_of_two_batches_stay_in_their_order() -> None:
    def differs(batches: list[list[str]]) -> bool:
        flat = [line for batch in batches for line in batch]
        return "3a" in flat and "12b" in flat and flat.index("3a") < flat.index("12b")

    assert shrunk(MANY, differs) == [["3a"], ["12b"]]


def test_an_empty_batch_stays_where_it_is_needed() -> None:
    given = recording(["a"], ["x"], [], ["y"], ["b"], ["z"])

    def differs(batches: list[list[str]]) -> bool:
        # a batch without input between two that have some
        return any(
            batches[i] and not batches[i + 1] and any(batches[i + 2 :])
            for i in range(len(batches) - 1)
        )

    found = shrunk(given, differs)
    assert [bool(batch) for batch in found] == [True, False, True]
    assert sum(map(len, found)) == 2


def test_nothing_can_be_left_out() -> None:
    given = recording(["a"], ["b"])
    assert shrunk(given, lambda batches: batches == [["a"], ["b"]]) == [["a"], ["b"]]


def test_batches_behind_the_first_difference_are_not_tried() -> None:
    search = Search(lambda batches: bool(batches) and "0a" in batches[0])
    assert lines(shrink(MANY, 1, search, Budget())) == [["0a"]]
    assert search.tried < 20


@pytest.mark.parametrize("runs", [0, 1, 2, 5, 17])
def test_no_more_is_tried_than_allowed(runs: int) -> None:
    def differs(batches: list[list[str]]) -> bool:
        return any("7c" in batch for batch in batches)

    search = Search(differs)
    found = shrink(MANY, 20, search, Budget(runs=runs))
    assert search.tried <= runs
    assert differs(lines(found))


def test_no_time_is_left() -> None:
    search = Search(lambda batches: True)
    assert lines(shrink(MANY, 20, search, Budget(seconds=0))) == lines(MANY)
    assert search.tried == 0


def test_it_takes_few_tries() -> None:
    search = Search(lambda batches: any("7c" in batch for batch in batches))
    shrink(MANY, 20, search, Budget(runs=10_000))
    assert search.tried < 60


def of_files(*batches: dict[str, list[str]]) -> Recording:
    given: dict[int, dict[str, Any]] = {
        number: {"file:/in": files} for number, files in enumerate(batches, 1) if files
    }
    return Recording(1.0, {"file:/in": {}}, given, len(batches))


def test_lines_of_files_are_left_out_one_by_one() -> None:
    given = of_files({"a.txt": ["1", "2"], "b.txt": ["3", "4"]}, {"c.txt": ["5"]})

    def test(one: Recording) -> bool:
        return "4" in str(one.batches)

    found = shrink(given, 2, test, Budget())
    assert found.batches == {1: {"file:/in": {"b.txt": ["4"]}}}


def test_an_empty_file_is_a_piece() -> None:
    given = of_files({"a.txt": ["1"], "empty.txt": []})

    def test(one: Recording) -> bool:
        return "empty.txt" in str(one.batches)

    assert shrink(given, 1, test, Budget()).batches == {1: {"file:/in": {"empty.txt": []}}}


def test_two_sources() -> None:
    both = {"socket:1": ["a", "b"], "kafka:t": [["k", "v"], ["k", "w"]]}
    given = Recording(1.0, {"socket:1": {}, "kafka:t": {}}, {1: both}, 1)

    def test(one: Recording) -> bool:
        return "'b'" in str(one.batches) and "'w'" in str(one.batches)

    found = shrink(given, 1, test, Budget())
    assert found.batches == {1: {"socket:1": ["b"], "kafka:t": [["k", "w"]]}}


class Refuses(Search):
    """A search in which some inputs cannot be run."""

    def __init__(self, differs: Callable[[list[list[str]]], bool], every: int) -> None:
        super().__init__(differs)
        self.every = every

    def __call__(self, one: Recording) -> bool:
        found = super().__call__(one)
        if self.tried % self.every == 0:
            raise RunFailed("its process died")
        return found


def test_inputs_that_cannot_be_run_are_counted() -> None:
    budget = Budget(runs=10_000)
    search = Refuses(lambda batches: any("7c" in batch for batch in batches), every=3)
    found = shrink(MANY, 20, search, budget)
    assert ["7c"] in [[line for line in batch if line == "7c"] for batch in lines(found)]
    assert budget.failed == search.tried // 3 > 0
    assert budget.warning() == (
        f"the search for the smallest input could not run {budget.failed} inputs: its process died"
    )


def test_a_search_in_which_nothing_can_be_run_ends() -> None:
    budget = Budget(runs=10_000)
    search = Refuses(lambda batches: True, every=1)
    assert lines(shrink(MANY, 20, search, budget)) == lines(MANY)
    assert search.tried == 3
    assert "ended early: its process died" in budget.warning()


def test_nothing_is_said_of_a_search_that_ran() -> None:
    budget = Budget()
    shrink(MANY, 20, Search(lambda batches: True), budget)
    assert budget.warning() == ""
