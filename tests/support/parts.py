"""Divides the tests into units that can run apart, in parts of a long run or in processes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import pytest

ALONE = ("test_random_pipelines", "test_random_state", "test_random_windows")
"""Tests each of whose cases is a unit; those of other files share what is dear to make."""

IN_BLOCKS = ("test_random_job[",)
"""Tests whose cases are units by the first part of their name, such as 03 of ``03-17``."""

_SLOW, _FAST = 4.0, 0.1
"""Seconds that a test takes, roughly."""


def unit_of(nodeid: str) -> str:
    """Return the unit that a test belongs to."""
    file, _, rest = nodeid.partition("::")
    if rest.startswith(IN_BLOCKS):
        return nodeid.rpartition("-")[0]
    return nodeid if rest.startswith(ALONE) else file


def part_of(units: Sequence[str], part: int, parts: int) -> set[str]:
    """Return the units of one part (from 1).

    A unit's part does not depend on other units, so that parts run at different times are whole.
    """
    return {unit for unit in units if crc32(unit.encode()) % parts == part - 1}


def chosen() -> tuple[int, int] | None:
    """Return the part and the number of parts that DSTREAM_COMPAT_PART asks for, as in ``2/10``."""
    text = os.environ.get("DSTREAM_COMPAT_PART")
    return parse(text) if text else None


def parse(text: str) -> tuple[int, int]:
    """Return the part and the number of parts of a text such as ``2/10``.

    Raises
    ------
    ValueError
        if it is not of that form
    """
    part, _, parts = text.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise ValueError(f"{text!r} is no part such as 2/10")
    return int(part), int(parts)


def divide(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave only the tests of the part that is asked for."""
    wanted = chosen()
    if wanted is None:
        return
    units = part_of([unit_of(item.nodeid) for item in items], *wanted)
    left = [item for item in items if unit_of(item.nodeid) not in units]
    items[:] = [item for item in items if unit_of(item.nodeid) in units]
    config.hook.pytest_deselected(items=left)


def longest_first(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, so that no process works on one when others rest.

    By itself pytest-xdist begins with those of most tests: ``--no-loadscope-reorder`` leaves the
    order to this.
    """
    seconds: dict[str, float] = {}
    for item in items:
        file = unit_of(item.nodeid)
        seconds[file] = seconds.get(file, 0) + (_SLOW if item.get_closest_marker("slow") else _FAST)
    items.sort(key=lambda item: -seconds[unit_of(item.nodeid)])


def scheduler(config: pytest.Config, log: Any) -> Any:
    """Return what keeps each unit on one process under ``--dist loadgroup``; None otherwise.

    pytest-xdist's own groups are names that it adds to those of tests, which not every pytest that
    it works with lets it do; tests are then spread without a word.
    """
    if config.getoption("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling  # not there under -p no:xdist

    class Units(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return unit_of(nodeid)

    return Units(config, log)
