"""Applies the filters in order: chosen rules, wanted fixes, changed lines, baseline."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from migrator.model.report import FileReport, Report
from migrator.select.baseline import read_baseline, suppress_known
from migrator.select.changed_lines import suppress_unchanged
from migrator.select.codes import chosen_codes, hide_notes, keep_chosen
from migrator.select.fixes import choose_fixes
from migrator.source.excerpt import Place, SourceText, source_text


@dataclass(frozen=True, slots=True)
class Filter:
    """What the user wants to see; comments in the sources are obeyed in any case.

    Parameters
    ----------
    notes : bool
        Whether notes that ask for nothing are shown.
    """

    codes: frozenset[str]
    notes: bool = False
    known: dict[str, str] | None = None
    diff_base: str | None = None
    unsafe: bool = False
    values: Mapping[str, str] = field(default_factory=dict)


def make_filter(
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: Path | None,
    diff_base: str | None,
    notes: bool = False,
    unsafe: bool = False,
    values: Mapping[str, str] | None = None,
) -> Filter:
    """Read what a filter needs, before any work.

    Raises
    ------
    MigrateError
        If a code is unknown or the baseline cannot be read.
    """
    known = None if baseline is None else read_baseline(baseline)
    codes = chosen_codes(select, ignore)
    # who names rules asks for their notes
    return Filter(codes, notes or bool(select), known, diff_base, unsafe, values or {})


def apply_filter(report: Report, root: Path, filtering: Filter) -> None:
    """Leave in a report what the user wants to see, mark what is fixed, add fingerprints.

    Raises
    ------
    MigrateError
        If git cannot say what changed.
    """
    for file in report.files:
        keep_chosen(file, filtering.codes)
        if not filtering.notes:
            report.hidden_notes += hide_notes(file)
    choose_fixes(report, filtering.unsafe, filtering.values)
    for file in report.files:
        _add_fingerprints(file, source_text(file.path, file.original))
    report.files = [f for f in report.files if f.relevant]
    if filtering.diff_base is not None:
        suppress_unchanged(report, root, filtering.diff_base)
    if filtering.known is not None:
        suppress_known(report, filtering.known, filtering.codes)


def _add_fingerprints(file: FileReport, text: SourceText) -> None:
    """Give every finding of a file a fingerprint that stays as long as its code does.

    It is made of the rule, the path, the text of the line, and which of several such findings it
    is. So lines may move, and other lines may change; messages may be worded anew.
    """
    seen: Counter[tuple[str, str]] = Counter()
    lines: dict[Place, str] = {}
    for finding in file.findings:
        place = (finding.at.cell, finding.at.line)
        if place not in lines:
            # once for each line, which may be long and have many findings
            lines[place] = _digest(" ".join((text.line(finding.at) or "").split()))
        line = lines[place]
        seen[finding.code, line] += 1
        parts = (finding.code, file.path, line, str(seen[finding.code, line]))
        finding.decision.fingerprint = _digest("\0".join(parts))


def _digest(text: str) -> str:
    # paths may hold bytes that are not UTF-8
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
