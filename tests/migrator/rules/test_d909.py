"""Old versions of Java: found where they run jobs, and not for other programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from migrator.run.scan import scan
from tests.support.migrator.fixes import fixed_report
from tests.support.migrator.reports import codes, report
from tests.support.migrator.runs import JOB

SPARK = "spark-submit job.py\n"
DEBIAN = "/usr/lib/jvm/java-8-openjdk-amd64"
REPORTED = [
    ("Dockerfile", "FROM openjdk:8\nRUN pip install pyspark\n"),
    ("Dockerfile", "FROM openjdk:11-jre-slim AS a\nCOPY job.py /\n"),
    ("Dockerfile", "FROM eclipse-temurin:8-jdk\nRUN pip install a\n"),
    ("Dockerfile", "FROM --platform=a amazoncorretto:8\nCOPY job.py /\n"),
    (
        "Dockerfile",
        f"FROM ubuntu:20.04\nRUN apt-get install -y \\\n    openjdk-8-jdk-headless # c\n"
        f"ENV JAVA_HOME {DEBIAN}\nRUN pip install pyspark\n",
    ),
    ("Dockerfile", "FROM openjdk:8\nRUN wget https://x/kafka_2.11-1.0.tgz\nCOPY job.py /\n"),
    (".github/workflows/a.yml", "      java-version: 8\n"),
    (".github/workflows/a.yml", "      java-version: '1.8' # c\n"),
    (".github/workflows/a.yml", '      java-version: "11.0.x"\r\n'),
    (".github/workflows/a.yml", " java-version: 8\n run: mvn test && pip install a\n"),
    ("environment.yml", "channels:\n  - conda-forge\ndependencies:\n  - openjdk=8\n"),
    ("environment.yml", "channels: [conda-forge]\n- openjdk==8.0.*\n"),
    ("docker-compose.yml", "services:\n  spark:\n    image: openjdk:8-slim\n"),
    ("Jenkinsfile", "agent { docker { image 'openjdk:8-jdk-slim' } }\n"),
    (".gitlab-ci.yml", "image:\n  name: eclipse-temurin:8-jdk\n"),
    ("run.sh", f"export JAVA_HOME={DEBIAN}\n{SPARK}"),
    ("run.sh", f"export JAVA_HOME='{DEBIAN}/jre'\n{SPARK}"),
    ("run.sh", f"yum install -y java-1.8.0-openjdk-devel\n{SPARK}"),
    ("run.sh", f"apk add --no-cache openjdk8-jre bash\n{SPARK}"),
    ("run.sh", f"conda install -y openjdk=8 pyspark\n{SPARK}"),
    ("a.conf", "spark.executorEnv.JAVA_HOME /usr/lib/jvm/java-1.8.0-openjdk\n"),
    (".travis.yml", "language: python\njdk: openjdk8\n"),
    (".travis.yml", "language: python\njdk:\n  - oraclejdk8\n"),
    (".travis.yml", "addons:\n apt:\n  packages:\n  - openjdk-8-jdk\n"),
    ("a.py", f"import os\nos.environ['JAVA_HOME'] = '{DEBIAN}'\n"),
    ("a.py", f"import os\nos.environ.update({{'JAVA_HOME': '{DEBIAN}'}})\n"),
    ("a.py", f"conf.set('spark.executorEnv.JAVA_HOME', '{DEBIAN}')\n"),
    ("a.py", f"import os\nos.environ.setdefault('JAVA_HOME', '{DEBIAN}/jre')\n"),
    ("run.sh", f"export JAVA_HOME=/usr/java/jdk1.8.0_131\n{SPARK}"),
    ("run.sh", f"JAVA_HOME=/opt/jdk8u292-b10 {SPARK}"),
    ("run.sh", f"V=8\nexport JAVA_HOME=/usr/lib/jvm/java-$V-openjdk-amd64\n{SPARK}"),
    ("run.sh", f"brew install openjdk@11\n{SPARK}"),
    ("spark-env.sh", "JAVA_HOME=/usr/lib/jvm/zulu-8-amd64\n"),
    (".env", "JAVA_HOME=/opt/java/jdk-11.0.2\n"),
    ("Dockerfile", "FROM openjdk:8-jdk-alpine\nCOPY job.py /\n"),
    ("Dockerfile", "FROM adoptopenjdk:8-jre-hotspot\nCOPY job.py /\n"),
    ("Dockerfile", "FROM python:3.11\nCOPY --from=openjdk:8-slim /usr/local /x\nCOPY job.py /\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: java:8\n    command: spark-submit a.py\n"),
    ("a.json", '{"spark-env": {"JAVA_HOME": "/usr/lib/jvm/java-1.8.0"}}\n'),
    ("a.py", "import os\nos.environ['JAVA_HOME'] = 'C:\\\\Java\\\\jdk1.8.0_131'\n"),
    ("a.yaml", "env:\n  - name: JAVA_HOME\n    value: /opt/jdk1.8.0_131\n"),
    ("a.yaml", "env:\n  - {name: JAVA_HOME, value: /opt/jdk-11}\n"),
    ("a.yaml", "env:\n  - value: '/opt/jdk-11'\n    name: 'JAVA_HOME'\n"),
    ("a.json", '[{"Name": "JAVA_HOME",\n  "Value": "/opt/jdk1.8.0_131"}]\n'),
    ("a.tf", 'env {\n  name  = "JAVA_HOME"\n  value = "/opt/jdk1.8.0_131"\n}\n'),
    (
        "workflow.xml",
        "<property><name>spark.yarn.appMasterEnv.JAVA_HOME</name>\n"
        "<value>/usr/java/jdk1.8.0_131</value></property>\n",
    ),
    ("workflow.xml", "<env-var>JAVA_HOME=/usr/java/jdk1.8.0_131</env-var>\n"),
    ("a.py", "run('JAVA_HOME=/opt/jdk1.8.0_131 spark-submit job.py')\n"),
    ("a.py", "run('x\\nexport JAVA_HOME=/opt/jdk-11\\nspark-submit job.py')\n"),
    ("Jenkinsfile", "def java = tool name: 'openjdk-11', type: 'jdk'\n"),
    ("Jenkinsfile", "environment { JAVA_HOME = '/opt/jdk1.8.0_131' }\n"),
]
SILENT = [
    ("a.py", "run('JAVA_HOME=/opt/jdk-17 spark-submit job.py')\n"),
    ("a.py", "run('MY_JAVA_HOME=/opt/jdk-11 spark-submit job.py')\n"),
    ("a.py", "run('# export JAVA_HOME=/opt/jdk-11\\nspark-submit job.py')\n"),
    ("a.py", "'''export JAVA_HOME=/opt/jdk-11'''\n"),
    # names and values that do not belong together, or say nothing
    ("a.yaml", "env:\n  - name: JAVA_HOME\n    value: /opt/jdk-17\n"),
    ("a.yaml", "env:\n  - name: JAVA_HOME\n    value: /opt/java\n"),
    ("a.yaml", "env:\n  - name: JAVA_HOME\n    value: $(HOME)\n"),
    ("a.yaml", "env:\n  - name: JAVA_HOME\n  - name: X\n    value: /opt/jdk1.8.0_131\n"),
    ("a.yaml", "env:\n  - name: X\n    value: /opt/jdk1.8.0_131\n  - name: JAVA_HOME\n"),
    ("a.yaml", "env:\n  - name: MY_JAVA_HOMES\n    value: /opt/jdk1.8.0_131\n"),
    ("a.yaml", "env:\n  # - name: JAVA_HOME\n  #   value: /opt/jdk1.8.0_131\n"),
    ("a.yaml", "kafka:\n  - name: JAVA_HOME\n    value: /opt/jdk1.8.0_131\n"),
    ("a.json", '[{"Name": "JAVA_HOME", "Value": "/opt/jdk-21"}]\n'),
    ("a.tf", 'env {\n  name  = "JAVA_HOME"\n  value = var.java8\n}\n'),
    ("workflow.xml", "<a>\n<!-- <env-var>JAVA_HOME=/usr/java/jdk1.8</env-var> -->\n</a>\n"),
    ("workflow.xml", "<a>\n<!--\n<name>JAVA_HOME</name><value>/opt/jdk8</value>\n--></a>\n"),
    ("workflow.xml", "<env-var>JAVA_HOME=/usr/java/jdk-17.0.1</env-var>\n"),
    ("Jenkinsfile", "tools { jdk 'jdk17' }\n"),
    ("Jenkinsfile", "tools { jdk 'default' }\n"),
    ("Jenkinsfile", "// tools { jdk 'jdk8' }\n"),
    ("Jenkinsfile", "tools { maven 'maven-3' }\ndef x = tool 'sonar-4'  // jdk\n"),
    ("Jenkinsfile", "def java = tool name: 'openjdk-21', type: 'jdk'\n"),
    ("Jenkinsfile", "/*\n * jdk 'jdk8'\n */\n"),
    ("Jenkinsfile", "sh '''\n  # export JAVA_HOME=/opt/jdk1.8.0_131\n'''\n"),
    ("Jenkinsfile", "agent { docker { image 'openjdk:17-slim' } }\n"),
    ("Jenkinsfile", "// agent { docker { image 'openjdk:8-slim' } }\n"),
    ("run.sh", f"docker run eclipse-temurin:21 java\n{SPARK}"),
    ("run.sh", f"docker build -t openjdk:8 .\n{SPARK}"),
    ("a.yml", "image:\n  name: openjdk:17\n"),
    # new enough
    ("Dockerfile", "FROM openjdk:17-slim\nCOPY job.py /\n"),
    ("Dockerfile", "FROM eclipse-temurin:21-jdk\nCOPY job.py /\n"),
    ("Dockerfile", "FROM ubuntu:22.04\nRUN apt-get install openjdk-17-jdk\nCOPY job.py /\n"),
    ("Dockerfile", "FROM python:3.11\nRUN apt-get install default-jdk\nCOPY job.py /\n"),
    ("run.sh", f"export JAVA_HOME=/usr/lib/jvm/java-17-openjdk-amd64\n{SPARK}"),
    ("run.sh", f"export JAVA_HOME=/usr/lib/jvm/jdk-21.0.1\n{SPARK}"),
    ("run.sh", f"yum install java-17-openjdk-devel java-21-amazon-corretto\n{SPARK}"),
    ("run.sh", f"apk add openjdk17-jre\n{SPARK}"),
    ("run.sh", f"export JAVA_HOME=$(/usr/libexec/java_home -v 17)\n{SPARK}"),
    (".github/workflows/a.yml", "java-version: 17\n"),
    (".github/workflows/a.yml", "java-version: '21.0.1'\n"),
    (".github/workflows/a.yml", "java-version: ${{ matrix.java }}\n"),
    (".travis.yml", "jdk:\n  - openjdk17\n"),
    (".travis.yml", "jdk: openjdk21\n"),
    ("environment.yml", "dependencies:\n  - openjdk=17\n  - openjdk>=11\n"),
    ("environment.yml", "dependencies:\n  - openjdk\n"),
    ("run.sh", "conda install openjdk=21\n"),
    # no version is seen
    ("run.sh", f"export JAVA_HOME=/usr/lib/jvm/default-java\n{SPARK}"),
    ("run.sh", f"export JAVA_HOME=/usr/java/latest\n{SPARK}"),
    ("run.sh", f"export JAVA_HOME=$1\n{SPARK}"),
    ("run.sh", f"echo $JAVA_HOME /opt/jdk8\n{SPARK}"),
    ("run.sh", f'[ -d "$JAVA_HOME" ] || exit 8\n{SPARK}'),
    ("Dockerfile", "FROM openjdk\nCOPY job.py /\n"),
    ("Dockerfile", "ARG V\nFROM openjdk:${V}\nCOPY job.py /\n"),
    # comments and sentences
    ("Dockerfile", "# FROM openjdk:8\nFROM python:3.11\nCOPY job.py /\n"),
    ("run.sh", f"# export JAVA_HOME={DEBIAN}\n{SPARK}"),
    ("run.sh", f"ls # needs openjdk-8-jdk\n{SPARK}"),
    (".travis.yml", "# jdk: openjdk8\nlanguage: python\n"),
    (".github/workflows/a.yml", "# java-version: 8\n"),
    ("environment.yml", "# - openjdk=8\n"),
    ("README.md", "It ran on Java 8 (openjdk-8-jdk), with JAVA_HOME=/opt/jdk1.8.0_131.\n"),
    ("notes.txt", "JAVA_HOME=/opt/jdk1.8.0_131\n"),
    ("a.conf", f"# JAVA_HOME={DEBIAN}\n"),
    # other programs
    ("Dockerfile", "FROM openjdk:8\nRUN wget https://x/kafka_2.11-1.0.tgz\nCMD kafka/run\n"),
    ("Dockerfile", "FROM openjdk:8\nENV HADOOP_VERSION 2.7\nRUN wget https://x/hadoop-2.7.tgz\n"),
    ("Dockerfile", "FROM eclipse-temurin:8-jre\nCOPY target/api.jar /\nCMD java -jar api.jar\n"),
    ("Dockerfile", "FROM openjdk:8-jre\nRUN apt-get install zookeeper\n"),
    ("Dockerfile", "FROM openjdk:8 AS build\nRUN mvn package\nFROM python:3.11\nCOPY job.py /\n"),
    ("run.sh", f"export JAVA_HOME={DEBIAN}\nbin/kafka-server-start.sh server.properties\n"),
    ("hadoop-env.sh", f"export JAVA_HOME={DEBIAN}\nexport HADOOP_HEAPSIZE=1\n"),
    (
        "docker-compose.yml",
        "services:\n  broker:\n    image: openjdk:8\n    command: kafka/start.sh\n"
        "  job:\n    image: python:3.11\n    command: spark-submit job.py\n",
    ),
    (
        "docker-compose.yml",
        "services:\n  broker:\n    image: openjdk:8\n    environment:\n      A: b\n"
        "    command: kafka/start.sh\n  job:\n    command: spark-submit job.py\n",
    ),
    ("docker-compose.yml", "services:\n  a:\n    image: confluentinc/cp-kafka:5.0\n"),
    ("a.conf", f"x={'a' * 20_000} JAVA_HOME={DEBIAN}\n"),
    # names that only look like it
    ("run.sh", f"MY_JAVA_HOMES={DEBIAN[:8]} {SPARK}"),
    ("run.sh", f"pip install install-jdk==0.8 java-8-tools\n{SPARK}"),
    ("run.sh", f"cp x/openjdk-8-jdk.txt y\n{SPARK}"),
    ("run.sh", f"export OTHER=/opt/jdk1.8.0_131/lib\n{SPARK}"),
    ("a.yml", "java-versions: 8\nmy-java-version: 8\nversion: 8\n"),
    ("Dockerfile", "FROM acme/myopenjdk8:1\nCOPY job.py /\n"),
    ("Dockerfile", "FROM acme/java-tools:8\nCOPY job.py /\n"),
    ("a.py", "import os\nprint(os.environ.get('JAVA_HOME', '/opt/jdk1.8.0_131'))\n"),
    ("a.py", "import os\nos.environ['JAVA_HOME'] = '/usr/lib/jvm/java-17-openjdk-amd64'\n"),
    ("a.py", "import os\nos.environ['JAVA_HOME'] = os.path.join('/opt', 'jdk1.8')\n"),
    ("a.py", "import os\nos.environ['JDK'] = '/opt/jdk1.8.0_131'\n"),
    ("a.py", f"'''os.environ['JAVA_HOME'] = '{DEBIAN}' '''\n"),
    ("a.py", f"# os.environ['JAVA_HOME'] = '{DEBIAN}'\n"),
    ("a.py", "import os\nif os.environ['JAVA_HOME'] == '/opt/jdk1.8': pass\n"),
]
NO_COMMENTS = (".json", ".xml", "Jenkinsfile")


def found_in(name: str, text: str) -> list[str]:
    return [c.partition(":")[2] for c in codes(text.encode(), name)]


@pytest.mark.parametrize(("name", "text"), REPORTED)
def test_reported(name: str, text: str) -> None:
    assert "D909" in found_in(name, text)
    assert fixed_report(name, text, unsafe=True).content is None


@pytest.mark.parametrize(("name", "text"), SILENT)
def test_silent(name: str, text: str) -> None:
    assert "D909" not in found_in(name, text)
    assert fixed_report(name, text, unsafe=True).content is None


@pytest.mark.parametrize(("name", "text"), [f for f in REPORTED if not f[0].endswith(NO_COMMENTS)])
def test_silent_in_comments(name: str, text: str) -> None:
    commented = "".join(f"# {line}" for line in text.splitlines(keepends=True))
    assert found_in(name, commented) == []


@pytest.mark.parametrize(("name", "text"), [f for f in REPORTED if not f[0].endswith(".py")])
def test_only_where_there_are_streams(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert scan(tmp_path, "check").files == []
    (tmp_path / "job.py").write_text(JOB)
    found = {f.path: [x.code for x in f.findings] for f in scan(tmp_path, "check").files}
    assert set(found[name]) == {"D909"}


def test_images_of_one_file_are_apart() -> None:
    text = "FROM openjdk:8 AS base\nRUN apt-get install maven\nFROM openjdk:8\nCOPY job.py /\n"
    assert [f.at.line for f in report(text.encode(), "Dockerfile").findings] == [3]


def test_notebook() -> None:
    cells = [
        "!apt-get install openjdk-8-jdk-headless -qq > /dev/null",
        f"import os\nos.environ['JAVA_HOME'] = '{DEBIAN}'",
        f"%env JAVA_HOME={DEBIAN}",
        JOB,
    ]
    made = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": c.splitlines(keepends=True)}
        for c in cells
    ]
    text = json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    found = [f for f in fixed_report("a.ipynb", text).findings if f.code == "D909"]
    assert [(f.at.cell, f.fix) for f in found] == [(1, None), (2, None), (3, None)]


def test_message() -> None:
    (found,) = report(f"export JAVA_HOME={DEBIAN}\n".encode(), "run.sh").findings
    assert found.message == (f"`JAVA_HOME={DEBIAN}` is Java 8; Spark 4 needs Java 17 or later")
