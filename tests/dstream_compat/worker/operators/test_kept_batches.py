"""Batches of a window in state: small and large ones, read back in order, and nothing left."""

from __future__ import annotations

import pytest

from dstream_compat.wire import errors
from dstream_compat.wire.frames import RECORDS, Frame, decode_all, dumps
from dstream_compat.worker.dict_state import DictState
from dstream_compat.worker.operators.base import StateStoreError
from dstream_compat.worker.operators.kept_batches import KeptBatches


class Reads(DictState):
    """State that knows the sizes of what was read from it."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def get(self, name: str) -> bytes | None:
        value = super().get(name)
        self.sizes.append(len(value or b""))
        return value


def frames(src: int, count: int, size: int) -> list[Frame]:
    records = [[f"{src}-{n}", "x" * size] for n in range(count)]
    return [
        Frame(RECORDS, 2, 1000, 0, seq, 1, (src,), memoryview(dumps([record])))
        for seq, record in enumerate(records)
    ]


def content(kept: KeptBatches, tick: int) -> dict[tuple[int, ...], list[str]]:
    [(found, batch)] = kept.get([tick])
    assert found == tick
    assert batch.error is None
    return {src: [name for name, _ in decode_all(pieces)] for src, pieces in batch.partitions()}


@pytest.mark.parametrize(
    ("size", "values"), [(10, 1), (30_000, 3), (400_000, 6)], ids=["one", "some", "many"]
)
def test_partitions_come_back_in_order(size: int, values: int) -> None:
    state = Reads()
    kept = KeptBatches(state, 3)
    kept.put(1000, [*frames(0, 4, size), *frames(7, 9, size)], None)
    assert content(kept, 1000) == {
        (0,): [f"0-{n}" for n in range(4)],
        (7,): [f"7-{n}" for n in range(9)],
    }
    assert len(state) == values
    assert max(state.sizes) < (1 << 20) + 2 * size
    kept.remove(1000)
    assert not state


def test_partitions_may_be_read_side_by_side_and_again() -> None:
    kept = KeptBatches(DictState(), 3)
    for tick in (1000, 2000):
        kept.put(tick, [*frames(0, 3, 400_000), *frames(1, 3, 400_000)], None)
    read = [dict(batch.partitions()) for _, batch in kept.get([1000, 2000])]
    for src in ((0,), (1,)):
        names = [name for parts in read for name, _ in decode_all(parts[src])]
        assert names == [f"{src[0]}-{n}" for n in range(3)] * 2


def test_errors_and_gaps() -> None:
    kept = KeptBatches(DictState(), 3)
    error = errors.dump(errors.capture(ValueError("of the batch")))
    kept.put(1000, [], error)
    kept.put(3000, [], None)
    assert [(tick, batch.error) for tick, batch in kept.get([1000, 2000, 3000])] == [
        (1000, errors.dump(errors.load(error)._replace(since=1000))),
        (3000, None),
    ]
    kept.remove(2000)


def test_operators_do_not_see_each_others_batches() -> None:
    state = DictState()
    first, second = KeptBatches(state, 1), KeptBatches(state, 11)
    first.put(1000, frames(0, 3, 400_000), None)
    second.put(1000, frames(5, 1, 10), None)
    first.remove(1000)
    assert content(second, 1000) == {(5,): ["5-0"]}
    assert not list(first.get([1000]))


def test_a_lost_piece_is_an_error() -> None:
    state = DictState()
    kept = KeptBatches(state, 1)
    kept.put(1000, frames(0, 3, 400_000), None)
    state.remove("1/1000/0")
    with pytest.raises(StateStoreError, match="piece 0 of batch 1/1000 is not in the state"):
        content(kept, 1000)
