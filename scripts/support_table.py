"""Writes the table of supported names into README.md.

The names are those of the installed `pyspark.streaming`, compared with what `dstream_compat` has
today. `--check` writes nothing; the exit code is 1 if the table in README.md is out of date.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
BEGIN = "<!-- support table: written by scripts/support_table.py -->"
END = "<!-- support table: end -->"

YES = "yes"
NOT_YET = "not yet"
NO = "no"

# How a docstring begins whose function does nothing but refuse.
_REFUSALS = ("Raise UnsupportedOperationError", "Raise UnsupportedSourceError")

REMARKS: Mapping[str, str] = {
    "DStream.cache": "only behind `transform()`: all other streams are computed once anyway",
    "DStream.checkpoint": "no effect: state is made durable with every micro-batch",
    "DStream.foreachRDD": "methods, partials and callable objects work too",
    "DStream.map": "`preservesPartitioning` has no effect",
    "DStream.mapWithState": "Spark has it in Scala and Java only",
    "DStream.persist": "like `cache`",
    "DStream.transform": "no state behind it: no `updateStateByKey`, `mapWithState` or window",
    "StreamingContext.addStreamingListener": "listeners are not called",
    "StreamingContext.remember": "no effect",
    "StreamingContext.socketTextStream": "the storage level has no effect",
    "StreamingContext.queueStream": "also survives recovery from a checkpoint",
}
"""What a user should know of a name, in a few words."""


@dataclass(frozen=True)
class Row:
    """One name of the API."""

    name: str
    supported: str
    remark: str


def rows() -> list[Row]:
    """The table, sorted by class and name."""
    import pyspark.streaming as real

    import dstream_compat as ours
    from dstream_compat.dstream import MapWithStateDStream

    found: list[Row] = []
    for name in ("StreamingContext", "DStream"):
        found += class_rows(name, getattr(real, name), getattr(ours, name))
    states = MapWithStateDStream
    found += [
        Row(f"{states.__name__}.{name}", YES, REMARKS["DStream.mapWithState"])
        for name in sorted(public(states) - public(ours.DStream))
    ]
    return [*found, *connector_rows()]


def class_rows(name: str, real: type, ours: type) -> Iterator[Row]:
    """One row per public name of a class, those that only we have included."""
    for member in sorted({*public(real), *public(ours)}):
        full = f"{name}.{member}"
        theirs, mine = getattr(real, member, None), getattr(ours, member, None)
        if mine is None:
            yield Row(full, NOT_YET, "")
        elif refuses(mine):
            yield refused_row(full, mine)
        else:
            difference = signature_remark(theirs, mine) if theirs is not None else ""
            yield Row(full, YES, "; ".join(filter(None, [REMARKS.get(full, ""), difference])))


def connector_rows() -> Iterator[Row]:
    """One row per factory of streams in the connector modules."""
    import dstream_compat.flume
    import dstream_compat.kafka
    import dstream_compat.kinesis
    import dstream_compat.mqtt

    for module in (
        dstream_compat.kafka,
        dstream_compat.kinesis,
        dstream_compat.mqtt,
        dstream_compat.flume,
    ):
        for factory in factories(module):
            for member in sorted(public(factory)):
                name, function = f"{factory.__name__}.{member}", getattr(factory, member)
                yield refused_row(name, function) if refuses(function) else Row(name, YES, "")


def factories(module: ModuleType) -> list[type]:
    """The classes of a module whose names end in `Utils`."""
    return [
        thing
        for name, thing in vars(module).items()
        if inspect.isclass(thing) and name.endswith("Utils")
    ]


def public(thing: type) -> set[str]:
    """The public names of a class, inherited ones included."""
    return {name for name in dir(thing) if not name.startswith("_")}


def refuses(function: Any) -> bool:
    """Whether a function is there only to say that it is not supported."""
    return (inspect.getdoc(function) or "").startswith(_REFUSALS)


def refused_row(name: str, function: Any) -> Row:
    """The row of a function that only refuses: its error says why, and what to do instead."""
    from dstream_compat.exceptions import UnsupportedOperationError

    required = [p for p in parameters(function).values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    try:
        function(*(None for _ in required))
    except UnsupportedOperationError as error:
        reason = str(error).partition(": ")[2]
        return Row(name, NOT_YET if " yet" in reason else NO, REMARKS.get(name, reason))
    raise SystemExit(f"{name} says that it refuses, and does not")


def signature_remark(theirs: Any, mine: Any) -> str:
    """Says how the parameters differ from Spark's, if they do."""
    if not callable(theirs) or not callable(mine):
        return ""
    expected, found = list(parameters(theirs)), list(parameters(mine))
    missing = [name for name in expected if name not in found]
    if missing:
        return "without " + ", ".join(f"`{name}`" for name in missing)
    return "" if found[: len(expected)] == expected else "parameters in another order"


def parameters(function: Any) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function."""
    return inspect.signature(function).parameters


def table(found: list[Row]) -> str:
    """The table as Markdown, in a section that can be folded."""
    there = sum(row.supported == YES for row in found)
    return "\n".join(
        [
            f"{there} of {len(found)} names are there.",
            "",
            "<details>",
            "<summary>All names</summary>",
            "",
            "| name | supported | remark |",
            "|---|---|---|",
            *(f"| `{row.name}` | {row.supported} | {row.remark} |" for row in found),
            "",
            "</details>",
        ]
    )


def updated(readme: str, new: str) -> str:
    """README.md with a new table between its two marks."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"README.md lacks the lines {BEGIN} and {END}")
    return f"{before}{begin}\n\n{new}\n\n{end}{after}"


def main(arguments: list[str] | None = None) -> int:
    """Updates or checks the table; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write the support table into README.md.")
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(ROOT))
    text = README.read_text(encoding="utf-8")
    new = updated(text, table(rows()))
    if new == text:
        print("README.md: the support table is up to date")
        return 0
    if options.check:
        print("README.md: the support table is out of date; run python scripts/support_table.py")
        return 1
    README.write_text(new, encoding="utf-8")
    print("README.md: the support table is updated")
    return 0


if __name__ == "__main__":
    sys.exit(main())
