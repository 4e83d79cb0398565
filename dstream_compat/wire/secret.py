"""Passwords and keys: ``repr`` hides them, and checkpoints have names in place of their values.

What a variable of the environment or a setting of the submission gives can be had again at a
restart, so a checkpoint has its name, and a value that was changed since counts. What only the code
of the job gives is in the checkpoint: a recovery does not run that code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from pyspark import SparkConf

from .secret_names import is_secret_name

_IN_TEXT: Final = re.compile(r"passw|secret", re.IGNORECASE)
_SETTINGS: Final = re.compile(r"\w\s*=\s*[^\s=]")
"""In a text of settings, such as a line of JAAS; a key in Base64 ends with ``=``."""
_SHORTEST: Final = 6
"""Characters of a value that is looked for inside of another one, as in a line of JAAS."""
_VARIABLE: Final = "environment variable"
_SETTING: Final = "setting"

Name = tuple[str, str]
"""A kind, and the name of what gives a value."""

_kept: ContextVar[list[str] | None] = ContextVar("kept", default=None)
_absent: ContextVar[list[Secret] | None] = ContextVar("absent", default=None)


class Secret(str):
    """A text that ``repr`` hides.

    Parameters
    ----------
    value : str
        the text
    what : str
        what it is, for messages
    parts : tuple of str or (str, str)
        texts and names that it is made of in a checkpoint; by default they are looked for
    """

    what: str
    parts: tuple[str | Name, ...]

    def __new__(cls, value: str, what: str, parts: tuple[str | Name, ...] = ()) -> Secret:
        secret = super().__new__(cls, value)
        secret.what, secret.parts = what, parts
        return secret

    def __repr__(self) -> str:
        return "'(hidden)'"

    def __reduce__(self) -> Any:
        names = _kept.get()
        if names is None:
            return Secret, (str(self), self.what)
        parts = self.parts or _parts_of(str(self))
        is_value = all(isinstance(part, str) for part in parts)
        # a login by Kerberos has none
        without_secret = " " in self and "jaas" in self.what and not _IN_TEXT.search(self)
        if self and is_value and not without_secret:
            names.append(self.what)
        return secret_of, (parts, self.what)

    @property
    def missing_names(self) -> list[str]:
        """The variables and settings without which its value is not known."""
        return [" ".join(part) for part in self.parts if _value_of(part) is None]


def _values_given() -> dict[str, Name]:
    """Return the secrets that the next process is given again, with what gives them."""
    variables = [(value, (_VARIABLE, name)) for name, value in os.environ.items()]
    settings = [(value, (_SETTING, name)) for name, value in SparkConf().getAll()]
    names: dict[str, Name] = {}
    for value, name in sorted(variables) + sorted(settings):
        if value and is_secret_name(name[1]):
            names.setdefault(value, name)
    return names


def _parts_of(value: str) -> tuple[str | Name, ...]:
    names = _values_given()
    if value in names:
        return (names[value],)
    if not _SETTINGS.search(value):
        return (value,)
    inside = sorted((value for value in names if len(value) >= _SHORTEST), key=len, reverse=True)
    if not inside:
        return (value,)
    pieces = re.split("(" + "|".join(map(re.escape, inside)) + ")", value)
    return tuple(names.get(piece, piece) for piece in pieces if piece)


def _value_of(part: str | Name) -> str | None:
    if isinstance(part, str):
        return part
    kind, name = part
    if kind == _VARIABLE:
        return os.environ.get(name)
    return SparkConf().get(name)


def secret_of(parts: tuple[str | Name, ...], what: str) -> Secret:
    """Return a secret of a checkpoint; it is empty if not all that gives it is there.

    Parameters
    ----------
    parts, what : tuple of str or (str, str), str
        see ``Secret``
    """
    values = [_value_of(part) for part in parts]
    value = "" if None in values else "".join(filter(None, values))
    is_value = all(isinstance(part, str) for part in parts)
    secret = Secret(value, what, () if is_value else parts)
    absent = _absent.get()
    if absent is not None and secret.missing_names:
        absent.append(secret)
    return secret


@contextmanager
def names_for_secrets() -> Iterator[list[str]]:
    """Pickle secrets as names; gives a list that gets what had to be pickled as a value."""
    kept: list[str] = []
    token = _kept.set(kept)
    try:
        yield kept
    finally:
        _kept.reset(token)


@contextmanager
def secrets_without_values() -> Iterator[list[Secret]]:
    """Note secrets that are unpickled while what gives them is not there."""
    absent: list[Secret] = []
    token = _absent.set(absent)
    try:
        yield absent
    finally:
        _absent.reset(token)
