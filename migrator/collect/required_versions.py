"""Required versions of PySpark, Python and Java in any text, and JVM packages.

Versions matter only where a project has DStream code: see `migrator.run.scan`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.spark.versions import JAVA

# FROM of a Dockerfile; keys of Compose, Kubernetes and workflows; Terraform; steps of a Jenkinsfile
IMAGE = (
    r"(?:^FROM[ \t]+(?:--\S+[ \t]+)?|^[ \t]*(?:-[ \t]+)?[\"']?(?:image|container)"
    r"[\"']?:[ \t]*[\"']?|^[ \t]*image[ \t]+=[ \t]+\""
    r"|\b(?:image|docker)[ \t]+[\"']|\bdocker\.image\([\"'])"
)
# the same, and what only an image with a tag says
TAGGED_IMAGE = (
    rf"(?:{IMAGE}|^[ \t]*(?:-[ \t]+)?[\"']?name[\"']?:[ \t]*[\"']?"
    r"|\bdocker[ \t]+(?:run|pull|create)\b[^;&|\n]{0,400}?[ \t])"
)


_VALUE = r"[\"']?[ \t]*(?:[:=][ \t]*|[ \t])[\"']?"
_PATTERNS = {
    "emr": re.compile(
        rf"(?<![\w.])(?:release_?label|release-label){_VALUE}"
        r"(?P<release>emr-(?P<major>\d+)\.(?P<minor>\d+)\.\d+)(?![\w.])",
        re.IGNORECASE,
    ),
    "databricks": re.compile(
        rf"(?<![\w.])spark_version{_VALUE}"
        r"(?P<release>(?P<major>\d+)\.(?P<minor>\d+)\.x-[\w.-]*scala2\.1\d[\w.-]*)"
    ),
    "dataproc": re.compile(
        rf"(?<![\w.])(?:image_?version|image-version){_VALUE}"
        r"(?P<release>(?P<major>\d)\.(?P<minor>\d)(?:\.\d+)?(?:-RC\d+)?"
        r"-(?:debian|ubuntu|rocky|centos)\d*)(?![\w.])",
        re.IGNORECASE,
    ),
    "gcloud": re.compile(
        r"\bgcloud[ \t](?:[^;&|]*[ \t])?dataproc[ \t][^;&|]*?--image-version[ \t=]+[\"']?"
        r"(?P<release>(?P<major>\d)\.(?P<minor>\d)(?:\.\d+)?)(?![\w.-])"
    ),
    "glue": re.compile(
        rf"(?<![\w.])(?:glue_?version|glue-version){_VALUE}"
        r"(?P<release>(?P<major>\d)\.(?P<minor>\d))(?![\w.])",
        re.IGNORECASE,
    ),
}
# Spark by the major version, or by major and minor where they differ
_SPARK = {
    "emr": {"4": "1.6", "5": "2", "6.0": "2.4", "6": "3", "7": "3.5"},
    "databricks": {
        **{"3": "2.2", "4": "2.3", "5": "2.4", "6": "2.4", "7": "3.0", "8": "3.1", "9": "3.1"},
        **{"10": "3.2", "11": "3.3", "12": "3.3", "13": "3.4", "14": "3.5", "15": "3.5"},
        **{"16": "3.5", "17": "4.0"},
    },
    "dataproc": {
        **{"1.0": "1.6", "1.1": "2.0", "1.2": "2.2", "1.3": "2.3", "1": "2.4"},
        **{"2.0": "3.1", "2.1": "3.3", "2": "3.5"},
    },
    "glue": {"0": "2.2", "1": "2.4", "2": "2.4", "3": "3.1", "4": "3.3", "5": "3.5"},
}
_SPARK["gcloud"] = _SPARK["dataproc"]
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
# of a script, a container, a workflow; an image; packages of Linux, conda and Travis CI
_JAVA = (
    re.compile(
        r"(?<![\w$])(?P<home>JAVA_HOME(?:[\"']?[ \t]*(?::?=|:)[ \t]*|[ \t]+)"
        r"(?:\"[^\"\n]+\"|'[^'\n]+'|[^\s\"'`;&|,}<]+))"
        r"|^[ \t]*(?:-[ \t]+)?(?P<key>[\"']?java-version[\"']?:[ \t]*[\"']?\d[\w.]*)"
    ),
    re.compile(
        rf"(?:{TAGGED_IMAGE}|--from=)(?P<image>(?:[\w.-]+(?::\d+)?/)*"
        r"(?:openjdk|java|eclipse-temurin|adoptopenjdk|amazoncorretto|ibmjava|zulu-openjdk)"
        r":[\w.-]+)"
    ),
    re.compile(
        r"(?<![\w./:-])(?P<package>(?:open|oracle)jdk(?:[-@]|==?)?\d[\w.*-]*+"
        r"|java-[\d.]+-(?:openjdk|amazon-corretto)[\w-]*+)(?![./:])"
    ),
)
_JAVA_VERSION = re.compile(
    r"(?:java-version|java-se|java|jdk|jre|zulu|temurin|corretto)[-_@=:\"' \t]*"
    r"(?:1\.)?(?P<number>\d{1,2})(?!\d)",
    re.IGNORECASE,
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
    *(b"JAVA_HOME", b"jdk", b"temurin", b"corretto", b"java-", b"java:"),
)
_WORDS_OF_LINES = (
    *("spark", "ython", "PYTHON", "emr-", "lue", "mage"),
    *("JAVA_HOME", "jdk", "temurin", "corretto", "java-", "java:"),
)
# wider lines are data, in which no Java is looked for
_WIDEST = 20_000
# one by one, since `re` finds words that a pattern begins with much faster than alternatives
_HINTS = (
    re.compile(
        rb"python(?:Version|-version|-?[23]|:(?:[2$]|\s)|_requires|(?:_full)?(?:_version)?\s*[=<>~!])"
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
    re.compile(rb"JAVA_HOME"),
    re.compile(rb"jdk\W{0,2}\d"),
    re.compile(rb"(?:java|temurin|corretto)[:-]\w"),
)


def platform_releases_in(line: str) -> Iterator[tuple[int, str, str]]:
    """Yield each such release in a line: its offset, its text and its Spark if before 4.1."""
    for platform, pattern in _PATTERNS.items():
        for match in pattern.finditer(line):
            releases = _SPARK[platform]
            exact = releases.get(f"{match['major']}.{match['minor']}")
            spark = exact or releases.get(match["major"])
            if spark is not None:
                shown = re.sub("[\"']", "", match.group()).strip(" \t-")
                if platform == "gcloud":
                    shown = f"--image-version {match['release']}"
                yield match.start("release"), shown, spark


def old_java_in(line: str) -> Iterator[tuple[int, str, str]]:
    """Yield each Java in a line that is too old for Spark 4: its offset, text and version."""
    for pattern in _JAVA if len(line) <= _WIDEST else ():
        for match in pattern.finditer(line):
            assert match.lastgroup is not None
            text = re.sub("[\"']", "", match[match.lastgroup])
            version = _JAVA_VERSION.search(text)
            if match.lastgroup == "home" and not re.search(r"[/\\]", text):
                # the name of a variable, not a path
                continue
            if version is not None and 5 <= int(version["number"]) < JAVA:
                yield match.start(match.lastgroup), text, version["number"]


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
    for offset, text, java in old_java_in(line):
        yield offset, "java", text, java
    for match in _PYTHON.finditer(line):
        assert match.lastgroup is not None
        where, version = match.start(match.lastgroup), match[match.lastgroup]
        if match.lastgroup == "windows":
            version = f"{version[0]}.{version[1:]}"
        yield where, "python", match.group().strip(" -,"), version
    pattern = _BY_SECTION.get(section.rpartition(".")[2])
    requirement = None if pattern is None else pattern.match(line)
    if requirement is not None:
        yield (
            requirement.start("spec"),
            "python",
            f'{requirement.group().strip()}"',
            requirement["spec"],
        )


def python_lists_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each list of the Pythons of tests: its offset, its text and these versions."""
    for pattern in _LISTS:
        for match in pattern.finditer(text):
            listed = _ALTERNATIVES.sub(_each, match["list"].strip())
            items = [item.strip("- \t\"'") for item in re.split(r"[,\n]", listed)]
            if match["key"] != "python":
                items = [item for item in items if item and item not in _NO_TESTS]
            matches = [_LISTED.fullmatch(item.partition("-")[0]) for item in items]
            # what any other item stands for is not known
            versions = [".".join(filter(None, m.groups())) for m in matches if m is not None]
            if versions and len(versions) == len(items):
                shown = f"{match['key']}: {', '.join(items)}"
                yield match.start("key"), shown, " || ".join(versions)


def _each(match: re.Match[str]) -> str:
    """Return the names that a name of tox with `{one,two}` stands for."""
    return ",".join(f"{match[1]}{word.strip()}{match[3]}" for word in match[2].split(","))


# JVM packages in any text: connectors of Spark Streaming, and those for some version of Scala.
#
# The names of connectors alone are those of images, pods, topics and folders as well: only with a
# group, a version of Scala, a full version or `.jar` is a name that of a package. Of other
# packages, coordinates and jars count. Folders, archives and images have such names as well, most
# of all those of the Kafka broker (`kafka_2.12-2.5.0.tgz`); their Scala does not matter to Spark.

_CONNECTOR = re.compile(
    r"""(?<![\w.])(?:(?P<group>org\.apache\.[\w.]*:)|(?:org|com)[\w.]*:)?
    spark-streaming-(?P<name>kafka|flume|mqtt|kinesis|twitter|zeromq|akka|pubsub)
    (?:-0-8|-0-10|-asl|-sink)?(?:-assembly)?
    (?P<scala>_(?:2\.\d+|\$?\{{1,2}[^{}\s]*\}{1,2}|\$\(?\w+\)?|%s|%\(\w+\)s|(?!\w)))?
    (?:[:-]\d[\w.]*(?:-[\w.]+)*)?(?P<jar>\.jar)?
    (?![\w-])""",
    re.VERBOSE,
)
_FULL_VERSION = re.compile(r"-\d+\.\d+\.\d+")
# the group stands apart: Maven, sbt, Gradle's `group: "...", name: "..."`
_BEFORE = re.compile(
    r"""(?:<artifactId>\s*|%%?\s*["']|org\.apache\.(?:spark|bahir)["']?\s*[:,%/\s]+(?:name\s*[:=]\s*)?["']?)$"""
)
# several commands in a line
_NEXT_COMMAND = re.compile(r"\s(?:&&|\|\|)\s|;\s|[\"'],\s*[\"']\S*submit\s")
# how far before a name its group is looked for
_AROUND = 100
# Spark 4 runs on 2.13
_OLD = frozenset({"2.10", "2.11", "2.12"})
_PACKAGE = re.compile(
    r"""(?<![\w.-])(?:[A-Za-z][\w.-]*:)?(?P<name>[A-Za-z][\w.-]*?)
    _(?P<scala>2\.1[0-9])(?P<rest>[:-]\d[\w.]*(?:-[A-Za-z]\w*)*(?:\.jar)?|\.jar)""",
    re.VERBOSE,
)
_OLD_BYTES = re.compile(rb"[A-Za-z0-9]_2\.1[0-2](?::\d|[\w.-]*\.jar)")
_REPORTED = re.compile(r"spark-streaming-(?:kafka|flume|mqtt|kinesis|twitter|zeromq|akka|pubsub)")


def connector_packages_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each connector package in a text: its offset, its coordinates, the connector's name."""
    found: dict[tuple[int, int, str], tuple[int, str, str]] = {}
    line = counted = command = 0
    for match in _CONNECTOR.finditer(text):
        if not _is_connector(text, match):
            continue
        line += text.count("\n", counted, match.start())
        command += _NEXT_COMMAND.search(text, counted, match.start()) is not None
        counted = match.start()
        # a URL names its package several times: once a command is enough
        key = (line, command, match["name"])
        if key not in found or len(match.group()) > len(found[key][1]):
            found[key] = (match.start(), match.group(), match["name"])
    yield from found.values()


def _is_connector(text: str, match: re.Match[str]) -> bool:
    if match["group"] or match["scala"] or match["jar"] or _FULL_VERSION.search(match.group()):
        return True
    return _BEFORE.search(text, max(match.start() - _AROUND, 0), match.start()) is not None


def may_name_old_scala(data: bytes) -> bool:
    """Return whether the bytes of a file may hold such a package."""
    return b"_2.1" in data and _OLD_BYTES.search(data) is not None


def scala_packages_in(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield each package for an old Scala: its offset, its text, and that Scala.

    Connectors of Spark Streaming are left out, they have a rule of their own.
    """
    if "_2.1" not in text:
        return
    for match in _PACKAGE.finditer(text):
        old = match["scala"] in _OLD and not _REPORTED.match(match["name"])
        if old and _is_package(text, match):
            yield match.start(), match.group(), match["scala"]


def _is_package(text: str, match: re.Match[str]) -> bool:
    """Return whether a name is that of a jar or of coordinates, which are in no path."""
    if match["rest"].endswith(".jar"):
        return True
    return match["rest"].startswith(":") and text[: match.start()][-1:] != "/"
