"""Releases of hosted platforms, each of which has one version of Spark: EMR, Databricks and others.

Only what cannot be anything else counts: a label of EMR, a runtime with its Scala, an image of
Dataproc with its system or in a command of its own, and a key of Glue's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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


def platform_releases_in(line: str) -> Iterator[tuple[int, str, str]]:
    """Yield each such release in a line: its offset, its text and its Spark if before 4.1."""
    for platform, pattern in _PATTERNS.items():
        for match in pattern.finditer(line):
            known = _SPARK[platform]
            exact = known.get(f"{match['major']}.{match['minor']}")
            spark = exact or known.get(match["major"])
            if spark is not None:
                shown = re.sub("[\"']", "", match.group()).strip(" \t-")
                if platform == "gcloud":
                    shown = f"--image-version {match['release']}"
                yield match.start("release"), shown, spark
