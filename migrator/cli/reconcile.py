"""`migrate reconcile`: what it does."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.reconcile.matching import Matching, compare
from migrator.reconcile.report import as_json, show
from migrator.reconcile.session import local_session
from migrator.reconcile.sides import side_of

_INTERRUPTED = 130


def reconcile(found: argparse.Namespace) -> int:
    """Compare what two jobs have written, and print the report."""
    left = side_of(found.left, _options(found.left_options))
    right = side_of(found.right, _options(found.right_options))
    asked = Matching(
        tuple(found.key),
        found.time,
        found.interval or 0.0,
        found.border,
        found.tolerance,
        tuple(found.ignore),
        found.whole,
    )

    def progress(step: str) -> None:
        print(f"migrate: {visible(step)}", file=sys.stderr, flush=True)

    settings = dict(setting.split("=", 1) for setting in found.conf)
    try:
        with local_session(settings, found.memory) as spark:
            differences = compare(spark, left, right, asked, progress)
    except KeyboardInterrupt:
        print("migrate: interrupted; nothing was changed", file=sys.stderr)
        return _INTERRUPTED
    if found.format == "json":
        print(as_json(found.left, found.right, differences), end="")
    else:
        color = not (found.no_color or os.environ.get("NO_COLOR"))
        show(found.left, found.right, differences, sys.stdout, color=color)
    return int(not differences.is_equal)


def _options(name: str | None) -> dict[str, str]:
    if name is None:
        return {}
    try:
        lines = Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise MigrateError(f"{visible(name)} cannot be read: {error}") from error
    found = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        key, equals, value = text.partition("=")
        if not equals:
            # the line may have a password
            raise MigrateError(f"{visible(name)}, line {number}: write name=value")
        found[key.strip()] = value.strip()
    return found
