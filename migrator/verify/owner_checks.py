"""Runs the checks of a project's owner on copies of it, and compares how they end."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from migrator.errors import MigrateError
from migrator.report.wording import quantity
from migrator.verify.process import end_session

# what a shell says of a command that it cannot run
_CANNOT_RUN: Final = (126, 127)
_NAMED: Final = 10
# lines of pytest's summary, and of unittest's report
_PYTEST: Final = re.compile(r"^(?:FAILED|ERROR) ([^\s(].*?)(?: - .*)?$", re.MULTILINE)
_UNITTEST: Final = re.compile(r"^(?:FAIL|ERROR): (.+)$", re.MULTILINE)
_COUNTS: Final = re.compile(r"\b(\d+) (?:failed|errors?)\b")
_COLOURS: Final = re.compile(r"\x1b\[[\d;]*m")


@dataclass(frozen=True, slots=True)
class CheckRun:
    """How the checks ended on one copy.

    Parameters
    ----------
    code : int
        The exit code.
    output : str
        What they printed.
    failed : frozenset of str
        The names of the tests that failed, as far as the output has them.
    failures : int
        How many failed, as far as the output says so.
    timed_out : bool
        Whether they were ended because their time was up.
    """

    code: int
    seconds: float
    output: str
    failed: frozenset[str] = field(default_factory=frozenset)
    failures: int = 0
    timed_out: bool = False

    @property
    def has_passed(self) -> bool:
        """Whether all is well."""
        return self.code == 0 and not self.timed_out

    def summary(self) -> str:
        """Return how they ended, in a line."""
        how = "did not end" if self.timed_out else f"exit code {self.code}"
        failed = f", {self.failures} failed" if self.failures else ""
        return f"{how} in {self.seconds:.1f} s{failed}"

    def last_lines(self, count: int) -> str:
        """Return the end of the output."""
        return "\n".join(self.output.splitlines()[-count:])


def run_checks(command: str, folder: Path, seconds: float) -> CheckRun:
    """Run a command in a copy of a project; no process outlives the call.

    Parameters
    ----------
    command : str
        What the shell runs.
    folder : Path
        Where it runs. Python imports the modules of this folder, and of its `src`, before others.
    seconds : float
        After which it is ended.

    Raises
    ------
    MigrateError
        If there is no such command.
    """
    begun = time.monotonic()
    timed_out = False
    log = folder.with_name(f"{folder.name}.log")
    with log.open("wb") as output:
        process = subprocess.Popen(
            ["/bin/sh", "-c", command],
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            timed_out = True
        finally:
            end_session(process)
    text = _COLOURS.sub("", log.read_text(encoding="utf-8", errors="replace"))
    if process.returncode in _CANNOT_RUN:
        raise MigrateError(
            f"--check-command: {command!r} cannot be run: {text.strip()[-500:]}; its programs are "
            "looked for as in a shell, and its files in a copy of PATH"
        )
    names, count = _failures(text)
    return CheckRun(process.returncode, time.monotonic() - begun, text, names, count, timed_out)


def why_worse(old: CheckRun, new: CheckRun) -> str:
    """Return why the checks are worse on the migrated copy; nothing if they are not known to be."""
    if new.has_passed:
        return ""
    if new.timed_out and not old.timed_out:
        return (
            f"the checks end on the original, and run for {new.seconds:.0f} s after the migration"
        )
    if old.has_passed:
        return (
            f"the checks pass on the original and fail after the migration{_test_names(new.failed)}"
        )
    if more := new.failed - old.failed:
        return f"more checks fail after the migration{_test_names(more)}"
    if new.failures > old.failures:
        return f"{new.failures} checks fail after the migration, {old.failures} do on the original"
    if new.code != old.code and not new.failures:
        return (
            f"the checks end with exit code {new.code} after the migration, and with {old.code} on "
            "the original"
        )
    return ""


def _test_names(names: frozenset[str]) -> str:
    if not names:
        return ""
    rest = len(names) - _NAMED
    more = f" and {rest} more" if rest > 0 else ""
    tests = quantity(len(names), "test")
    return f": {tests}: {', '.join(sorted(names)[:_NAMED])}{more}"


def _environment(folder: Path) -> dict[str, str]:
    # a project that is installed for development is imported from where it was otherwise
    own = [str(path) for path in (folder, folder / "src") if path.is_dir()]
    python_path = os.environ.get("PYTHONPATH")
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([*own, *([python_path] if python_path else [])]),
    }


def _failures(text: str) -> tuple[frozenset[str], int]:
    """Return the names of the tests that failed, and how many did, by the output of a run."""
    if (start := text.find("<testsuite")) >= 0:
        with contextlib.suppress(ElementTree.ParseError):
            return _of_junit(ElementTree.fromstring(text[start : text.rfind(">") + 1]))
    names = frozenset(_PYTEST.findall(text)) or frozenset(_UNITTEST.findall(text))
    last = next((line for line in reversed(text.splitlines()) if _COUNTS.search(line)), "")
    return names, max(sum(map(int, _COUNTS.findall(last))), len(names))


def _of_junit(report: ElementTree.Element) -> tuple[frozenset[str], int]:
    failed = [
        f"{case_.get('classname', '')}.{case_.get('name', '')}".lstrip(".")
        for case_ in report.iter("testcase")
        if case_.find("failure") is not None or case_.find("error") is not None
    ]
    return frozenset(failed), len(failed)
