"""What `pprint` shows, as the lines of a query whose code prints records itself."""

from __future__ import annotations

from dataclasses import replace

from dstream_compat.testing.results import Output, Results
from dstream_compat.testing.values import Value, decode


def with_printed_records(old: Results, new: Results) -> Results:
    """Return what a job of DStreams gave, its `pprint` as lines if the new job shows no tables."""
    kinds = {each.kind for each in new.outputs}
    if "show" in kinds or "printed" not in kinds:
        return old
    outputs: list[Output] = []
    runs: list[dict[int, list[list[Value]]]] = []
    for output, given in zip(old.outputs, old.runs, strict=True):
        if output.kind == "pprint":
            try:
                given = {
                    batch: [_lines(rows[: output.num]) for rows in times]
                    for batch, times in given.items()
                }
            except ValueError:
                # an object whose text is not known
                return old
            output = replace(output, kind="printed")
        outputs.append(output)
        runs.append(given)
    return replace(old, outputs=outputs, runs=runs)


def _lines(rows: list[Value]) -> list[Value]:
    return [["str", line] for row in rows for line in str(decode(row)).split("\n")]
