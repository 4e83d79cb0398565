"""`--diff-base`: only lines that differ from a commit count.

Git is asked for the commit and for what its files held, never for a difference: comparing with
the working tree would run what a repository configures as filters and converters, and nothing of
a tree that is read may run.
"""

from __future__ import annotations

import difflib
import os
import subprocess
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.report import FileReport, Report, Status, SuppressedBy
from migrator.source.excerpt import Place, source_text

_SAFE = ("--no-pager", "--no-replace-objects", "-c", "core.fsmonitor=false")
_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}

# in a hook, git sets the repository in the environment; ours is the one around PATH
_OF_A_HOOK = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})


class Git:
    """The repository around a folder.

    Raises
    ------
    MigrateError
        If git is missing, or the folder is in no repository.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        done = self._run("rev-parse", "--show-toplevel")
        self.top = _output(done)
        if not self.top:
            why = done.stderr.decode("utf-8", "replace").partition("\n")[0]
            raise MigrateError(f"--diff-base: git finds no repository at {folder}: {why}")

    def merge_base(self, ref: str) -> str:
        """Return the commit at which the work since `ref` began.

        Raises
        ------
        MigrateError
            If there is no such commit.
        """
        commit = self._text(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"
        )
        if not commit:
            raise MigrateError(
                f"--diff-base: git knows no commit {ref}; in a shallow clone, fetch it first"
            )
        # unrelated histories, or nothing committed here yet: the commit itself
        return self._text("merge-base", commit, "HEAD") or commit

    def contents(self, commit: str, paths: list[str]) -> dict[str, bytes]:
        """Return what files held in a commit, by path below the top; without those it lacks."""
        wanted = "".join(f"{commit}:{path}\n" for path in paths if "\n" not in path)
        output = self._run(
            "cat-file", "--batch", stdin=wanted.encode("utf-8", "surrogateescape")
        ).stdout
        found = {}
        position = 0
        for path in paths:
            if "\n" in path:
                continue
            end = output.index(b"\n", position)
            head = output[position:end]
            position = end + 1
            if head.endswith(b" missing"):
                continue
            size = int(head.rpartition(b" ")[2])
            if b" blob " in head:
                found[path] = output[position : position + size]
            position += size + 1
        return found

    def _text(self, *arguments: str) -> str:
        return _output(self._run(*arguments))

    def _run(self, *arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                ["git", *_SAFE, *arguments],
                cwd=self.folder,
                env={k: v for k, v in os.environ.items() if k not in _OF_A_HOOK} | _ENVIRONMENT,
                input=stdin,
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise MigrateError(f"--diff-base needs git: {error.strerror}") from error


def _output(done: subprocess.CompletedProcess[bytes]) -> str:
    return os.fsdecode(done.stdout).rstrip("\n") if done.returncode == 0 else ""


def suppress_unchanged(report: Report, root: Path, ref: str) -> None:
    """Suppress the findings on lines that have not changed since a commit.

    A file without a fix on a changed line is not rewritten.

    Raises
    ------
    MigrateError
        If git or the commit cannot be had.
    """
    folder = Path(os.path.realpath(root if root.is_dir() else root.parent))
    git = Git(folder)
    commit = git.merge_base(ref)
    names = {f.path: os.path.relpath(folder / f.path, git.top) for f in report.files}
    before = git.contents(commit, list(names.values()))
    for file in report.files:
        old = before.get(names[file.path])
        if old is not None and (file.original or not old):
            _hide(file, changed_places(file.path, old, file.original))


def _hide(file: FileReport, changed: set[Place]) -> None:
    whole = bool(changed) and file.status is Status.UNREADABLE
    for finding in file.findings:
        if not whole and (finding.at.cell, finding.at.line) not in changed:
            finding.decision.suppress(SuppressedBy.UNCHANGED)
    if not file.is_wanted:
        file.drop_content()


def changed_places(path: str, old: bytes, new: bytes) -> set[Place]:
    """Return the lines of a file that are new or changed.

    Parameters
    ----------
    old, new : bytes
        Its bytes; ends of lines do not matter.
    """
    before = list(source_text(path, old).lines.values())
    lines = source_text(path, new).lines
    places, after = list(lines), list(lines.values())
    # difflib needs the square of how often a line occurs: it gets only what lies between changes
    shorter = min(len(before), len(after))
    first = next((i for i in range(shorter) if before[i] != after[i]), shorter)
    rest = shorter - first
    last = next((i for i in range(rest) if before[-1 - i] != after[-1 - i]), rest)
    matcher = difflib.SequenceMatcher(
        None, before[first : len(before) - last], after[first : len(after) - last]
    )
    return {
        place
        for tag, _, _, start, end in matcher.get_opcodes()
        if tag != "equal"
        for place in places[first + start : first + end]
    }
