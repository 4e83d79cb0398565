"""The states of operators as the state store has them."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping
from typing import Any

from ..exceptions import CheckpointError
from .operators.base import SlotOp
from .operators.map_with_state import MapWithState


def stored_pairs(op: SlotOp, values: Mapping[str, bytes]) -> Iterator[tuple[Any, Any]]:
    """Yield the (key, state) pairs of `updateStateByKey` or `mapWithState`.

    Parameters
    ----------
    op : SlotOp
        the operator
    values : mapping
        names to values, of this operator and others

    Raises
    ------
    CheckpointError
        if the function of the user has failed, so that there is no state any more
    """
    is_timed = isinstance(op, MapWithState) and op.timeout is not None
    for name, value in values.items():
        number, part, what, *more = *name.split("/"), ""
        if int(number) != op.number:
            continue
        if what == "error":
            raise CheckpointError(
                f"the state of partition {part} has ended with an error in the job's function, "
                "which each later batch has reported: there is no state to export"
            )
        if what.isdigit() and more == [""]:
            for key, state in pickle.loads(value).items():
                yield key, state[0] if is_timed else state
