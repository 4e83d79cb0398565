"""Results: what each output of a job gave, batch by batch, as JSON lines.

They are written while the job runs. The first line describes the run and the outputs that are known
when it starts; a line with ``outputs`` adds those that show up later; the last line tells the end.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .errors import RecordingError
from .run_errors import error_kind, error_line
from .values import Value

FORMAT: Final = 1


@dataclass
class Output:
    """An output of a job.

    Parameters
    ----------
    name : str
        kind and place, such as ``pprint at job.py:12``
    kind : str
        ``pprint``, ``show``, ``foreachRDD``, ``foreachBatch``, ``files``, ``printed``, ``sent``,
        ``state`` or ``stream``
    operator : str
        what comes before it, such as ``reduceByKey at job.py:10``
    ordered : bool
        whether the order of its records is promised
    place : list of int
        where it stands in the job: the number of the output or the query, then the lines of the
        job's file through which it was reached
    target : str
        the folder or file that it writes, if it is one that the job names
    num : int, optional
        how many records of a batch it prints at most
    direct : bool
        whether its function makes no other RDDs or frames of the records that it is given
    from_sorted : bool
        whether Python gave out its lines in a function to which only sorted records came
    sources : list of str
        the recorded sources that it is made of, where they are known
    """

    name: str
    kind: str
    operator: str = ""
    ordered: bool = False
    place: list[int] = field(default_factory=list)
    target: str = ""
    num: int | None = None
    direct: bool = False
    from_sorted: bool = False
    sources: list[str] = field(default_factory=list)


# Spark waits ten seconds for a Python process that it starts, as it does for jobs with state
_NO_ANSWER: Final = "Python worker failed to connect back"
RUNS: Final = 3
"""How often a job is run, if the machine is too busy for it."""


@dataclass
class Results:
    """What a job gave, whole or as far as it came.

    Parameters
    ----------
    header : dict
        ``engine``, ``job``, ``args``, ``interval`` and ``begin``; for DStreams ``input``, the
        batches in which each source gave something
    outputs : list of Output
        what gave something
    runs : list of dict
        by output, and by number of the batch: encoded rows, one list for each time it ran
    end : str
        ``stopped``, ``exited``, ``failed`` or ``timed out``; empty if it was killed
    error : str
        why, if there is something to say
    seconds : float
        what it took
    peak_bytes : int
        its memory
    warnings : list of str
        what is wrong with the file, though it can be read
    failed : int
        the first batch in which an output failed, if one did; later ones may have begun
    uncounted : list of str
        the clients of which calls were answered that no output has
    """

    header: dict[str, Any] = field(default_factory=dict)
    outputs: list[Output] = field(default_factory=list)
    runs: list[dict[int, list[list[Value]]]] = field(default_factory=list)
    end: str = ""
    error: str = ""
    seconds: float = 0.0
    peak_bytes: int = 0
    warnings: list[str] = field(default_factory=list)
    failed: int = 0
    uncounted: list[str] = field(default_factory=list)

    @property
    def engine(self) -> str:
        """What ran the job."""
        return str(self.header.get("engine", ""))

    @property
    def job(self) -> str:
        """The file of the job."""
        return str(self.header.get("job", ""))

    def rows(self, batch: int, output: int) -> list[Value]:
        """Return the rows of an output in a batch, however often it ran."""
        return [row for rows in self.runs[output].get(batch, []) for row in rows]

    def last(self) -> int:
        """Return the last batch in which any output ran; 0 if none did."""
        return max((batch for batches in self.runs for batch in batches), default=0)

    def last_complete(self) -> int:
        """Return the last batch of which all is there, as far as that is known."""
        return self.failed - 1 if self.failed else self.last()

    def is_starved(self) -> bool:
        """Return whether Spark ended the job because the machine did too much else."""
        return self.end == "failed" and _NO_ANSWER in self.error

    def may_run_again(self) -> bool:
        """Return whether the job was ended so before its first batch, and had written nothing."""
        return self.is_starved() and self.last() == 0

    def error_line(self) -> str:
        """Return the line with the class and message of the innermost error."""
        return error_line(self.error)

    def error_kind(self) -> str:
        """Return the class of the innermost error."""
        return error_kind(self.error)


def add_output(
    outputs: list[Output],
    name: str,
    kind: str,
    operator: str,
    place: Sequence[int] | None,
    target: str,
    **more: Any,
) -> int:
    """Add an output under a name of its own; return its number."""
    names = {output.name for output in outputs}
    unique, copies = name, 1
    while unique in names:
        copies += 1
        unique = f"{name} ({copies})"
    own = [len(outputs)] if place is None else [*place]
    outputs.append(Output(unique, kind, operator, place=own, target=target, **more))
    return len(outputs) - 1


def read_results(path: str | Path) -> Results:
    """Read results; those of a job that was killed have no end.

    Parameters
    ----------
    path : str or Path
        the file

    Raises
    ------
    RecordingError
        if it cannot be read; a last line that is cut is one of the warnings of the results
    """
    path = Path(path)
    try:
        texts = path.read_bytes().split(b"\n")
    except OSError as error:
        raise RecordingError(f"{path}: {error.strerror or error}") from None
    results = Results()
    if cut := texts.pop():
        results.warnings.append(f"{path}: the last line is cut off, it is left out ({len(cut)} B)")
    unordered: dict[str, set[int]] = {"ordered": set(), "from_sorted": set()}
    for number, text in enumerate(texts, 1):
        try:
            line = json.loads(text)
            if number == 1:
                _begin(results, line)
            else:
                _add(results, line, unordered)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise RecordingError(f"{path}:{number}: not a line of results ({error})") from None
    if not texts:
        raise RecordingError(f"{path}: the file has no results")
    return results


def _begin(results: Results, line: dict[str, Any]) -> None:
    if line.get("format") != FORMAT:
        raise ValueError(f"the format is {line.get('format')!r}, this version reads {FORMAT}")
    results.header = {key: value for key, value in line.items() if key != "outputs"}
    _declare(results, line["outputs"])


def _declare(results: Results, outputs: list[dict[str, Any]]) -> None:
    for one in outputs:
        # an older file has no places
        results.outputs.append(Output(**{"place": [len(results.outputs)]} | one))
        results.runs.append({})


def _add(results: Results, line: dict[str, Any], unordered: dict[str, set[int]]) -> None:
    if "end" in line:
        results.end, results.error = str(line["end"]), str(line.get("error") or "")
        results.seconds = float(line.get("seconds") or 0)
        results.peak_bytes = int(line.get("peak_bytes") or 0)
        results.uncounted = [*map(str, line.get("uncounted") or ())]
        return
    if "failed" in line:
        batch = int(line["failed"])
        results.failed = min(results.failed or batch, batch)
        return
    if "outputs" in line:
        _declare(results, line["outputs"])
        return
    if "derives" in line:
        results.outputs[int(line["derives"])].direct = False
        return
    batch, number, rows = int(line["batch"]), int(line["output"]), line["rows"]
    if number < 0 or not isinstance(rows, list):
        raise ValueError(f"the output is {number}, its rows are a {type(rows).__name__}")
    results.runs[number].setdefault(batch, []).append(rows)
    if rows:
        for name, numbers in unordered.items():
            if not line.get(name):
                numbers.add(number)
            setattr(results.outputs[number], name, number not in numbers)
