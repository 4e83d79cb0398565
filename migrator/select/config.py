"""`[tool.migrate]` in pyproject.toml.

A scanned tree may not be one's own, so its settings choose what counts and what is written into
its own files, and nothing else: where to write is for the command line only.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from migrator.discover.paths import is_within, with_parents
from migrator.errors import MigrateError

NAME = "pyproject.toml"
FAIL_ON = ("error", "warning", "info", "never")
GROUPS = ("file", "rule")
TARGETS = ("compat", "structured")


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a project; None or empty where it says nothing."""

    path: Path | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str | None = None
    baseline: Path | None = None
    group_by: str | None = None
    fail_on_bugs: bool = False
    notes: bool = False
    kafka_brokers: str | None = None
    json_shape: str | None = None
    spark: str | None = None
    target: str | None = None


def read_config(root: Path) -> Config:
    """Return the settings of the nearest pyproject.toml with a section for us, at or above a path.

    Raises
    ------
    MigrateError
        If that section cannot be understood.
    """
    folder = Path(os.path.abspath(root))
    for place in with_parents(folder):
        path = place / NAME
        if path.is_file() and is_within(path):
            section = _section(path)
            if section is not None:
                return _config(path, section)
    return Config()


def _section(path: Path) -> Any:
    try:
        data = path.read_bytes()
    except OSError:
        # not ours to complain about: the scan does, if it matters
        return None
    if b"migrate" not in data:
        return None
    try:
        tool = tomllib.loads(data.decode("utf-8")).get("tool", {})
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        if b"tool.migrate" not in data:
            return None
        raise MigrateError(
            f"{path}: cannot be read: {error}; repair it, or use --no-config"
        ) from error
    return tool.get("migrate") if isinstance(tool, dict) else None


def _config(path: Path, section: Any) -> Config:
    if not isinstance(section, dict):
        raise MigrateError(f"{path}: tool.migrate is not a table; write [tool.migrate]")
    unknown = sorted(set(section) - set(_KEYS))
    if unknown:
        raise MigrateError(
            f"{path}: [tool.migrate] has no setting {', '.join(unknown)}; it has {', '.join(_KEYS)}"
        )
    values = {key.replace("-", "_"): read(path, section, key) for key, read in _KEYS.items()}
    return Config(path, **values)


def _flag(path: Path, section: dict[str, Any], key: str) -> bool:
    value = section.get(key, False)
    if not isinstance(value, bool):
        raise MigrateError(f"{path}: {key} = {value!r} is neither true nor false")
    return value


def _codes(path: Path, section: dict[str, Any], key: str) -> tuple[str, ...]:
    value = section.get(key, [])
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise MigrateError(
            f'{path}: {key} = {value!r} is not a list of codes; write {key} = ["D2", "D301"]'
        )
    return tuple(value)


def _text(form: str, path: Path, section: dict[str, Any], key: str) -> str | None:
    value = section.get(key)
    if value is not None and (not isinstance(value, str) or not value):
        raise MigrateError(f'{path}: {key} = {value!r} is not a text; write {key} = "{form}"')
    return value


def _choice(choices: tuple[str, ...], path: Path, section: dict[str, Any], key: str) -> str | None:
    value = section.get(key)
    if value is not None and value not in choices:
        raise MigrateError(f"{path}: {key} = {value!r} is none of {', '.join(choices)}")
    return value


def _baseline(path: Path, section: dict[str, Any], key: str) -> Path | None:
    value = section.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or not value or "\0" in value:
        raise MigrateError(f"{path}: baseline = {value!r} is not the path of a file")
    full_path = Path(os.path.realpath(path.parent / value))
    if not full_path.is_relative_to(os.path.realpath(path.parent)):
        raise MigrateError(
            f"{path}: baseline = {value!r} leads out of the folder of {NAME}; name a file below it"
        )
    return full_path


# what reads the value of each setting
_KEYS: dict[str, Callable[[Path, dict[str, Any], str], Any]] = {
    "select": _codes,
    "ignore": _codes,
    "fail-on": partial(_choice, FAIL_ON),
    "baseline": _baseline,
    "group-by": partial(_choice, GROUPS),
    "fail-on-bugs": _flag,
    "notes": _flag,
    "kafka-brokers": partial(_text, "HOST:9092"),
    "json-shape": partial(_text, "KEY TYPE, KEY TYPE"),
    "spark": partial(_text, "3.5"),
    "target": partial(_choice, TARGETS),
}
