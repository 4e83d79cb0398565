"""The steps of goldens as recorded batches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.support.structured.pairs import Golden

_MARKS = {"{PORT}": "9999", "{FOLDER}/": "", "{FOLDER}": ".", "{BROKER}": "127.0.0.1:1"}


def recording(golden: Golden, pause: bool = False) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return the arguments and the batches of a golden.

    Parameters
    ----------
    golden : Golden
        the job and its steps
    pause : bool
        whether an interval without input comes in the middle
    """
    arguments = [str(argument) for argument in golden.plan["args"]]
    for mark, text in _MARKS.items():
        arguments = [argument.replace(mark, text) for argument in arguments]
    batches = [_input(step) for step in golden.plan["steps"]]
    if pause:
        batches.insert(max(len(batches) // 2, 1), {})
    names = [source for batch in batches for source in batch]
    files: dict[str, str] = golden.plan.get("files", {})
    names += [f"file:{Path(name).parent}" for name in files if Path(name).name.startswith(".")]
    batches = [{source: one for source, one in batch.items() if one} for batch in batches]
    return tuple(arguments), {
        "interval": golden.plan["interval"],
        "sources": {source: {} for source in names},
        "batches": batches,
        "files": {name: text for name, text in files.items() if Path(name).parent == Path()},
    }


def _input(step: dict[str, Any]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, text in step.get("files", {}).items():
        folder = given.setdefault(f"file:{Path(name).parent}", {})
        folder[Path(name).name] = text.splitlines()
    lines = step.get("lines") or {}
    by_port = lines if isinstance(lines, dict) else {"9999": lines}
    given |= {f"socket:{port}": texts for port, texts in by_port.items()}
    return given | {f"kafka:{topic}": own for topic, own in step.get("records", {}).items()}
