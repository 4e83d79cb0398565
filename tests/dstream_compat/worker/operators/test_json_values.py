"""json.loads over records gives what the function gives, and is called wherever that may differ."""

from __future__ import annotations

import functools
import json
import types
from collections.abc import Callable, Iterator
from json.decoder import JSONDecoder
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark import cloudpickle

from dstream_compat.worker.operators.json_values import parse_records, parses_json
from dstream_compat.worker.operators.record_functions import Map


def travelled(function: Any) -> Any:
    """Return a function as workers get it."""
    return cloudpickle.loads(cloudpickle.dumps(function, 5))  # type: ignore[no-untyped-call]


def shadowing(text: str, **names: Any) -> Any:
    """Return a lambda of a module that has names of its own."""
    return eval(text, names)


class Text(str):
    """A text of the user's."""

    def startswith(self, *args: Any) -> bool:
        raise ValueError("not asked")


RECOGNISED = {
    "function": json.loads,
    "lambda": lambda text: json.loads(text),
    "value": lambda pair: json.loads(pair[1]),
    "imported-elsewhere": shadowing("lambda text: json.loads(text)", json=json),
    "value-imported-elsewhere": shadowing("lambda pair: json.loads(pair[1])", json=json),
    "travelled": travelled(json.loads),
    "lambda-travelled": travelled(lambda text: json.loads(text)),
    "value-travelled": travelled(lambda record: json.loads(record[1])),
}

CALLED = {
    "load": json.load,
    "dumps": json.dumps,
    "partial": functools.partial(json.loads, parse_float=str),
    "option": lambda text: json.loads(text, parse_float=str),
    "strict": lambda text: json.loads(text, strict=False),
    "key": lambda pair: json.loads(pair[0]),
    "stripped": lambda text: json.loads(text.strip()),
    "element": lambda text: json.loads(text)["a"],
    "default": lambda text, option=None: json.loads(text),
    "other-module": shadowing(
        "lambda text: json.loads(text)", json=types.SimpleNamespace(loads=len)
    ),
    "no-module": shadowing("lambda text: json.loads(text)"),
    "bound": JSONDecoder().decode,
    "str": str,
    "none": None,
}


@pytest.mark.parametrize("name", RECOGNISED)
def test_it_is_recognised(name: str) -> None:
    assert parses_json(RECOGNISED[name])
    assert "json.loads" in Map(RECOGNISED[name]).way


@pytest.mark.parametrize("name", CALLED)
def test_other_functions_are_called(name: str) -> None:
    assert not parses_json(CALLED[name])
    assert Map(CALLED[name]).way == "calls the function for each record"


@pytest.fixture(params=["loads", "wrapped", "decoder", "method", "class"])
def replaced(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Replace a part of the module, as some do to parse faster or otherwise."""

    @functools.wraps(json.loads)
    def wrapped(text: str) -> Any:
        return "mine"

    match request.param:
        case "loads":
            monkeypatch.setattr(json, "loads", lambda text: "mine")
        case "wrapped":
            monkeypatch.setattr(json, "loads", wrapped)
        case "decoder":
            monkeypatch.setattr(json, "_default_decoder", type("Own", (JSONDecoder,), {})())
        case "method":
            monkeypatch.setattr(json._default_decoder, "decode", wrapped, raising=False)  # type: ignore[attr-defined]
        case "class":
            monkeypatch.setattr(JSONDecoder, "decode", wrapped)
    yield


def test_a_replaced_json_is_called(replaced: None) -> None:
    assert not parses_json(json.loads)
    assert not parses_json(RECOGNISED["lambda"])


def outcome(call: Callable[[], Any]) -> tuple[str, str]:
    """Return what a call gives, or which error it raises."""
    try:
        return "value", repr(call())
    except Exception as error:
        return type(error).__name__, str(error)


TEXTS = (
    *("1", "-0", "1e400", "NaN", "-Infinity", '"x"', "null", "[]", '{"a": 1, "a": 2}', "1.0"),
    *(" 1", "1\n", "\t\r\n {} \n", "\u00a01", "1\u00a0", "\x0b1", "\ufeff1", ""),
    *(" ", "1 2", "{", '{"a" 1}', "[1,]", '"\n"', '"\\ud800"', "9" * 5000, "[" * 100_000, "nul"),
)


@pytest.mark.parametrize("record", [*TEXTS, b"1", bytearray(b"[2]"), "1".encode("utf-16"), 1, None])
def test_each_record_gives_what_the_function_gives(record: Any) -> None:
    for function in (json.loads, RECOGNISED["lambda"]):
        assert outcome(lambda f=function: list(parse_records(f, [record]))) == outcome(
            lambda f=function: [f(record)]
        )


@pytest.mark.parametrize(
    "record", [("k", "[1]"), ("k", " 1x"), ("k",), ["k", "2"], "12", ("k", b"3")]
)
def test_so_does_the_value_of_a_pair(record: Any) -> None:
    function = RECOGNISED["value"]
    assert outcome(lambda: list(parse_records(function, [record]))) == outcome(
        lambda: [function(record)]
    )


@given(st.text(alphabet='{}[]",:0123456789.eE+-truefalsn \t\n\\u\ufeff', max_size=12))
def test_so_does_any_text(text: str) -> None:
    assert outcome(lambda: list(parse_records(json.loads, [text]))) == outcome(
        lambda: [json.loads(text)]
    )


def test_texts_of_a_subclass_are_given_to_the_function() -> None:
    with pytest.raises(ValueError, match="not asked"):
        list(parse_records(json.loads, [Text("1")]))


def test_objects_are_not_shared_between_records() -> None:
    first, second = parse_records(json.loads, ['{"a": []}', '{"a": []}'])
    assert first == second
    assert first["a"] is not second["a"]


def test_the_error_comes_at_its_record_and_from_the_function() -> None:
    values = parse_records(json.loads, iter(["1", "{", "2"]))
    assert next(values) == 1
    with pytest.raises(json.JSONDecodeError) as raised:
        next(values)
    assert raised.value.__context__ is None
    assert raised.traceback[-1].name == "raw_decode"
