"""Byte code in pickles, which another minor version of Python cannot run."""

from __future__ import annotations

import pickle
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from pyspark.core.rdd import portable_hash

from dstream_compat.wire.byte_code import has_byte_code, is_sent_by_value
from dstream_compat.wire.frames import dumps
from dstream_compat.worker.operators.hashing import key_hash


def local_class() -> type:
    """Return a class that cloudpickle sends by value, as those of the main file."""

    class Key:
        def __hash__(self) -> int:
            return 1

    return Key


@pytest.mark.parametrize(
    "value", [lambda: None, local_class(), {"a": local_class()()}, ("CodeType", lambda: None)]
)
def test_functions_and_classes_by_value(value: object) -> None:
    assert has_byte_code(dumps(value))
    assert has_byte_code(pickle.dumps((None, dumps(value)), 5)), "stored values hold pickles"


@pytest.mark.parametrize("value", [key_hash, "CodeType", "_builtin_type(CodeType)"])
def test_names_and_data(value: object) -> None:
    assert not has_byte_code(dumps([value]))


def unreadable() -> Callable[[Any], int]:
    """Return a function that loads a name it does not have, as byte code may seem to."""

    def function(key: Any) -> int:
        return portable_hash(key)

    code = function.__code__.replace(co_names=())
    return types.FunctionType(code, function.__globals__)


def test_functions_that_travel_by_value() -> None:
    assert not is_sent_by_value(key_hash) and not is_sent_by_value(portable_hash)
    assert is_sent_by_value(lambda key: 1) and is_sent_by_value(partial(lambda a, b: 1, 1))
    with pytest.raises(IndexError):
        dumps(unreadable())
    assert is_sent_by_value(unreadable())
