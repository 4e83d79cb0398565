"""`.gitignore` files: which paths they exclude.

pathspec does not serve here: its patterns also match what lies below a folder, so that `!*/` takes
back files too. Tests compare with git itself.

Decision 0023: `.gitignore` is read by our own code.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class IgnorePattern:
    """One line of a `.gitignore`, as a regular expression over paths relative to its folder."""

    regex: re.Pattern[str]
    negated: bool
    only_folders: bool


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The patterns of one `.gitignore`; folder is where it applies, an absolute path."""

    folder: str
    patterns: tuple[IgnorePattern, ...] = ()

    def decides(self, path: str, is_folder: bool) -> bool | None:
        """Return True if it excludes an absolute path, False if it includes it again, else None."""
        inner = path[len(self.folder) :].lstrip("/")
        for pattern in reversed(self.patterns):
            if (is_folder or not pattern.only_folders) and pattern.regex.fullmatch(inner):
                return not pattern.negated
        return None


def read_ignore_file(path: Path, folder: Path) -> IgnoreFile | None:
    """Return a file of ignore patterns that applies to a folder, None if there is none."""
    # git follows no links here either
    if path.is_symlink() or not path.is_file():
        return None
    try:
        text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError:
        # git ignores a file it cannot read, too
        return None
    return parse(text, os.fspath(folder))


def parse(text: str, folder: str) -> IgnoreFile:
    """Return the patterns of a `.gitignore` with this text."""
    # not splitlines: git ends lines at \n only
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    patterns = [p for line in lines if (p := parse_pattern(line)) is not None]
    return IgnoreFile(folder, tuple(patterns))


def parse_pattern(line: str) -> IgnorePattern | None:
    """Return a line of a `.gitignore`, or None for comments and blank lines."""
    line = line.rstrip("\n").rstrip(" ") if not line.endswith("\\ ") else line
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    line = line[1:] if negated else line
    only_folders = line.endswith("/")
    line = line.rstrip("/")
    anchored = "/" in line
    line = line.removeprefix("/")
    if not line:
        return None
    prefix = "" if anchored else "(?:.*/)?"
    try:
        regex = re.compile(prefix + _translate(line), re.DOTALL)
        return IgnorePattern(regex, negated, only_folders)
    except re.error:
        # a bracket expression that is none; git matches nothing with it
        return None


def _translate(glob: str) -> str:
    out = []
    index = 0
    while index < len(glob):
        if glob.startswith("**/", index) and (index == 0 or glob[index - 1] == "/"):
            out.append("(?:.*/)?")
            index += 3
        elif glob.startswith("/**", index) and index + 3 == len(glob):
            out.append("/.*")
            index += 3
        elif glob[index] == "*":
            out.append("[^/]*")
            index += 1
        elif glob[index] == "?":
            out.append("[^/]")
            index += 1
        elif glob[index] == "[" and "]" in glob[index + 2 :]:
            end = glob.index("]", index + 2)
            # what Python's sets would take for more than a character
            inner = re.sub(r"([\\\[&~|])", r"\\\1", glob[index + 1 : end])
            inner = "^" + inner[1:] if inner.startswith("!") else inner
            out.append(f"[{inner}]")
            index = end + 1
        elif glob[index] == "\\" and index + 1 < len(glob):
            out.append(re.escape(glob[index + 1]))
            index += 2
        elif glob[index] == "[":
            raise re.error("a bracket that nothing closes")
        else:
            out.append(re.escape(glob[index]))
            index += 1
    return "".join(out)


def is_ignored(files: list[IgnoreFile], path: str, is_folder: bool) -> bool:
    """Return whether an absolute path is excluded; the deepest file that says something decides."""
    for ignore in reversed(files):
        decision = ignore.decides(path, is_folder)
        if decision is not None:
            return decision
    return False


def ignore_files_above(folder: Path) -> list[IgnoreFile]:
    """Return the ignore files of the repository around a folder, without its own.

    A folder that was named is read although its repository ignores it.
    """
    repository = next((p for p in folder.parents if (p / ".git").exists()), None)
    if (folder / ".git").exists():
        own = read_ignore_file(folder / ".git" / "info" / "exclude", folder)
        return [] if own is None else [own]
    if repository is None:
        return []
    between = [p for p in folder.parents if p == repository or p.is_relative_to(repository)]
    files = [read_ignore_file(repository / ".git" / "info" / "exclude", repository)]
    files += [read_ignore_file(p / ".gitignore", p) for p in reversed(between)]
    chain = [os.fspath(p) for p in (*reversed(between), folder)][1:]
    return [
        ignore
        for ignore in files
        if ignore is not None
        and not any(ignore.decides(p, True) for p in chain if p.startswith(ignore.folder + "/"))
    ]
