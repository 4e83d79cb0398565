"""The command lines of `migrate verify`, `migrate record` and `migrate test-scaffold`."""

from __future__ import annotations

import argparse

from migrator.cli.options import (
    NO_COLOR,
    REAL,
    add_options,
    given_options,
    option_of,
    parser_of,
    refuse_empty,
)

COMMANDS = ("verify", "record", "test-scaffold")
_VERIFY = """\
Runs a job as it was, on Spark's DStreams, and as it is migrated, over the same recorded batches,
and compares what each output gives in each batch, then the state. The jobs run in processes of
their own, under a clock that is moved by hand. A difference is named by its first batch, its output
and its operator, and is shrunk to the smallest input that still shows it."""
_VERIFY_EPILOG = """\
exit codes: 0 equal, 1 different, 2 wrong use or not comparable, 130 interrupted
"""
_RECORD = """\
Records what live sources give into DIR/batches.jsonl, a line for each batch. Ctrl-C or a TERM
signal ends it; everything that has arrived is written then. Masked values are never written."""
_SCAFFOLD = """\
Writes a test of pytest that runs a job over recorded batches and compares it with what the job
gives today: on Spark's DStreams if it is an original, as it is if it is migrated."""
_OF_RECORDING = (
    *("source", "mask", "batches", "interval", "separator"),
    *("mask_key", "kafka_config"),
)
"""The options that record a live source."""
_OF_PROJECT = ("recordings", "only_stale", "no_run")
_OF_JOB = ("job", "input", "expected", "live", "arguments", *_OF_RECORDING)
_TEXTS = {"verify": _VERIFY, "record": _RECORD, "test-scaffold": _SCAFFOLD}
_USAGES = {
    "record": "migrate record [options] [JOB] [-- ARGUMENTS OF THE JOB]",
    "verify": "migrate verify [options] JOB [-- ARGUMENTS OF THE JOB]\n"
    "       migrate verify [options] --all PROJECT",
}
_PROJECT = {
    "--all PROJECT": "verify all jobs of a project that have recordings",
    "--recordings DIR": "the recordings of the jobs: a/b or a/b.jsonl for a/b.py (the folders "
    "`recordings` in PROJECT and in each folder above a job)",
    "--only-stale": "run only jobs that were not verified as they are now, or were not equal",
    "--no-run": "run nothing; show what was verified, and what is stale",
}
_FORM = {
    "--migrated FILE": "the migrated job, with --all the migrated project; else a copy is migrated",
    "--target {compat,structured}": "what a copy is migrated to (compat)",
}
_WHAT_RUNS = {
    "--json-shape 'KEY TYPE, ...'": "the shape of JSON texts that the job of --migrated was "
    "migrated with",
    **REAL,
    "--input BATCHES": "recorded batches: a file or a folder",
    "--expected RESULTS": "what the original gave, where it cannot run: the file old.jsonl of an "
    "earlier run",
}
_SOURCES = {
    "--source SOURCE ...": "socket:HOST:PORT, file:FOLDER or kafka:BROKERS/TOPIC; may be given "
    "several times",
    "--kafka-config FILE": "settings of the consumer, a line name=value for each, such as "
    "security.protocol",
    "--interval SECONDS": "length of a batch (of the job, or 1)",
    "--mask FIELD ...": "mask a field: a position in the line, from 0, or a name of JSON such as "
    "user.id; the same value gets the same mask; may be given several times",
    "--separator TEXT": "what is between positions in a line (blanks)",
    "--mask-key FILE": "a file with the key of the masks, for the same masks in several "
    "recordings (a new key that is not kept)",
}
_LIVE = {
    "--live": "record --batches batches of --source first, then compare over these",
    **_SOURCES,
    "--batches N": "how many batches to record",
}
_RULES = {
    "--order": "the order of rows counts in every output",
    "--tolerance T": "how far floats may differ, relative and absolute (1e-9); 0: not at all",
    "--ignore FIELD ...": "a field of rows that does not count: a position from 0 or a name, with "
    "dots for fields in fields; may be given several times",
}
_LIMITS = {
    "--timeout SECONDS": "of each run (600)",
    "--memory SIZE": "of each run with all its processes, such as 4g (half of the machine's "
    "memory)",
}
_PARALLEL = {
    "--parallel N": "how many runs there are at once (one on each pair of cores; with --all, as "
    "many as the memory allows)",
}
_SHRINKING = {"--shrink-time SECONDS": "how long to look for it (300)"}
_REPORT = {
    "--out DIR": "the folder for everything that is written (verify-JOB)",
    "--format {text,json,junit,html}": "the form of the report on standard output",
}


def run_proof(name: str, arguments: list[str]) -> int:
    """Carry out one of the commands.

    Parameters
    ----------
    arguments : list of str
        What follows the name. Ends the process on wrong ones.
    """
    parser = parser_of(
        name,
        _TEXTS[name],
        usage=_USAGES.get(name, f"migrate {name} [options] JOB [-- ARGUMENTS OF THE JOB]"),
        epilog=_VERIFY_EPILOG if name == "verify" else "",
    )
    own_arguments, of_job = _split(arguments)
    {"verify": _verify, "record": _record, "test-scaffold": _scaffold}[name](parser)
    args = parser.parse_args(own_arguments)
    # of the recording, if there are none
    args.arguments = None if of_job is None else tuple(of_job)
    _check(name, parser, args)
    from migrator.cli import proof

    if name == "verify":
        return proof.verify(args) if args.all is None else proof.verify_project(args)
    return proof.record(args) if name == "record" else proof.scaffold(args)


def _split(arguments: list[str]) -> tuple[list[str], list[str] | None]:
    if "--" not in arguments:
        return arguments, None
    at = arguments.index("--")
    return arguments[:at], arguments[at + 1 :]


def _verify(parser: argparse.ArgumentParser) -> None:
    add_options(parser, {"[JOB]": "the original job"})
    add_options(parser.add_argument_group("all jobs of a project"), _PROJECT)
    what = parser.add_argument_group("what runs")
    add_options(what.add_mutually_exclusive_group(), _FORM, target="compat")
    add_options(what, _WHAT_RUNS)
    add_options(parser.add_argument_group("shadow mode"), _LIVE)
    rules = parser.add_argument_group("what counts as the same")
    add_options(rules, _RULES, tolerance=1e-9)
    limits = parser.add_argument_group("limits")
    add_options(limits, _LIMITS | _PARALLEL, timeout=600.0, memory=0, parallel=0)
    limits.add_argument(
        "--shrink",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="look for the smallest input that differs (yes)",
    )
    add_options(limits, _SHRINKING, shrink_time=300.0)
    add_options(parser.add_argument_group("report"), _REPORT | NO_COLOR, format="text")


def _record(parser: argparse.ArgumentParser) -> None:
    add_options(parser, {"[JOB]": "record the sources of this job"} | _SOURCES)
    parser.add_argument("--out", metavar="DIR", required=True, help="the folder of the recording")
    add_options(parser, {"--batches N": "end after N batches"} | NO_COLOR)


def _scaffold(parser: argparse.ArgumentParser) -> None:
    add_options(parser, {"JOB": "the job, original or migrated"})
    parser.add_argument(
        "--input", metavar="BATCHES", required=True, help="recorded batches: a file or a folder"
    )
    forms = {"--out DIR": "the folder of the test (tests beside the job)"}
    forms |= REAL | _RULES | _LIMITS | NO_COLOR
    add_options(parser, forms, tolerance=1e-9, timeout=600.0, memory=0)


def _check(name: str, parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    refuse_empty(parser, args)
    if name == "record" and (args.job is None) == (not args.source):
        parser.error("name either a JOB or a --source")
    if name != "verify":
        return
    if _is_for_project(parser, args):
        return
    if args.json_shape is not None and args.migrated is None:
        parser.error(
            "--json-shape is what --migrated was made with; a copy is migrated without "
            "--unsafe-fixes, which a shape needs"
        )
    if args.live:
        if args.input is not None or args.expected is not None:
            parser.error("--live records its own input; leave out --input and --expected")
        if not args.batches:
            parser.error("--live needs --batches, the number of batches to record")
        return
    if args.input is None:
        parser.error("give recorded batches with --input, or --live; `migrate record` records some")
    for name in given_options(args, *_OF_RECORDING):
        parser.error(f"{option_of(name)} has a meaning with --live only")


def _is_for_project(parser: argparse.ArgumentParser, found: argparse.Namespace) -> bool:
    """Return whether all jobs are to be verified; end the process with 2 if options contradict."""
    if found.all is None:
        for name in given_options(found, *_OF_PROJECT):
            parser.error(f"{option_of(name)} has a meaning with --all only")
        if found.job is None:
            parser.error("name a JOB, or a project with --all")
        return False
    for name in given_options(found, *_OF_JOB):
        what = {"job": "JOB", "arguments": "what follows --"}.get(name, option_of(name))
        parser.error(
            f"{what} and --all cannot be used together; the recordings of the jobs have their "
            "input and their arguments"
        )
    if found.no_run and found.only_stale:
        parser.error("--no-run runs nothing; leave out --only-stale")
    return True
