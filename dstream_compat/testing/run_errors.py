"""Finds the error that ended a job, under the errors of Spark and Py4J that wrap it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_TRACEBACK: Final = "Traceback (most recent call last)"
_PACKAGES: Final = re.compile(r"^(?:\w+[.$])+(?=\w+$)")
# what has another number in each run: objects, stages, tasks, and the folders of a run
_CHANGING: Final = re.compile(
    r"0x[0-9a-fA-F]+|(?<=calling )[oz][\d:]\S*|(?<=stage )[\d.]+|(?<=TID )\d+"
    r"|(?<=/run-job-)\w+|(?<=/input-)\d+"
)
# where a message ends: Java's stack, and what Spark writes behind a Python traceback
_ENDS: Final = re.compile(r"\s*at [\w.$/]+\(|\s*SQLSTATE: |=== |Caused|\s*\.\.\. \d+ more")
_JAVA: Final = "Py4JJavaError"
_CAUSED_BY: Final = "Caused by: "


def error_line(text: str) -> str:
    """Return the line that has the class and the message of the innermost error.

    Parameters
    ----------
    text : str
        a traceback, or a sentence
    """
    return next(iter(_innermost(text)), "")


def error_kind(text: str) -> str:
    """Return the class of the innermost error, without its package.

    Parameters
    ----------
    text : str
        a traceback, or a sentence
    """
    return _PACKAGES.sub("", error_line(text).partition(":")[0])


def error_place(text: str, file: str) -> str:
    """Return the innermost line of a file in the traceback, such as ``job.py:12``; empty if none.

    Parameters
    ----------
    text : str
        a traceback
    file : str
        the file, of which the name counts
    """
    name = Path(file).name
    lines = re.findall(rf'File "(?:[^"]*/)?{re.escape(name)}", line (\d+)', text)
    return f"{name}:{lines[-1]}" if lines else ""


def same_error(text: str, other: str) -> bool:
    """Return whether two errors have the same class and message, however they are wrapped.

    Parameters
    ----------
    text, other : str
        tracebacks, or sentences
    """
    return _comparable(text) == _comparable(other)


def _comparable(text: str) -> list[str]:
    lines = _innermost(text)
    if not lines:
        return []
    kind, colon, message = lines[0].partition(":")
    lines = [f"{_PACKAGES.sub('', kind)}{colon}{message}", *lines[1:]]
    return [_CHANGING.sub("", line).strip() for line in lines]


def _innermost(text: str) -> list[str]:
    """Return the lines of the class and message of the innermost error.

    A wrapper repeats the traceback of what it wraps, so the last traceback is that of the
    innermost one. An error of Java has none: Py4J's is followed by a line with it.
    """
    lines = text.splitlines()
    begins = [at for at, line in enumerate(lines) if _TRACEBACK in line]
    after = lines[begins[-1] + 1 :] if begins else lines
    at = next((n for n, line in enumerate(after) if line.strip() and not line[0].isspace()), None)
    if at is None:
        return [line.strip() for line in lines if line.strip()][-1:]
    message_lines = after[at:]
    if message_lines[0].partition(":")[0].endswith(_JAVA):
        causes = [
            line.removeprefix(_CAUSED_BY) for line in message_lines if line.startswith(_CAUSED_BY)
        ]
        java = [line[2:] for line in message_lines[1:2] if line.startswith(": ")]
        return (causes or java or message_lines[:1])[-1:]
    end = next(
        (
            n
            for n, line in enumerate(message_lines)
            if n and (not line.strip() or _ENDS.match(line))
        ),
        len(message_lines),
    )
    return message_lines[:end]
