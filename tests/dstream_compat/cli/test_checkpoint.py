"""``dstream-compat checkpoint show`` and ``export``."""

from __future__ import annotations

import json
import pickle
import shutil
import sys
from pathlib import Path

import pytest
from pyarrow import parquet

from dstream_compat.__main__ import main
from dstream_compat.old_checkpoint.folder import OldCheckpoint
from tests.dstream_compat.old_checkpoint.conftest import FIXTURES
from tests.support.old_engine.running import TAKE_OVER, expected

OLD = str(FIXTURES / "lz4")


@pytest.fixture
def job_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "support" / "old_engine"))


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["checkpoint", "show", OLD]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{OLD}: checkpoint-5000, written ")
    assert "batch interval  1 s" in lines
    assert "not completed   5000" in lines
    assert any(line.startswith("saved as of     4000 (") for line in lines)
    states = [line for line in lines if line.startswith("state #")]
    assert len(states) == 4 and "keys" not in "".join(states)
    assert "window" not in states[0] and "reduceByKeyAndWindow" in states[3]
    assert "  5 files of 5 batches" in lines


def test_json_with_samples(capsys: pytest.CaptureFixture[str], job_modules: None) -> None:
    command = ["checkpoint", "show", OLD, "--format", "json", "--load-pickles", "--sample", "2"]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["interval_ms"], found["zero_time"], found["last_batch"]) == (1000, 0, 5000)
    assert found["saved_as_of"] == 4000
    assert [state["keys"] for state in found["states"]] == [8, 8, 8, 8]
    assert all(len(state["sample"]) == 2 for state in found["states"])
    assert all(state["bytes"] > 100 for state in found["states"])
    assert set(found["sources"][0]["files"]) == {"1000", "2000", "3000", "4000", "5000"}


def test_a_class_that_is_gone_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "tally", raising=False)
    assert main(["checkpoint", "show", OLD, "--load-pickles"]) == 1
    error = capsys.readouterr().err
    assert "No module named 'tally'" in error and "#3 updateStateByKey" in error
    assert "PYTHONPATH" in error


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["show", OLD, "--load-pickles", "--sample", "-1"], "-1 pairs are too few: give 0 or more"),
        (["show", OLD, "--load-pickles", "--sample", "x"], "'x' is no number of pairs"),
        (["rescale", OLD, "--partitions", "abc"], "'abc' is no number of partitions"),
        (["rescale", OLD, "--partitions", "0"], "0 partitions are too few: give 1 or more"),
    ],
)
def test_numbers_are_checked(
    command: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["checkpoint", *command])
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("folders", "old", "new"),
    [(["a b", "new"], "'a b'", "new"), (["old"], "old", "NEW"), ([], "OLD", "NEW")],
)
def test_import_says_how_it_is_done(
    folders: list[str], old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["checkpoint", "import", *folders]) == 2
    said = capsys.readouterr().err
    line = f"  {TAKE_OVER[0]} {TAKE_OVER[1].format(old)} JOB.py"
    assert line in said.splitlines() and f"where FOLDER is {new}, " in said


def test_a_state_that_is_gone_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = shutil.copytree(OLD, tmp_path / "old")
    for state in folder.glob("*/rdd-*"):
        shutil.rmtree(state)
    assert main(["checkpoint", "show", str(folder)]) == 1
    assert "the state of #1 updateStateByKey as of 4000 ms" in capsys.readouterr().err


def test_wrong_usage(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["checkpoint", "show", OLD, "--sample", "1"])
    with pytest.raises(SystemExit, match="2"):
        main(["checkpoint"])
    assert main(["checkpoint", "show", str(tmp_path)]) == 1
    assert "holds no checkpoint of Spark's DStreams" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["lz4", "lzf", "snappy", "zstd", "lagging"])
def test_export(
    name: str,
    capsys: pytest.CaptureFixture[str],
    job_modules: None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr(OldCheckpoint, "has", lambda self, path: True)  # it was below /tmp/old-job
    out = tmp_path / "out"
    assert main(["checkpoint", "export", str(FIXTURES / name), "--out", str(out)]) == 0
    at = 2 if name == "lagging" else 4
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{out}: as of the batch of {at}000 ms of Spark's DStreams"
    assert lines[1].split()[:2] == ["state", "1-updateStateByKey"]
    assert lines[1].endswith("key string, value bigint")
    assert lines[4].endswith(f"in: {at} files read, {5 - at} known and not read")

    said = json.loads((out / "export.json").read_text())
    assert (said["batch_interval_ms"], said["batch_time_ms"]) == (1000, at * 1000)
    assert [state["keys"] for state in said["states"]] == [len(expected("sums", at))] * 3
    assert said["states"][2]["columns"] == {"pickled": "binary"}
    assert "#4 reduceByKeyAndWindow of 5000 ms" in said["not_carried_over"][0]
    assert f"the batches after that of {at}000 ms, until 5000 ms" in said["not_carried_over"][1]

    sums, pairs, tallies = (
        parquet.read_table(out / f"{number}-updateStateByKey").to_pylist() for number in (1, 2, 3)
    )
    found = sorted([row["key"], row["value"]] for row in sums)
    assert found == expected("sums", at)
    assert sorted([row["key"], [*row["value"].values()]] for row in pairs) == expected("pairs", at)
    loaded = [pickle.loads(row["pickled"]) for row in tallies]
    known = sorted([word, [tally.words, tally.batches]] for word, tally in loaded)
    assert known == expected("tallies", at)

    (position,) = json.loads((out / "positions.json").read_text())
    assert position["number"] == 1 and position["condition"].count("/in/part-") == 5

    assert main(["checkpoint", "export", str(FIXTURES / name), "--out", str(out)]) == 1
    assert f"{out} is there and not empty: give --out a new" in capsys.readouterr().err
    file = str(out / "export.json")
    assert main(["checkpoint", "export", str(FIXTURES / name), "--out", file]) == 1
    assert f"{file} is there and not empty" in capsys.readouterr().err


def test_export_of_what_received_lines(
    capsys: pytest.CaptureFixture[str], job_modules: None, tmp_path: Path
) -> None:
    command = ["checkpoint", "export", str(FIXTURES / "socket"), "--out", str(tmp_path / "out")]
    assert main(command) == 0
    said = capsys.readouterr().out
    assert "#1 SocketInputDStream: what it had received for the batches after 4000 ms" in said
    assert json.loads((tmp_path / "out" / "positions.json").read_text()) == []


def test_export_that_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refused(folder: Path | str) -> str:
        assert main(["checkpoint", "export", str(folder), "--out", str(tmp_path / "out")]) == 1
        assert not (tmp_path / "out").exists()
        return capsys.readouterr().err

    assert "files that have to be read again are gone (1; " in refused(OLD)
    monkeypatch.setattr(OldCheckpoint, "has", lambda self, path: True)
    monkeypatch.delitem(sys.modules, "tally", raising=False)
    assert "Run this where the job's modules can be imported" in refused(OLD)
    (tmp_path / "empty").mkdir()
    assert "holds no checkpoint of Spark's DStreams" in refused(tmp_path / "empty")
    assert "holds no checkpoint of Spark's DStreams" in refused(tmp_path / "nowhere")
    damaged = shutil.copytree(OLD, tmp_path / "damaged")
    for file in damaged.glob("checkpoint-*"):
        file.write_bytes(file.read_bytes()[:2000])
    assert "no checkpoint file of" in refused(damaged) and "Restore one" in refused(damaged)
    own = tmp_path / "own" / "dstream-compat"
    own.mkdir(parents=True)
    (own / "current").write_text("{}")
    assert f"{own}/current is damaged" in refused(own.parent)
