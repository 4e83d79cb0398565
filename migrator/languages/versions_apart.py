"""Names and versions that stand apart: of values, of images, and of tasks of pipelines.

Values are read in any language; images and tasks in YAML and JSON, by PyYAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml

# what only names that matter here end with
_ENDS = r"(?:JAVA_HOME|SPARK_HOME|PYTHONPATH|PATH|PYSPARK(?:_DRIVER)?_PYTHON|\.python)"
_NAME = rf"[\"']?name[\"']?[ \t]*[:=][ \t]*[\"']?(?P<name%d>[\w.]*{_ENDS})[\"']?"
_VALUE = (
    r"[\"']?value[\"']?[ \t]*[:=][ \t]*(?:\"(?P<double%d>[^\"\n]+)\"|'(?P<single%d>[^'\n]+)'"
    r"|(?P<plain%d>(?:\$\{[^{}\s]*\}|[^\s\"'<>,{}])+))"
)
_BETWEEN = r"[ \t]*,?\s*"
_PAIR = re.compile(
    rf"(?<![\w-])(?:{_NAME % 1}{_BETWEEN}{_VALUE % (1, 1, 1)}"
    rf"|{_VALUE % (2, 2, 2)}{_BETWEEN}{_NAME % 2}"
    rf"|<name>\s*(?P<name3>[\w.]*{_ENDS})\s*</name>\s*<value>\s*(?P<plain3>[^\s<>]+)\s*</value>)",
    re.IGNORECASE,
)
_HINT = re.compile(rf"{_ENDS}(?:[\"'\s<,}}]|\Z)")
_TASK = re.compile(r"UsePythonVersion@\d+")
_VERSION = re.compile(r"\d+(?:\.\d+)*(?:\.[x*])?")
_VARIABLE = re.compile(r"\$\((?P<name>[\w.]+)\)")
# keys that hold the parts of an image: its name, and its tag beside that
_TAGS = {
    "repository": ("tag",),
    "imageRepository": ("imageTag",),
    "newName": ("newTag",),
    "name": ("newTag", "tag"),
}
_IMAGE_HINT = re.compile(r"[tT]ag[\"']?:")
_PART = re.compile(r"[\w./:-]+")
# how many keys above those of an image may say that it is one
_LEVELS = 2
# longer texts are data
_LONGEST = 256 * 1024
# that of libyaml is faster
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value, the name that is given beside it, and where it stands: line and column from 0."""

    name: str
    value: str
    line: int
    column: int


def named_values(lines: Sequence[str]) -> Iterator[NamedValue]:
    """Yield the values of a text whose names say that they are a path or a Python.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    if not any("alue" in line for line in lines):
        return
    text = "\n".join(lines)
    if _HINT.search(text) is None:
        return
    for match in _PAIR.finditer(text):
        values = {key: group for key, group in match.groupdict().items() if group is not None}
        name = next(group for key, group in values.items() if key.startswith("name"))
        key = next(key for key in values if not key.startswith("name"))
        start = match.start(key)
        line = text.count("\n", 0, start)
        yield NamedValue(name, match[key], line, start - text.rfind("\n", 0, start) - 1)


@dataclass(frozen=True, slots=True)
class VersionApart:
    """The versions of something, as many as take turns, and where the first stands, from 0."""

    name: str
    versions: tuple[str, ...]
    line: int
    column: int


def task_versions(lines: Sequence[str]) -> Iterator[VersionApart]:
    """Yield the versions of Python that tasks of Azure Pipelines ask for.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    if not any("UsePythonVersion" in line for line in lines):
        return
    root = _root(lines)
    seen: set[str] = set()
    for _, step in _mappings(root):
        task = _scalars(step).get("task")
        if task is None or not _TASK.fullmatch(task.value):
            continue
        for match in _values(step, "versionSpec"):
            # braces of templates without quotes are a mapping
            variable = _VARIABLE.fullmatch(_text(match))
            if variable is None:
                yield from _versions([match])
            elif variable["name"] not in seen:
                seen.add(variable["name"])
                yield from _versions([*_values(root, variable["name"])])


def split_images(lines: Sequence[str]) -> Iterator[VersionApart]:
    """Yield the images of a text whose name and tag are values of their own.

    Parameters
    ----------
    lines : sequence of str
        Without comments.
    """
    if not any(_IMAGE_HINT.search(line) for line in lines):
        return
    for keys, mapping in _mappings(_root(lines)):
        parts = {k: v for k, v in _scalars(mapping).items() if _PART.fullmatch(v.value)}
        for key in _TAGS.keys() & parts.keys():
            # only a label
            replaced = key == "name" and ("newName" in parts or "repository" in parts)
            is_image = any("image" in above.lower() for above in keys[-_LEVELS:])
            tag = next((parts[each] for each in _TAGS[key] if each in parts), None)
            if tag is not None and not replaced and (is_image or key == "imageRepository"):
                registry = f"{parts['registry'].value}/" if "registry" in parts else ""
                yield VersionApart(registry + parts[key].value, (tag.value,), *_place(tag))


def _root(lines: Sequence[str]) -> yaml.Node:
    """Return all documents of a text, none if it is no YAML."""
    text = "\n".join(lines)
    try:
        documents = [*yaml.compose_all(text, _LOADER)] if len(text) < _LONGEST else []
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        # of escapes and directives that PyYAML does not check, it raises Python's own errors
        documents = []
    return yaml.SequenceNode("", documents)


def _mappings(root: yaml.Node) -> Iterator[tuple[tuple[str, ...], yaml.MappingNode]]:
    """Yield each mapping below a node with the keys around it, in their order."""
    pending: list[tuple[tuple[str, ...], yaml.Node]] = [((), root)]
    # an alias may be anywhere, even in what it stands for
    seen: set[int] = set()
    while pending:
        keys, node = pending.pop()
        if id(node) in seen or isinstance(node, yaml.ScalarNode):
            continue
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            yield keys, node
            inner = [((*keys, _text(key)), value) for key, value in node.value]
        else:
            inner = [(keys, item) for item in node.value]
        pending += reversed(inner)


def _scalars(mapping: yaml.MappingNode) -> dict[str, yaml.ScalarNode]:
    """Return the plain values of a mapping by their keys."""
    plain = yaml.ScalarNode
    return {k.value: v for k, v in mapping.value if isinstance(k, plain) and isinstance(v, plain)}


def _values(root: yaml.Node, key: str) -> Iterator[yaml.Node]:
    """Yield all values of a key below a node."""
    for _, mapping in _mappings(root):
        yield from (v for k, v in mapping.value if _text(k) == key)


def _text(node: yaml.Node) -> str:
    """Return the text of a plain value; empty if it is none, as nodes hold nodes."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) else ""


def _versions(values: list[yaml.Node]) -> Iterator[VersionApart]:
    """Yield the versions that values are; nothing if one of them is something else."""
    texts = [*map(_text, values)]
    if texts and all(map(_VERSION.fullmatch, texts)):
        yield VersionApart("", tuple(texts), *_place(values[0]))


def _place(value: yaml.Node) -> tuple[int, int]:
    """Return the line and column of a value behind its quote, from 0."""
    mark = value.start_mark
    return mark.line, mark.column + (value.style in ("'", '"'))
