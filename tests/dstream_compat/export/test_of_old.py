"""What checkpoints of Spark's DStreams have for rewritten jobs, without their files."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from dstream_compat.exceptions import CheckpointError
from dstream_compat.export import of_old, write
from dstream_compat.export.content import Export
from dstream_compat.old_checkpoint import content
from dstream_compat.old_checkpoint.content import Content, OldSource, OldState
from dstream_compat.old_checkpoint.folder import OldCheckpoint
from dstream_compat.storage.files import LocalStorage

RANGES = {30: [("t", 0, 5, 7)], 40: [("t", 0, 7, 9)]}
KAFKA = OldSource(1, content.KAFKA, "direct", ranges=RANGES, position={("t", 0): 9, ("t", 1): 2})


class Fake(OldCheckpoint):
    """A checkpoint of a job that has stopped, with the same pairs in each state."""

    def refuse_running(self) -> None:
        pass

    def pickles(self, state: OldState, at: int) -> Any:
        yield pickle.dumps([("a", state.number)])


def exported(
    monkeypatch: pytest.MonkeyPatch,
    states: list[OldState],
    sources: list[OldSource],
    pending: tuple[int, ...] = (),
) -> Export:
    was = Content("job", "", "", 10, 0, 40, pending, {}, sources, states)
    fake = Fake("old", "checkpoint-40", 0, was, LocalStorage())
    monkeypatch.setattr(of_old, "read_checkpoint", lambda sc, folder: fake)
    return of_old.export_of_old("old")


def test_offsets_behind_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    states = [OldState(1, content.UPDATE, {20: "x", 30: "x"}), OldState(2, content.WINDOW, {}, 50)]
    found = exported(monkeypatch, states, [KAFKA], pending=(20,))
    assert (found.batch, found.application) == (30, "job")
    assert [(each.folder, each.pairs) for each in found.states] == [
        ("1-updateStateByKey", [("a", 1)])
    ]
    assert found.positions[0].given == {"startingOffsets": '{"t": {"0": 7, "1": 2}}'}
    windows, again, unfinished = found.left
    assert "window of 50 ms" in windows and "after that of 30 ms, until 40 ms" in again
    assert "outputs of the batches [20] (ms)" in unfinished


def test_a_job_without_state_has_a_position(monkeypatch: pytest.MonkeyPatch) -> None:
    found = exported(monkeypatch, [], [KAFKA], pending=(40,))
    assert (found.batch, found.states) == (30, [])
    assert found.positions[0].given == {"startingOffsets": '{"t": {"0": 7, "1": 2}}'}


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ([OldState(1, content.UPDATE)], "no saved state yet: DStreams save the first one after"),
        (
            [OldState(1, content.UPDATE, {20: "x"}), OldState(2, content.UPDATE, {30: "x"})],
            "old cannot be exported: no batch has all states saved",
        ),
    ],
)
def test_states_that_are_not_saved(
    states: list[OldState], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CheckpointError, match=said):
        exported(monkeypatch, states, [KAFKA])


def test_nothing_to_export(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    sources = [OldSource(1, content.OTHER, "queue"), OldSource(2, content.RECEIVER, "socket")]
    found = exported(monkeypatch, [OldState(1, content.WINDOW, {}, 20)], sources)
    assert [said.partition(":")[0] for said in found.left[-2:]] == ["#1 queue", "#2 socket"]
    with pytest.raises(CheckpointError, match="old has nothing to export: no operator of the job"):
        write.export("old", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()
