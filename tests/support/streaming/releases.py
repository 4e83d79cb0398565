"""Checkpoints that releases of this package have written, and what their job gives."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any, Final

from tests.support.streaming.jobs.released import BATCHES, TIMEOUT, WINDOW

RELEASES: Final = (
    Path(__file__).resolve().parents[2] / "dstream_compat" / "checkpoint" / "fixtures" / "releases"
)
KILLED: Final = 4
"""The batch (seconds) in which the job of a fixture has killed itself."""
LAST: Final = len(BATCHES)
_FOLDER: Final = "@FOLDER@"
"""Stands in a fixture for the path of the checkpoint, which Spark has in the metadata of states."""

Batch = tuple[str, int]
"""An output, and a batch time (seconds)."""


def keep(checkpoint: Path, fixture: Path) -> None:
    """Make a checkpoint a fixture: without checksums, and without its path."""
    shutil.rmtree(fixture, ignore_errors=True)
    _copy(checkpoint, fixture, str(checkpoint), _FOLDER)


def restore(release: str, target: Path) -> None:
    """Write a fixture as if its job had run with the folder ``target``."""
    _copy(RELEASES / release, target, _FOLDER, str(target))


def _copy(source: Path, target: Path, old: str, new: str) -> None:
    for path in source.rglob("*"):
        if path.is_dir() or path.name.endswith(".crc"):
            continue
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        data = path.read_bytes()
        if "_metadata" in path.parts:
            data = data.replace(old.encode(), new.encode())
        place.write_bytes(data)


def expected(first: int = 1) -> dict[Batch, list[Any]]:
    """Return what each output has from a batch on, by plain Python."""
    found: dict[Batch, list[Any]] = {}
    for second, emitted in enumerate(_tracked(), 1):
        names = _sums(0, second)
        windows = _sums(second - WINDOW, second)
        found["totals", second] = sorted(names.items())
        # a key stays when the inverse function has taken out its last value
        found["windows", second] = sorted((name, windows[name]) for name in names)
        found["tracked", second] = emitted
    return {batch: records for batch, records in found.items() if batch[1] >= first}


def _sums(after: int, until: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for pairs in BATCHES[max(after, 0) : until]:
        counts.update(dict(pairs))
    return counts


def _tracked() -> list[list[tuple[str, int]]]:
    """Return what ``mapWithState`` emits in each batch."""
    states: dict[str, tuple[int, int]] = {}
    emitted = []
    for second, pairs in enumerate(BATCHES, 1):
        records = []
        for key, value in pairs:
            states[key] = states.get(key, (0, 0))[0] + value, second
            records.append((key, states[key][0]))
        old = [key for key, (_, at) in states.items() if at < second - TIMEOUT]
        records += [(key, -states.pop(key)[0]) for key in old]
        emitted.append(sorted(records))
    return emitted
