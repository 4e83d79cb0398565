"""Settings whose keys are spread over levels."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.migrator.reports import codes, project, report

FOUND = [
    (
        "a.yaml",
        "sparkConf:\n  spark:\n    streaming:\n      receiver:\n        maxRate: 5\n",
        "5:9",
    ),
    ("a.yaml", "sparkConf: {spark: {streaming: {receiver: {maxRate: 5}}}}\n", "1:44"),
    ("a.yaml", "spark.streaming: {receiver: {maxRate: 5}}\n", "1:30"),
    ("a.yaml", "spark.streaming:\n  receiver.maxRate: 5\n", "2:3"),
    ("a.yaml", "spark:\n  streaming.receiver:\n    maxRate: 5\n", "3:5"),
    ("a.yaml", "- spark:\n    streaming:\n      receiver: {maxRate: 5}\n", "3:18"),
    (
        "a.yaml",
        "spark:\n  sql: 1\n  # streaming: 1\n  streaming:\n    receiver.maxRate: 5\n",
        "5:5",
    ),
    ("a.yaml", "spark: {\n  streaming: {\n receiver.maxRate: 5\n }}\n", "3:2"),
    ("a.json", '{"spark": {"streaming": {"receiver": {"maxRate": "5"}}}}\n', "1:39"),
    ("a.json", '{"x": [1, {}], "spark": {\n "streaming": {"receiver.maxRate": 5}}}\n', "2:16"),
    ("app.conf", "spark {\n  streaming {\n    receiver { maxRate = 5 }\n  }\n}\n", "3:16"),
    ("app.conf", "spark.streaming {\n  receiver.maxRate = 5\n}\n", "2:3"),
    ("a.toml", "[spark.streaming.receiver]\nmaxRate = 5\n", "2:1"),
    ("a.toml", '[job."spark.streaming"]\nx = 1\nreceiver = {maxRate = 5}\n', "3:13"),
    ("a.ini", "[spark.streaming]\nreceiver.maxRate = 5\n", "2:1"),
]
SILENT = [
    ("a.yaml", "spark:\n  sql:\n    streaming:\n      receiver:\n        maxRate: 5\n"),
    ("a.yaml", "spark:\n  x: 1\nstreaming:\n  receiver:\n    maxRate: 5\n"),
    ("a.yaml", "spark: {x: 1}\nstreaming: {receiver: {maxRate: 5}}\n"),
    # an application's own configuration
    ("a.yaml", "spark:\n  streaming:\n    interval: 10\n    topics: [a, b]\n"),
    ("a.yaml", "myspark.streaming: {receiver: {maxRate: 5}}\n"),
    ("a.toml", "[spark.streaming.receiver]\nother = 5\n"),
    ("a.toml", "[spark.streaming.receiver]\n[other]\nmaxRate = 5\n"),
    ("a.yaml", "# spark:\n#   streaming:\n#     receiver: {maxRate: 5}\n"),
    ("a.yaml", "}}}{{\nspark:\n streaming: }}}\n"),
]


@pytest.mark.parametrize(("name", "text", "place"), FOUND)
def test_found(tmp_path: Path, name: str, text: str, place: str) -> None:
    found = report(text.encode(), name).findings
    assert [(f.code, f"{f.at.line}:{f.at.column}") for f in found] == [("D703", place)]
    assert found[0].message.startswith("spark.streaming.receiver.maxRate=5: ")
    # also where nothing else in the file speaks of streams
    assert [f.code for _, f in project(tmp_path, {name: text}).findings()] == ["D703"]


@pytest.mark.parametrize(("name", "text"), SILENT)
def test_silent(name: str, text: str) -> None:
    assert codes(text.encode(), name) == []


def test_a_key_in_one_piece_is_reported_once() -> None:
    text = b"spark:\n  streaming: 1\nconf:\n  spark.streaming.receiver.maxRate: 5\n"
    assert codes(text, "a.yaml") == ["4:D703"]
    assert codes(b'{"streaming": {"spark.streaming.receiver.maxRate": 5}}', "a.json") == ["1:D703"]


def test_wrong_case() -> None:
    text = b"spark:\n  streaming:\n    receiver:\n      maxrate: 5\n"
    assert codes(text, "a.yaml") == ["4:D705"]
