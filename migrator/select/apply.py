"""Applies the filters in order: chosen rules, wanted fixes, changed lines, baseline.

Decision 0018: Findings that do not count stay in the report.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from migrator.discover.git import Git
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.model.report import Category, FileReport, Report, Severity, Status, SuppressedBy
from migrator.rules.registry import RETIRED, rules
from migrator.select.fixes import choose_fixes, keep_original
from migrator.source.excerpt import Place, SourceText, source_text
from migrator.source.files import write_whole
from migrator.source.lines import common_ends

# `--baseline`: findings that are known, so that only new ones count.

VERSION = 1
_HEAD = {"tool": "migrate", "baseline_version": VERSION}


def write_baseline(report: Report, path: Path) -> int:
    """Write all findings of a report, except notes, to a baseline, which may be there; return how
    many it holds.

    Raises
    ------
    MigrateError
        If it cannot be written.
    """
    entries = [
        {"code": f.code, "path": visible(file.path), "fingerprint": f.fingerprint}
        for file, f in report.findings()
        if f.suppression is None and f.severity is not Severity.INFO
    ]
    text = json.dumps({**_HEAD, "findings": entries}, indent=1) + "\n"
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise MigrateError(f"cannot write the baseline {path}: {error.strerror}") from error
    return len(entries)


def read_baseline(path: Path) -> dict[str, str]:
    """Return the fingerprints in a baseline, with the codes of their rules.

    Raises
    ------
    MigrateError
        If it cannot be read, or is not a baseline.
    """
    try:
        content: Any = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise MigrateError(
            f"cannot read the baseline {path}: {error.strerror}; `migrate PATH --write-baseline "
            f"{path}` makes one"
        ) from error
    except (ValueError, RecursionError):
        content = None
    if not isinstance(content, dict) or content.get("tool") != "migrate":
        raise MigrateError(f"{path} is not a baseline of migrate; see --write-baseline")
    if content.get("baseline_version") != VERSION:
        raise MigrateError(f"{path} is a baseline of another version of migrate; write it anew")
    findings = content.get("findings")
    if not isinstance(findings, list) or not all(
        isinstance(f, dict) and all(isinstance(f.get(k), str) for k in ("fingerprint", "code"))
        for f in findings
    ):
        raise MigrateError(f"the baseline {path} is damaged; write it anew")
    return {f["fingerprint"]: f["code"] for f in findings}


def suppress_known(report: Report, keys: dict[str, str], codes: frozenset[str]) -> None:
    """Suppress the findings of a baseline, and count its entries that are gone.

    Fixes are hidden only where nothing is written: known or not, they are to be made.

    Parameters
    ----------
    keys : dict of str to str
        Codes by fingerprint.
    codes : frozenset of str
        The codes of the rules that take part.
    """
    reading = report.mode == "check"
    keys_found = set()
    for file in report.files:
        for finding in file.findings:
            keys_found.add(finding.fingerprint)
            if finding.fingerprint in keys and (reading or not finding.is_fixed):
                finding.decision.suppress(SuppressedBy.BASELINE)
        if reading and not file.is_wanted:
            file.drop_content()
    gone = keys.keys() - keys_found
    report.baseline_gone = sum(keys[fingerprint] in codes for fingerprint in gone)


# `--diff-base`: only lines that differ from a commit count.


def suppress_unchanged(report: Report, root: Path, ref: str) -> None:
    """Suppress the findings on lines that have not changed since a commit.

    A file without a fix on a changed line is not rewritten.

    Raises
    ------
    MigrateError
        If git or the commit cannot be had.
    """
    folder = Path(os.path.realpath(root if root.is_dir() else root.parent))
    git = Git(folder, "--diff-base")
    commit = git.merge_base(ref)
    names = {f.path: os.path.relpath(folder / f.path, git.top) for f in report.files}
    before = git.contents(commit, list(names.values()))
    for file in report.files:
        old = before.get(names[file.path])
        if old is not None and (file.original or not old):
            _hide(file, changed_places(file.path, old, file.original))


def _hide(file: FileReport, changed: set[Place]) -> None:
    whole = bool(changed) and file.status is Status.UNREADABLE
    for finding in file.findings:
        if not whole and (finding.at.cell, finding.at.line) not in changed:
            finding.decision.suppress(SuppressedBy.UNCHANGED)
    if not file.is_wanted:
        file.drop_content()


def changed_places(path: str, old: bytes, new: bytes) -> set[Place]:
    """Return the lines of a file that are new or changed.

    Parameters
    ----------
    old, new : bytes
        Its bytes; ends of lines do not matter.
    """
    before = list(source_text(path, old).lines.values())
    lines = source_text(path, new).lines
    places, after = list(lines), list(lines.values())
    # difflib needs the square of how often a line occurs: it gets only what lies between changes
    first, last = common_ends(before, after)
    matcher = difflib.SequenceMatcher(
        None, before[first : len(before) - last], after[first : len(after) - last]
    )
    return {
        place
        for tag, _, _, start, end in matcher.get_opcodes()
        if tag != "equal"
        for place in places[first + start : first + end]
    }


# these report what was not analysed, so --select keeps them; only --ignore drops them
_ALWAYS = frozenset({"D001", "D002", "D003", "D005"})

# how much of a code has to be named for a rule that takes part only if it is asked for
_FAMILY = 3


def chosen_codes(select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    """Return the codes of the rules that take part.

    Parameters
    ----------
    select : iterable of str
        Codes or beginnings of codes such as `D2`, if there are none all that need not be asked for.
    ignore : iterable of str
        The same, for rules to leave out. The longer of two that fit a rule decides, `ignore` if
        they are equal.

    Raises
    ------
    MigrateError
        If one of them fits no rule.
    """
    selected, unwanted = _known_codes(select), _known_codes(ignore)
    codes = set()
    for code in rules():
        chosen = max((len(p) for p in selected if code.startswith(p)), default=0)
        refused = max((len(p) for p in unwanted if code.startswith(p)), default=0)
        wished = chosen or not selected or code in _ALWAYS
        if rules()[code].asked_only:
            wished = chosen >= _FAMILY
        if wished and (not refused or chosen > refused):
            codes.add(code)
    return frozenset(codes)


def _known_codes(prefixes: Iterable[str]) -> list[str]:
    codes = []
    for prefix in prefixes:
        upper = prefix.strip().upper()
        if not upper or not any(code.startswith(upper) for code in (*rules(), *RETIRED)):
            raise MigrateError(
                f"no rule has the code {prefix.strip() or '(empty)'}; `migrate rules` lists them, "
                "and D2 stands for all codes that begin so"
            )
        codes.append(upper)
    return codes


def keep_chosen(file: FileReport, codes: frozenset[str]) -> None:
    """Drop the findings of other rules; a file is not rewritten by a rule that takes no part."""
    left_out = {f.code for f in file.findings if f.is_fixed} - codes
    if left_out:
        named = ", ".join(sorted(left_out))
        why = f"{named} takes no part in this run, and a file is rewritten as a whole"
        keep_original(file, why)
    file.findings = [f for f in [*file.findings, *file.asked] if f.code in codes]
    file.sort()


def hide_notes(file: FileReport) -> int:
    """Drop the notes that ask for nothing, and say how many would have counted."""
    notes = [f for f in file.findings if f.category is Category.NOTE]
    file.findings = [f for f in file.findings if f.category is not Category.NOTE]
    return sum(f.suppression is None for f in notes)


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
    baseline_keys = None if baseline is None else read_baseline(baseline)
    codes = chosen_codes(select, ignore)
    # who names rules asks for their notes
    return Filter(codes, notes or bool(select), baseline_keys, diff_base, unsafe, values or {})


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
