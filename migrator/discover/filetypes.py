"""File types, by name and first line."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePath


class FileType(StrEnum):
    """How a file is read; most are texts, which differ in what a comment is."""

    PYTHON = "python"
    NOTEBOOK = "notebook"
    SHELL = "shell"
    CONF = "conf"
    SLASHES = "slashes"
    # of Jenkins, with commands in its strings
    GROOVY = "groovy"
    # a README, whose blocks count too, and any other text for people
    PROSE = "prose"
    DOCUMENT = "document"
    SCALA = "scala"
    JAVA = "java"
    SQL = "sql"
    PLAIN = "none"


PROGRAMS = frozenset({FileType.PYTHON, FileType.NOTEBOOK, FileType.SCALA, FileType.JAVA})

_SUFFIXES = {
    **dict.fromkeys((".py", ".pyw"), FileType.PYTHON),
    ".ipynb": FileType.NOTEBOOK,
    **dict.fromkeys(
        (".sh", ".bash", ".ksh", ".zsh", ".yaml", ".yml", ".toml", ".tf", ".hcl", ".mk"),
        FileType.SHELL,
    ),
    **dict.fromkeys((".env", ".service", ".dockerfile"), FileType.SHELL),
    **dict.fromkeys((".conf", ".properties", ".cfg", ".ini", ".template"), FileType.CONF),
    **dict.fromkeys((".sbt", ".gradle", ".kts", ".kt"), FileType.SLASHES),
    **dict.fromkeys((".scala", ".sc"), FileType.SCALA),
    ".java": FileType.JAVA,
    ".groovy": FileType.GROOVY,
    # of interest as notebooks of Databricks only
    ".sql": FileType.SQL,
    **dict.fromkeys((".json", ".xml", ".bat", ".cmd", ".ps1", ".j2", ".tpl"), FileType.PLAIN),
}
_NAMES = {
    "dockerfile": FileType.SHELL,
    "containerfile": FileType.SHELL,
    "makefile": FileType.SHELL,
    "jenkinsfile": FileType.GROOVY,
    "procfile": FileType.SHELL,
    # Ruby, of which the commands of its provisioners matter
    "vagrantfile": FileType.SHELL,
    "pipfile": FileType.SHELL,
    ".env": FileType.SHELL,
}
# texts that are read only if they have one of these names
_REQUIREMENTS = ("requirements", "constraints", "environment")
_PROSE = (".md", ".markdown", ".rst", ".txt", ".adoc")


def type_of(name: str, folder: str = "") -> FileType | None:
    """Return the type of a file by its name and that of its folder; None for others."""
    path = PurePath(name)
    lowered = path.name.lower()
    if lowered in _NAMES:
        return _NAMES[lowered]
    if lowered.startswith(("dockerfile.", "makefile.", ".env.")):
        return FileType.SHELL
    if lowered.startswith("jenkinsfile."):
        return FileType.GROOVY
    suffix = path.suffix.lower()
    if lowered.startswith("readme") and suffix in ("", *_PROSE):
        return FileType.PROSE
    if suffix in (".txt", ".in") and (
        lowered.startswith(_REQUIREMENTS) or folder.lower() in _REQUIREMENTS
    ):
        return FileType.SHELL
    return FileType.DOCUMENT if suffix in _PROSE else _SUFFIXES.get(suffix)


def type_by_first_line(data: bytes) -> FileType | None:
    """Return the type of a script without a suffix, by its `#!` line."""
    if not data.startswith(b"#!"):
        return None
    first = data.split(b"\n", 1)[0]
    if b"python" in first or b"pyspark" in first:
        return FileType.PYTHON
    if b"sh" in first:
        return FileType.SHELL
    return None
