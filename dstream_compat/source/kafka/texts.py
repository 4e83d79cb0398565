"""Checks that the parameters of Kafka's consumers are texts, as consumers take no others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...wire.secret_names import is_secret_name


def check_params(params: Mapping[Any, Any], label: str) -> None:
    """Refuse parameters that are not texts: Kafka's consumers were never configured by others.

    With Spark 2.4, direct streams ended in ``ClassCastException``; receivers in
    ``NumberFormatException``, or they went on without the parameter.

    Parameters
    ----------
    params : mapping
        ``kafkaParams``
    label : str
        the stream, for the error

    Raises
    ------
    TypeError
        which names each of them, and what to write
    """
    wrong = [
        f"{name!r} is {_shown_type(value)}: {_advice(value, is_secret_name(str(name)))}"
        for name, value in params.items()
        if not isinstance(value, str)
    ]
    wrong += [
        f"the name {name!r} is {_shown_type(name)}" for name in params if not isinstance(name, str)
    ]
    if wrong:
        raise TypeError(f"{label}: kafkaParams takes texts only, but {'; '.join(wrong)}")


def _shown_type(value: object) -> str:
    name = type(value).__name__
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"


def _advice(value: object, secret: bool) -> str:
    if value is None:
        return "leave it out"
    text = None if secret else text_for(value)
    return "write a text" if text is None else f"write {text!r}"


def text_for(value: object) -> str | None:
    """Return the text that says to Kafka what a value means, None if that is not known."""
    match value:
        case list() | tuple() if value and all(isinstance(item, str) for item in value):
            return ",".join(value)
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
    return None
