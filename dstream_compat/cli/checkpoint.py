"""``dstream-compat checkpoint``: looks into checkpoints, exports them, moves their state."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Sequence
from typing import Final

from ..exceptions import CheckpointError
from .log_output import show_warnings

_IMPORT: Final = "spark.streaming.compat.importFrom"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dstream-compat checkpoint",
        description="Look into a checkpoint folder of Spark's own DStreams, which is never changed "
        "(a job takes it over by --conf spark.streaming.compat.importFrom=FOLDER); write the "
        "states and positions of one as files, for a job that is rewritten; or move the state "
        "in one of this package: to more or fewer partitions, or by other hashes.",
    )
    commands = parser.add_subparsers(
        dest="command", metavar="{show,export,rescale,rehash}", required=True
    )
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
        type=_pairs,
        default=0,
        metavar="N",
        help="print N pairs of each state (with --load-pickles)",
    )
    export = commands.add_parser(
        "export",
        help="write states and positions as files, for a job that is rewritten",
        description="Write the states and positions of a stopped job, on Spark's DStreams or on "
        "this package, as Parquet and JSON: `migrate --target structured --state DIR` lets the "
        "rewritten job begin with them. The checkpoint stays as it is. This loads pickles, which "
        "runs code of whoever wrote them; the modules of the job must be importable.",
    )
    export.add_argument("folder", help="what the job gave to checkpoint() or getOrCreate()")
    export.add_argument("--out", required=True, metavar="DIR", help="a folder that is made")
    rescale = commands.add_parser(
        "rescale",
        help="change the number of state partitions of a stopped job",
        description="Change the number of state partitions of a stopped job. The modules of the "
        "job must be importable. The run before stays in the folder.",
    )
    rescale.add_argument("folder", help="what the job gave to checkpoint() or getOrCreate()")
    rescale.add_argument("--partitions", type=_count, metavar="N", help="the new number")
    rescale.add_argument(
        "--rehash", action="store_true", help="move keys to where their hashes of today say"
    )
    rescale.add_argument("--undo", action="store_true", help="go back to the run before")
    rehash = commands.add_parser(
        "rehash",
        help="move the state of a stopped job to where hashes of today look for it",
        description="Move the state of a stopped job to where this Python, with this "
        "PYTHONHASHSEED, looks for it; the same as `rescale --rehash`. Run it as the job will run. "
        "The modules of the job must be importable. The run before stays in the folder.",
    )
    rehash.add_argument("folder", help="what the job gave to checkpoint() or getOrCreate()")
    rehash.add_argument("--undo", action="store_true", help="go back to the run before")
    rehash.set_defaults(partitions=None, rehash=True)
    # no help: it is none of the commands, but what people look for
    commands.add_parser("import", add_help=False).add_argument("folders", nargs="*")
    return parser


def _count(text: str) -> int:
    return _number(text, 1, "partitions")


def _pairs(text: str) -> int:
    return _number(text, 0, "pairs")


def _number(text: str, least: int, what: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of {what}") from None
    if number < least:
        raise argparse.ArgumentTypeError(f"{number} {what} are too few: give {least} or more")
    return number


def _how_to_import(folders: Sequence[str]) -> str:
    quoted = [shlex.quote(folder) for folder in folders]
    old, new = [*quoted, *("OLD", "NEW")[len(quoted) :]][:2]
    return (
        "a checkpoint of Spark's DStreams is taken over by the job itself, since only its code "
        "says which operator gets which state. Stop the old job, let the new one make its context "
        f"with StreamingContext.getOrCreate(FOLDER, create), where FOLDER is {new}, and start it "
        f"with\n  python -m dstream_compat submit --conf {_IMPORT}={old} JOB.py\n"
        f"`dstream-compat checkpoint show {old}` prints what is in the old one. Nothing was changed"
    )


def checkpoint_command(args: Sequence[str]) -> int:
    """Run the command; returns the exit code (2 for wrong usage).

    Parameters
    ----------
    args : sequence of str
        what follows ``checkpoint``
    """
    parser = _parser()
    options = parser.parse_args(args)
    if options.command == "import":
        print(f"dstream-compat checkpoint: {_how_to_import(options.folders)}", file=sys.stderr)
        return 2
    if options.command == "show" and options.sample and not options.load_pickles:
        parser.error("--sample loads pickles, which runs code: it needs --load-pickles")
    if options.command == "rescale":
        _check_rescale(parser, options)
    show_warnings()
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # as for a job that is started here
    try:
        print(_COMMANDS[options.command](options))
    except CheckpointError as error:
        print(f"dstream-compat checkpoint: {error}", file=sys.stderr)
        return 1
    return 0


def _check_rescale(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    moves = options.partitions is not None or options.rehash
    if options.undo and moves:
        parser.error("--undo goes back to the run before: give it alone")
    if not options.undo and not moves:
        parser.error("rescale needs --partitions N, --rehash, or --undo")


def _show(options: argparse.Namespace) -> str:
    from ..old_checkpoint.folder import read_checkpoint
    from ..old_checkpoint.show import as_text, summary

    old = read_checkpoint(None, options.folder)
    content = summary(old, options.load_pickles, options.sample)
    return json.dumps(content, indent=2) if options.format == "json" else as_text(content)


def _export(options: argparse.Namespace) -> str:
    from ..export.write import export

    return export(options.folder, options.out)


def _rescale(options: argparse.Namespace) -> str:
    from ..job.rescaling import rescale, undo

    if options.undo:
        return undo(options.folder)
    return rescale(options.folder, options.partitions, options.rehash)


_COMMANDS: Final = {"show": _show, "export": _export, "rescale": _rescale, "rehash": _rescale}
