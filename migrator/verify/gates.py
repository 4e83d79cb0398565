"""What `migrate` asks before it writes: the owner's checks, and verifications of the jobs."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from migrator.discover.paths import Selection
from migrator.model.printable import visible
from migrator.model.report import Report, Status
from migrator.output.tree import write_tree
from migrator.run.options import Answer, Mode, Options, WriteCheck
from migrator.verify.folders import make_project_folder
from migrator.verify.many import ProjectRequest, project_jobs, verify_with_report
from migrator.verify.owner_checks import CheckRun, run_checks, why_worse
from migrator.verify.programs import beside, read_text
from migrator.verify.project_reports import ProjectVerdict, State

_SHOWN = 30
_STAGED = "migrated"


def _say(text: str) -> None:
    lines = "\n".join(map(visible, text.splitlines()))
    print(f"migrate: {lines}", file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Checks:
    """The owner's checks, which must not fail more often after the migration.

    Parameters
    ----------
    command : str
        What runs them.
    seconds : float
        After which a run is ended.
    """

    command: str
    seconds: float

    def __call__(self, report: Report, selection: Selection, options: Options) -> Answer:
        """Run the checks on a copy of the original and on a migrated one."""
        name = _base_folder(selection).name or "root"
        with tempfile.TemporaryDirectory(prefix="migrate-") as temporary:
            runs = [
                self._run(report, selection, Path(temporary) / side / name, side)
                for side in ("original", "migrated")
            ]
        if reason := why_worse(*runs):
            _say(f"the last lines of the checks after the migration:\n{runs[1].last_lines(_SHOWN)}")
            return Answer(reason, passes=False)
        if not runs[1].has_passed:
            _say("the checks fail on the original, too; no more of them are known to fail now")
        return Answer()

    def _run(self, report: Report, selection: Selection, folder: Path, side: str) -> CheckRun:
        folder.parent.mkdir()
        _write_copy(report, selection, folder, migrated=side == "migrated")
        _say(f"running {self.command} on a copy of the {side} code")
        run = run_checks(self.command, folder, self.seconds)
        _say(f"{self.command} on the {side} code: {run.summary()}")
        return run


@dataclass(frozen=True, slots=True)
class Verifications:
    """The verifications of what was migrated, of which none may find a difference in place.

    Parameters
    ----------
    recordings : Path
        The folder of the recordings.
    asked : ProjectRequest
        How jobs are verified.
    show : callable
        Shows the verdict.
    """

    recordings: Path
    asked: ProjectRequest
    show: Callable[[ProjectVerdict], None]

    def __call__(self, report: Report, selection: Selection, options: Options) -> Answer:
        """Verify the jobs that have recordings."""
        asked = replace(self.asked, json_shape=options.json_shape)
        base, out = _base_folder(selection), asked.out
        names = sorted({job for file in report.files for job in file.jobs})
        staged = out / _STAGED
        jobs = project_jobs(
            base, [name for name in names if name.endswith(".py")], self.recordings, staged
        )
        make_project_folder(out, [self.recordings, base])
        _write_copy(report, selection, staged, migrated=True, whole=False)
        waiting = [job for job in jobs if job.recording is not None]
        verdict = verify_with_report(str(selection.root), jobs, waiting, asked)
        self.show(verdict)
        different = [one.job for one in verdict.of(State.DIFFERENT)]
        refusal = ""
        if different and options.mode is Mode.IN_PLACE:
            refusal = f"{', '.join(different)} would do something else; see {out}"
        return Answer(refusal, passes=verdict.exit_code == 0)


@dataclass(frozen=True, slots=True)
class Gates:
    """Several gates, asked up to the first one that refuses."""

    gates: Sequence[WriteCheck]

    def __call__(self, report: Report, selection: Selection, options: Options) -> Answer:
        """Ask them."""
        passes = True
        for gate in self.gates:
            answer = gate(report, selection, options)
            if answer.refusal:
                return answer
            passes = passes and answer.passes
        return Answer(passes=passes)


def _base_folder(selection: Selection) -> Path:
    """Return the folder to which the paths of the jobs of a selection are relative."""
    root = selection.root
    return root if root.is_dir() else root.parent


def _write_copy(
    report: Report, selection: Selection, folder: Path, *, migrated: bool, whole: bool = True
) -> None:
    """Write a copy of the files that a run looks at, with their new contents if it is migrated.

    Of a file that is named by itself the whole folder is copied, or else only if the file imports
    something from there.
    """
    root = selection.root
    contents = {
        file.path if root.is_dir() else root.name: file.content
        for file in report.files
        if file.content is not None
    }
    unread = {
        file.path
        for file in report.files
        if file.status is Status.UNREADABLE and not os.access(root / file.path, os.R_OK)
    }
    chosen = selection.chosen
    if root.is_file():
        unread = set()
        chosen = () if whole or beside(root, read_text(root)) else (root.name,)
    write_tree(_base_folder(selection), folder, contents if migrated else {}, unread, chosen)
