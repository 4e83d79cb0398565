"""Reads options, ``--conf`` and files of properties as spark-submit does."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

FLAGS: Final = frozenset(
    ("--supervise", "--verbose", "-v", "--version", "--help", "-h")
) | frozenset(("--usage-error", "--load-spark-defaults"))
"""The options of spark-submit that take no value."""

_PROPERTY: Final = re.compile(r"((?:\\.|[^\\=:\s])*)[ \t\f]*[=:]?[ \t\f]*(.*)", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_NAMED: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def option(arguments: Sequence[str], name: str) -> str | None:
    """Return the value of an option of spark-submit, the last one given."""
    values = [value for flag, value in _pairs(arguments) if flag == name]
    return values[-1] if values else None


def with_option(arguments: Sequence[str], name: str, value: str) -> list[str]:
    """Return arguments of spark-submit with one option set, in front."""
    others: list[str] = []
    skip = False
    for argument in arguments:
        if skip or argument.startswith(name + "="):
            skip = False
        elif argument == name:
            skip = True
        else:
            others.append(argument)
    return [name, value, *others]


def setting(arguments: Sequence[str], key: str, name: str = "") -> str | None:
    """Return what spark-submit takes a setting from: an option, ``--conf`` or a file.

    Parameters
    ----------
    arguments : sequence of str
        of spark-submit
    key : str
        the setting
    name : str, optional
        the option that beats it
    """
    own = option(arguments, name) if name else None
    if own is not None:
        return own
    confs = [value for flag, value in _pairs(arguments) if flag in ("--conf", "-c")]
    for conf in reversed(confs):
        conf_key, _, value = conf.partition("=")
        if conf_key == key:
            return value
    for path in _property_files(arguments):
        properties = read_properties(path)
        if key in properties:
            return properties[key]
    return None


def spark_home() -> str:
    """Return the folder of the Spark that this process starts."""
    from pyspark.find_spark_home import _find_spark_home

    return _find_spark_home()


def read_properties(path: Path) -> dict[str, str]:
    """Return what a file in the format of Java's properties says; nothing if there is none."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}  # spark-submit says what is wrong with it
    result = {}
    for line in _logical_lines(text):
        match = _PROPERTY.fullmatch(line)
        assert match is not None, line  # every part of the pattern may be empty
        key, value = (_ESCAPE.sub(_unescape, part) for part in match.groups())
        result[key] = value.strip()
    return result


def _pairs(arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (option, value) until the script, whose arguments are its own."""
    index = 0
    while index < len(arguments) and arguments[index].startswith("-"):
        name, equals, value = arguments[index].partition("=")
        if not equals and name not in FLAGS:
            index += 1
            value = arguments[index] if index < len(arguments) else ""
        yield name, value
        index += 1


def _property_files(arguments: Sequence[str]) -> list[Path]:
    """Return the files of properties that spark-submit reads, those first that beat others."""
    pairs = list(_pairs(arguments))
    files = [Path(value) for name, value in reversed(pairs) if name == "--extra-properties-file"]
    own = option(arguments, "--properties-file")
    if own is not None:
        files.append(Path(own))
    if own is None or "--load-spark-defaults" in dict(pairs):
        folder = os.environ.get("SPARK_CONF_DIR") or Path(spark_home(), "conf")
        files.append(Path(folder, "spark-defaults.conf"))
    return files


def _logical_lines(text: str) -> Iterator[str]:
    begun = ""
    for line in re.split(r"\r\n|\r|\n", text):
        stripped = line.lstrip(" \t\f")
        if not begun and stripped[:1] in ("", "#", "!"):
            continue
        begun += stripped
        if (len(begun) - len(begun.rstrip("\\"))) % 2:
            begun = begun[:-1]  # a backslash at the end of a line continues it
        else:
            yield begun
            begun = ""
    if begun:
        yield begun


def _unescape(match: re.Match[str]) -> str:
    text = match[1]
    return chr(int(text[1:], 16)) if len(text) > 1 else _NAMED.get(text, text)
