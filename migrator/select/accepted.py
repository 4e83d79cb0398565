"""The file of accepted changes, which the HTML report makes and `--accept` reads.

Decision 0133: Accepted changes are known by their lines.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.changes import ProposedChange

VERSION = 1
_ADVICE = "make it with the button below the changes of an HTML report"


def read_accepted(path: Path) -> dict[str, str]:
    """Return the files of the accepted changes by the keys of these.

    Raises
    ------
    MigrateError
        If the file cannot be read, or is no such file.
    """
    try:
        values = json.loads(path.read_bytes())
        version = values["migrate_accepted"]
        accepted = {str(value["key"]): str(value["path"]) for value in values["changes"]}
    except OSError as error:
        raise MigrateError(f"--accept {path}: {error.strerror or error}") from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise MigrateError(f"--accept {path}: no list of accepted changes; {_ADVICE}") from error
    if version != VERSION:
        raise MigrateError(
            f"--accept {path}: the list has version {version!r}, and this migrate reads {VERSION}; "
            f"{_ADVICE}"
        )
    return accepted


def unknown_note(
    path: Path, accepted: dict[str, str], changes: Sequence[ProposedChange]
) -> list[str]:
    """Return what a user should know of accepted changes that the run does not have."""
    keys: Collection[str] = {change.key for change in changes}
    gone = [place for key, place in accepted.items() if key not in keys]
    if not gone:
        return []
    files = ", ".join(sorted(set(gone))[:3])
    return [
        f"{len(gone)} of {len(accepted)} changes in {path} are not what this run would do any more "
        f"({files}), and were not made; write the HTML report anew"
    ]
