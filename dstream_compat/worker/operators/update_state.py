"""updateStateByKey: the function runs for every key in every batch."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from ...wire import errors
from ...wire.frames import Frame, Stored, decode_all, dump_records
from .. import attempts
from .base import MAIN, Context, Results, StateAccess, by_part
from .combine import append_to, one_item_list
from .combiners import way_of
from .constant_pairs import Pairs
from .hashing import partition_pairs
from .keyed_state import KeyedStateOp
from .merging import combine_pairs
from .recognised import is_running_sum


@dataclass(frozen=True)
class UpdateStateByKey(KeyedStateOp):
    """``update(new values, old state or None)`` gives the new state; None removes the key."""

    update: Callable[[list[Any], Any], Any]

    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        for held in combine_pairs(records, one_item_list, append_to, self.memory):
            yield from partition_pairs(held, self.partitions)

    def map_side(self, pairs: Pairs | None) -> str:
        return way_of(one_item_list, append_to, pairs).text

    @property
    def slot_side(self) -> str:
        keeps = "keeps states in the state store and calls the function for every key"
        if is_running_sum(self.update):
            return f"{keeps} with new values: a running sum leaves other ints as they are"
        return f"{keeps} in every batch"

    def load_initial(self, frames: Sequence[Frame], state: StateAccess) -> None:
        for part, bucket, pairs in self.initial_buckets(frames):
            values: dict[Any, Any] = {}
            for key, value in pairs:  # of two states of a key the first counts, as in Spark
                values.setdefault(key, value)
            self.save(state, part, bucket, values)

    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Results:
        keys = 0
        if at.tick <= self.restored_until:
            return keys
        groups = by_part(frames)
        for part in at.parts(self.partitions):
            self.check_poison(at, part, error)
            if at.absent:
                # as in Spark, an RDD that is not there leaves the state as it is
                held = [self.load(at.state, part, bucket) for bucket in range(self.buckets)]
                keys += sum(map(len, held))
                yield MAIN, (part,), chain.from_iterable(values.items() for values in held)
                continue
            arrived: list[dict[Any, list[Any]]] = [{} for _ in range(self.buckets)]
            for key, values in decode_all(groups.get(part, ())):
                arrived[self.bucket_of(key)].setdefault(key, []).extend(values)
            stored: list[tuple[dict[Any, Any], bytes | None]] = []
            changed: list[tuple[int, bytes | None]] = []
            try:
                for bucket, new in enumerate(arrived):
                    before = self.load_blob(at.state, part, bucket)
                    values = {} if before is None else pickle.loads(before)
                    blob = before
                    if new or not self._stay(values):
                        values = self._update_all(values, new)
                        blob = dump_records(values) if values else None
                    stored.append((values, blob))
                    if blob != before:
                        changed.append((bucket, blob))
            except errors.USER_ERRORS as failed:
                payload = attempts.error_of(failed)
                raise self.poison(at, part, payload) from failed
            # The state is written before consumers see it: what they change stays theirs.
            for bucket, blob in changed:
                self.save_blob(at.state, part, bucket, blob)
            keys += sum(len(values) for values, _ in stored)
            yield MAIN, (part,), Stored(stored)
        return keys

    def _stay(self, states: dict[Any, Any]) -> bool:
        """Return whether states are the same after a batch without new values."""
        return is_running_sum(self.update) and set(map(type, states.values())) <= {int}

    def _update_all(self, old: dict[Any, Any], new: dict[Any, list[Any]]) -> dict[Any, Any]:
        update = self.update
        if self._stay(old):
            for key, values in new.items():
                value = update(values, old.get(key))
                if value is None:
                    old.pop(key, None)
                else:
                    old[key] = value
            return old
        result: dict[Any, Any] = {}
        for key, state in old.items():
            value = update(new.pop(key, []), state)
            if value is not None:
                result[key] = value
        for key, values in new.items():
            value = update(values, None)
            if value is not None:
                result[key] = value
        return result
