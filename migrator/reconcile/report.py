"""The report of a comparison, on a terminal and as JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import IO, Any

from migrator.model.printable import visible
from migrator.reconcile.matching import Differences
from migrator.report.wording import counted

SCHEMA_VERSION = 1
_TITLES = {
    "differing": "other values under the same key",
    "only_left": "only on the left",
    "only_right": "only on the right",
}


def as_json(left: str, right: str, found: Differences) -> str:
    """Return the report; `schema_version` changes if a field is removed or means something else."""
    values = {
        "schema_version": SCHEMA_VERSION,
        "result": "equal" if found.is_equal else "different",
        "left": left,
        "right": right,
        "both": found.both,
        "in_another_batch": found.moved,
        "only_left": found.only_left,
        "only_right": found.only_right,
        "differing": found.differing,
        "outside": {"left": found.outside[0], "right": found.outside[1]},
        "first_batch": found.first_batch,
        "examples": found.examples,
    }
    return json.dumps(values, indent=2, default=str) + "\n"


def show(left: str, right: str, found: Differences, stream: IO[str], *, color: bool) -> None:
    """Print the report."""
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, no_color=not color, highlight=False, emoji=False, markup=False)
    style = "bold green" if found.is_equal else "bold red"
    names = f"{visible(left)} and {visible(right)}"
    what = "equal" if found.is_equal else "different"
    if found.first_batch is not None:
        what += f", first in the batch of {_time(found.first_batch)}"
    console.print(Text(f"{names}: {what}", style=style), soft_wrap=True)
    for line in _facts(found):
        console.print(Text(f"  {line}"), soft_wrap=True)
    for kind, title in _TITLES.items():
        rows = found.examples.get(kind, [])
        total = int(getattr(found, kind))
        if rows:
            shown = f" ({len(rows)} of {total})" if total > len(rows) else f" ({total})"
            console.print(Text(f"  {title}{shown}:"), soft_wrap=True)
        for row in rows:
            console.print(Text(f"    {visible(_row(row, found.batch))}"), soft_wrap=True)


def _facts(found: Differences) -> list[str]:
    facts = [f"{counted(found.both, 'row')} in both"]
    if found.moved:
        facts[0] += f", {found.moved} of them in another batch"
    numbers = {
        "only on the left": found.only_left,
        "only on the right": found.only_right,
        "with other values under the same key": found.differing,
    }
    facts += [f"{counted(number, 'row')} {where}" for where, number in numbers.items() if number]
    for number, side in zip(found.outside, ("left", "right"), strict=True):
        if number:
            facts.append(
                f"note: {counted(number, 'row')} on the {side} in batches that the other job has "
                "not reached or not seen were left out; --whole compares them"
            )
    if not found.both and found.is_equal:
        facts.append("warning: neither has a row")
    return facts


def _row(row: dict[str, Any], batch: str) -> str:
    return ", ".join(
        f"{name}={_time(value) if name == batch and value is not None else _value(value)}"
        for name, value in row.items()
    )


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{name}={one!r}" for name, one in value.items()) + ")"
    return repr(value)


def _time(milliseconds: int) -> str:
    at = datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
    return f"{milliseconds} ({at.removesuffix('+00:00')}Z)"
