"""What of a scan counts, in the order: rules chosen, lines changed, findings known."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from migrator.model import Report
from migrator.select.baseline import hide_known, read_baseline
from migrator.select.changed_lines import hide_unchanged
from migrator.select.codes import chosen_codes, keep_chosen
from migrator.select.fingerprints import add_fingerprints
from migrator.source.excerpt import source_text


@dataclass(frozen=True, slots=True)
class Selection:
    """What the user wants to see; comments in the sources are obeyed in any case."""

    codes: frozenset[str]
    known: frozenset[str] | None = None
    diff_base: str | None = None


def make_selection(
    select: tuple[str, ...], ignore: tuple[str, ...], baseline: Path | None, diff_base: str | None
) -> Selection:
    """Reads what a selection needs, before any work.

    Raises: MigrateError if a code is unknown or the baseline cannot be read.
    """
    known = None if baseline is None else read_baseline(baseline)
    return Selection(chosen_codes(select, ignore), known, diff_base)


def apply_selection(report: Report, root: Path, selection: Selection) -> None:
    """Leaves in a report what the user wants to see, and gives findings their fingerprints.

    Raises: MigrateError if git cannot say what changed.
    """
    for file in report.files:
        keep_chosen(file, selection.codes)
        add_fingerprints(file, source_text(file.path, file.original))
    report.files = [f for f in report.files if f.relevant]
    if selection.diff_base is not None:
        hide_unchanged(report, root, selection.diff_base)
    if selection.known is not None:
        hide_known(report, selection.known)
