"""Which versions a line asks for: of PySpark, Python, hosted platforms and Java."""

from __future__ import annotations

import pytest

from migrator.collect.required_versions import (
    line_may_require,
    may_require,
    old_java_in,
    platform_releases_in,
    python_lists_in,
    requirements_in,
)


@pytest.mark.parametrize(
    ("line", "kind", "version"),
    [
        ("pyspark==2.4.4", "pyspark", "==2.4.4"),
        ("pyspark[sql] >= 2.3, < 3", "pyspark", ">= 2.3, < 3"),
        ('pyspark = "^2.4"', "pyspark", "^2.4"),
        ("FROM python:2.7-slim", "python", "python:2.7"),
        ("export PYSPARK_PYTHON=/usr/bin/python2.7", "python", "python2.7"),
        ('python_requires=">=2.7"', "python", ">=2.7"),
        ("FROM bitnami/spark:2.4.5", "spark", "2.4.5"),
        ("sparkVersion: 2.4.5", "pyspark", "2.4.5"),
        ("curl https://x/spark-2.4.4-bin-hadoop2.7.tgz", "spark", "2.4.4"),
        ("ReleaseLabel: emr-5.30.0", "spark", "2"),
    ],
)
def test_requirements(line: str, kind: str, version: str) -> None:
    [(offset, found, _, wanted)] = requirements_in(line)
    assert (found, wanted) == (kind, version)
    assert 0 <= offset < len(line)
    assert line_may_require(line)
    assert may_require(line.encode())


@pytest.mark.parametrize(
    "line",
    [
        "my-pyspark==2.4.4",
        "pyspark is fast",
        "FROM python3-base",
        "FROM mycompany/spark:2.4.5",
        "# a spark-2.4.4-bin-hadoop2.7.tgz was here",
    ],
)
def test_names_that_only_look_like_them(line: str) -> None:
    assert [*requirements_in(line)] == []


def test_a_key_of_some_sections_only() -> None:
    line = 'python = "^2.7"'
    assert [*requirements_in(line)] == []
    [(_, kind, _, version)] = requirements_in(line, "tool.poetry.dependencies")
    assert (kind, version) == ("python", "^2.7")


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("        python-version: [2.7, '3.6']\n", ["2.7 || 3.6"]),
        ("envlist = py27, py{36,37}-spark, lint\n", ["2.7 || 3.6 || 3.7"]),
        ("python:\n  - 2.7\n  - '3.5'\n", ["2.7 || 3.5"]),
        ("envlist = py27, spark24\n", []),
        ("envlist = lint\n", []),
    ],
)
def test_lists_of_pythons(text: str, versions: list[str]) -> None:
    assert [found for _, _, found in python_lists_in(text)] == versions


@pytest.mark.parametrize(
    ("line", "spark"),
    [
        ("--release-label emr-4.9.1", "1.6"),
        ("--release-label emr-6.0.0", "2.4"),
        ("--release-label emr-6.1.0", "3"),
        ('"spark_version": "9.1.x-scala2.12"', "3.1"),
        ("imageVersion: 1.3-debian10", "2.3"),
        ("imageVersion: 1.5-debian10", "2.4"),
        ("gcloud dataproc clusters create c --image-version=2.0", "3.1"),
        ("GlueVersion: '3.0'", "3.1"),
    ],
)
def test_platforms(line: str, spark: str) -> None:
    [(offset, _, found)] = platform_releases_in(line)
    assert found == spark
    assert line[offset].isdigit() or line[offset:].startswith("emr-")


@pytest.mark.parametrize(
    "line",
    ["bucket: emr-5.30.0", "spark_version: 9.1", "image_version: 2.0", "release: 1.3-debian10"],
)
def test_what_may_be_another_release(line: str) -> None:
    assert [*platform_releases_in(line)] == []


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("FROM openjdk:8-jre", "8"),
        ("export JAVA_HOME=/usr/lib/jvm/java-8-openjdk-amd64", "8"),
        ("apt-get install -y openjdk-11-jre", "11"),
    ],
)
def test_old_versions_of_java(line: str, version: str) -> None:
    [(offset, text, found)] = old_java_in(line)
    assert found == version
    assert line[offset:].startswith(text)
    assert line_may_require(line)
    assert may_require(line.encode())


@pytest.mark.parametrize("line", ["FROM openjdk:17", "FROM openjdk:21-jre", "port: 8"])
def test_versions_of_java_that_suffice(line: str) -> None:
    assert [*old_java_in(line)] == []
