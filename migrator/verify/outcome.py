"""What one run of a job gave: by output and batch its rows, one list for each time it ran."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dstream_compat.testing.values import Value
from migrator.errors import MigrateError
from migrator.model.printable import visible

FORMAT = 1
_STREAM = "stream"
_PACKAGES = re.compile(r"^(?:\w+\.)+(?=\w+$)")


@dataclass(frozen=True, slots=True)
class Output:
    """An output of a job: where its rows leave it, and the operator that they come from."""

    name: str
    kind: str
    operator: str = ""
    ordered: bool = False


@dataclass(slots=True)
class Outcome:
    """One run of a job, whole or as far as it came."""

    engine: str = ""
    job: str = ""
    outputs: list[Output] = field(default_factory=list)
    runs: list[dict[int, list[list[Value]]]] = field(default_factory=list)
    end: str = ""
    error: str = ""
    code: int | None = None
    seconds: float = 0.0
    peak_bytes: int = 0
    warnings: list[str] = field(default_factory=list)

    def last(self) -> int:
        """The last batch in which any output ran; 0 if none did."""
        return max((batch for batches in self.runs for batch in batches), default=0)

    def error_line(self) -> str:
        """The line of the error that has its class and message, without the traceback."""
        lines = [line for line in self.error.splitlines() if line.strip()]
        begins = [at for at, line in enumerate(lines) if line.startswith("Traceback (most recent")]
        for line in lines[begins[-1] + 1 :] if begins else lines:
            if not line[0].isspace():
                return line
        return lines[-1].strip() if lines else ""

    def error_kind(self) -> str:
        """The class of the error."""
        return _PACKAGES.sub("", self.error_line().partition(":")[0])

    def add(self, given: list[dict[str, Any]]) -> None:
        """Adds outputs, as a line of a file describes them."""
        for one in given:
            self.outputs.append(
                Output(
                    name=str(one.get("name", "")),
                    kind=str(one.get("kind", "")),
                    operator=str(one.get("operator") or ""),
                    ordered=bool(one.get("ordered", False)),
                )
            )
            self.runs.append({})


def read_outcome(path: Path) -> Outcome:
    """Reads a file of results.

    Raises
    ------
    MigrateError
        If the file has none. A last line that was cut off is a warning.
    """
    name = visible(str(path))
    try:
        texts = path.read_bytes().split(b"\n")
    except OSError as error:
        raise MigrateError(f"{name}: {error.strerror or error}") from error
    outcome = Outcome()
    if cut := texts.pop():
        outcome.warnings.append(f"{name}: the last line is cut off, it is left out ({len(cut)} B)")
    for number, text in enumerate(texts, 1):
        try:
            line = json.loads(text)
            if number == 1:
                _begin(outcome, line)
            else:
                _add(outcome, line)
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise MigrateError(f"{name}:{number}: this is no line of results ({error})") from error
    if not texts:
        raise MigrateError(f"{name}: the file has no results")
    return outcome


def _begin(outcome: Outcome, line: dict[str, Any]) -> None:
    if line.get("format") != FORMAT:
        raise ValueError(f"the format is {line.get('format')!r}, this version reads {FORMAT}")
    outcome.engine = str(line["engine"])
    outcome.job = str(line["job"])
    outcome.add(line["outputs"])


def _add(outcome: Outcome, line: dict[str, Any]) -> None:
    if "end" in line:
        outcome.end, outcome.error = str(line["end"]), str(line.get("error") or "")
        outcome.code = line.get("code")
        outcome.seconds = float(line.get("seconds") or 0)
        outcome.peak_bytes = int(line.get("peak_bytes") or 0)
    elif "outputs" in line:
        outcome.add(line["outputs"])
    else:
        batch, output, rows = int(line["batch"]), int(line["output"]), line["rows"]
        if output < 0 or not isinstance(rows, list):
            raise ValueError(f"the output is {output}, its rows are a {type(rows).__name__}")
        outcome.runs[output].setdefault(batch, []).append(rows)
        if line.get("ordered") and not outcome.outputs[output].ordered:
            one = outcome.outputs[output]
            outcome.outputs[output] = Output(one.name, one.kind, one.operator, True)


def outcome_of(path: Path) -> Outcome | None:
    """What a run left, as far as it came; None if it did not begin."""
    return read_outcome(path) if path.exists() and path.stat().st_size else None


def outputs_only(outcome: Outcome) -> Outcome:
    """An outcome without its intermediate streams."""
    kept = [number for number, one in enumerate(outcome.outputs) if one.kind != _STREAM]
    return replace(
        outcome,
        outputs=[outcome.outputs[number] for number in kept],
        runs=[outcome.runs[number] for number in kept],
    )
