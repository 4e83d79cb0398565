"""Requirements of PySpark."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.run.scan import scan
from tests.support.migrator.reports import codes
from tests.support.migrator.runs import JOB

FIRES = [
    ("requirements.txt", "pyspark==2.4.8\n"),
    ("requirements.txt", "pyspark[sql]>=2.2,<3.0  # old\n"),
    ("requirements-dev.txt", "pyspark ~= 3.5.0\n"),
    ("constraints.txt", "pyspark===2.3\n"),
    ("pyproject.toml", 'dependencies = ["pyspark==4.0.1"]\n'),
    ("pyproject.toml", 'pyspark = "^2.4"\n'),
    ("pyproject.toml", 'pyspark = { version = "~2.4", extras = ["sql"] }\n'),
    ("Pipfile", 'pyspark = "==2.4.4"\n'),
    ("environment.yml", "dependencies:\n  - pyspark=2.4.4\n"),
    ("setup.py", 'setup(install_requires=["pyspark<=2.4.8"])\n'),
    ("setup.cfg", "install_requires =\n  pyspark<4\n"),
    ("Dockerfile", "RUN pip install pyspark==2.4.8\n"),
    ("run.sh", 'pip install "pyspark==2.4.8"\n'),
    ("Dockerfile", "ARG SPARK=2.4.8\nRUN pip install pyspark==${SPARK}\n"),
    ("Dockerfile", "ENV SPARK 2.4.8\nRUN pip install x \\\n    pyspark==$SPARK\n"),
    ("run.sh", 'SPEC="pyspark==2.4.8"\npip install $SPEC\n'),
    ("run.sh", "V=2.4\npip install pyspark==$V.8\n"),
    ("pyproject.toml", 'pyspark = "~4.0"\n'),
    ("app.yaml", "kind: SparkApplication\nspec:\n  sparkVersion: 2.4.5\n"),
    ("README.md", "Run `pip install pyspark==2.4`\n"),
    # Spark itself
    ("docker-compose.yml", "services:\n  a:\n    image: bitnami/spark:2.4.5\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: 'bde2020/spark-worker:2.4.0-hadoop2.7'\n"),
    ("Dockerfile", "FROM jupyter/pyspark-notebook:spark-2.4.5\n"),
    ("Dockerfile", "FROM quay.io/jupyter/all-spark-notebook:spark-3 AS a\n"),
    ("Dockerfile", "FROM --platform=a apache/spark:v3.1.3\n"),
    ("Dockerfile", "FROM gcr.io/spark-operator/spark-py:v2.4.5\n"),
    ("Dockerfile", "ARG V=3.5\nFROM spark:$V\n"),
    ("a.sh", "wget https://x/spark/spark-2.4.8/spark-2.4.8-bin-hadoop2.7.tgz\n"),
    (".travis.yml", "- V=2.4.8\n- curl -O http://x/spark-$V/spark-$V-bin-hadoop2.7.tgz\n"),
    ("Vagrantfile", "  pip install pyspark==2.4.8\n"),
    ("tox.ini", "deps =\n  pyspark==2.4.8\n"),
    ("Dockerfile", "FROM sequenceiq/spark:1.6.0\n"),
    ("Dockerfile", "FROM gettyimages/spark:2.4.1-hadoop-3.0\n"),
    ("run.sh", "docker run --rm -v $PWD:/w bitnami/spark:2.4.5 spark-submit /w/job.py\n"),
    (".gitlab-ci.yml", "image:\n  name: bitnami/spark:2.4.5\n"),
    ("Jenkinsfile", "agent { docker { image 'bitnami/spark:2.4.5' } }\n"),
    ("Jenkinsfile", 'docker.image("apache/spark:v3.1.3").inside { }\n'),
    ("Jenkinsfile", "sh 'pip install pyspark==2.4.8'\n"),
]
SILENT = [
    ("requirements.txt", "pyspark\n"),
    ("requirements.txt", "pyspark>=2.4\n"),
    ("requirements.txt", "pyspark==4.3.0\n"),
    ("requirements.txt", "pyspark>=4.3,<5\n"),
    ("requirements.txt", "pyspark==4.1.0\n"),
    ("requirements.txt", "pyspark~=4.2.0\n"),
    ("requirements.txt", "pyspark!=2.4.8\n"),
    ("requirements.txt", "pyspark~=4.3\n"),
    ("requirements.txt", "pyspark==4.*\n"),
    ("requirements.txt", "# pyspark==2.4.8\n"),
    ("requirements.txt", "pyspark-stubs==2.4.0\n"),
    ("requirements.txt", "my-pyspark==2.4.8\n"),
    ("requirements.txt", "pyspark_utils==1.0\n"),
    ("requirements.txt", "https://x/pyspark==2\n"),
    ("pyproject.toml", 'pyspark = "^4.3"\n'),
    ("pyproject.toml", 'pyspark = "*"\n'),
    ("job.py", 'x = "pyspark is == 2"\n'),
    ("job.py", "pyspark == 2\n"),
    ("README.md", "It was written for pyspark==2.4.8.\n"),
    ("run.sh", "pyspark --version\n"),
    ("Dockerfile", "ARG SPARK=4.3.0\nRUN pip install pyspark==${SPARK}\n"),
    ("Dockerfile", "ARG SPARK\nRUN pip install pyspark==${SPARK}\n"),
    ("run.sh", "V=2.4.8\nV=4.3.0\npip install pyspark==$V\n"),
    ("pyproject.toml", 'pyspark = "~4.3"\n'),
    ("run.sh", "pyspark=$(which pyspark)\n"),
    ("app.yaml", "sparkVersion: 4.3.0\n"),
    ("app.yaml", "# sparkVersion: 2.4.5\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: bitnami/spark:4.1.0\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: bitnami/spark:latest\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: bitnami/spark\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: bitnami/kafka:2.4.5\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: acme/spark:2.4\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: acme/spark-job:1.2\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: my-spark:1.2\n"),
    ("docker-compose.yml", "services:\n  a:\n    # image: bitnami/spark:2.4.5\n"),
    ("docker-compose.yml", "services:\n  a:\n    my-image: bitnami/spark:2.4.5\n"),
    ("Dockerfile", "# FROM bitnami/spark:2.4.5\n"),
    ("Dockerfile", "RUN echo bitnami/spark:2.4.5\n"),
    ("Dockerfile", "FROM jupyter/pyspark-notebook:2343e33dec46\n"),
    ("Dockerfile", "FROM jupyter/pyspark-notebook:python-3.8\n"),
    ("Dockerfile", "FROM jupyter/pyspark-notebook:spark-4.1.0\n"),
    ("Dockerfile", "FROM apache/sparknlp:2.4\n"),
    ("Dockerfile", "FROM apache/kafka:3.7.0\n"),
    ("a.sh", "wget https://x/spark-4.1.0/spark-4.1.0-bin-hadoop3.tgz\n"),
    ("a.sh", "# wget https://x/spark-2.4.8-bin-hadoop2.7.tgz\n"),
    ("a.sh", "wget https://x/kafka_2.11-2.4.8.tgz https://x/hadoop-2.7.7.tar.gz\n"),
    ("a.sh", "wget https://x/my-spark-2.4.8-bin-all.tgz\n"),
    ("a.sh", "wget https://x/spark-$VERSION-bin-hadoop2.7.tgz\n"),
    ("a.sh", "ls https://x/spark-2.4.8-bin-hadoop2.7/README\n"),
    ("README.md", "See https://x/spark-2.4.8-bin-hadoop2.7.tgz and bitnami/spark:2.4.5.\n"),
    ("Vagrantfile", "  # pip install pyspark==2.4.8\n"),
    ("tox.ini", "# pyspark==2.4.8\n"),
    ("requirements.txt", "pyspark>=2.4,<5\n"),
    ("requirements.txt", "pyspark>4\n"),
    ("requirements.txt", "pyspark<=4.2.0\n"),
    ("requirements.txt", "pyspark===4.2.0\n"),
    ("requirements.txt", "pyspark[sql]>=4.1,<5\n"),
    ("requirements.txt", "-r pyspark.txt==2.4\n"),
    ("requirements.txt", "pysparkling==2.4.8\n"),
    ("requirements.txt", "delta-spark==2.4.0\nspark==0.2.1\nfindspark==1.4.2\n"),
    ("environment.yml", "dependencies:\n  - pyspark=4.2.0\n"),
    ("environment.yml", "dependencies:\n  - pyspark>=2.4\n"),
    ("environment.yml", "dependencies:\n  # - pyspark=2.4.4\n"),
    ("Pipfile", 'pyspark = "*"\n'),
    ("Pipfile", '# pyspark = "==2.4.4"\n'),
    ("pyproject.toml", "dependencies = ['pyspark>=4.1,<5']\n"),
    ("pyproject.toml", 'pyspark = { version = ">=4.1", extras = ["sql"] }\n'),
    ("setup.py", 'setup(install_requires=["pyspark>=4.1"])\n'),
    ("setup.py", "setup(install_requires=['pyspark' + WANTED])\n"),
    ("setup.py", 'setup(install_requires=["pyspark_utils==2.4.8"])\n'),
    ("setup.cfg", "install_requires =\n  pyspark>=4.1\n"),
    ("setup.cfg", "# pyspark<4\n"),
    ("Dockerfile", "# RUN pip install pyspark==2.4.8\n"),
    ("Dockerfile", "FROM sequenceiq/hadoop-docker:2.7.0\n"),
    ("Dockerfile", "FROM gettyimages/spark\n"),
    ("Dockerfile", "FROM acme/sequenceiq-spark:1.6.0\n"),
    ("run.sh", "docker run --rm -v $PWD:/w bitnami/spark:4.1.0 spark-submit /w/job.py\n"),
    ("run.sh", "docker build -t bitnami/spark:2.4.5 .\n"),
    ("run.sh", "# docker pull bitnami/spark:2.4.5\n"),
    ("run.sh", "docker run acme/job:2.4.5 spark-submit job.py\n"),
    (".gitlab-ci.yml", "image:\n  name: bitnami/spark:4.1.0\n"),
    (".gitlab-ci.yml", "job:\n  name: spark 2.4.5\n"),
    ("Jenkinsfile", "agent { docker { image 'bitnami/spark:4.1.0' } }\n"),
    ("Jenkinsfile", "// agent { docker { image 'bitnami/spark:2.4.5' } }\n"),
    ("Jenkinsfile", "sh 'ls'  // pip install pyspark==2.4.8\n"),
    ("Jenkinsfile", "sh '''\n  # pip install pyspark==2.4.8\n'''\n"),
    ("Jenkinsfile", "echo 'spark 2.4.8'\n"),
    ("app.yaml", 'sparkVersion: "4.1.1"\n'),
    ("a.yml", "my-container: bitnami/spark:2.4.5\n"),
    ("pom.xml", "<a>\n<!-- pip install pyspark==2.4.8 -->\n</a>\n"),
]


def test_there_are_twice_as_many_silent_cases() -> None:
    assert len(SILENT) >= 2 * len(FIRES)


@pytest.mark.parametrize(("name", "text"), FIRES)
def test_fires(name: str, text: str) -> None:
    assert [c.partition(":")[2] for c in codes(text.encode(), name)] == ["D905"]


@pytest.mark.parametrize(("name", "text"), SILENT)
def test_silent(name: str, text: str) -> None:
    assert "D905" not in [c.partition(":")[2] for c in codes(text.encode(), name)]


@pytest.mark.parametrize(("name", "text"), FIRES)
def test_only_where_there_are_streams(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert scan(tmp_path, "check").files == []
    (tmp_path / "job.py").write_text(JOB)
    found = {f.path: [x.code for x in f.findings] for f in scan(tmp_path, "check").files}
    assert found[name] == ["D905"]


@pytest.mark.parametrize("name", ["requirements/base.txt", "requirements/dev.in"])
def test_a_folder_of_requirements(tmp_path: Path, name: str) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / name).write_text("pyspark==2.4.8\n")
    (tmp_path / "job.py").write_text(JOB)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/base.txt").write_text("pyspark==2.4.8\n")
    found = [(f.path, x.code) for f, x in scan(tmp_path, "check").findings() if not x.is_fixed]
    assert found == [(name, "D905")]
    # named by itself: below its folder it is still a file of requirements
    assert scan(tmp_path / name, "check").scanned == 1
