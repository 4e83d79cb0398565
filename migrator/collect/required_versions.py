"""Required versions of PySpark and Python in any text.

They matter only where a project has DStream code: see `migrator.run.scan`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.collect.images import IMAGE, TAGGED_IMAGE
from migrator.collect.platform_releases import platform_releases_in

_SPEC = r"(?:(?:===?|[~<>!^]=?|=)\s*v?\d[\w.*]*\s*(?:,\s*)?)+"
_PYSPARK = re.compile(
    r"(?<![\w./-])pyspark(?:\[[\w, -]*\])?[\"']?\s*"
    rf"(?:=\s*(?:\{{[^}}]*version\s*=\s*)?[\"'](?P<toml>[^\"']*)[\"']|(?P<spec>{_SPEC}))"
)
_SPARK_VERSION = re.compile(r"^\s*[\"']?sparkVersion[\"']?\s*:\s*[\"']?(?P<spec>\d[\w.]*)")
# those of Spark itself: a tag of any other image is a version of its own
_SPARK_IMAGE = re.compile(
    rf"{TAGGED_IMAGE}(?P<image>(?:[\w.-]+(?::\d+)?/)*?"
    r"(?:(?:(?:bitnami|bitnamilegacy|apache|spark-operator|sequenceiq|gettyimages)/spark(?:-py)?"
    r"|bde2020/spark-[\w-]+|(?<![\w/.-])spark):v?|jupyter/(?:pyspark|all-spark)-notebook:spark-)"
    r"(?P<spec>\d+(?:\.\d+)*)(?![\w.])[\w.-]*)"
)
_SPARK_ARCHIVE = re.compile(
    r"(?:https?|ftp)://[^\s\"'`]*/(?P<archive>spark-(?P<spec>\d+(?:\.\d+)+)-bin-[\w.-]+\.tgz)"
)
_PYTHON = re.compile(
    r"(?:\b(?:PYSPARK(?:_DRIVER)?_PYTHON|spark\.pyspark(?:\.driver)?\.python)\b[\"']?\s*[=:\s]\s*"
    r"[\"']?(?:[\w./-]*(?P<command>python-?[23](?:\.\d+)?\b)"
    r"|[\w.:/\\-]*[/\\]Python(?P<windows>2\d|3\d{1,2})[/\\]+python(?:\.exe)?\b)"
    rf"|{IMAGE}(?:[\w./-]+/)?(?P<image>python(?:-?2(?:\.\d)?|:2(?:\.\d+)?)\b)"
    rf"|{TAGGED_IMAGE}(?:[\w./-]+/)?(?P<tagged>python:2(?:\.\d+)?\b)"
    r"|(?:^[ \t]*(?:-[ \t]+)?|(?<=[{,])[ \t]*)[\"']?python-version[\"']?:[ \t]*[\"']?"
    r"(?P<action>\d+(?:\.\d+)*(?:\.x)?)(?=[\s\"',}]|$)"
    r"|^[ \t]*basepython[ \t]*=[ \t]*python(?P<tox>\d(?:\.\d+)?)[ \t]*$"
    r"|^python:[ \t]*[\"']?(?P<travis>\d(?:\.\d+)?)[\"']?[ \t]*$"
    r"|^\s*[\"']?pythonVersion[\"']?\s*:\s*[\"']?(?P<kubernetes>2(?:\.\d)?(?=[\"'\s]|$))"
    r"|(?<![\w-])(?:requires-python|python_requires)\s*=\s*[\"']?(?P<package>[^\"'#]+)[\"']?"
    r"|^\s*-\s+[\"']?python\s*(?P<environment>[=<>!~][\d.*,=<>!~ ]+)"
    r"|\bconda\s+(?:create|install)\b[^;&|]*?\s[\"']?python(?P<conda>=[=\d.*]+))"
)
# lists of Pythons: of a workflow, of tox, of Travis CI
_LISTS = (
    re.compile(
        r"^[ \t]*[\"']?(?P<key>python-version)[\"']?:[ \t]*\[(?P<list>[^\]\n]+)\]", re.MULTILINE
    ),
    re.compile(
        r"^(?P<key>env_?list)[ \t]*=(?P<list>[^\n]*(?:\n[ \t]+[^\n]*|\n(?=\n?[ \t]))*)",
        re.MULTILINE,
    ),
    re.compile(
        r"^(?P<key>python):[ \t]*\n(?P<list>(?:[ \t]*-[ \t]+\S+[ \t]*(?:\n|\Z))+)", re.MULTILINE
    ),
)
_LISTED = re.compile(r"(?:py)?(\d)\.?(\d*)")
_ALTERNATIVES = re.compile(r"(?<![^\s,{}])([^\s,{}]*)\{([^{}]*)\}([^\s,{}]*)")
# environments of tox that run no test of a job
_NO_TESTS = frozenset(
    {"black", "build", "check", "clean", "docs", "flake8", "isort", "lint", "mypy", "pep8"}
    | {"pylint", "style"}
)
# settings that name the Python of a job
PYTHON_KEYS = frozenset(
    {
        *("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"),
        *("spark.pyspark.python", "spark.pyspark.driver.python"),
        *("spark.executorEnv.PYSPARK_PYTHON", "spark.yarn.appMasterEnv.PYSPARK_PYTHON"),
        "spark.kubernetes.driverEnv.PYSPARK_PYTHON",
    }
)
# keys that mean a requirement in some sections of TOML only
_BY_SECTION = {
    "requires": re.compile(r"^\s*python(?:_full)?_version\s*=\s*[\"'](?P<spec>[^\"']+)"),
    "dependencies": re.compile(r"^\s*python\s*=\s*[\"'](?P<spec>[^\"']+)"),
}
_WORDS = (
    *(b"spark", b"ython", b"PYTHON", b"envlist", b"env_list", b"emr-"),
    *(b"lueVersion", b"lue_version", b"lue-version"),
    *(b"mageVersion", b"mage_version", b"mage-version"),
)
_WORDS_OF_LINES = ("spark", "ython", "PYTHON", "emr-", "lue", "mage")
# one by one, since `re` finds words that a pattern begins with much faster than alternatives
_HINTS = (
    re.compile(
        rb"python(?:Version|-version|-?[23]|:(?:[2$]|\s)|_requires|(?:_full)?(?:_version)?\s*[=<>~!])",
    ),
    re.compile(rb"pyspark[\w\[\]\"', -]*[=<>~^]"),
    re.compile(rb"spark(?:Version|[\w-]*:(?:v|spark-)?[\d$]|-[^\s/]+-bin-)"),
    re.compile(rb"env_?list"),
    re.compile(rb"[/\\]Python[23]\d"),
    re.compile(rb"requires-python"),
    re.compile(rb"UsePythonVersion"),
    re.compile(
        rb"(?:epository|name)[\"']?:[ \t]*[\"']?[\w./-]*(?:python|spark(?:-\w+)?|-notebook)[\"'\s,]"
    ),
    re.compile(rb"newTag"),
    re.compile(rb"emr-\d"),
    re.compile(rb"spark_version"),
    re.compile(rb"lue[_-]?[vV]ersion"),
    re.compile(rb"mage[_-]?[vV]ersion\W{1,4}[12]\."),
)


def may_require(data: bytes) -> bool:
    """Return whether the bytes of a file may hold one of these requirements."""
    return any(word in data for word in _WORDS) and any(hint.search(data) for hint in _HINTS)


def line_may_require(line: str) -> bool:
    """Return the same for a line, by its words only."""
    return any(word in line for word in _WORDS_OF_LINES)


def requirements_in(line: str, section: str = "") -> Iterator[tuple[int, str, str, str]]:
    """Yield each requirement in a line: its offset, its kind, its text and the version it asks for.

    Parameters
    ----------
    section : str
        The part of a TOML file that it stands in.
    """
    for match in _PYSPARK.finditer(line):
        spec = match.group("toml") if match.group("spec") is None else match.group("spec")
        yield match.start(), "pyspark", match.group().strip(" ,"), spec
    for match in _SPARK_VERSION.finditer(line):
        yield match.start("spec"), "pyspark", match.group().strip(), match.group("spec")
    for match in _SPARK_IMAGE.finditer(line):
        yield match.start("image"), "spark", match["image"], match["spec"]
    for match in _SPARK_ARCHIVE.finditer(line):
        yield match.start("archive"), "spark", match["archive"], match["spec"]
    for offset, text, spark in platform_releases_in(line):
        yield offset, "spark", text, spark
    for match in _PYTHON.finditer(line):
        assert match.lastgroup is not None
        where, version = match.start(match.lastgroup), match[match.lastgroup]
        if match.lastgroup == "windows":
            version = f"{version[0]}.{version[1:]}"
        yield where, "python", match.group().strip(" -,"), version
    wanted = _BY_SECTION.get(section.rpartition(".")[2])
    found = None if wanted is None else wanted.match(line)
    if found is not None:
        yield found.start("spec"), "python", f'{found.group().strip()}"', found["spec"]


def python_lists_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each list of the Pythons of tests: its offset, its text and these versions."""
    for pattern in _LISTS:
        for match in pattern.finditer(text):
            listed = _ALTERNATIVES.sub(_each, match["list"].strip())
            items = [item.strip("- \t\"'") for item in re.split(r"[,\n]", listed)]
            if match["key"] != "python":
                items = [item for item in items if item and item not in _NO_TESTS]
            found = [_LISTED.fullmatch(item.partition("-")[0]) for item in items]
            # what any other item stands for is not known
            versions = [".".join(filter(None, m.groups())) for m in found if m is not None]
            if versions and len(versions) == len(items):
                shown = f"{match['key']}: {', '.join(items)}"
                yield match.start("key"), shown, " || ".join(versions)


def _each(match: re.Match[str]) -> str:
    """Return the names that a name of tox with `{one,two}` stands for."""
    return ",".join(f"{match[1]}{one.strip()}{match[3]}" for one in match[2].split(","))
