"""Hides passwords in the calls of clients: a hash of each is compared in its place.

Workers import this before anything else, so nothing here imports PySpark.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Any, Final

from dstream_compat.wire.secret_names import is_secret_name

from .values import Value

# headers and arguments such as `auth`, `Authorization` and `auth_provider`; keys such as `ssl_key`
_MORE_NAMES: Final = re.compile(r"auth(?!or(?!iz))|_key$", re.IGNORECASE)
_URL: Final = re.compile(r"(?<=://)([^\s/:@]*+:)([^\s/@]+)(?=@)")
_NAME: Final = re.compile(r"""(?<![\w.-])([\w.-]++)["']?\s*+[=:]\s*+""")
_VALUE: Final = re.compile(
    r"""'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+"|(?:(?:Basic|Bearer)\s+)?[^\s;,&'"]+"""
)
# of statements, whose values are given beside them
_PLACEHOLDER: Final = re.compile(r"(?:%s|\?|%\(\w+\)s|\$\d+)\)*")
# which arguments without a name are passwords: of connections to databases, of redis, of boto3
_POSITIONS: Final = {
    **dict.fromkeys(("connect", "Connect", "Connection"), (2,)),
    **dict.fromkeys(("Redis", "StrictRedis"), (3,)),
    "Session": (0, 1, 2),
}
# the original and the migrated job have to give the same, also in another verification
_SALT: Final = "dstream_compat.testing.client_secrets"
_DIGITS: Final = 8


def hide_arguments(
    path: str, args: Sequence[Value], named: Sequence[list[Any]]
) -> tuple[list[Value], list[list[Any]]]:
    """Return the arguments of a call without secrets.

    Texts and bytes count as secrets by the name of the argument, of the key of a dict, or of the
    function or attribute itself; in others, what URLs and settings (``password=x``) have.

    Parameters
    ----------
    path : str
        the name of the call, such as ``psycopg2.connect``
    args : sequence of encoded values
        those without names
    named : sequence of list
        pairs of a name and an encoded value

    Returns
    -------
    tuple
        both again
    """
    last = path.rpartition(".")[2].rstrip("=")
    is_own = is_secret(last)
    secret_positions = _POSITIONS.get(last, ())
    if last == "__setitem__" and _is_secret_key(args[0]):
        secret_positions = (1,)
    return (
        [_hide(value, is_own or at in secret_positions) for at, value in enumerate(args)],
        [[name, _hide(value, is_own or is_secret(name))] for name, value in named],
    )


def is_secret(name: str) -> bool:
    """Return whether the value of this name is a secret, for a client.

    Parameters
    ----------
    name : str
        of an argument, a key or a function
    """
    return is_secret_name(name) or _MORE_NAMES.search(name) is not None


def _hide(value: Value, is_hidden: bool) -> Value:
    """Return an encoded value without the secrets in it, or with no text at all."""
    match value:
        case ["str" | "bytes" as kind, text] if is_hidden:
            return ["secret", _hash(f"{kind} {text}")]
        case ["str", text]:
            return ["str", _hide_in_text(text)]
        case ["bytes", text]:
            # other bytes are no text, and stay
            data = bytes.fromhex(text).decode("utf-8", "surrogateescape")
            return ["bytes", _hide_in_text(data).encode("utf-8", "surrogateescape").hex()]
        case ["tuple" | "list" | "set" as kind, values]:
            return [kind, [_hide(item, is_hidden) for item in values]]
        case ["dict", pairs]:
            return ["dict", [[k, _hide(v, is_hidden or _is_secret_key(k))] for k, v in pairs]]
        case ["object" | "row", *_, list(pairs)]:
            return [*value[:-1], [[k, _hide(v, is_hidden or is_secret(k))] for k, v in pairs]]
    return value


def _is_secret_key(key: Value) -> bool:
    return key[0] == "str" and is_secret(key[1])


def _hide_in_text(text: str) -> str:
    if "://" in text:
        text = _URL.sub(lambda match: f"{match[1]}{_text_for(match[2])}", text)
    parts, at = [], 0
    for match in _NAME.finditer(text):
        # a name may stand in the value of another one, such as in a URL
        if match.start() < at or not is_secret(match[1]):
            continue
        value = _VALUE.match(text, match.end())
        if value and not _PLACEHOLDER.fullmatch(value[0]):
            parts += [text[at : match.end()], _text_for(value[0])]
            at = value.end()
    return "".join([*parts, text[at:]])


def _text_for(secret: str) -> str:
    return f"secret({_hash(secret)})"


def _hash(text: str) -> str:
    return hashlib.sha256(f"{_SALT} {text}".encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]
