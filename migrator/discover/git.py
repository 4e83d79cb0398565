"""Asks git about the repository around a folder, without running anything that is configured in it.

Git is asked for commits and for what their files held. Comparing with the working tree would run
what a repository configures as filters and converters, and nothing of a tree that is read may run:
where the state of files is asked for, filters are left out.

Decision 0019: Git is asked for blobs, not for differences.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from migrator.errors import MigrateError

_SAFE = ("--no-pager", "--no-replace-objects", "-c", "core.fsmonitor=false")
_ENVIRONMENT = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}

# in a hook, git sets the repository in the environment; ours is the one around PATH
_OF_A_HOOK = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})


class Git:
    """The repository around a folder.

    Parameters
    ----------
    folder : Path
        The folder, without symlinks.
    option : str
        The option that needs git, for messages.

    Raises
    ------
    MigrateError
        If git is missing, or the folder is in no repository.
    """

    def __init__(self, folder: Path, option: str) -> None:
        self.folder = folder
        self._option = option
        done = self._run("rev-parse", "--show-toplevel")
        self.top = _output(done)
        if not self.top:
            why = done.stderr.decode("utf-8", "replace").partition("\n")[0]
            raise MigrateError(f"{option}: git finds no repository at {folder}: {why}")

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
                f"{self._option}: git knows no commit {ref}; in a shallow clone, fetch it first"
            )
        # unrelated histories, or nothing committed here yet: the commit itself
        return self._text("merge-base", commit, "HEAD") or commit

    def contents(self, commit: str, paths: list[str]) -> dict[str, bytes]:
        """Return what files held in a commit, by path below the top; without those it lacks."""
        request = "".join(f"{commit}:{path}\n" for path in paths if "\n" not in path)
        output = self._run(
            "cat-file", "--batch", stdin=request.encode("utf-8", "surrogateescape")
        ).stdout
        contents = {}
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
                contents[path] = output[position : position + size]
            position += size + 1
        return contents

    def changed_files(self, paths: Sequence[str]) -> list[tuple[str, bool]]:
        """Return the files that differ from what is committed or staged, below some paths.

        Parameters
        ----------
        paths : sequence of str
            Relative to the folder.

        Returns
        -------
        list of (str, bool)
            The files, relative to the top, and whether git knows each of them.

        Raises
        ------
        MigrateError
            If git cannot tell.
        """
        done = self._run(
            *("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"),
            *("--ignore-submodules=all", "--", *(f":(literal){path}" for path in paths)),
            more=self._without_filters(),
        )
        if done.returncode:
            why = done.stderr.decode("utf-8", "replace").partition("\n")[0]
            raise MigrateError(f"{self._option}: git cannot tell which files are changed: {why}")
        lines = [os.fsdecode(line) for line in done.stdout.split(b"\0") if line]
        return [(line[3:], line[1] != "?") for line in lines if line[1] != " "]

    def _without_filters(self) -> dict[str, str]:
        """Return the variables that let git run none of the filters of a repository.

        Options would not do: a name may have an equals sign, at which git ends it.
        """
        settings = "^filter\\..*\\.(clean|process|required)$"
        names = self._run("config", "-z", "--name-only", "--get-regexp", settings).stdout
        names_without_filters = [name for name in os.fsdecode(names).split("\0") if name]
        variables = {"GIT_CONFIG_COUNT": str(len(names_without_filters))}
        for number, name in enumerate(names_without_filters):
            variables[f"GIT_CONFIG_KEY_{number}"] = name
            variables[f"GIT_CONFIG_VALUE_{number}"] = "false" if name.endswith(".required") else ""
        return variables

    def _text(self, *arguments: str) -> str:
        return _output(self._run(*arguments))

    def _run(
        self, *arguments: str, stdin: bytes = b"", more: Mapping[str, str] = {}
    ) -> subprocess.CompletedProcess[bytes]:
        try:
            return subprocess.run(
                ["git", *_SAFE, *arguments],
                cwd=self.folder,
                env={k: v for k, v in os.environ.items() if k not in _OF_A_HOOK}
                | _ENVIRONMENT
                | dict(more),
                input=stdin,
                capture_output=True,
                check=False,
            )
        except OSError as error:
            raise MigrateError(f"{self._option} needs git: {error.strerror}") from error


def _output(done: subprocess.CompletedProcess[bytes]) -> str:
    return os.fsdecode(done.stdout).rstrip("\n") if done.returncode == 0 else ""
