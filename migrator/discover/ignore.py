"""`.gitignore` files: which paths they exclude."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of a `.gitignore`, as a regular expression over paths relative to its folder."""

    regex: re.Pattern[str]
    negated: bool
    only_folders: bool


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The patterns of one `.gitignore`; base is its folder, relative to the root ("" for it)."""

    base: str
    patterns: tuple[Pattern, ...] = field(default_factory=tuple)

    def decides(self, path: str, is_folder: bool) -> bool | None:
        """True if it excludes a path, False if it includes it again, None if it says nothing."""
        inner = path[len(self.base) + 1 :] if self.base else path
        for pattern in reversed(self.patterns):
            if (is_folder or not pattern.only_folders) and pattern.regex.fullmatch(inner):
                return not pattern.negated
        return None


def read_ignore_file(folder: Path, base: str) -> IgnoreFile | None:
    """The `.gitignore` of a folder, or None if there is none to read."""
    path = folder / ".gitignore"
    if not path.is_file():
        return None
    try:
        text = path.read_text("utf-8", "replace")
    except OSError:
        # git ignores a file it cannot read, too
        return None
    patterns = [p for line in text.splitlines() if (p := parse_pattern(line)) is not None]
    return IgnoreFile(base, tuple(patterns))


def parse_pattern(line: str) -> Pattern | None:
    """A line of a `.gitignore`, or None for comments and blank lines."""
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
    body = _translate(line)
    prefix = "" if anchored else "(?:.*/)?"
    try:
        return Pattern(re.compile(prefix + body, re.DOTALL), negated, only_folders)
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
            inner = glob[index + 1 : end].replace("\\", "\\\\")
            inner = "^" + inner[1:] if inner.startswith("!") else inner
            out.append(f"[{inner}]")
            index = end + 1
        elif glob[index] == "\\" and index + 1 < len(glob):
            out.append(re.escape(glob[index + 1]))
            index += 2
        else:
            out.append(re.escape(glob[index]))
            index += 1
    return "".join(out)


def is_ignored(files: list[IgnoreFile], path: str, is_folder: bool) -> bool:
    """Whether a path is excluded; the deepest `.gitignore` that says something decides."""
    for ignore in reversed(files):
        decision = ignore.decides(path, is_folder)
        if decision is not None:
            return decision
    return False
