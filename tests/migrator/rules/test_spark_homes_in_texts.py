"""Old Sparks that commands and settings name: what is dropped with `SPARK_HOME`, and what stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
OLD = "/opt/spark-2.4.4-bin-hadoop2.7"
PY4J = "$SPARK_HOME/python/lib/py4j-0.10.7-src.zip"
CHANGED = [
    (
        "a.sh",
        f"export PYTHONPATH=$SPARK_HOME/python:{PY4J}:$PYTHONPATH\npython job.py\n",
        "python job.py\n",
    ),
    (
        "a.sh",
        f"#!/bin/sh\nexport SPARK_HOME='{OLD}' # old\n"
        f"export PYTHONPATH=$SPARK_HOME/python:{PY4J}:$PYTHONPATH\njupyter notebook\n",
        "#!/bin/sh\n# old\njupyter notebook\n",
    ),
    (
        "a.sh",
        'V=2.1.0\nexport SPARK_HOME="/opt/spark-${V}"\nspark-submit job.py\n',
        "V=2.1.0\nspark-submit job.py\n",
    ),
    (
        "a.sh",
        f"export SPARK_HOME={OLD}\r\nspark-submit \\\r\n  --jars a.jar,b.jar job.py\r\n",
        "spark-submit \\\r\n  --jars a.jar,b.jar job.py\r\n",
    ),
    (
        "a.sh",
        f"export SPARK_HOME={OLD}\nspark-submit --conf spark.jars=a.jar job.py\n",
        "spark-submit --conf spark.jars=a.jar job.py\n",
    ),
]
# what is reported, and stays
REPORTED = [
    ("a.sh", f'"{OLD}/bin/spark-submit" job.py # c\n'),
    ("a.sh", f"exec {OLD}/bin/spark-submit \\\n  --master yarn \\\n  /jobs/job.py 1\n"),
    ("a.sh", "/usr/hdp/current/spark-client/bin/spark-submit job.py\n"),
    ("a.sh", "spark2-submit --master yarn job.py\n"),
    ("a.sh", "${SPARK_HOME:-/opt/spark-1.6.0}/bin/spark-submit job.py\n"),
    ("a.sh", "V=2.1.0\n/opt/spark-$V/bin/spark-submit job.py\n"),
    ("a.sh", "S=/usr/lib/spark2/bin\n$S/spark-submit job.py\n"),
    ("Makefile", f"run:\n\t{OLD}/bin/spark-submit job.py\n"),
    ("a.yaml", f"bash: {OLD}/bin/spark-submit job.py\n"),
    ("a.json", f'["{OLD}/bin/spark-submit", "job.py"]\n'),
    ("supervisord.conf", f"[program:a]\ncommand={OLD}/bin/spark-submit job.py\n"),
    ("README.md", f"Run `{OLD}/bin/spark-submit job.py`.\n"),
    ("notes.md", f"```\n{OLD}/bin/spark-submit job.py\n```\n"),
    ("a.sh", "SPARK_MAJOR_VERSION=2 spark-submit job.py\n"),
    ("a.sh", f'export PYTHONPATH="/mine:$SPARK_HOME/python/:{PY4J}"  # c\n'),
    ("a.sh", f"PYTHONPATH={OLD}/python:. python job.py\n"),
    ("a.env", f"PYTHONPATH={PY4J}\nA=b\n"),
    ("a.yaml", f"PYTHONPATH: /mine:{PY4J}\n"),
    ("a.sh", f"export PATH={OLD}/bin:{OLD}/sbin:$PATH\n"),
    ("a.sh", f"export SPARK_HOME={OLD}\nexport PATH=$PATH:$SPARK_HOME/bin\n"),
    ("a.sh", f"export SPARK_HOME={OLD}\n$SPARK_HOME/bin/spark-submit job.py\n"),
    ("a.sh", f"SPARK_HOME={OLD}\nexport SPARK_HOME\nspark-submit job.py\n"),
    ("Makefile", f"SPARK_HOME ?= {OLD}\n\nrun:\n\t$(SPARK_HOME)/bin/spark-submit job.py\n"),
    (
        "Dockerfile",
        f"FROM python:3.11\nENV SPARK_HOME {OLD}\nRUN pip install -r requirements.txt\n",
    ),
    ("a.sh", f'{OLD}/bin/spark-submit "$@"\n'),
    ("a.sh", f"SUBMIT={OLD}/bin/spark-submit\n"),
    ("a.service", f"[Service]\nExecStart={OLD}/bin/spark-submit job.py\n"),
    ("a.service", f"[Service]\nExecStartPre=-{OLD}/bin/spark-submit job.py\n"),
    ("a.sh", f"export SPARK_HOME={OLD}\n$SPARK_HOME/sbin/start-master.sh\n"),
    ("a.sh", f'export SPARK_HOME={OLD}\nls "$SPARK_HOME"\n'),
    ("a.sh", f"export SPARK_HOME={OLD}\n$SPARK_HOME/bin/spark-submit other.py\n"),
    ("a.sh", f"export SPARK_HOME={OLD}\nspark-submit other.py\n"),
    ("a.sh", f"export SPARK_HOME={OLD}\nspark-submit --class a.B a.jar\n"),
    ("a.sh", f"export SPARK_HOME={OLD}\nspark-submit --jars a.jar b.jar\n"),
    ("a.sh", f"if true; then\nexport SPARK_HOME={OLD}\nfi\n"),
    ("a.sh", f"if true; then\n  export SPARK_HOME={OLD}\nfi\n"),
    ("a.sh", f"export SPARK_HOME={OLD} A=b\n"),
    ("a.sh", f"SPARK_HOME={OLD} ./run\n"),
    ("a.sh", "export SPARK_HOME=/usr/local/spark\n"),
    ("a.sh", "export SPARK_MAJOR_VERSION=2\nspark-submit other.py\n"),
    ("a.sh", f"export PYTHONPATH={PY4J} A=b\n"),
    (
        "a.sh",
        f"export PYTHONPATH=\\\n{OLD}/python\nexport SPARK_HOME={OLD}\nexport B=$SPARK_HOME\n",
    ),
    ("a.yaml", f"environment:\n  SPARK_HOME: {OLD}\n"),
    ("a.yaml", f"environment:\n  - SPARK_HOME={OLD}\n"),
    ("a.yaml", f"env:\n  - name: SPARK_HOME\n    value: {OLD}\n"),
    ("b.yaml", f"env:\n  - {{value: '{OLD}', name: SPARK_HOME}}\n"),
    ("a.yaml", f"env:\n  - name: PYTHONPATH\n    value: /a:{OLD}/python:$(X)\n"),
    ("a.yaml", f"env:\n  - name: PATH\n    value: {OLD}/bin:/bin\n"),
    ("a.xml", f"<exec>{OLD}/bin/spark-submit</exec>\n<argument>job.py</argument>\n"),
    ("a.xml", f"<name>spark.yarn.appMasterEnv.SPARK_HOME</name>\n<value>{OLD}</value>\n"),
    ("a.xml", f"<spark-opts>--conf spark.executorEnv.SPARK_HOME={OLD} -x</spark-opts>\n"),
    ("Jenkinsfile", f"environment {{\n  SPARK_HOME = '{OLD}'\n}}\n"),
    ("a.json", json.dumps({"SPARK_HOME": OLD})),
    ("a.conf", f"spark.executorEnv.SPARK_HOME={OLD}\n"),
    ("Dockerfile", f'FROM x\nENV SPARK_HOME={OLD}\nCMD ["python", "job.py"]\n'),
    (
        "Dockerfile",
        "FROM x\nRUN curl https://archive.apache.org/spark-2.4.4.tgz\nRUN pip install a\n"
        f"ENV SPARK_HOME={OLD}\n",
    ),
]
SILENT = [
    ("a.sh", "$SPARK_HOME/bin/spark-submit job.py\n"),
    ("a.sh", "/usr/bin/spark-submit job.py\n"),
    ("a.sh", "/opt/spark-4.0.1/bin/spark-submit job.py\n"),
    ("a.sh", "/opt/spark/bin/spark-submit job.py\n"),
    ("a.service", "[Service]\nExecStart=/opt/spark/bin/spark-submit job.py\n"),
    ("supervisord.conf", "command=/opt/spark/bin/spark-submit job.py\n"),
    ("supervisord.conf", "command=/opt/spark-4.1.0/bin/spark-submit job.py\n"),
    ("a.sh", "export SPARK_HOME=/opt/spark-4.1.0\n$SPARK_HOME/bin/spark-submit job.py\n"),
    ("a.sh", "export SPARK_HOME=$(python -c 'import pyspark; print(pyspark.__path__[0])')\n"),
    ("a.sh", "export SPARK_HOME=$1\n"),
    ("a.sh", "export SPARK_HOME=\n"),
    ("a.sh", f"# export SPARK_HOME={OLD}\n"),
    ("a.sh", f"export MY_SPARK_HOME={OLD}\n"),
    ("a.sh", f'[ "$SPARK_HOME" = {OLD} ] && echo old\n'),
    ("a.sh", f"{OLD}/bin/spark-submit other.py\n"),
    ("a.sh", f"{OLD}/bin/spark-submit --class a.B a.jar\n"),
    ("a.sh", "export KAFKA_HOME=/opt/kafka_2.11-2.4.0\nexport HADOOP_HOME=/opt/hadoop-2.7\n"),
    ("a.sh", "export PATH=$PATH:/opt/kafka-2.4.0/bin:/opt/hadoop-2.7/bin\n"),
    ("a.sh", "export PYTHONPATH=$SPARK_HOME/python:$PYTHONPATH\n"),
    ("a.sh", "export PYTHONPATH=/mine/python:$PYTHONPATH\n"),
    ("a.sh", "PYTHONPATH=$SPARK_HOME/python/lib/py4j-0.10.9.9-src.zip\n"),
    ("a.sh", f"curl -O https://x/spark-2.4.4.tgz\nls {OLD}\n"),
    ("a.sh", "SPARK_MAJOR_VERSION=4 spark-submit job.py\n"),
    ("Dockerfile", "FROM apache/spark:4.0.1\nENV SPARK_HOME=/opt/spark\n"),
    ("Dockerfile", "ARG SPARK_VERSION=4.1.0\nENV SPARK_HOME=/opt/spark\n"),
    ("README.md", "```sh\nexport SPARK_HOME=/path/to/spark\n```\n"),
    ("README.md", f"It ran with SPARK_HOME={OLD}.\n"),
    ("a.yaml", f"env:\n  - name: OTHER\n    value: {OLD}\n"),
    ("a.yaml", f"env:\n  - name: SPARK_HOME\n  - name: OTHER\n    value: {OLD}\n"),
    ("a.yaml", f"env:\n  - value: {OLD}\n  - name: SPARK_HOME\n"),
    ("a.xml", f"<!-- <exec>{OLD}/bin/spark-submit</exec>\n<argument>job.py</argument> -->\n"),
    ("a.xml", f"<exec>{OLD}/bin/spark-submit</exec>\n<argument>other.py</argument>\n"),
    ("Jenkinsfile", f"// SPARK_HOME = '{OLD}'\n"),
    ("Jenkinsfile", f"sh '''\n  # export SPARK_HOME={OLD}\n'''\n"),
    ("a.sql", f"-- SPARK_HOME={OLD}\n"),
    ("a.csv", f"SPARK_HOME={OLD}\n"),
]


# comments, and a Spark that is new enough
FIRES = [*((name, before) for name, before, _ in CHANGED), *REPORTED]
SILENT += [
    (name, "".join(f"# {line}" for line in text.splitlines(keepends=True)))
    for name, text in FIRES
    if not name.endswith((".md", ".json", ".txt", ".xml"))
]
SILENT += [
    (name, text.replace(OLD, "/opt/spark-4.1.0-bin-hadoop3"))
    for name, text in FIRES
    if OLD in text and "py4j" not in text
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "job.py").write_text(JOB)
    return root


def found(migrate: Migrate, root: Path, name: str, *options: str) -> list[tuple[str, bool]]:
    run = migrate(root, "--check", "--format", "json", *options).json
    return [(f["code"], f["fixed"]) for f in run["findings"] if f["path"] == name]


@pytest.mark.parametrize(("name", "before", "after"), CHANGED)
def test_changed(migrate: Migrate, root: Path, name: str, before: str, after: str) -> None:
    (root / name).write_bytes(before.encode())
    migrate(root, "--in-place")
    assert (root / name).read_bytes() == after.encode()
    assert [code for code, _ in found(migrate, root, name) if code == "D908"] == []


def test_a_variable_goes_with_the_commands_that_dstream_compat_replaces(
    migrate: Migrate, root: Path
) -> None:
    text = f"export SPARK_HOME={OLD}\n$SPARK_HOME/bin/spark-submit job.py\n"
    (root / "a.sh").write_text(text)
    migrate(root, "--in-place", "--submit", "dstream-compat")
    assert (root / "a.sh").read_text() == "python -m dstream_compat submit job.py\n"
    assert found(migrate, root, "a.sh", "--submit", "dstream-compat") == []


@pytest.mark.parametrize(("name", "text"), REPORTED)
def test_reported(migrate: Migrate, root: Path, name: str, text: str) -> None:
    (root / name).write_text(text)
    assert ("D908", False) in found(migrate, root, name)
    migrate(root, "--in-place")
    assert (root / name).read_text() == text


@pytest.mark.parametrize(("name", "text"), SILENT)
def test_silent(migrate: Migrate, root: Path, name: str, text: str) -> None:
    (root / name).write_bytes(text.encode())
    assert "D908" not in [code for code, _ in found(migrate, root, name)]
    migrate(root, "--in-place")
    assert (root / name).read_bytes() == text.encode()


@pytest.mark.parametrize(("name", "text", "_"), CHANGED)
def test_only_where_there_are_streams(
    migrate: Migrate, root: Path, name: str, text: str, _: str
) -> None:
    (root / "job.py").write_text("print(1)\n")
    (root / name).write_text(text)
    assert found(migrate, root, name) == []


def test_advice_for_a_command(migrate: Migrate, root: Path) -> None:
    (root / "a.service").write_text(f"[Service]\nExecStart={OLD}/bin/spark-submit job.py\n")
    out = migrate(root, "--check").out
    assert "-> name the spark-submit that the installed PySpark brings\n" in out


def test_a_variable_that_another_file_needs_stays(migrate: Migrate, root: Path) -> None:
    text = f"export SPARK_HOME={OLD}\n"
    (root / "env.sh").write_text(text)
    (root / "run.sh").write_text(". ./env.sh\n$SPARK_HOME/bin/spark-submit job.py\n")
    assert found(migrate, root, "env.sh") == [("D908", False)]
    (root / "run.sh").unlink()
    (root / "README.md").write_text("Set SPARK_HOME.\n")
    assert found(migrate, root, "env.sh") == [("D908", True)]


def test_files_that_set_it_themselves_need_no_other(migrate: Migrate, root: Path) -> None:
    text = f"export SPARK_HOME={OLD}\nexport PYTHONPATH={PY4J}\nspark-submit job.py\n"
    for name in ("a.sh", "b.sh"):
        (root / name).write_text(text)
    migrate(root, "--in-place")
    for name in ("a.sh", "b.sh"):
        assert (root / name).read_text() == "spark-submit job.py\n"


def test_a_variable_goes_after_all_that_needs_it(migrate: Migrate, root: Path) -> None:
    read = "os.path.join(os.environ['SPARK_HOME'], 'python/lib/py4j-0.9-src.zip')"
    job = f"import os, sys\nsys.path.append({read}){{}}\n{JOB}"
    (root / "env.sh").write_text(f"export SPARK_HOME={OLD}\n")
    (root / "a.sh").write_text(f"export PYTHONPATH={PY4J}:$PYTHONPATH\n")
    (root / "job.py").write_text(job.format("  # migrate: ignore[D908]"))
    assert found(migrate, root, "env.sh") == [("D908", False)]
    (root / "job.py").write_text(job.format(""))
    assert migrate(root, "--in-place").code == 0
    assert (root / "env.sh").read_text() == (root / "a.sh").read_text() == ""
    assert "SPARK_HOME" not in (root / "job.py").read_text()
    assert "0 files would be rewritten" in migrate(root, "--check").out


def test_ignored(migrate: Migrate, root: Path) -> None:
    (root / "a.sh").write_text("spark2-submit job.py  # migrate: ignore[D908]\n")
    run = migrate(root, "--check", "--format", "json").json
    (only,) = [f for f in run["findings"] if f["path"] == "a.sh"]
    assert (only["code"], only["fixed"]) == ("D908", False)
    assert only["suppression"]["by"] == "comment"


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        f"%env SPARK_HOME={OLD}",
        f"%env SPARK_HOME {OLD}",
        f"%set_env SPARK_HOME={OLD}",
        f"!export SPARK_HOME='{OLD}'",
    ],
)
def test_magic(migrate: Migrate, root: Path, line: str) -> None:
    cells = [{"cell_type": "code", "source": ["import os\n", f"{line}\n", "x = 1"]}]
    cells.append({"cell_type": "code", "source": [JOB]})
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    (root / "a.ipynb").write_text(text)
    assert ("D908", False) in found(migrate, root, "a.ipynb")
    for reader in ("!ls $SPARK_HOME", "print(os.environ['SPARK_HOME'])"):
        cells[0]["source"] = ["import os\n", f"os.environ['SPARK_HOME'] = '{OLD}'\n", reader]
        (root / "a.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}))
        assert ("D908", False) in found(migrate, root, "a.ipynb")


@pytest.mark.parametrize(
    "line", ["%env SPARK_HOME", "%env SPARK_HOME=/opt/spark-4.1.0", "%env A=b"]
)
def test_other_magics(migrate: Migrate, root: Path, line: str) -> None:
    cells = [{"cell_type": "code", "source": [f"{line}\n", JOB]}]
    (root / "a.ipynb").write_text(json.dumps({"cells": cells, "metadata": {}}))
    assert "D908" not in [code for code, _ in found(migrate, root, "a.ipynb")]
