"""Walks a tree and yields the files to look at, in a fixed order.

Decision 0023: `.gitignore` is read by our own code.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from migrator.discover.filetypes import FileType, type_by_first_line, type_of

# `.gitignore` files: which paths they exclude.
#
# pathspec does not serve here: its patterns also match what lies below a folder, so that `!*/`
# takes back files too. Tests compare with git itself.


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


MARKER = ".migrate-output"
# in folders of `migrate verify`, which have a migrated copy of a job
VERIFY_MARKER = ".migrate-verify"

_SKIPPED = {"__pycache__", "node_modules", "site-packages", "__pypackages__"}
# hidden folders that hold how a project is built and run
_RUNS_THE_PROJECT = {".azure-pipelines", ".buildkite", ".circleci", ".github", ".gitlab"}
_TEXT_WHEN_HIDDEN = {FileType.SHELL, FileType.CONF}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file to look at; type None means that its first line decides. error: why it is none."""

    path: Path
    relative: str
    type: FileType | None
    size: int
    error: str | None = None


@dataclass(slots=True)
class Folder:
    """A folder that is looked into, with its files to look at; error: why it has none."""

    path: Path
    relative: str
    files: list[os.DirEntry[str]] = field(default_factory=list)
    error: str | None = None


def is_environment(folder: Path) -> bool:
    """Return whether a folder is a virtual environment."""
    # those of os.path answer for a folder that may not be looked into, too
    return os.path.exists(folder / "pyvenv.cfg") or os.path.isdir(folder / "conda-meta")


def is_skipped(folder: Path) -> bool:
    """Return whether a folder below the root holds nothing of the project's own."""
    name = folder.name
    if (name.startswith(".") and name not in _RUNS_THE_PROJECT) or name in _SKIPPED:
        return True
    markers = (MARKER, VERIFY_MARKER)
    return is_environment(folder) or any(os.path.isfile(folder / marker) for marker in markers)


def walk(root: Path, chosen: tuple[str, ...] = ()) -> Iterator[Candidate]:
    """Yield the files of a folder, of some paths below it, or the file itself.

    Symbolic links, hidden Python files, most hidden folders, environments, earlier output of this
    tool, and what `.gitignore` excludes are left out. Special files are never opened.
    """
    for relative in chosen or ("",):
        path = root / relative if relative else root
        if path.is_file():
            yield Candidate(path, relative or root.name, _type_of_named(path), path.stat().st_size)
        else:
            yield from _below(path, relative)


def _below(top: Path, relative: str) -> Iterator[Candidate]:
    """Yield the files below a folder: each folder's own first, then its folders in order."""
    for folder in folders(top, relative):
        if folder.error is not None:
            yield Candidate(folder.path, folder.relative or ".", None, 0, folder.error)
        for entry in folder.files:
            path = f"{folder.relative}/{entry.name}" if folder.relative else entry.name
            yield from _file(entry, path, folder.path.name)


def folders(top: Path, relative: str = "") -> Iterator[Folder]:
    """Yield a folder and those below it that are looked into, each before its own folders."""
    # not recursive: a tree may be nested deeper than Python calls
    waiting = [(os.fspath(top), relative, ignore_files_above(top))]
    while waiting:
        folder, relative, ignores = waiting.pop()
        subfolder = Folder(Path(folder), relative)
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda e: e.name)
        except OSError as error:
            subfolder.error = error.strerror or str(error)
            yield subfolder
            continue
        if any(entry.name == ".gitignore" for entry in entries):
            own = read_ignore_file(Path(folder, ".gitignore"), Path(folder))
            ignores = ignores if own is None else [*ignores, own]
        inner = []
        for entry in entries:
            path = f"{relative}/{entry.name}" if relative else entry.name
            if entry.is_symlink():
                continue
            if entry.is_dir(follow_symlinks=False):
                if not is_skipped(Path(entry.path)) and not is_ignored(ignores, entry.path, True):
                    inner.append((entry.path, path, ignores))
            elif _may_matter(entry.name, subfolder.path.name) and not is_ignored(
                ignores, entry.path, False
            ):
                subfolder.files.append(entry)
        yield subfolder
        waiting += reversed(inner)


def _may_matter(name: str, folder: str) -> bool:
    """Return whether a file has to be read, by its name and that of its folder."""
    kind = type_of(name, folder)
    if name.startswith("."):
        return kind in _TEXT_WHEN_HIDDEN
    return kind is not None or "." not in name


def _file(entry: os.DirEntry[str], relative: str, folder: str) -> Iterator[Candidate]:
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError as error:
        yield Candidate(Path(entry.path), relative, None, 0, error.strerror or str(error))
        return
    if stat.S_ISREG(found.st_mode):
        yield Candidate(Path(entry.path), relative, type_of(entry.name, folder), found.st_size)


def _type_of_named(path: Path) -> FileType | None:
    """Return the type of a file that the user named: it is read, whatever it is."""
    file_type = type_of(path.name, path.parent.name)
    if file_type not in (None, FileType.DOCUMENT):
        return file_type
    try:
        with path.open("rb") as stream:
            file_type = type_by_first_line(stream.read(200))
    except OSError:
        # reading it will fail again and be reported
        return None
    return file_type or (FileType.PLAIN if path.suffix else FileType.PYTHON)


def script_type(source: Candidate, data: bytes) -> FileType | None:
    """Return the type of a source, looking into it if its name does not say."""
    return source.type if source.type is not None else type_by_first_line(data)
