"""Edits of pinned versions of PySpark and Python, in the syntax of the place."""

from __future__ import annotations

import re

from migrator.model.report import Fix, Safety
from migrator.model.requirement_events import Requirement, Surroundings
from migrator.rules.commands import command_around
from migrator.rules.jar_lists import edit, offset_of
from migrator.spark.since import version_name
from migrator.spark.versions import Target

_SPEC = r"(?:(?:===?|[~<>!^]=?|=)\s*v?\d[\w.*]*(?:\s*,\s*(?=[=~<>!^]))?)+"
_PYSPARK = re.compile(
    r"[\"']?pyspark(?:\[[\w, -]*\])?[\"']?\s*"
    rf"(?:=\s*(?:\{{[^}}\n]*version\s*=\s*)?[\"'](?P<toml>[^\"'\n]*)[\"']|(?P<spec>{_SPEC}))"
)
# a build of conda, a marker of pip
_GOES_ON = re.compile(r"[=\w.*-]|[ \t]*;[ \t]*(?:python|sys|platform|os|implementation)_")
_INSTALLS = re.compile(r"\b(?P<tool>pip[\d.]*|conda|mamba)\b[^;&|]*\binstall\b|\bconda\s+create\b")
_TAG = re.compile(
    r"2(?:\.7(?:\.\d+)?)?(?P<rest>(?:-(?:slim|alpine|buster|bullseye|bookworm))*)(?![\w.-])"
)
_IMAGE = re.compile(rf"python:{_TAG.pattern}")
# an image whose tag stands apart
_APART = re.compile(r"[\w./:-]+")
_NAMES_IMAGE = re.compile(
    r"FROM\s+(?:--\S+\s+)?|\s*(?:-\s+)?[\"']?image[\"']?:\s*[\"']?|\s*image\s+=\s+\""
)
_ARGUMENT = re.compile(r".*[\"'(,=\s][\"']")
_QUOTED = re.compile(r"[\"'](?P<spec>[^\"'\n]*)[\"']")


def pyspark_fix(event: Requirement, target: Target) -> Fix | None:
    """Return the fix of a requirement that lets no PySpark in that is new enough, or None."""
    around = event.around
    offset = None if around is None else offset_of(around, event.at)
    match = None if around is None or offset is None else _PYSPARK.match(around.text, offset)
    if around is None or offset is None or match is None:
        return None
    group = "toml" if match["spec"] is None else "spec"
    start, end = match.span(group)
    first, last = command_around(around, offset)
    command = around.text[first:last]
    if match[group].strip() != event.version.strip(" ,") or "--hash" in command:
        return None
    if group == "spec" and _GOES_ON.match(around.text, end):
        return None
    oldest = target.spark_name
    new = f">={oldest},<5"
    if group == "spec" and around.text[offset] not in "\"'":
        bare = around.text[offset - 1 : offset] not in ('"', "'")
        install = _INSTALLS.search(around.text, first, offset)
        if bare and install is not None:
            # a shell would redirect > and <
            new = f"~={oldest}" if install["tool"] and "pip" in install["tool"] else f"={oldest}"
    return _fix(event, around, start, end, new)


def python_fix(event: Requirement, target: Target) -> Fix | None:
    """Return the fix of a requirement that lets no Python in that is new enough, or None."""
    around = event.around
    offset = None if around is None else offset_of(around, event.at)
    if around is None or offset is None:
        return None
    text, python = around.text, version_name(target.named_python)
    image = _IMAGE.match(text, offset)
    if image is not None:
        before = text[text.rfind("\n", 0, offset) + 1 : offset]
        names = _ARGUMENT if around.language == "python" else _NAMES_IMAGE
        if names.fullmatch(before) is None:
            return None
        return _fix(event, around, offset, image.end(), f"python:{python}{image['rest']}")
    if _APART.fullmatch(event.text):
        tag = _TAG.match(text, offset)
        if tag is None or event.text != f"python:{tag.group()}":
            return None
        return _fix(event, around, *tag.span(), f"{python}{tag['rest']}")
    if around.language == "python":
        quoted = _QUOTED.match(text, offset)
        if quoted is None or quoted["spec"] != event.version:
            return None
        return _fix(event, around, *quoted.span("spec"), f">={python}")
    end = offset + len(event.version)
    if text[offset:end] != event.version or "$" in event.version:
        return None
    end = offset + len(event.version.rstrip())
    new = _python_spec(event.text, event.version.strip(), python)
    if new is None or _GOES_ON.match(text, end):
        return None
    return _fix(event, around, offset, end, new)


def _python_spec(requirement: str, version: str, python: str) -> str | None:
    """Return a version of Python in the syntax of a requirement; None if that is not known."""
    name = re.match(r"[\w-]+", requirement.lstrip("\"'"))
    match name[0] if name is not None else "":
        case "requires-python" | "python_requires":
            return f">={python}"
        case "python-version" | "versionSpec":
            return python
        case "python_version":
            # of a Pipfile: one version
            return python if re.fullmatch(r"\d+(?:\.\d+)?", version) else None
        case "python" if re.match(r"python\s*=\s*[\"']", requirement):
            return f"^{python}"
        case "python" | "conda":
            match = re.fullmatch(r"=(=?)\s*\d[\d.]*(?:\.\*)?", version)
            return f">={python}" if match is None else f"={match[1]}{python}"
    return None


def _fix(event: Requirement, around: Surroundings, start: int, end: int, new: str) -> Fix:
    old = around.text[start:end]
    summary = f"`{event.text}` asks for `{new}` now, instead of `{old}`"
    return Fix(Safety.SAFE, (edit(around, start, end, new, event.at.cell),), summary)
