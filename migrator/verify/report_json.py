"""The report of a verification as JSON."""

from __future__ import annotations

import json
from typing import Any

from dstream_compat.testing.values import readable
from migrator.verify.comparison import Difference
from migrator.verify.verdict import Side, Verdict

SCHEMA_VERSION = 1
_ROWS = 200


def as_json(verdict: Verdict) -> str:
    """Return the report; `schema_version` changes if a field is removed or means something else."""
    return json.dumps(values(verdict), indent=2) + "\n"


def values(verdict: Verdict) -> dict[str, Any]:
    """Return the report as values of JSON."""
    comparison, obstacle = verdict.comparison, verdict.obstacle
    first = comparison.first() if comparison is not None and obstacle is None else None
    values: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "result": verdict.result.value,
        "job": verdict.job,
        "original": _side(verdict.old),
        "migrated": _side(verdict.new),
        "batches": verdict.batches,
        "records": verdict.records,
        "failure": verdict.failure or None,
        "obstacle": None
        if obstacle is None
        else {"what": obstacle.what, "advice": obstacle.advice},
        "operator": verdict.operator or None,
        "first_difference": None if first is None else difference_values(first),
        "notes": verdict.notes,
        "smallest_input": None if verdict.smallest is None else str(verdict.smallest),
        "test": None if verdict.test is None else str(verdict.test),
        "date": verdict.date,
        "sources": [{"path": path, "sha256": digest} for path, digest in verdict.sources],
        "request": verdict.request,
    }
    if comparison is not None:
        values |= {
            "equal_batches": comparison.equal_batches(),
            "rows": {
                "original": comparison.rows_old,
                "migrated": comparison.rows_new,
                "both": comparison.rows_both,
                "share": comparison.share(),
            },
            "outputs": [
                {
                    "name": pair.name,
                    "kind": pair.kind,
                    "operator": pair.operator or None,
                    "ordered": pair.ordered,
                    "different_batches": [
                        difference.batch
                        for difference in comparison.differences
                        if difference.pair == pair
                    ],
                }
                for pair in comparison.pairs
            ],
        }
    return values


def difference_values(difference: Difference) -> dict[str, Any]:
    """Return one difference, with up to 200 rows of each kind."""
    return {
        "batch": difference.batch,
        "output": difference.pair.name,
        "what": difference.what,
        "only_original": [readable(row) for row in difference.only_old[:_ROWS]],
        "only_migrated": [readable(row) for row in difference.only_new[:_ROWS]],
        "only_original_count": len(difference.only_old),
        "only_migrated_count": len(difference.only_new),
        "both_count": len(difference.both),
    }


def _side(side: Side) -> dict[str, Any]:
    return {
        "job": side.job,
        "engine": side.engine,
        "seconds": round(side.seconds, 3),
        "peak_bytes": side.peak_bytes,
        "results": side.results or None,
    }
