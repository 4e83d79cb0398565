"""``dstream-compat checkpoint``: looks into checkpoints of Spark's own DStreams."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence

from ..exceptions import CheckpointError
from .log_output import show_warnings


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dstream-compat checkpoint",
        description="Look into a checkpoint folder of Spark's own DStreams; it is never changed. "
        "A job takes it over by --conf spark.streaming.compat.importFrom=FOLDER.",
    )
    commands = parser.add_subparsers(dest="command", metavar="show", required=True)
    show = commands.add_parser("show", help="print what is in it")
    show.add_argument("folder", help="what the job gave to checkpoint() or getOrCreate()")
    show.add_argument("--format", choices=("text", "json"), default="text")
    show.add_argument(
        "--load-pickles",
        action="store_true",
        help="load the states, to count keys; this runs code of whoever wrote them",
    )
    show.add_argument(
        "--sample",
        type=int,
        default=0,
        metavar="N",
        help="print N pairs of each state (with --load-pickles)",
    )
    return parser


def checkpoint_command(args: Sequence[str]) -> int:
    """Run the command; returns the exit code (2 for wrong usage).

    Parameters
    ----------
    args : sequence of str
        what follows ``checkpoint``
    """
    parser = _parser()
    options = parser.parse_args(args)
    if options.sample and not options.load_pickles:
        parser.error("--sample loads pickles, which runs code: it needs --load-pickles")
    from ..old_checkpoint.folder import read_checkpoint
    from ..old_checkpoint.show import as_text, summary

    show_warnings()
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # as for a job that is started here
    try:
        old = read_checkpoint(None, options.folder)
        found = summary(old, options.load_pickles, options.sample)
    except CheckpointError as error:
        print(f"dstream-compat checkpoint: {error}", file=sys.stderr)
        return 1
    print(json.dumps(found, indent=2) if options.format == "json" else as_text(found))
    return 0
