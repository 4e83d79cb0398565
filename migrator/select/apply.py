"""Applies the filters in order: chosen rules, wanted fixes, changed lines, baseline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from migrator.model.report import Report
from migrator.select.baseline import read_baseline, suppress_known
from migrator.select.changed_lines import suppress_unchanged
from migrator.select.codes import chosen_codes, hide_notes, keep_chosen
from migrator.select.fingerprints import add_fingerprints
from migrator.select.fixes import choose_fixes
from migrator.source.excerpt import source_text


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
        add_fingerprints(file, source_text(file.path, file.original))
    report.files = [f for f in report.files if f.relevant]
    if filtering.diff_base is not None:
        suppress_unchanged(report, root, filtering.diff_base)
    if filtering.known is not None:
        suppress_known(report, filtering.known, filtering.codes)
