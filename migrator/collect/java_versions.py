"""Old versions of Java that a text asks for or names: packages, images, paths, settings of CI.

They matter only where a project has DStream code: see `migrator.run.scan`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from migrator.collect.images import TAGGED_IMAGE
from migrator.spark.versions import JAVA

# settings that name the Java of a job
JAVA_KEYS = frozenset(
    {
        *("JAVA_HOME", "spark.executorEnv.JAVA_HOME", "spark.yarn.appMasterEnv.JAVA_HOME"),
        "spark.kubernetes.driverEnv.JAVA_HOME",
    }
)
JAVA_CAVEAT = f"see that Java {JAVA} is to be had there"
_WORDS = (
    *("JAVA_HOME", "/jvm/", "java_home", "jdk", "temurin", "corretto", "java-", "java:"),
    "oracle-java",
)
# lines wider than that are data
_WIDEST = 20_000
_BYTES = tuple(word.encode() for word in _WORDS)
_NUMBER = r"(?:1\.)?(?P<number>\d{1,2})"
_IN_PATH = re.compile(
    rf"(?:java|jdk|jre|zulu|temurin|corretto|java-se)[-_]?{_NUMBER}(?!\d)", re.IGNORECASE
)
# Debian's and Red Hat's folders, and that of the image `openjdk`
_FOLDER = re.compile(
    r"/java-(?:1\.\d\.0|\d+)-openjdk(?P<rest>-amd64|-arm64)?(?:/jre)?(?![\w.-])"
    r"|/usr/local/openjdk-\d+(?![\w.-])"
)
_IMAGE_NAMES = r"openjdk|java|eclipse-temurin|adoptopenjdk|amazoncorretto|ibmjava|zulu-openjdk"
_ENDS = r"(?=[\s\"'\]},]|$)"
_PATTERNS = {
    "home": re.compile(
        r"(?<![\w$])JAVA_HOME(?:[\"']?[ \t]*(?::?=|:)[ \t]*|[ \t]+)"
        r"(?:\"(?P<quoted>[^\"\n]+)\"|'(?P<single>[^'\n]+)'|(?P<plain>[^\s\"'`;&|,}<]+))"
    ),
    "path": re.compile(r"(?P<plain>/[^\s\"'`;&|,:=<]*/jvm/[^\s\"'`;&|,:<})\]]+)"),
    "chosen": re.compile(rf"\bjava_home[ \t]+-v[ \t]*[\"']?{_NUMBER}(?!\d)(?:\.\d[\w.]*)?"),
    "image": re.compile(
        rf"(?:{TAGGED_IMAGE}|--from=)"
        rf"(?P<image>(?:[\w.-]+(?::\d+)?/)*(?:{_IMAGE_NAMES})):(?P<tag>(?:jdk|jre)?-?{_NUMBER}"
        r"(?!\d)[\w.-]*)"
    ),
    "apt": re.compile(rf"(?<![\w./:-])openjdk-{_NUMBER}-(?:jdk|jre)(?:-headless)?(?![\w.-])"),
    "rpm": re.compile(
        rf"(?<![\w./:-])java-{_NUMBER}(?:\.0)?-(?:openjdk|amazon-corretto)(?:-devel|-headless)?"
        r"(?![\w.-])"
    ),
    "apk": re.compile(
        rf"\bapk\b[^;&|]*?\sadd\s[^;&|]*?\s(?P<name>openjdk{_NUMBER}(?:-jre|-jdk)?){_ENDS}"
    ),
    "other": re.compile(
        rf"(?<![\w./:-])(?:oracle-java{_NUMBER}-installer|(?:adopt)?openjdk@(?P<brew>\d+)"
        rf"|temurin-(?P<temurin>\d+)-jdk){_ENDS}"
    ),
    "conda": re.compile(
        r"(?:^[ \t]*-[ \t]+[\"']?|\b(?:conda|mamba)\s[^;&|]*?[\s\"'])openjdk[ \t]*"
        rf"(?P<spec>==?[ \t]*{_NUMBER}(?!\d)[\d.*]*){_ENDS}"
    ),
    "action": re.compile(
        r"^[ \t]*(?:-[ \t]+)?[\"']?java-version[\"']?:[ \t]*(?P<quote>[\"']?)"
        rf"(?P<spec>{_NUMBER}(?!\d)[\w.+-]*)(?P=quote)[ \t]*$"
    ),
    "jenkins": re.compile(
        r"\b(?:jdk|tool)[ \t(]+(?:name:[ \t]*)?[\"']"
        r"(?:(?<=jdk[ \t][\"'])|(?=[^\"'\n]*(?:jdk|java)))"
        rf"[A-Za-z _-]*{_NUMBER}(?!\d)[^\"'\n]*[\"']",
        re.IGNORECASE,
    ),
    "travis": re.compile(
        rf"^[ \t]*(?:jdk:[ \t]*|-[ \t]+)[\"']?(?P<jdk>(?:open|oracle)jdk{_NUMBER})[\"']?[ \t]*$"
    ),
}
_TEMURIN = re.compile(r"(?:8|11)(?P<rest>(?:-(?:jdk|jre))?(?:-(?:alpine|focal|jammy))?)")
_CORRETTO = re.compile(r"(?:8|11)(?P<rest>(?:-alpine)?)")
_OPENJDK = re.compile(r"(?:8|11)(?P<kind>-jdk|-jre)?(?P<rest>(?:-slim)?(?:-(?:bullseye|buster))?)")


@dataclass(frozen=True, slots=True)
class JavaNaming:
    """An old Java in a line.

    Parameters
    ----------
    kind : str
        A key of the patterns: "home", "path", "image", "apt" and so on.
    text : str
        What the message shows.
    version : int
        Its number.
    start, end : int
        The part of the line that a fix replaces.
    new : str, optional
        What takes its place, None if that is not known.
    """

    kind: str
    text: str
    version: int
    start: int
    end: int
    new: str | None


def may_name_java(text: str | bytes) -> bool:
    """Return whether a text, or the bytes of a file, may name a Java."""
    if isinstance(text, bytes):
        return any(word in text for word in _BYTES)
    return any(word in text for word in _WORDS)


def java_in_path(path: str) -> int | None:
    """Return the Java that a path names, if that is too old; None otherwise."""
    match = _IN_PATH.search(path)
    return None if match is None else _old(match["number"])


def javas_in(line: str) -> Iterator[JavaNaming]:
    """Yield each place in a line that names a Java before the oldest that Spark 4 runs on."""
    taken: list[tuple[int, int]] = []
    if len(line) > _WIDEST:
        return
    for kind, pattern in _PATTERNS.items():
        for match in pattern.finditer(line):
            if any(start < match.end() and match.start() < end for start, end in taken):
                continue
            found = (_path if kind in ("home", "path") else _named)(kind, match)
            if found is not None:
                taken.append(match.span())
                yield found


def named_java(name: str, path: str, start: int) -> JavaNaming | None:
    """Return an old Java in a value, of which only a name beside it says what it is.

    Parameters
    ----------
    start : int
        Where the value stands in its line.
    """
    match = re.match(r"(?P<path>.*[/\\].*)", path)
    if match is None or not name.endswith("JAVA_HOME"):
        return None
    found = _path("home", match)
    if found is None:
        return None
    return replace(found, start=start + found.start, end=start + found.end)


def java_of_task(version: str) -> JavaNaming | None:
    """Return an old Java that the task `JavaToolInstaller` of Azure Pipelines asks for."""
    match = re.match(rf"{_NUMBER}(?!\d)", version)
    old = None if match is None else _old(match["number"])
    if old is None:
        return None
    return JavaNaming("task", f"versionSpec: {version}", old, 0, len(version), str(JAVA))


def new_folder(path: str) -> tuple[int, int, str] | None:
    """Return the part of a path that names a Java of a distribution, and that of the new Java."""
    match = _FOLDER.search(path)
    if match is None:
        return None
    if match.group().startswith("/usr/local"):
        return *match.span(), f"/usr/local/openjdk-{JAVA}"
    return *match.span(), f"/java-{JAVA}-openjdk{match['rest'] or ''}"


def _old(number: str | None) -> int | None:
    return int(number) if number is not None and 5 <= int(number) < JAVA else None


def _path(kind: str, match: re.Match[str]) -> JavaNaming | None:
    group = next(name for name, value in match.groupdict().items() if value is not None)
    path, start = match[group], match.start(group)
    version = java_in_path(path)
    if version is None:
        return None
    folder = new_folder(path)
    text = f"JAVA_HOME={path}" if kind == "home" else path
    if folder is None:
        return JavaNaming(kind, text, version, start, start + len(path), None)
    return JavaNaming(kind, text, version, start + folder[0], start + folder[1], folder[2])


def _named(kind: str, match: re.Match[str]) -> JavaNaming | None:
    named = match.groupdict()
    number = next((named[n] for n in ("number", "brew", "temurin") if named.get(n)), None)
    version = _old(number)
    if version is None:
        return None
    group: str | int = next((n for n in ("tag", "name", "spec", "jdk") if n in named), 0)
    new = _NEW[kind](match)
    return JavaNaming(kind, _shown(kind, match), version, *match.span(group), new)


def _shown(kind: str, match: re.Match[str]) -> str:
    match kind:
        case "image":
            return f"{match['image']}:{match['tag']}"
        case "apk":
            return match["name"]
        case "conda":
            return f"openjdk{match['spec']}"
        case _:
            return match.group().strip(" \t-")


def _new_tag(match: re.Match[str]) -> str | None:
    """Return the tag of the same image with the new Java, as far as there is one."""
    image, tag = match["image"], match["tag"]
    if match.group().startswith("--from"):
        # its paths are not known
        return None
    if image == "eclipse-temurin" and (found := _TEMURIN.fullmatch(tag)):
        return f"{JAVA}{found['rest']}"
    if image == "amazoncorretto" and (found := _CORRETTO.fullmatch(tag)):
        return f"{JAVA}{found['rest']}"
    if image == "openjdk" and (found := _OPENJDK.fullmatch(tag)):
        # there is no image with the runtime only, and the plain tag is no Debian any more
        kind = "-jdk" if found["kind"] else ""
        return f"{JAVA}{kind}{found['rest'] or '-bullseye'}"
    return None


def _with_new_number(group: str | int) -> Callable[[re.Match[str]], str | None]:
    def new(match: re.Match[str]) -> str:
        old = match[group]
        return re.sub(r"(?:1\.)?\d+(?:\.0)?", str(JAVA), old, count=1)

    return new


_NEW: dict[str, Callable[[re.Match[str]], str | None]] = {
    "chosen": lambda match: f"java_home -v {JAVA}" if match.group()[-1].isdigit() else None,
    "image": _new_tag,
    "apt": _with_new_number(0),
    "rpm": _with_new_number(0),
    "apk": _with_new_number("name"),
    "other": lambda match: None,
    "conda": lambda match: f"{'==' if match['spec'].startswith('==') else '='}{JAVA}",
    "action": lambda match: str(JAVA),
    # what the server has is not known
    "jenkins": lambda match: None,
    "travis": lambda match: f"openjdk{JAVA}",
}
