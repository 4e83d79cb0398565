"""``dstream-compat checkpoint``: looks into old checkpoints, and rescales those of this package."""

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
        description="Look into a checkpoint folder of Spark's own DStreams, which is never changed "
        "(a job takes it over by --conf spark.streaming.compat.importFrom=FOLDER); or change the "
        "number of state partitions in one of this package.",
    )
    commands = parser.add_subparsers(dest="command", metavar="{show,rescale}", required=True)
    show = commands.add_parser("show", help="print what a checkpoint of Spark's DStreams holds")
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
    rescale = commands.add_parser(
        "rescale",
        help="change the number of state partitions of a stopped job",
        description="Change the number of state partitions of a stopped job. The modules of the "
        "job must be importable. The run before stays in the folder.",
    )
    rescale.add_argument("folder", help="what the job gave to checkpoint() or getOrCreate()")
    what = rescale.add_mutually_exclusive_group(required=True)
    what.add_argument("--partitions", type=_count, metavar="N", help="the new number")
    what.add_argument("--undo", action="store_true", help="go back to the run before")
    return parser


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} partitions are too few: give 1 or more")
    return number


def checkpoint_command(args: Sequence[str]) -> int:
    """Run the command; returns the exit code (2 for wrong usage).

    Parameters
    ----------
    args : sequence of str
        what follows ``checkpoint``
    """
    parser = _parser()
    options = parser.parse_args(args)
    if options.command == "show" and options.sample and not options.load_pickles:
        parser.error("--sample loads pickles, which runs code: it needs --load-pickles")
    show_warnings()
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # as for a job that is started here
    try:
        print(_show(options) if options.command == "show" else _rescale(options))
    except CheckpointError as error:
        print(f"dstream-compat checkpoint: {error}", file=sys.stderr)
        return 1
    return 0


def _show(options: argparse.Namespace) -> str:
    from ..old_checkpoint.folder import read_checkpoint
    from ..old_checkpoint.show import as_text, summary

    old = read_checkpoint(None, options.folder)
    found = summary(old, options.load_pickles, options.sample)
    return json.dumps(found, indent=2) if options.format == "json" else as_text(found)


def _rescale(options: argparse.Namespace) -> str:
    from ..job.rescaling import rescale, undo

    return undo(options.folder) if options.undo else rescale(options.folder, options.partitions)
