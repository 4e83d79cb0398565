"""Options of `migrate verify` for all jobs of a project."""

from __future__ import annotations

import argparse

OF_RECORDING = (
    *("source", "mask", "batches", "interval", "separator"),
    *("mask_key", "kafka_config"),
)
"""The options that record a live source."""
_OF_PROJECT = ("recordings", "only_stale", "no_run")
_OF_JOB = ("job", "input", "expected", "live", "arguments", *OF_RECORDING)


def add_real_option(group: argparse._ActionsContainer) -> None:
    """Add the option that lets jobs use a client themselves."""
    group.add_argument(
        "--real",
        metavar="CLIENT",
        action="append",
        default=[],
        help="let the jobs use a client themselves, such as sqlite3, instead of what stands for it "
        "and records its calls; may be given several times",
    )


def add_project_options(group: argparse._ArgumentGroup) -> None:
    """Add the options."""
    group.add_argument(
        "--all", metavar="PROJECT", help="verify all jobs of a project that have recordings"
    )
    group.add_argument(
        "--recordings",
        metavar="DIR",
        help="the recordings of the jobs: a/b or a/b.jsonl for a/b.py (PROJECT/recordings)",
    )
    group.add_argument(
        "--only-stale",
        action="store_true",
        help="run only jobs that were not verified as they are now, or were not equal",
    )
    group.add_argument(
        "--no-run",
        action="store_true",
        help="run nothing; show what was verified, and what is stale",
    )


def check_project_options(parser: argparse.ArgumentParser, found: argparse.Namespace) -> bool:
    """Return whether all jobs are to be verified; end the process with 2 if options contradict."""
    if found.all is None:
        for name in _OF_PROJECT:
            if getattr(found, name):
                parser.error(f"{_option(name)} has a meaning with --all only")
        if found.job is None:
            parser.error("name a JOB, or a project with --all")
        return False
    for name in _OF_JOB:
        if getattr(found, name):
            parser.error(
                f"{_option(name)} and --all cannot be used together; the recordings of the jobs "
                "have their input and their arguments"
            )
    if found.no_run and found.only_stale:
        parser.error("--no-run runs nothing; leave out --only-stale")
    return True


def _option(name: str) -> str:
    texts = {"job": "JOB", "arguments": "what follows --"}
    return texts.get(name, f"--{name.replace('_', '-')}")
