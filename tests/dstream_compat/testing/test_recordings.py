"""Recorded batches are read and written without loss, and errors name the line."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.testing import Recording, RecordingError, read_batches, write_batches
from dstream_compat.testing.run_job import main
from dstream_compat.testing.running import recording_of
from dstream_compat.testing.stream_sources import Sources

HEADER = '{"format": 1, "interval": 2, "sources": {"socket:1": {}, "file:/in": {}}}\n'


def saved(folder: Path, text: str) -> Path:
    path = folder / "batches.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("of_folder", [False, True])
def test_what_is_written_is_read(tmp_path: Path, of_folder: bool) -> None:
    given = {
        2: {"queue:0": [1, 2.5, ("a", None), {"k": [b"\xff"]}, {1: "one"}], "socket:1": ["é", ""]},
        5: {"queue:0": [float("inf"), datetime.date(2020, 2, 29), {"$value": 1}, "\udc80"]},
    }
    recording = Recording(0.5, {"queue:0": {}, "socket:1": {"host": "h"}}, given, 7)
    write_batches(tmp_path / "batches.jsonl", recording)
    assert read_batches(tmp_path if of_folder else tmp_path / "batches.jsonl") == recording
    assert recording.length == 7


def test_a_cut_last_line_is_left_out(tmp_path: Path) -> None:
    line = '{"batch": 1, "input": {"socket:1": ["a"]}}\n'
    path = saved(tmp_path, HEADER + line + line.replace("1,", "2,")[:-9])
    with pytest.warns(UserWarning, match="the last line is cut"):
        assert read_batches(path).batches == {1: {"socket:1": ["a"]}}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("[]\n", "line 1 is no JSON object"),
        ("{}\n", "the format is None"),
        (HEADER.replace("1,", "2,", 1), "the format is 2, this version reads 1"),
        (HEADER.replace('"interval": 2', '"interval": 0'), "the interval is 0"),
        (HEADER.replace('"interval": 2', '"interval": true'), "the interval is True"),
        (HEADER.replace('"interval": 2', '"interval": 0.0001'), "the interval is 0.0001"),
        (HEADER.replace("socket:1", "tcp:1"), "'tcp:1' is not a source"),
        (HEADER.replace("socket:1", "socket:"), "'socket:' is not a source"),
        (HEADER + "{\n", "line 2 is not JSON"),
        (HEADER + '{"batch": 0, "input": {}}\n', "line 2: the batch is 0"),
        (HEADER + '{"batch": 1, "input": {}}\n' * 2, "line 3: the batch is 1, not a new number"),
        (HEADER + '{"batch": 1, "input": []}\n', r"the input is \[\]"),
        (HEADER + '{"batch": 1, "input": {"kafka:t": []}}\n', "does not name the source 'kafka:t'"),
        (HEADER + '{"batch": 1, "input": {"socket:1": "a"}}\n', "not a list"),
        (HEADER + '{"batch": 1, "input": {"file:/in": ["a"]}}\n', "not an object of files"),
        (HEADER + '{"batch": 1, "input": {"file:/in": {"a": "b"}}}\n', "file a of file:/in is 'b'"),
        (HEADER + '{"batch": 1.5, "input": {}}\n', "line 2: the batch is 1.5"),
        (HEADER + '{"batch": "1", "input": {}}\n', "line 2: the batch is '1'"),
        (HEADER + '{"batch": true, "input": {}}\n', "line 2: the batch is True"),
        (HEADER + '{"batch": [1], "input": {}}\n', r"line 2: the batch is \[1\]"),
        (HEADER.replace("1,", '1, "batches": "5",', 1), "line 1: the number of batches is '5'"),
        (HEADER.replace("1,", '1, "batches": -1,', 1), "the number of batches is -1"),
        (HEADER.replace("1,", '1, "batches": 2.0,', 1), "the number of batches is 2.0"),
        (HEADER.replace('"interval": 2', '"interval": Infinity'), "the interval is inf"),
        (HEADER.replace('"interval": 2', f'"interval": 1{"0" * 400}'), "the interval is 1000"),
        (HEADER.replace('{}, "file', '"h", "file'), "the source socket:1 is 'h'"),
        (HEADER + "[" * 100_000 + "\n", "line 2 is not JSON"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RecordingError, match=message):
        read_batches(saved(tmp_path, text))


@pytest.mark.parametrize(
    "encoded",
    [
        *('["foo"]', '"foo"', "5", "null", "{}", "[]", '["int"]', '["int", null]', '["int", "x"]'),
        *(
            '["bytes", "zz"]',
            '["bytes", 5]',
            '["timedelta", ["x"]]',
            '["timedelta", [1e999, 0, 0]]',
        ),
        *('["Decimal", "x"]', '["date", "2020"]', '["row", 5]', '["row", [5]]', '["tuple", 5]'),
        *('["dict", [[["list", []], ["none"]]]]', '["set", [["list", []]]]', '["tuple", [5]]'),
        *('["object", "Point", []]', '["not comparable", "Lock", "0"]'),
    ],
)
@pytest.mark.parametrize("form", ["[{}]", '[["a", {{"b": {}}}]]'])
def test_a_value_that_is_none_is_named_with_its_line(
    tmp_path: Path, encoded: str, form: str
) -> None:
    value = form.format(f'{{"$value": {encoded}}}')
    path = saved(tmp_path, HEADER + f'{{"batch": 1, "input": {{"socket:1": {value}}}}}\n')
    with pytest.raises(RecordingError, match=r"batches.jsonl, line 2: a value of \$value cannot"):
        read_batches(path)


def test_a_pair_of_kafka_has_two(tmp_path: Path) -> None:
    text = HEADER.replace("socket:1", "kafka:t") + '{"batch": 1, "input": {"kafka:t": [["k"]]}}\n'
    with pytest.raises(RecordingError, match=r"line 2: a record of kafka:t is \['k'\]"):
        read_batches(saved(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        HEADER.replace("1,", '1, "batches": "5",', 1),
        HEADER + '{"batch": 1, "input": {"socket:1": [{"$value": ["foo"]}]}}\n',
    ],
)
def test_a_job_is_not_run_over_it(
    tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "job.py").touch()
    given = ["--engine", "compat", "--input", saved(tmp_path, text), "--output", tmp_path / "out"]
    assert main([*map(str, given), str(tmp_path / "job.py")]) == 2
    assert "run_job: " in (said := capsys.readouterr().err)
    assert ", line " in said
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match=r"cannot read .*: No such file"):
        read_batches(tmp_path / "missing.jsonl")


@pytest.mark.parametrize(
    ("recorded", "wanted", "numbers"),
    [(1.0, 1.0, [1, 2, 5]), (1.0, 2.0, [1, 1, 3]), (2.0, 1.0, [2, 4, 10]), (0.1, 0.3, [1, 1, 2])],
)
def test_batches_are_counted_in_another_interval(
    recorded: float, wanted: float, numbers: list[int]
) -> None:
    batches: dict[int, dict[str, Any]] = {n: {"socket:1": [str(n)]} for n in (1, 2, 5)}
    found = Recording(recorded, {"socket:1": {}}, batches).of("socket:1", wanted)
    assert [number for number, _ in found] == numbers


def test_hidden_files_are_not_read() -> None:
    files = {"a": ["1"], ".hidden": ["2"], "_open": ["3"]}
    recording = Recording(1.0, {"file:in": {}}, {1: {"file:in": files}})
    assert Sources(recording, lambda ssc, rdds: rdds).batches(["file:in"], 1.0) == [[["1"], ["3"]]]


def test_a_recording_is_plain_json(tmp_path: Path) -> None:
    write_batches(tmp_path / "b", Recording(1, {"kafka:t": {}}, {1: {"kafka:t": [[None, "v"]]}}))
    lines = [json.loads(line) for line in (tmp_path / "b").read_text().splitlines()]
    assert lines == [
        {"format": 1, "sources": {"kafka:t": {}}, "interval": 1},
        {"batch": 1, "input": {"kafka:t": [[None, "v"]]}},
    ]


@pytest.mark.parametrize("interval", [0, 0.0, -1, 0.0001, float("nan"), float("inf"), True])
@pytest.mark.parametrize("inputs", [{"socket:1": [["a"]]}, Recording(2.0, {"socket:1": {}}, {}, 2)])
def test_an_interval_without_milliseconds_is_refused(inputs: Any, interval: float) -> None:
    with pytest.raises(RecordingError, match=f"interval={interval}: give some seconds"):
        recording_of(inputs, None, interval)
