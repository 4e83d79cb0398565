"""The report of a verification: on a terminal, as JSON, JUnit and HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from dstream_compat.testing.values import readable
from migrator.model.printable import visible
from migrator.report.page.elements import Child, document, el, table
from migrator.report.wording import quantity
from migrator.verify.comparison import ORDER, Difference, Result, Side, Verdict
from migrator.verify.obstacles import is_empty
from migrator.verify.pairing import Pair

if TYPE_CHECKING:
    from rich.table import Table

ROWS = 20
_STYLES = {Result.EQUAL: "green", Result.DIFFERENT: "red", Result.NOT_COMPARABLE: "yellow"}
SCHEMA_VERSION = 1
_JSON_ROWS = 200
_HTML_ROWS = 500
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; } table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
td, th { border: 1px solid #8888; padding: .2rem .5rem; text-align: left; vertical-align: top; }
td { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.equal { color: #1a7f37; } .different { color: #cf222e; } .not { color: #9a6700; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } }
"""
# what XML 1.0 cannot hold, not even as a reference
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_JUNIT_ROWS = 50


def show(verdict: Verdict, stream: IO[str], *, color: bool) -> None:
    """Print a verdict."""
    from rich.text import Text

    from migrator.report.text_blocks import console

    out = console(stream, color=color, piped_width=100)
    style = f"bold {_STYLES[verdict.result]}"
    out.print(Text(headline(verdict), style=style), soft_wrap=True)
    for line in facts(verdict):
        out.print(Text(f"  {line}"), soft_wrap=True)
    first = verdict.comparison.first() if verdict.comparison is not None else None
    if first is not None and verdict.obstacle is None:
        out.print(_table(first))
    for line in leftovers(verdict):
        out.print(Text(f"  {line}"), soft_wrap=True)


def headline(verdict: Verdict) -> str:
    """Return the result in one line."""
    job = visible(Path(verdict.job).name)
    if verdict.obstacle is not None:
        return f"{job}: not comparable: {visible_lines(verdict.obstacle.what)}"
    if verdict.failure:
        return f"{job}: different: {visible(verdict.failure)}"
    first = verdict.comparison.first() if verdict.comparison is not None else None
    if first is None:
        empty = verdict.comparison is not None and is_empty(verdict.comparison)
        return f"{job}: equal" + (", but no output gave a row" if empty else "")
    where = f"batch {first.batch}, {visible(first.pair.name)}"
    return f"{job}: different, first in {where}: {first.what}"


def facts(verdict: Verdict) -> list[str]:
    """Return what was found, a line for each fact."""
    if verdict.obstacle is not None:
        return [f"what to do: {visible(verdict.obstacle.advice)}"]
    facts_found = []
    if verdict.operator:
        facts_found.append(f"operator: {visible(verdict.operator)}")
    comparison = verdict.comparison
    if comparison is not None:
        batches = quantity(comparison.batches, "batch", "batches")
        outputs = quantity(len(comparison.pairs), "output")
        facts_found.append(
            f"{comparison.equal_batches()} of {batches} equal; {outputs}; rows: "
            f"{comparison.rows_old} old, {comparison.rows_new} new, {comparison.rows_both} in both "
            f"({comparison.share():.1%})"
        )
    return [*facts_found, _run_line("original", verdict.old), _run_line("migrated", verdict.new)]


def _run_line(name: str, side: Side) -> str:
    took = f" in {side.seconds:.1f} s" if side.seconds else ""
    memory = f", {side.peak_bytes // 2**20} MiB" if side.peak_bytes else ""
    return f"{name}: {visible(side.job)} on {visible(side.engine)}{took}{memory}"


def leftovers(verdict: Verdict) -> list[str]:
    """Return what else is to be said, and which files there are."""
    notes = [f"note: {visible(note)}" for note in verdict.notes]
    if verdict.smallest is not None:
        batches, records = verdict.smallest_size
        size = f"{quantity(batches, 'batch', 'batches')}, {quantity(records, 'record')}"
        notes.append(f"smallest input that differs ({size}): {visible(str(verdict.smallest))}")
    if verdict.test is not None:
        notes.append(f"as a test: {visible(str(verdict.test))}")
    return notes


def side_by_side(difference: Difference) -> list[tuple[str, str]]:
    """Return the rows of a difference, those that are alike beside each other."""
    old, new = ([*map(readable, rows)] for rows in (difference.only_old, difference.only_new))
    if difference.what != ORDER:
        old, new = sorted(old), sorted(new)
    return list(zip_longest(old, new, fillvalue=""))


def _table(difference: Difference) -> Table:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("only in the old", style="red", overflow="fold")
    table.add_column("only in the new", style="green", overflow="fold")
    rows = side_by_side(difference)
    for old, new in rows[:ROWS]:
        table.add_row(Text(visible(old)), Text(visible(new)))
    rest = len(rows) - ROWS
    caption = [f"and {rest} more"] if rest > 0 else []
    caption.append(f"{quantity(len(difference.both), 'row')} in both")
    table.caption = ", ".join(caption)
    table.caption_justify = "left"
    return table


def visible_lines(text: str) -> str:
    """Return a text whose lines are kept, and whose other control characters are shown."""
    return "\n".join(map(visible, text.splitlines()))


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
        "obstacle": None if obstacle is None else asdict(obstacle),
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
                    "different_batches": comparison.different(pair),
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
        "only_original": [readable(row) for row in difference.only_old[:_JSON_ROWS]],
        "only_migrated": [readable(row) for row in difference.only_new[:_JSON_ROWS]],
        "only_original_count": len(difference.only_old),
        "only_migrated_count": len(difference.only_new),
        "both_count": len(difference.both),
    }


def _side(side: Side) -> dict[str, Any]:
    return asdict(side) | {"seconds": round(side.seconds, 3), "results": side.results or None}


def as_html(verdict: Verdict) -> str:
    """Return the report; it loads nothing, and all that comes from the jobs is text."""
    kind = verdict.result.value.partition(" ")[0]
    title: list[Child] = []
    for line in headline(verdict).splitlines():
        title += [line, el("br")]
    facts_found = [el("li", {}, fact) for fact in [*facts(verdict), *leftovers(verdict)]]
    parts = [el("h1", {"class": kind}, *title[:-1]), el("ul", {}, *facts_found)]
    comparison = verdict.comparison
    if comparison is not None and verdict.obstacle is None:
        if (first := comparison.first()) is not None:
            rows = side_by_side(first)
            parts.append(el("h2", {}, "The first difference"))
            parts.append(table({}, ("only in the old", "only in the new"), rows[:_HTML_ROWS]))
            if len(rows) > _HTML_ROWS:
                parts.append(el("p", {}, f"and {len(rows) - _HTML_ROWS} more"))
        outputs = [
            (pair.name, pair.operator, ", ".join(map(str, comparison.different(pair))) or "none")
            for pair in comparison.pairs
        ]
        parts.append(el("h2", {}, "Outputs"))
        parts.append(table({}, ("output", "operator", "batches that differ"), outputs))
    return document(f"migrate verify: {headline(verdict)}", STYLE, "", *parts)


def as_junit(verdict: Verdict) -> str:
    """Return the report; what cannot be compared is an error."""
    cases, failures, errors = [], 0, 0
    comparison = verdict.comparison
    if verdict.obstacle is not None or comparison is None:
        errors = 1
        text = "\n".join([headline(verdict), *facts(verdict)])
        cases.append(case("the jobs are comparable", "error", headline(verdict), text))
    else:
        for pair in comparison.pairs:
            own = (each for each in comparison.differences if each.pair == pair)
            first = min(own, key=Difference.place, default=None)
            failures += first is not None
            cases.append(_output(pair, first, verdict))
        if verdict.failure:
            failures += 1
            cases.append(case("the jobs end alike", "failure", verdict.failure, verdict.failure))
    seconds = verdict.old.seconds + verdict.new.seconds
    return suite(f"migrate verify {verdict.job}", cases, (failures, errors, 0), seconds)


def suite(name: str, cases: Sequence[Element], counts: tuple[int, int, int], seconds: float) -> str:
    """Return a report of one suite.

    Parameters
    ----------
    cases : sequence of Element
        Its tests, as `case` returns them.
    counts : tuple of int
        How many of them are failures, errors, and skipped.
    """
    numbers = zip(("failures", "errors", "skipped"), map(str, counts), strict=True)
    own = Element("testsuite", name=_clean(name), tests=str(len(cases)), time=f"{seconds:.3f}")
    own.attrib |= dict(numbers)
    own.extend(cases)
    root = Element("testsuites")
    root.append(own)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _output(pair: Pair, first: Difference | None, verdict: Verdict) -> Element:
    if first is None:
        return case(pair.name)
    lines = [f"operator: {verdict.operator}"] if verdict.operator else []
    lines += [f"- {readable(row)}" for row in first.only_old[:_JUNIT_ROWS]]
    lines += [f"+ {readable(row)}" for row in first.only_new[:_JUNIT_ROWS]]
    return case(pair.name, "failure", f"batch {first.batch}: {first.what}", "\n".join(lines))


def case(
    name: str, kind: str = "", message: str = "", text: str = "", seconds: float | None = None
) -> Element:
    """Return a test; kind is ``failure``, ``error`` or ``skipped`` if it did not pass."""
    test = Element("testcase", classname="migrate.verify", name=_clean(name))
    if seconds is not None:
        test.set("time", f"{seconds:.3f}")
    if kind:
        SubElement(test, kind, message=_clean(message)).text = _clean(text)
    return test


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
