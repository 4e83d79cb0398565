"""`--baseline`: findings that are known, so that only new ones count."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.model.report import Report, Severity, SuppressedBy

VERSION = 1
_HEAD = {"tool": "migrate", "baseline_version": VERSION}


def write_baseline(report: Report, path: Path) -> int:
    """Write all findings of a report to a baseline, except notes.

    Parameters
    ----------
    report : Report
        The report, whose findings have fingerprints.
    path : Path
        The file, replaced if it is there.

    Returns
    -------
    int
        How many findings it holds.

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
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(name, 0o644)
        os.replace(name, path)
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
