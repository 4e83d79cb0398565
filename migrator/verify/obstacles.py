"""Says plainly what makes a comparison impossible and what to do about it, and what of two jobs is
not compared, so that "equal" promises no more than was seen.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dstream_compat.testing.comparison import Equality
from dstream_compat.testing.results import Output, Results
from migrator.verify.comparison import Comparison, Obstacle
from migrator.verify.pairing import (
    CALLS,
    FOREACH,
    SENT,
    STATE,
    STREAM,
    Pair,
    gives_out,
    gives_rows,
    has_columns,
    is_by_python,
    kind_of,
)
from migrator.verify.process import Ended
from migrator.verify.programs import LARGEST, nodes

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
_CLOCK = "reads the clock"
_CHANCE = "is random"
THREAD = "runs at its own pace"
_CALLS = {
    **dict.fromkeys(
        ("time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.strftime"), _CLOCK
    ),
    **dict.fromkeys(
        (
            *("datetime.now", "datetime.utcnow", "datetime.today", "date.today"),
            *("datetime.datetime.now", "datetime.datetime.utcnow", "datetime.datetime.today"),
            "datetime.date.today",
        ),
        _CLOCK,
    ),
    **dict.fromkeys(("current_timestamp", "current_date", "now"), _CLOCK),
    **dict.fromkeys(("uuid.uuid1", "uuid.uuid4", "uuid1", "uuid4", "os.urandom"), _CHANCE),
    **dict.fromkeys(("takeSample", "sample", "randomSplit", "rand", "randn"), _CHANCE),
    **dict.fromkeys(("threading.Thread", "Thread", "threading.Timer", "Timer"), THREAD),
    **dict.fromkeys(("os.getpid", "socket.gethostname", "hash", "id"), "differs between processes"),
}
_MODULES = {"random": _CHANCE, "numpy.random": _CHANCE, "np.random": _CHANCE, "secrets": _CHANCE}
_METHODS = ("takeSample", "sample", "randomSplit", "rand", "randn", "current_timestamp")
CLIENTS = "clients"
"""In the first line of results: what was recorded of clients."""

_WHY = {
    STATE: "the {} was not compared: the query keeps none, or in another form",
    FOREACH: (
        "the records of {} were not compared: a function may be given others on the other engine; "
        "what it prints, shows, saves, and sends with foreach or foreachPartition is compared"
    ),
    CALLS: "{} were not compared: nothing in the other job stands for them",
    SENT: "what {} sends was not compared: nothing in the other job stands for it",
}
_NO_ROWS = "the {} was not compared: it gave no row in any batch"


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


@dataclass(frozen=True, slots=True)
class Suspect:
    """A call whose result differs from run to run."""

    line: int
    call: str
    why: str


def suspects(text: str) -> list[Suspect]:
    """Return the calls of a program whose results differ from run to run, by line.

    They are named where a job differs from itself; a program that does not parse has none.
    """
    return sorted(set(_find_suspects(text)), key=lambda one: (one.line, one.call))


def _named_calls(text: str) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls of a program with the dotted names of what they call."""
    for node in nodes(text):
        if isinstance(node, ast.Call):
            yield node, _dotted_name(node.func)


def _find_suspects(text: str) -> Iterator[Suspect]:
    for node, name in _named_calls(text):
        head, _, last = name.rpartition(".")
        why = _CALLS.get(name) or _MODULES.get(head)
        if not why and head and last in _METHODS:
            why = _CALLS[last]
        if why:
            yield Suspect(node.lineno, name, why)


def _dotted_name(node: ast.expr) -> str:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def uses(text: str, *names: str) -> bool:
    """Return whether a program calls a method or function of one of some names."""
    return any(name.rpartition(".")[2] in names for _, name in _named_calls(text))


def uncompared_outputs(old: Results, new: Results, compared: Sequence[Pair]) -> list[str]:
    """Return what is compared in no pair, as notes of the report.

    Parameters
    ----------
    compared : sequence of Pair
        The outputs that are compared.
    """
    if not has_columns(old, new):
        return []
    numbers = [
        {n for pair in compared for n in pair.old},
        {n for pair in compared for n in pair.new},
    ]
    notes = [_why(old, number, "") for number in _others(old, numbers[0])]
    notes += [
        _why(new, number, " of the migrated job")
        for number in _others(new, numbers[1])
        if not _is_expected(new, number)
    ]
    return notes


def _is_expected(new: Results, number: int) -> bool:
    """Return whether a query has it for other outputs: its state, and functions that print."""
    kind = kind_of(new.outputs[number])
    return kind == STATE or (kind == FOREACH and gives_out(new, number))


def _others(outcome: Results, numbers: set[int]) -> Iterator[int]:
    for number, output in enumerate(outcome.outputs):
        if number not in numbers and output.kind != STREAM:
            yield number


def _why(outcome: Results, number: int, whose: str) -> str:
    output = outcome.outputs[number]
    name = f"{output.name}{whose}"
    if output.kind != STATE and not gives_rows(outcome, number):
        return _NO_ROWS.format(name)
    return _WHY[kind_of(output)].format(name)


def missing_comparison(comparison: Comparison) -> Obstacle | None:
    """Return the obstacle that no batch, or no output, of the jobs could be compared."""
    if comparison.batches == 0:
        return Obstacle(
            "no batch could be compared: the jobs fail in the first one, or end before it",
            "record batches over which the original runs; the notes say how it fails, if it does",
        )
    if any(pair.old and pair.new for pair in comparison.pairs) or comparison.differences:
        return None
    return Obstacle(
        "no output of the jobs could be compared",
        "let both print, show or save what matters in a copy of the jobs, or send it with "
        "foreachPartition, and record batches over which they give rows; the notes say why each "
        "output was left out",
    )


def limits(old: Results, new: Results, comparison: Comparison, order: bool) -> list[str]:
    """Return what "equal" does not say about the outputs that are compared, as notes of the report.

    Parameters
    ----------
    order : bool
        Whether the order of rows counts in every output.
    """
    limits_found = []
    if is_empty(comparison):
        limits_found.append(
            "warning: no output gave a row in any batch, so little was compared; record batches "
            "over which the jobs give something"
        )
    limits_found += [
        f"the time of the batch in {name} was not compared: that of a query is the time at which "
        "it computes the batch"
        for name in comparison.times
    ]
    left_out: dict[str, list[str]] = {}
    for batch, pair in comparison.idle:
        left_out.setdefault(pair.name, []).append(str(batch))
    limits_found += [
        f"{name} has rows of one job only in batch {', '.join(batches)}: nothing came for it, and "
        "a query differs there, as the report of `migrate --target structured` says"
        for name, batches in left_out.items()
    ]
    limits_found += _by_other_means(old, new)
    for pair in comparison.pairs:
        if not pair.old or not pair.new:
            continue
        mine, other = old.outputs[pair.old[0]], new.outputs[pair.new[0]]
        if pair.prints_others():
            limits_found.append(
                f"{mine.name} prints up to {mine.num} records of a batch, {other.name} of the "
                f"migrated job up to {other.num}"
            )
        if not (order or pair.ordered) and is_by_python(mine):
            limits_found += _other_order(old, new, pair, mine, comparison.batches)
    return limits_found


def _by_other_means(old: Results, new: Results) -> Iterator[str]:
    """Yield what is to be said of functions that send something by clients."""
    clients = sorted({str(one) for side in (old, new) for one in side.header.get(CLIENTS, ())})
    names = ", ".join(clients)
    if functions := [output.name for output in old.outputs if kind_of(output) == FOREACH]:
        other = f"another client than {names}" if clients else "a client of a database"
        yield (
            f"what the function of {', '.join(functions)} does by other means, as with {other} or "
            "a library that writes files, is not compared"
        )
    if clients:
        yield (
            f"calls of {names} in functions of batches were compared, and sent nothing: what they "
            "gave was made up; --real lets the jobs use a client themselves"
        )
    if lost := sorted({*old.uncounted, *new.uncounted}):
        yield (
            f"not compared: calls of {', '.join(lost)} that were answered outside of functions of "
            "batches, or once for records that are cached or shuffled; send with foreachPartition "
            "in a function of foreachRDD, so that they are compared"
        )


def is_empty(comparison: Comparison) -> bool:
    """Return whether no output gave a row."""
    return not (comparison.rows_old or comparison.rows_new or comparison.differences)


def _other_order(
    old: Results, new: Results, pair: Pair, output: Output, batches: int
) -> Iterator[str]:
    equality = Equality(1e-9, columns=has_columns(old, new))
    for batch in range(1, batches + 1):
        sides = [
            [row for number in numbers for row in outcome.rows(batch, number)]
            for outcome, numbers in ((old, pair.old), (new, pair.new))
        ]
        if len(sides[0]) == len(sides[1]) and not all(map(equality.same, *sides)):
            yield (
                f"the {output.name} come in another order from batch {batch} on, which does not "
                "count, because no sort is known to promise it; --order lets it count"
            )
            return
