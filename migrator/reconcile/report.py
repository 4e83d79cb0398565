"""The report of a comparison, on a terminal and as JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import IO, Any

from migrator.model.printable import visible
from migrator.reconcile.matching import Differences
from migrator.report.wording import quantity

SCHEMA_VERSION = 1
_TITLES = {
    "differing": "other values under the same key",
    "only_left": "only on the left",
    "only_right": "only on the right",
}


def as_json(left: str, right: str, differences: Differences) -> str:
    """Return the report; `schema_version` changes if a field is removed or means something else."""
    values = {
        "schema_version": SCHEMA_VERSION,
        "result": "equal" if differences.is_equal else "different",
        "left": left,
        "right": right,
        "both": differences.both,
        "in_another_batch": differences.moved,
        "only_left": differences.only_left,
        "only_right": differences.only_right,
        "differing": differences.differing,
        "outside": {"left": differences.outside[0], "right": differences.outside[1]},
        "first_batch": differences.first_batch,
        "examples": differences.examples,
    }
    return json.dumps(values, indent=2, default=str) + "\n"


def show(left: str, right: str, differences: Differences, stream: IO[str], *, color: bool) -> None:
    """Print the report."""
    from rich.text import Text

    from migrator.report.text_blocks import console

    out = console(stream, color=color)
    style = "bold green" if differences.is_equal else "bold red"
    names = f"{visible(left)} and {visible(right)}"
    what = "equal" if differences.is_equal else "different"
    if differences.first_batch is not None:
        what += f", first in the batch of {_time(differences.first_batch)}"
    out.print(Text(f"{names}: {what}", style=style), soft_wrap=True)
    for line in _facts(differences):
        out.print(Text(f"  {line}"), soft_wrap=True)
    for kind, title in _TITLES.items():
        rows = differences.examples.get(kind, [])
        total = int(getattr(differences, kind))
        if rows:
            shown = f" ({len(rows)} of {total})" if total > len(rows) else f" ({total})"
            out.print(Text(f"  {title}{shown}:"), soft_wrap=True)
        for row in rows:
            out.print(Text(f"    {visible(_row(row, differences.batch))}"), soft_wrap=True)


def _facts(differences: Differences) -> list[str]:
    facts = [f"{quantity(differences.both, 'row')} in both"]
    if differences.moved:
        facts[0] += f", {differences.moved} of them in another batch"
    numbers = {
        "only on the left": differences.only_left,
        "only on the right": differences.only_right,
        "with other values under the same key": differences.differing,
    }
    facts += [f"{quantity(number, 'row')} {where}" for where, number in numbers.items() if number]
    for number, side in zip(differences.outside, ("left", "right"), strict=True):
        if number:
            facts.append(
                f"note: {quantity(number, 'row')} on the {side} in batches that the other job has "
                "not reached or not seen were left out; --whole compares them"
            )
    if not differences.both and differences.is_equal:
        facts.append("warning: neither has a row")
    return facts


def _row(row: dict[str, Any], batch: str) -> str:
    return ", ".join(
        f"{name}={_time(value) if name == batch and value is not None else _value(value)}"
        for name, value in row.items()
    )


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "(" + ", ".join(f"{name}={item!r}" for name, item in value.items()) + ")"
    return repr(value)


def _time(milliseconds: int) -> str:
    at = datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
    return f"{milliseconds} ({at.removesuffix('+00:00')}Z)"
