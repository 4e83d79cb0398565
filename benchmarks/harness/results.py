"""What was measured, as figures: medians with their ranges, ratios between engines, a table."""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final

from .figures import DSTREAMS, OURS, STRUCTURED, UNITS, Measured
from .job import Job, Measure, Scale
from .schedule import Rounds

SCHEMA: Final = 1
RATIO_ENGINES: Final = (DSTREAMS, STRUCTURED)
"""What ours is compared with."""

_PACKAGES: Final = ("dstream-compat", "pyspark", "pandas", "pyarrow")
_DIGITS: Final = 4
_MANY: Final = 1000


def spread(values: Iterable[float]) -> dict[str, float]:
    """Return median, minimum and maximum."""
    found = sorted(values)
    three = {"median": statistics.median(found), "min": found[0], "max": found[-1]}
    return {name: _rounded(value) for name, value in three.items()}


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def ratios(ours: Sequence[Measured], other: Sequence[Measured]) -> dict[str, dict[str, float]]:
    """Return how many times less ours needs, by figure; round by round, as they ran in turn."""
    found = {}
    for name in UNITS:
        pairs = [
            (theirs.figures[name], mine.figures[name])
            for mine, theirs in zip(ours, other, strict=False)
            if name in mine.figures and name in theirs.figures
        ]
        # an idle interval may need less than the kernel counts
        if pairs and all(mine > 0 for _, mine in pairs):
            found[name] = spread(theirs / mine for theirs, mine in pairs)
    return found


def row(rounds: Rounds) -> dict[str, Any]:
    """Return one row of the results."""
    engines: dict[str, Any] = {}
    for engine, measured in rounds.found.items():
        figures = {
            name: spread(one.figures[name] for one in measured if name in one.figures)
            for name in UNITS
            if any(name in one.figures for one in measured)
        }
        records = measured[-1].rows
        engines[engine] = {"rows": records, **figures}
        if records and "wall" in figures:
            engines[engine]["rows_per_second"] = spread(
                records / one.figures["wall"] for one in measured
            )
    result = {
        "what": rounds.measure.what,
        "figure": rounds.measure.figure,
        "rounds": rounds.complete,
        "compared_batches": rounds.compared,
        "engines": engines,
        "ratios": {
            engine: ratios(rounds.found[OURS], rounds.found[engine])
            for engine in RATIO_ENGINES
            if OURS in rounds.found and engine in rounds.found
        },
    }
    if rounds.measure.size is not None:
        result["size"] = rounds.measure.size
    return result


def add_growth(rows: Mapping[str, dict[str, Any]]) -> None:
    """Add to the rows of a job that have sizes what they cost beside the smallest."""
    sized = sorted((one for one in rows.values() if "size" in one), key=lambda one: one["size"])
    for one in sized[1:]:
        one["growth"] = {
            "from": sized[0]["size"],
            **{
                engine: _rounded(figures["wall"]["median"] / least["wall"]["median"])
                for engine, figures in one["engines"].items()
                if (least := sized[0]["engines"].get(engine))
            },
        }


def derived(found: Sequence[Rounds]) -> list[Rounds]:
    """Return the rows that come from all measures of a job: idle intervals and peak memory."""
    rows = []
    for name, what, figure in (
        ("idle", "CPU time of an interval without input", "idle_cpu"),
        ("memory", "peak memory of the process tree", "memory"),
    ):
        one = Rounds(Measure(name, what, max((row.complete for row in found), default=0), figure))
        for engine in dict.fromkeys(engine for row in found for engine in row.found):
            for number in range(one.measure.rounds):
                values = [
                    row.found[engine][number].figures[figure]
                    for row in found
                    if number < row.complete and figure in row.found[engine][number].figures
                ]
                if values:
                    one.add(engine, Measured(0, {figure: max(values)}))
        if one.found:
            rows.append(one)
    return rows


def job_results(job: Job, found: Sequence[Rounds], seconds: float) -> dict[str, Any]:
    """Return what the results say of a job, which took so many seconds."""
    rows = {rounds.measure.name: row(rounds) for rounds in (*found, *derived(found))}
    add_growth(rows)
    return {"what": job.what, "seconds": round(seconds), "measures": rows}


def document(
    jobs: Mapping[str, dict[str, Any]],
    left_out: Mapping[str, str],
    scale: Scale,
    seconds: float,
    load: float,
) -> dict[str, Any]:
    """Return the results file.

    Parameters
    ----------
    jobs : mapping
        name to what ``job_results`` gave
    left_out : mapping
        name of a job that did not run to the reason
    scale : Scale
        how much was measured
    seconds : float
        how long it took
    load : float
        the load average before it began
    """
    return {
        "schema": SCHEMA,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "scale": scale.name,
        "seconds": round(seconds),
        # that of other processes before the start: what else the machine did
        "load": _rounded(load),
        "versions": versions(),
        "jobs": dict(jobs),
        "left_out": dict(left_out),
    }


def text(results: Mapping[str, Any]) -> str:
    """Return the results file as JSON, with each figure on one line."""
    written = json.dumps(results, indent=1)
    return re.sub(r"\{\s+([^{}\[\]]*?)\s+\}", _on_one_line, written) + "\n"


def _on_one_line(found: re.Match[str]) -> str:
    return "{" + re.sub(r"\s*\n\s*", " ", found[1]) + "}"


def versions() -> dict[str, str]:
    """Return what the figures depend on."""
    java = (
        os.path.join(os.environ["JAVA_HOME"], "bin", "java")
        if "JAVA_HOME" in os.environ
        else "java"
    )
    shown = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    return {
        "python": platform.python_version(),
        "java": shown.partition('"')[2].partition('"')[0],
        **{name: version(name) for name in _PACKAGES},
        "system": f"{platform.system()} {platform.machine()}",
        "cores": str(os.cpu_count()),
    }


HEADER: Final = (
    f"{'job':22} {'measure':14} {'of':8} {'DStreams':>9} {'ours':>9} {'by hand':>9} "
    f"{'x DStreams':>18} {'x by hand':>18} {'rounds':>6}"
)


def table(name: str, job: Mapping[str, Any]) -> list[str]:
    """Return the lines of a job for the terminal."""
    lines = []
    for measure, found in job["measures"].items():
        figure = found["figure"]
        cells = [
            _cell(found["engines"].get(engine), figure) for engine in (DSTREAMS, OURS, STRUCTURED)
        ]
        times = [_times(found["ratios"].get(engine), figure) for engine in RATIO_ENGINES]
        lines.append(
            f"{name:22} {measure:14} {figure:8} {cells[0]:>9} {cells[1]:>9} {cells[2]:>9} "
            f"{times[0]:>18} {times[1]:>18} {found['rounds']:>6}{_remarks(found)}"
        )
    return lines


def _remarks(found: Mapping[str, Any]) -> str:
    """Return what a line also says of ours: rows a second, and growth beside the smallest size."""
    ours = found["engines"].get(OURS, {})
    rate = ours.get("rows_per_second", {}).get("median", 0.0)
    growth = found.get("growth", {})
    remarks = f"  {rate:,.0f} rows/s" if ours.get("rows", 0) >= _MANY else ""
    if OURS in growth:
        remarks += f"  {growth[OURS]:.2f}x of {growth['from']:,}"
    return remarks


def _cell(figures: Mapping[str, Any] | None, figure: str) -> str:
    return "-" if figures is None or figure not in figures else f"{figures[figure]['median']:.3g}"


def _times(found: Mapping[str, Any] | None, figure: str) -> str:
    if not found or figure not in found:
        return "-"
    one = found[figure]
    return f"{one['median']:.2f} ({one['min']:.2f}-{one['max']:.2f})"
