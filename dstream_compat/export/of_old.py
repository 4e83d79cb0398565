"""What a checkpoint of Spark's own DStreams has for a rewritten job."""

from __future__ import annotations

from collections.abc import Iterator

from ..exceptions import CheckpointError
from ..old_checkpoint import content
from ..old_checkpoint.content import Content, OldSource
from ..old_checkpoint.folder import OldCheckpoint, read_checkpoint
from ..old_checkpoint.pickled_states import loaded_records
from ..old_checkpoint.taking_over import lost_input
from .content import Export, KeyedState, Position, file_position, kafka_position, windows_left


def export_of_old(folder: str) -> Export:
    """Return the states and positions as of the batch from which DStreams would go on.

    Raises
    ------
    CheckpointError
        if they cannot be read, or the job still runs
    """
    old = read_checkpoint(None, folder)
    old.refuse_running()
    was = old.content
    try:
        at = was.last_saved_batch()
    except ValueError as error:
        raise CheckpointError(f"{folder} cannot be exported: {error}") from error
    states = [state for state in was.keyed_states if state.kind != content.REDUCE]
    if states and at not in states[0].folders:
        raise CheckpointError(
            f"{folder} has no saved state yet: DStreams save the first one after the checkpoint "
            "interval of its stream, by default 10 s or more. Let the job run so long, or start "
            "the rewritten job without a state"
        )
    lost = [problem for source in was.sources for problem in lost_input(old, source, at, at)]
    if lost:
        raise CheckpointError(f"{folder} cannot be exported:\n  " + "\n  ".join(lost))
    return Export(
        folder,
        "Spark's DStreams",
        was.app,
        was.interval,
        at,
        [
            KeyedState(each.number, each.kind, list(loaded_records(old, each, at)))
            for each in states
        ],
        [position for source in was.sources if (position := _position(source, at)) is not None],
        [*_what_is_left(old, was, at)],
    )


def _position(source: OldSource, at: int) -> Position | None:
    if source.kind == content.KAFKA:
        return kafka_position(source.number, source.label, source.offsets_after(at))
    if source.kind != content.FILES:
        return None
    read = [path for tick, paths in source.files.items() if tick <= at for path in paths]
    unread = [path for tick, paths in source.files.items() if tick > at for path in paths]
    return file_position(source.number, source.label, source.since, read, unread)


def _what_is_left(old: OldCheckpoint, was: Content, at: int) -> Iterator[str]:
    """Yield what is not carried over."""
    yield from (f"not read: {problem}" for problem in old.unread)
    yield from windows_left((state.number, state.kind, state.length) for state in was.states)
    if was.last > at:
        yield (
            f"the batches after that of {at} ms, until {was.last} ms: the rewritten job reads "
            "their input again, in one batch"
        )
    unfinished = [tick for tick in was.pending if tick <= at]
    if unfinished:
        yield (
            f"outputs of the batches {unfinished} (ms), which the old job did not complete: they "
            "do not run again"
        )
    for source in was.sources:
        if source.kind == content.RECEIVER:
            yield (
                f"#{source.number} {source.label}: what it had received for the batches after "
                f"{at} ms, also in a write-ahead log. Stop the job gracefully before the export, "
                "then there is none"
            )
        elif source.kind == content.OTHER:
            yield f"#{source.number} {source.label}: how far it had read, which is not recorded"
