"""Where old copies of Bahir's module take user name and password."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark import StorageLevel

from dstream_compat.mqtt import MQTTUtils
from tests.support.streaming.contexts import MakeContext

LEVEL = StorageLevel.MEMORY_ONLY
URL = "tcp://localhost:1883"
LOGIN = ("user", "secret")
NAMED = {"username": "user", "password": "secret"}
FUNCTIONS = {
    "createStream": "topic",
    "createPairedStream": ["topic"],
    "createPickleStream": "topic",
}


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("places", "names", "login"),
    [
        ((), {}, None),
        ((LEVEL,), {}, None),
        ((), NAMED, LOGIN),
        ((LEVEL,), NAMED, LOGIN),
        ((), {"username": "user"}, ("user", None)),
        (("user", "secret"), {}, LOGIN),
        (("user", "secret", LEVEL), {}, LOGIN),
        ((LEVEL, "user", "secret"), {}, LOGIN),
        ((LEVEL, "", ""), {}, None),
        (("user",), {"password": "secret"}, LOGIN),
        ((LEVEL, "user"), {"password": "secret"}, LOGIN),
        (("user", "secret"), {"storageLevel": LEVEL}, LOGIN),
        (("user",), {"storageLevel": LEVEL, "password": "secret"}, LOGIN),
        ((), {"storageLevel": LEVEL}, None),
        ((), {"storageLevel": LEVEL, **NAMED}, LOGIN),
        (("",), {"password": ""}, None),
    ],
    ids=repr,
)
def test_places_are_known_by_type(
    make: MakeContext,
    function: str,
    places: tuple[Any, ...],
    names: dict[str, Any],
    login: tuple[str, str | None] | None,
) -> None:
    stream = getattr(MQTTUtils, function)(make(), URL, FUNCTIONS[function], *places, **names)
    node = stream._node
    while node.parents:  # objects are unpickled by map
        (node,) = node.parents
    assert node.source.login == login


@pytest.mark.parametrize(
    ("places", "names", "kinds"),
    [
        (("user",), {}, r"\(str\)"),
        ((None,), {}, r"\(NoneType\)"),
        (("user", LEVEL, "secret"), {}, r"\(str, StorageLevel, str\)"),
        ((LEVEL, LEVEL), {}, r"\(StorageLevel, StorageLevel\)"),
        ((LEVEL, "user", "secret", 400), {}, r"\(StorageLevel, str, str, int\)"),
        (("user", None), {}, r"\(str, NoneType\)"),
        (("user", "secret"), {"password": "secret"}, r"\(str, str\) beside password="),
        (("user",), {"username": "user"}, r"\(str\) beside username="),
        (("user",), NAMED, r"\(str\) beside username= and password="),
        ((LEVEL,), {"storageLevel": LEVEL}, r"\(StorageLevel\) beside storageLevel="),
        ((3,), {"password": "secret"}, r"\(int\) beside password="),
    ],
    ids=repr,
)
def test_what_fits_neither_order_is_refused_without_telling_the_password(
    make: MakeContext, places: tuple[Any, ...], names: dict[str, Any], kinds: str
) -> None:
    with pytest.raises(TypeError, match=f"^createStream takes a StorageLevel.*{kinds}") as error:
        MQTTUtils.createStream(make(), URL, "topic", *places, **names)
    assert "secret" not in str(error.value)


def test_a_password_needs_a_user(make: MakeContext) -> None:
    with pytest.raises(ValueError, match="password, but no username"):
        MQTTUtils.createStream(make(), URL, "topic", password="secret")
