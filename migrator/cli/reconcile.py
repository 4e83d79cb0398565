"""`migrate reconcile`: what it does."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.reconcile.matching import Matching, as_json, compare, show
from migrator.reconcile.sides import local_session, side_of
from migrator.source.files import entries

_INTERRUPTED = 130


def reconcile(args: argparse.Namespace) -> int:
    """Compare what two jobs have written, and print the report."""
    left = side_of(args.left, _options(args.left_options))
    right = side_of(args.right, _options(args.right_options))
    asked = Matching(
        tuple(args.key),
        args.time,
        args.interval or 0.0,
        args.border,
        args.tolerance,
        tuple(args.ignore),
        args.whole,
    )

    def progress(step: str) -> None:
        print(f"migrate: {visible(step)}", file=sys.stderr, flush=True)

    settings = dict(setting.split("=", 1) for setting in args.conf)
    try:
        with local_session(settings, args.memory) as spark:
            differences = compare(spark, left, right, asked, progress)
    except KeyboardInterrupt:
        print("migrate: interrupted; nothing was changed", file=sys.stderr)
        return _INTERRUPTED
    if args.format == "json":
        print(as_json(args.left, args.right, differences), end="")
    else:
        show(args.left, args.right, differences, sys.stdout, color=not args.no_color)
    return int(not differences.is_equal)


def _options(name: str | None) -> dict[str, str]:
    if name is None:
        return {}
    try:
        lines = entries(Path(name))
    except (OSError, UnicodeDecodeError) as error:
        raise MigrateError(f"{visible(name)} cannot be read: {error}") from error
    reader_options = {}
    for number, text in lines:
        key, equals, value = text.partition("=")
        if not equals:
            # the line may have a password
            raise MigrateError(f"{visible(name)}, line {number}: write name=value")
        reader_options[key.strip()] = value.strip()
    return reader_options
