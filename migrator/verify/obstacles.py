"""Says plainly what makes a comparison impossible, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dstream_compat.testing.results import Results
from migrator.verify.process import Ended
from migrator.verify.run_files import LARGEST
from migrator.verify.suspects import THREAD, Suspect, suspects, uses
from migrator.verify.verdict import Obstacle

_WRONG_USE = 2
_TIMED_OUT = 4
STOPPED = "stopped"
FAILED = "failed"
TIMED_OUT = "timed out"
_EXIT = "sys.exit("
# as Python says it, and as Spark does
_MISSING = re.compile(
    r"FileNotFoundError: .*: '(?P<name>[^']+)'|[Pp]ath does not exist: (?:file:)?(?P<path>[^\s']+)"
)


def of_process(ended: Ended, outcome: Results | None, limit: float) -> Obstacle | None:
    """Return what kept a process from running a job over all its batches, if not the job itself.

    Parameters
    ----------
    outcome : Results, optional
        What it left, if anything.
    limit : float
        The seconds that it had.
    """
    name = ended.work.label
    reached = 0 if outcome is None else outcome.last_complete()
    if ended.killed:
        advice = (
            "allow more with --memory, or record fewer records for a batch"
            if "memory" in ended.killed
            else "allow more with --timeout, or record fewer batches"
        )
        return Obstacle(f"the {name} was ended in batch {reached + 1}: {ended.killed}", advice)
    if ended.code == _TIMED_OUT or (outcome is not None and outcome.end == TIMED_OUT):
        return _timeout(name, reached, limit, outcome)
    if outcome is not None and outcome.header and not outcome.end:
        how = f"signal {-ended.code}" if ended.code < 0 else f"exit code {ended.code}"
        return Obstacle(
            f"the process of the {name} ended with {how} and no error; it had come to batch "
            f"{reached}",
            "the job calls os._exit, or something else ended it, as a system without memory does; "
            f"{ended.work.log} has all that it printed",
        )
    if ended.code == _WRONG_USE or outcome is None or not outcome.end:
        return Obstacle(
            f"the {name} could not be run (exit code {ended.code})\n{ended.last_lines()}",
            f"{ended.work.log} has all that it printed",
        )
    if outcome.is_starved():
        return Obstacle(
            f"the {name} was ended in batch {reached + 1}: Spark waited ten seconds for a Python "
            f"process that did not answer: {outcome.error_line()}",
            "run it again while the machine does less",
        )
    return None


def _timeout(name: str, reached: int, limit: float, outcome: Results | None) -> Obstacle:
    if reached == 0 and outcome is not None and not outcome.outputs:
        return Obstacle(
            f"the {name} had started no streaming context after {limit:g} s",
            "the job waits for something, or works before it starts its context; give it what it "
            "waits for, or more time with --timeout",
        )
    where = f": {outcome.error_line()}" if outcome is not None and outcome.error else ""
    return Obstacle(
        f"the {name} did not end in {limit:g} s; it had come to batch {reached}{where}",
        "allow more with --timeout, or record fewer batches; a job that joins a thread of its own "
        "before it ends may never end without new input",
    )


def of_original(outcome: Results, text: str, printed: str = "") -> Obstacle | None:
    """Return what about the original job makes a comparison impossible.

    Parameters
    ----------
    printed : str
        The end of what it printed.
    """
    if outcome.last() == 0:
        return _missing_start(outcome, text, printed)
    if not outcome.outputs or not any(outcome.runs):
        return Obstacle(
            "the original has no output that could be compared",
            "let it have one, such as pprint() at the stream that matters",
        )
    return None


def _missing_start(outcome: Results, text: str, printed: str) -> Obstacle:
    line = outcome.error_line()
    if _EXIT in line:
        return Obstacle(
            f"the original ended before it started a streaming context: {line}"
            + "".join(f"\n  {line}" for line in printed.splitlines()),
            "give the arguments that it needs after `--`, as in `migrate verify job.py --input "
            "batches -- localhost 9999`, and set the variables of its environment",
        )
    if outcome.end == FAILED:
        where = "in" if outcome.failed else "before"
        return Obstacle(f"the original failed {where} its first batch: {line}", _advice(outcome))
    if not uses(text, "start"):
        return Obstacle(
            "the original never starts a streaming context",
            "name the file that calls start(); modules without it are verified through their job",
        )
    if not outcome.outputs:
        return Obstacle(
            "the original has no output, so no batch gives anything that could be compared",
            "let it have one, such as pprint() at the stream that matters",
        )
    return Obstacle(
        "the original ran no batch",
        "see that start() is reached when the file is run as a program",
    )


def _advice(outcome: Results) -> str:
    kind = outcome.error_kind()
    if missing := _MISSING.search(outcome.error):
        return _where_files_are(missing["name"] or missing["path"].rstrip("."))
    if "which the recorded batches do not have" in outcome.error:
        return "record that source too, or name it in the first line of the batches, without input"
    if kind.endswith(("ModuleNotFoundError", "ImportError")):
        return (
            "install what it imports, or record its results where it runs, and give them with "
            "--expected"
        )
    if kind.endswith(("SyntaxError", "IndentationError", "TabError")):
        return (
            "it is no Python 3, so DStreams of Spark 4 cannot run it; verify what `migrate` made "
            "of it with --migrated against recorded results (--expected), or convert it first"
        )
    if kind.endswith(("IndexError", "KeyError")):
        return "give the arguments that it needs after `--`, and set the variables that it reads"
    if kind.endswith("EOFError"):
        return (
            "its standard input is empty here: let a copy of the job take the value from an "
            "argument or a variable, and verify that"
        )
    return (
        "run it by itself to see why; where it cannot run here, give the results that it had with "
        "--expected"
    )


def _where_files_are(path: str) -> str:
    size = LARGEST // 2**20
    return (
        f"let it find {path}: relative paths are read in the folder of the run, into which those "
        "files of the working folder are copied that the arguments or the texts of the job name "
        f"(up to {size} MiB, no folders, no '..'); start `migrate verify` in the folder in which "
        "the job is started, or give the job an absolute path"
    )


def differs_from_itself(where: str, text: str) -> Obstacle:
    """Return the obstacle that two runs of the original give different results.

    Parameters
    ----------
    where : str
        The batch and the output.
    """
    calls = suspects(text)
    thread = ", no thread" if any(suspect.why == THREAD for suspect in calls) else ""
    because = f"; {_list_suspects(calls)}" if calls else ""
    return Obstacle(
        f"the original differs from itself: two runs over the same batches differ in {where}"
        f"{because}",
        "leave out the fields that change with --ignore, or fix the value in a copy of the job "
        f"(a seed, a given time{thread}) and verify that",
    )


def _list_suspects(calls: Sequence[Suspect]) -> str:
    shown = [f"{suspect.call}() in line {suspect.line} {suspect.why}" for suspect in calls[:4]]
    return ", ".join(shown) + (f", and {len(calls) - 4} more" if len(calls) > 4 else "")
