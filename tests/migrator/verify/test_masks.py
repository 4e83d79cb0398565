"""The same value gets the same mask, and what is masked never gets through."""

from __future__ import annotations

import json
import re

import pytest

from migrator.errors import MigrateError
from migrator.verify.record import Masks

KEY = b"0123456789abcdef"


def masks(*fields: str, separator: str | None = None) -> Masks:
    return Masks(fields, separator, KEY)


def test_the_same_value_has_the_same_mask() -> None:
    one = masks("0")
    first, second = one.of("ann /shop"), one.of("ann /cart")
    assert first.split()[0] == second.split()[0]
    assert "ann" not in first
    assert first.split()[1] == "/shop"
    assert one.of("bob /shop").split()[0] != first.split()[0]


def test_masks_are_those_of_the_key() -> None:
    assert masks("0").of("ann") == masks("0").of("ann")
    assert Masks(["0"]).of("ann") != Masks(["0"]).of("ann")


@pytest.mark.parametrize(
    ("line", "separator", "pattern"),
    [
        ("ann  /a\tx", None, r"m[0-9a-f]{16}  /a\tx"),
        ("  ann /a ", None, r"  m[0-9a-f]{16} /a "),
        ("ann,b,c", ",", r"m[0-9a-f]{16},b,c"),
        ("ann|b|", "|", r"m[0-9a-f]{16}\|b\|"),
        ("", None, ""),
    ],
)
def test_positions_keep_the_rest_of_a_line(line: str, separator: str | None, pattern: str) -> None:
    assert re.fullmatch(pattern, masks("0", separator=separator).of(line))


@pytest.mark.parametrize("line", ["a", "", "a b"])
def test_a_position_that_is_not_there(line: str) -> None:
    assert masks("2").of(line) == line


def test_names_of_json() -> None:
    line = json.dumps({"user": {"id": "ann", "age": 7}, "page": "/a", "n": 1.5})
    found = json.loads(masks("user.id", "n").of(line))
    assert found["page"] == "/a"
    assert found["user"]["age"] == 7
    assert found["user"]["id"].startswith("m")
    assert isinstance(found["n"], float)
    assert found["n"] != 1.5


@pytest.mark.slow
def test_numbers_keep_apart() -> None:
    one = masks("0")
    numbers = range(-1000, 200_000)
    assert len({one.value(number) for number in numbers}) == len(numbers)
    assert len({float(one.value(number)) for number in numbers}) == len(numbers)


@pytest.mark.parametrize("number", [0, 7, -7, 2**40, -(2**80), 1.5, -0.25, 3.0, -3.0, 1e300])
def test_numbers_keep_their_type_and_sign(number: float) -> None:
    found = masks("0").value(number)
    assert found == masks("0").value(number)
    assert type(found) is type(number)
    assert found not in (0, number)
    assert (found < 0) is (number < 0)
    assert abs(found) < 2**53


@pytest.mark.parametrize("text", ["0", "7", "-7", "1.5", "-0.25", "3.0", "1e+300", "9" * 90])
def test_a_number_in_a_text_has_the_mask_of_the_number(text: str) -> None:
    number = json.loads(text)
    found = masks("0").of(f"{text} /shop").split()[0]
    assert found == repr(masks("0").value(number))
    assert found == json.dumps(json.loads(masks("n").of(f'{{"n": {text}}}'))["n"])
    assert json.loads(masks("n").of(f'{{"n": "{text}"}}'))["n"] == found


def test_a_whole_float_is_the_number() -> None:
    assert masks("0").value(3.0) == masks("0").value(3) != masks("0").value(4)


@pytest.mark.parametrize(
    "text",
    ["007", "+7", "7.50", "1e3", ".5", "nan", "inf", "1_000", "-0", "\u0667", "1e999", "9" * 5000],
)
def test_other_texts_are_no_numbers(text: str) -> None:
    assert re.fullmatch("m[0-9a-f]{16}", masks("0").value(text))


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_floats_that_are_no_numbers(number: float) -> None:
    assert isinstance(masks("0").value(number), float)


def test_kinds_stay() -> None:
    record = {"a": 1, "b": "x", "c": True, "d": None, "e": [1, "x"], "f": {"g": 2}}
    found = json.loads(masks(*"abcdef").of(json.dumps(record)))
    assert {k: type(v) for k, v in found.items()} == {k: type(v) for k, v in record.items()}
    assert found["e"] == [found["a"], found["b"]]
    assert found["f"]["g"] not in (2, found["a"])


def test_a_name_in_each_object_of_a_list() -> None:
    found = json.loads(masks("users.id").of('{"users": [{"id": "ann"}, {"id": "bob"}]}'))
    assert "ann" not in str(found)
    assert "bob" not in str(found)
    assert found["users"][0] != found["users"][1]


@pytest.mark.parametrize("line", ["ann /shop", '{"user": "ann"', "7 ann", "ann"])
def test_a_record_that_is_no_json_is_masked_as_a_whole(line: str) -> None:
    found = masks("user").of(line)
    assert "ann" not in found
    assert re.fullmatch("m[0-9a-f]{16}", found)


def test_json_without_the_name_stays() -> None:
    assert json.loads(masks("user").of('{"page": "/a"}')) == {"page": "/a"}


def test_pairs_of_kafka() -> None:
    one = masks("user")
    key, value = one.of(["k", '{"user": "ann"}'])
    assert key == "k"
    assert "ann" not in value
    key, value = masks("0").of(["ann", "text"])
    assert key.startswith("m")
    assert value == "text"
    key, value = masks("0", "user").of(["ann", '{"user": "ann", "n": 1}'])
    assert key == json.loads(value)["user"]
    assert json.loads(value)["n"] == 1


def test_a_pair_without_a_key_or_a_value() -> None:
    assert masks("0").of([None, "text"]) == [None, "text"]
    assert masks("user").of(["k", None]) == ["k", None]


@pytest.mark.parametrize("field", ["user", "1", "2"])
def test_a_value_that_is_no_text_is_masked_as_a_whole(field: str) -> None:
    key, value = masks(field).of(["k", b"\xff ann 7"])
    assert key == "k"
    assert re.fullmatch("m[0-9a-f]{16}", value)


def test_other_records_are_masked_as_a_whole() -> None:
    assert masks("0").of({"a": 1})["a"] != 1
    assert masks("0").of([1, 2, 3]) != [1, 2, 3]


def test_nothing_is_masked_unless_asked() -> None:
    assert not masks()
    assert masks().of("ann /shop") == "ann /shop"


@pytest.mark.parametrize("field", ["", " "])
def test_an_empty_field_is_refused(field: str) -> None:
    with pytest.raises(MigrateError, match="--mask is empty"):
        masks(field)
