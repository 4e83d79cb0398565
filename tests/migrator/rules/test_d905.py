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
]


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
    found = [(f.path, x.code) for f, x in scan(tmp_path, "check").findings() if not x.fixed]
    assert found == [(name, "D905")]
    # named by itself: below its folder it is still a file of requirements
    assert scan(tmp_path / name, "check").scanned == 1
