"""The keys by which rules get events, and the arguments that a use shows."""

from __future__ import annotations

import ast

import pytest

from migrator.model.events import JvmUse, PackageUse, Use
from migrator.model.report import Confidence, Spot

AT = Spot(1, 1)


def use(text: str) -> Use:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    return Use(AT, "window", "call", "DStream", Confidence.PROVEN, call=call)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("s.window(60, 10)", "10"),
        ("s.window(60, slideDuration=20)", "20"),
        ("s.window(60)", None),
        ("s.window(*times)", None),
        ("s.window(*times, 10)", None),
        ("s.window(60, *times)", None),
        ("s.window(60, 10, *more)", "10"),
        ("s.window(60, **more)", None),
    ],
)
def test_an_argument_by_position_or_keyword(text: str, found: str | None) -> None:
    given = use(text).argument("slideDuration")
    assert (None if given is None else ast.unparse(given)) == found


def test_a_use_that_is_no_call_has_no_arguments() -> None:
    reference = Use(AT, "window", "reference", "DStream", Confidence.PROVEN)
    assert reference.argument("windowDuration") is None


def test_unknown_names_of_a_receiver_share_a_key() -> None:
    known = Use(AT, "map", "call", "DStream", Confidence.PROVEN)
    assert known.key == "DStream.map"
    assert Use(AT, "mapp", "call", "DStream", Confidence.PROVEN, known=False).key == "DStream.?"


@pytest.mark.parametrize(
    ("receiver", "name", "key"),
    [
        ("FlumeUtils", "createStream", "FlumeUtils"),
        ("FlumeUtils", "createPollingStream", "FlumeUtils"),
        ("KafkaUtils", "createStream", "KafkaUtils.createStream"),
        ("KafkaUtils", "createDirectStream", "KafkaUtils.createDirectStream"),
        ("DStream", "map", "DStream.map"),
    ],
)
def test_streams_of_a_system_share_a_key_but_for_kafka(receiver: str, name: str, key: str) -> None:
    assert JvmUse(AT, name, "call", receiver, Confidence.PROVEN, language="Scala").key == key


def test_what_scala_makes() -> None:
    made = JvmUse(AT, "StreamingContext", "construct", "class", Confidence.PROVEN)
    assert made.call_text == "new StreamingContext"


@pytest.mark.parametrize(
    ("after", "problem", "key"),
    [
        ("dstream_compat", None, "rewritten"),
        (None, None, "kept"),
        (None, "star", "star"),
        ("dstream_compat", "star", "star"),
    ],
)
def test_an_import_by_what_was_done(after: str | None, problem: str | None, key: str) -> None:
    assert PackageUse(AT, "import", "pyspark.streaming", "x", after, problem).key == key
