"""Options of the command line, and what they say together."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from migrator.cli.options import NO_COLOR, REAL, add_options, given_options, option_of
from migrator.errors import MigrateError
from migrator.spark.since import SPARKS

if TYPE_CHECKING:
    from migrator.run.options import Options, WriteCheck
    from migrator.verify.project_reports import ProjectVerdict

_HOST = re.compile(r"[\w.-]+|\[[\da-fA-F:]+\]")
FLEET_FORMATS = ("csv",)
_REPORT = {
    "--format {text,json,html,sarif,markdown,github,csv}": "the form of the report on standard "
    "output (github: annotations of a pull request; csv: of several projects)",
    "--report FILE ...": "also write a report to FILE, as its ending says: .html, .json, .sarif, "
    ".md or .txt; may be given several times",
    "--group-by {file,rule}": "order of the text report (file)",
    "--explain": "with --target structured: what each call of a job became, and why",
}
_AMOUNT = {
    "--quiet": "the jobs and the totals only",
    "--verbose": "also what was rewritten, the code, and everything that is known of a finding",
}
_WHAT_COUNTS = {
    "--select CODES ...": "only these rules, such as D204,D3; the others neither report nor "
    "rewrite",
    "--ignore CODES ...": "all rules but these",
    "--baseline FILE": "findings listed in FILE are known and do not count",
    "--write-baseline FILE": "list today's findings in FILE and change nothing else",
    "--diff-base REF": "only lines changed since the work on REF was left count (needs git)",
    "--fail-on {error,warning,info,never}": "the least severity that makes the exit code 1 "
    "(warning); never: 1 is not used",
    "--fail-on-bugs": "bugs that the jobs have always had make the exit code 1 too",
    "--notes": "also show the notes that ask for nothing",
    "--no-config": "ignore [tool.migrate] in pyproject.toml",
}
_FIXES = {
    "--target {compat,structured}": "compat: jobs run on dstream_compat (the default); "
    "structured: jobs that have a proven form in Structured Streaming become that",
    "--portable": "with --target structured: only results that run on Spark Connect, too; without "
    "it, code of batches that has no form as DataFrames stays RDD code",
    "--spark VERSION": "with --target structured: the oldest Spark that the results are to run "
    f"on, such as 3.5; one of {', '.join(SPARKS)} (the last)",
    "--unsafe-fixes": "also make fixes that may change what a job does; their findings say how",
    "--kafka-brokers HOST:9092,...": "write these brokers into Kafka receivers, which named "
    "ZooKeeper only",
    "--json-shape 'KEY TYPE, ...'": "what the texts have that json.loads reads, for --target "
    "structured with --unsafe-fixes: 'user string, amount double, tags array<string>'; a type "
    "with ? may be missing or null",
    "--state DIR": "with --target structured: let the job begin with the states and positions "
    "that `dstream-compat checkpoint export` has written into this folder",
    "--submit {dstream-compat}": "turn `spark-submit job.py` into `python -m dstream_compat "
    "submit job.py`",
}
_CHOSEN_CHANGES = {
    "--interactive": "show each change with its reason, and ask whether it is made",
    "--accept FILE": "make only the changes that FILE lists, which the HTML report makes",
    "--add-ignores": "write `# migrate: ignore[...]` comments into PATH for all findings that ask "
    "for a change, and change nothing else; with --interactive or --accept, and --in-place: for "
    "the changes that were rejected",
}
_GATES = {
    "--check-command COMMAND": "run the project's own checks, such as 'pytest -q', in a copy of "
    "PATH and in a migrated one; write nothing if more of them fail in the second",
    "--check-timeout SECONDS": "of each run of the checks (600)",
    "--verify RECORDINGS": "run the jobs that have recordings in this folder as they are and as "
    "they are migrated; a job that differs makes the exit code 1, and nothing is rewritten in "
    "place",
    **REAL,
}


def add_run_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the report, for what counts, and for what is rewritten."""
    report = parser.add_argument_group("report")
    add_options(report, _REPORT | NO_COLOR, format="text")
    add_options(report.add_mutually_exclusive_group(), _AMOUNT)
    add_options(parser.add_argument_group("what counts"), _WHAT_COUNTS)
    add_options(parser.add_argument_group("fixes"), _FIXES)
    add_options(parser.add_argument_group("accept or reject"), _CHOSEN_CHANGES)


def choice_options(
    parser: argparse.ArgumentParser, args: argparse.Namespace, is_fleet: bool
) -> dict[str, Any]:
    """Return the fields of `Options` for accepted changes; ends the process with 2 if options
    contradict each other.
    """
    chosen = [name for name in ("interactive", "accept") if getattr(args, name)]
    if len(chosen) == 2:
        parser.error("--interactive and --accept both choose changes; use one of them")
    named = [*chosen, *(["add-ignores"] if args.add_ignores else [])]
    if named and is_fleet:
        parser.error(f"--{named[0]} is for one project; leave it out, or give one PATH")
    refused = []
    if args.interactive:
        refused = ["check", "diff", "write_baseline"]
        if args.format != "text":
            parser.error("--interactive asks on standard output; leave out --format")
    elif args.add_ignores and not chosen:
        refused = ["check", "diff", "output", "write_baseline", "check_command", "verify"]
    for name in given_options(args, *refused):
        parser.error(f"--{named[0]} and {option_of(name)} cannot be used together")
    if args.add_ignores and chosen and not args.in_place:
        parser.error(f"--add-ignores with --{chosen[0]} writes into PATH; add --in-place")
    return {
        "interactive": args.interactive,
        "accept": None if args.accept is None else Path(args.accept),
        "add_ignores": args.add_ignores,
    }


def check_report_options(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """End the process with 2 if options contradict each other."""
    if args.diff and args.format not in ("text", "json"):
        parser.error(
            f"--format {args.format} and --diff both print on standard output; use one of them, "
            "or --report FILE"
        )
    if args.write_baseline is not None:
        for name in given_options(args, "in_place", "diff", "check"):
            parser.error(f"--write-baseline changes nothing else; leave out {option_of(name)}")
        for name in given_options(args, "output", "baseline", "diff_base"):
            parser.error(f"--write-baseline and {option_of(name)} cannot be used together")
    if args.diff_base is not None and args.diff_base.strip() == "":
        parser.error("--diff-base is empty")


def selection_options(options: Options, args: argparse.Namespace) -> dict[str, Any]:
    """Return the fields of `Options` that these options and the configuration give.

    Parameters
    ----------
    options : Options
        The options so far, of which the paths are used.

    Raises
    ------
    MigrateError
        If the configuration cannot be read.
    """
    from migrator.select.config import Config, read_config

    config = Config() if args.no_config else read_config(options.paths[0])
    baseline = config.baseline if args.baseline is None else Path(args.baseline)
    return {
        "select": _codes(args.select) or config.select,
        "ignore": _codes(args.ignore) or config.ignore,
        "fail_on": args.fail_on or config.fail_on or "warning",
        "fail_on_bugs": args.fail_on_bugs or config.fail_on_bugs,
        "notes": args.notes or config.notes,
        "group_by": args.group_by or config.group_by or "file",
        "baseline": None if args.write_baseline is not None else baseline,
        "write_baseline": None if args.write_baseline is None else Path(args.write_baseline),
        "diff_base": args.diff_base,
        "unsafe_fixes": args.unsafe_fixes,
        "portable": args.portable,
        "submit": _submit(args.submit, args.target or config.target),
        "kafka_brokers": _brokers("--kafka-brokers", args.kafka_brokers)
        or _brokers(f"{config.path}: kafka-brokers", config.kafka_brokers),
        "json_shape": shape_of("--json-shape", args.json_shape)
        or shape_of(f"{config.path}: json-shape", config.json_shape),
        "state": _state(args.state, args.target or config.target),
        "spark": _spark("--spark", args.spark) or _spark(f"{config.path}: spark", config.spark),
        "target": args.target or config.target or "compat",
        "reports": tuple(Path(name) for name in args.report),
    }


def _brokers(setting: str, text: str | None) -> str | None:
    if text is None:
        return None
    brokers = [broker.strip(" \t") for broker in text.split(",")]
    for broker in brokers:
        host, colon, port = broker.rpartition(":")
        if not broker:
            wrong = "a broker is empty"
        elif not colon or not _HOST.fullmatch(host):
            wrong = f"{broker!r} is not HOST:PORT"
        elif not re.fullmatch("[0-9]{1,5}", port) or not 0 < int(port) < 65536:
            wrong = f"{port!r} is not a port, 1 to 65535"
        else:
            continue
        raise MigrateError(f"{setting}: {text!r}: {wrong}; write HOST:PORT, several with commas")
    return ",".join(brokers)


def _spark(setting: str, text: str | None) -> str | None:
    if text is not None and text not in SPARKS:
        supported = ", ".join(SPARKS)
        raise MigrateError(f"{setting}: {text!r} is no Spark that results can be for: {supported}")
    return text


def shape_of(setting: str, text: str | None) -> str | None:
    """Return a shape of JSON texts as it is given.

    Raises
    ------
    MigrateError
        If it is none.
    """
    if text is None:
        return None
    from migrator.structured.json_shape import json_shape

    try:
        json_shape(text)
    except ValueError as error:
        raise MigrateError(f"{setting}: {text!r}: {error}; write 'KEY TYPE, KEY TYPE'") from error
    return text


def _submit(runner: str | None, target: str | None) -> bool:
    if runner is not None and target == "structured":
        raise MigrateError(
            "--submit is for --target compat: spark-submit runs a job that is Structured Streaming"
        )
    return runner is not None


def _state(folder: str | None, target: str | None) -> str | None:
    if folder is None:
        return None
    if target != "structured":
        raise MigrateError(
            "--state is for --target structured: a job on dstream_compat takes a checkpoint over "
            "by spark.streaming.compat.importFrom"
        )
    from migrator.structured.program.carried import Carried

    try:
        Carried.of(folder)
    except (OSError, ValueError) as error:
        raise MigrateError(
            f"--state: {folder!r} has no export: {error}; write one with `dstream-compat "
            f"checkpoint export CHECKPOINT --out {folder}`"
        ) from error
    return folder


def _codes(given_codes: list[str]) -> tuple[str, ...]:
    codes = tuple(code.strip() for text in given_codes for code in text.split(","))
    if given_codes and not any(codes):
        raise MigrateError("--select and --ignore need a code; `migrate rules` lists them")
    return tuple(code for code in codes if code)


def add_gate_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for what is asked before anything is written."""
    group = parser.add_argument_group("before anything is written")
    add_options(group, _GATES, check_timeout=600.0)


def check_gate_options(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """End the process with 2 if options contradict each other."""
    for name in given_options(args, "check_command", "verify"):
        if not getattr(args, name).strip():
            parser.error(f"{option_of(name)} is empty")
        if args.write_baseline is not None:
            parser.error(f"--write-baseline changes nothing else; leave out {option_of(name)}")
    if args.real and args.verify is None:
        parser.error("--real has a meaning with --verify only")


def gate_of(args: argparse.Namespace) -> WriteCheck | None:
    """Return what the options let a run ask before it writes; None if they ask for nothing."""
    if args.check_command is None and args.verify is None:
        return None
    from migrator.verify.gates import Checks, Gates, Verifications
    from migrator.verify.many import ProjectRequest

    def show(verdict: ProjectVerdict) -> None:
        from migrator.verify.project_reports import show_summary

        # what is printed for programs is the report alone
        stream = sys.stdout if args.format == "text" and not args.diff else sys.stderr
        show_summary(verdict, stream, color=not args.no_color)

    gates: list[WriteCheck] = []
    if args.check_command is not None:
        gates.append(Checks(args.check_command, args.check_timeout))
    if args.verify is not None:
        name = Path(os.path.abspath(args.paths[0])).stem
        asked = ProjectRequest(Path(f"verify-all-{name}"), real=tuple(args.real))
        gates.append(Verifications(Path(args.verify), asked, show))
    return Gates(gates)
