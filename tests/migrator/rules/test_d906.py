"""Jobs that run with Python 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.run.scan import scan
from tests.support.migrator.fixes import fixed_report
from tests.support.migrator.reports import codes, report
from tests.support.migrator.runs import JOB

FIRES = [
    ("run.sh", "export PYSPARK_PYTHON=python2\n"),
    ("run.sh", "PYSPARK_DRIVER_PYTHON=/usr/bin/python2.7 spark-submit x.py\n"),
    ("spark-defaults.conf", "spark.pyspark.python  /usr/bin/python2.7\n"),
    ("a.sh", "x --conf spark.pyspark.driver.python=python2\n"),
    ("app.yaml", 'kind: SparkApplication\nspec:\n  pythonVersion: "2"\n'),
    ("run.bat", "set PYSPARK_PYTHON=C:\\Python27\\python.exe\n"),
    ("Dockerfile", "FROM python:2.7-slim\n"),
    ("Dockerfile", "FROM registry/python:2\n"),
    ("Dockerfile", "ARG V=2.7\nFROM python:${V}\n"),
    ("run.sh", "export PYSPARK_PYTHON=/opt/python3.6\n"),
    ("environment.yml", "dependencies:\n  - python=2.7\n"),
    ("environment.yml", "dependencies:\n  - python==3.6.*\n"),
    ("environment.yml", "dependencies:\n  - python >=3.6,<3.8\n"),
    ("run.sh", "conda create -y -n job python=2.7 numpy\n"),
    ("Pipfile", '[requires]\npython_version = "2.7"\n'),
    ("Pipfile", '[requires]\npython_full_version = "3.8.1"\n'),
    ("pyproject.toml", '[project]\nrequires-python = "<3.9"\n'),
    ("pyproject.toml", '[project]\nrequires-python = ">=2.7, <3"\n'),
    ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^2.7"\n'),
    ("pyproject.toml", '[tool.poetry.dependencies]\npython = "~3.8"\n'),
    ("setup.cfg", "[options]\npython_requires = >=3.6,<3.10\n"),
    ("setup.py", 'setup(python_requires=">=2.7,<3")\n'),
    ("docker-compose.yml", "services:\n  a:\n    image: python:2.7\n"),
    ("a.yml", "with:\n  python-version: '3.7'\n"),
    ("a.yml", "python-version: ['2.7', 3.6]\n"),
    (".travis.yml", "python:\n  - '2.7'\n  - 3.6-dev\n"),
    (".travis.yml", "python: 2.7\n"),
    ("tox.ini", "[tox]\nenvlist = py27, py36\n"),
    ("tox.ini", "[testenv]\nbasepython = python2.7\n"),
    ("tox.ini", "[tox]\nenvlist =\n    py27\n    py36-spark{24,30}  # c\n\n[testenv]\n"),
    ("tox.ini", "[tox]\nenvlist =\n    {py27,py36}-spark,\n    lint,\n"),
    ("tox.ini", "[tox]\nenv_list = py27, lint\n"),
    ("app.yaml", "env:\n  - name: PYSPARK_PYTHON\n    value: python2.7\n"),
    ("app.yaml", "env:\n  - value: '/usr/bin/python2'\n    name: PYSPARK_DRIVER_PYTHON\n"),
    ("a.xml", "<name>spark.pyspark.python</name>\n <value>/usr/bin/python2.7</value>\n"),
    (".gitlab-ci.yml", "image:\n  name: python:2.7\n"),
    ("a.yml", "    container: python:2.7-slim\n"),
    ("Jenkinsfile", "agent { docker { image 'python:2.7' } }\n"),
    ("Jenkinsfile", "agent { docker 'python:2.7' }\n"),
    ("run.sh", "docker run -v $PWD:/w python:2.7 python /w/job.py\n"),
    ("Jenkinsfile", "environment { PYSPARK_PYTHON = 'python2.7' }\n"),
]
# read where a job uses them
PROGRAMS = [
    ("env.py", "import os\nos.environ['PYSPARK_PYTHON'] = '/usr/bin/python2.7'\n"),
    ("env.py", "import os\nos.environ.setdefault('PYSPARK_DRIVER_PYTHON', 'python2')\n"),
    ("env.py", "import os\nos.environ.update({'PYSPARK_PYTHON': '/opt/python3.6'})\n"),
    ("env.py", "conf.set('spark.pyspark.python', 'python2')\n"),
    ("env.py", "run('PYSPARK_PYTHON=python2.7 spark-submit job.py')\n"),
    ("env.py", "run('export PYSPARK_PYTHON=python2\\nspark-submit job.py')\n"),
    ("env.py", "conf.set('spark.executorEnv.PYSPARK_PYTHON', './env/bin/python3.7')\n"),
    ("env.py", "a = {'spark.yarn.appMasterEnv.PYSPARK_PYTHON': '/usr/bin/python2.7'}\n"),
]
SILENT = [
    ("run.bat", "set PYSPARK_PYTHON=C:\\Python311\\python.exe\n"),
    ("run.bat", "set PYTHON=C:\\Python27\\python.exe\n"),
    ("run.sh", "export PYSPARK_PYTHON=python3\n"),
    ("run.sh", "export PYSPARK_PYTHON=$PYTHON\n"),
    ("run.sh", "# PYSPARK_PYTHON=python2\n"),
    ("run.sh", "echo python2\n"),
    ("run.sh", "PYSPARK_PYTHON=python3.11 python2=1\n"),
    ("run.sh", "X_PYSPARK_PYTHON_X=python2\n"),
    ("app.yaml", 'pythonVersion: "3"\n'),
    ("app.yaml", "pythonVersion: '3.2'\n"),
    ("app.yaml", "replicas: 2\n"),
    ("Dockerfile", "FROM python:3.12\n"),
    ("Dockerfile", "FROM debian:2\n"),
    ("Dockerfile", "RUN apt install python2\n"),
    ("a.conf", "spark.pyspark.python python3\n"),
    ("job.py", "x = 'python2'\n"),
    ("run.sh", "export PYSPARK_PYTHON=python3.12\n"),
    ("environment.yml", "dependencies:\n  - python=3.11\n"),
    ("environment.yml", "dependencies:\n  - python=3\n"),
    ("environment.yml", "dependencies:\n  - python>=3.6\n"),
    ("environment.yml", "dependencies:\n  - python\n"),
    ("environment.yml", "dependencies:\n  - python-dateutil=2.8.2\n"),
    ("environment.yml", "dependencies:\n  - ipython=2.7\n"),
    ("environment.yml", "dependencies:\n  # - python=2.7\n"),
    ("run.sh", "conda install python-snappy=0.5\n"),
    ("run.sh", "echo python=2.7\n"),
    ("Pipfile", '[requires]\npython_version = "3.11"\n'),
    ("Pipfile", '[requires]\npython_version = "3"\n'),
    ("pyproject.toml", '[tool.mypy]\npython_version = "3.8"\n'),
    ("mypy.ini", "[mypy]\npython_version = 2.7\n"),
    ("pyproject.toml", "tool.x = \"foo; python_version == '2.7'\"\n"),
    ("requirements.txt", "futures==3.0; python_version == '2.7'\n"),
    ("pyproject.toml", '[project]\nrequires-python = ">=3.6"\n'),
    ("pyproject.toml", '[project]\nrequires-python = ">=3.11,<3.14"\n'),
    ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.6"\n'),
    ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^2.7 || ^3.6"\n'),
    ("pyproject.toml", '[tool.other]\npython = "2.7"\n'),
    ("pyproject.toml", '[tool.black]\ntarget-version = ["py27"]\n'),
    ("setup.py", 'setup(python_requires=">=3.6")\n'),
    ("setup.py", "setup(python_requires=WANTED)\n"),
    ("env.py", "import os\nos.environ['PYSPARK_PYTHON'] = '/usr/bin/python3'\n"),
    ("env.py", "import os\nos.environ['PYSPARK_PYTHON'] = 'python3.12'\n"),
    ("env.py", "import os, sys\nos.environ['PYSPARK_PYTHON'] = sys.executable\n"),
    ("env.py", "import os\nx = os.environ.get('PYSPARK_PYTHON', 'python2')\n"),
    ("env.py", "import os\nx = os.environ['PYSPARK_PYTHON'], 'python2.7'\n"),
    ("env.py", "import os\nos.environ['PYTHON'] = 'python2.7'\n"),
    ("env.py", "import os\nos.environ['PYSPARK_PYTHON'] = '/usr/bin/mypython'\n"),
    ("env.py", "conf.set('spark.pyspark.python', 'python3')\n"),
    ("env.py", "run('PYSPARK_PYTHON=python3 spark-submit job.py')\n"),
    ("env.py", "run('# PYSPARK_PYTHON=python2.7\\nspark-submit job.py')\n"),
    ("env.py", "'''PYSPARK_PYTHON=python2.7'''\n"),
    ("env.py", "run('MY_PYTHON=python2.7 spark-submit job.py')\n"),
    ("env.py", "conf.set('spark.executorEnv.PYSPARK_PYTHON', './env/bin/python')\n"),
    ("env.py", "a = {'spark.yarn.appMasterEnv.PYSPARK_PYTHON': 'python3.12'}\n"),
    ("env.py", "conf.set('spark.executorEnv.PYTHON', 'python2.7')\n"),
    ("env.py", "x = conf.get('spark.executorEnv.PYSPARK_PYTHON', 'python2.7')\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: python:3.11-slim\n"),
    ("docker-compose.yml", "services:\n  a:\n    # image: python:2.7\n"),
    ("docker-compose.yml", "services:\n  a:\n    image: redis:2.7\n"),
    ("a.yml", "python-version: 3.12\n"),
    ("a.yml", "python-version: 3.x\n"),
    ("a.yml", "python-version: ${{ matrix.python }}\n"),
    ("a.yml", "python-version: [2.7, '3.11']\n"),
    ("a.yml", "# python-version: 2.7\n"),
    ("a.yml", "node-version: 3.7\n"),
    (".travis.yml", "python:\n  - '2.7'\n  - '3.12'\n"),
    (".travis.yml", "python:\n  - '2.7'\n  - nightly\n"),
    (".travis.yml", "# python:\n#  - 2.7\n"),
    (".travis.yml", "python: 3.11\n"),
    ("a.yml", "  python:\n  - 2.7\n"),
    ("tox.ini", "[tox]\nenvlist = py27, py311\n"),
    ("tox.ini", "[tox]\n# envlist = py27\n"),
    ("tox.ini", "[testenv]\nbasepython = python3\n"),
    ("tox.ini", "[tox]\nenvlist =\n    py27\n    py311-spark4\n"),
    ("tox.ini", "[tox]\nenvlist =\n    {py27,py312}-spark\n"),
    ("tox.ini", "[tox]\nenvlist =\n    py27\n    integration\n"),
    ("tox.ini", "[tox]\nenvlist =\n    # py27\n    py3\n"),
    ("tox.ini", "[tox]\nenvlist = lint, docs\n"),
    ("tox.ini", "[tox]\nenvlist = py27, spark\n"),
    ("tox.ini", "[tox]\nenvlist =\n\n[testenv]\ndeps =\n    py27\n"),
    ("app.yaml", "env:\n  - name: PYSPARK_PYTHON\n    value: python3\n"),
    ("app.yaml", "env:\n  - name: PYTHON\n    value: python2.7\n"),
    ("app.yaml", "env:\n  - name: PYSPARK_PYTHON\n  - name: X\n    value: python2.7\n"),
    ("app.yaml", "env:\n  - name: PYSPARK_PYTHON\n    valueFrom: python2.7\n"),
    ("app.yaml", "env:\n  - value: python2.7\n  - name: PYSPARK_PYTHON\n"),
    ("app.yaml", "env:\n  # - name: PYSPARK_PYTHON\n  #   value: python2.7\n"),
    ("a.xml", "<!--\n<name>spark.pyspark.python</name><value>python2</value>\n-->\n"),
    ("a.xml", "<a>\n<name>spark.pyspark.python</name><value>python3</value>\n</a>\n"),
    (".gitlab-ci.yml", "image:\n  name: python:3.11\n"),
    ("a.yml", "- name: python2.7\n  apt: x\n"),
    ("a.yml", "- name: Run with Python 2.7\n"),
    (".github/workflows/a.yml", "    container: python:3.12-slim\n"),
    ("Jenkinsfile", "agent { docker { image 'python:3.11' } }\n"),
    ("Jenkinsfile", "// agent { docker { image 'python:2.7' } }\n"),
    ("Jenkinsfile", "echo 'python2.7'\n"),
    ("run.sh", "docker run -v $PWD:/w python:3.11 python /w/job.py\n"),
    ("run.sh", "docker run acme/job:1 python2 x.py\n"),
    ("run.sh", "docker build -t python:2.7 .\n"),
]


def test_there_are_twice_as_many_silent_cases() -> None:
    assert len(SILENT) >= 2 * len(FIRES)


@pytest.mark.parametrize(("name", "text"), [*FIRES, *PROGRAMS])
def test_fires(name: str, text: str) -> None:
    assert [c.partition(":")[2] for c in codes(text.encode(), name)] == ["D906"]


@pytest.mark.parametrize(("name", "text"), SILENT)
def test_silent(name: str, text: str) -> None:
    assert "D906" not in [c.partition(":")[2] for c in codes(text.encode(), name)]


@pytest.mark.parametrize(("name", "text"), FIRES)
def test_only_where_there_are_streams(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert scan(tmp_path, "check").files == []
    (tmp_path / "job.py").write_text(JOB)
    found = {f.path: [x.code for x in f.findings] for f in scan(tmp_path, "check").files}
    assert found[name] == ["D906"]


@pytest.mark.parametrize("text", [text for _, text in PROGRAMS])
def test_programs(tmp_path: Path, text: str) -> None:
    (tmp_path / "env.py").write_text(text)
    assert scan(tmp_path, "check").files == []
    (tmp_path / "job.py").write_text(f"import env\n{JOB}")
    found = {f.path: [x.code for x in f.findings] for f in scan(tmp_path, "check").files}
    assert found["env.py"] == ["D906"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.yml", "- python=2.7\n", "`python=2.7` is Python 2; dstream_compat needs Python 3.11"),
        (
            "pyproject.toml",
            'requires-python = "<3.9"\n',
            '`requires-python = "<3.9"` lets no Python 3.11 in, which dstream_compat needs',
        ),
        (
            "Pipfile",
            '[requires]\npython_version = "2.7"\n',
            '`python_version = "2.7"` is Python 2; dstream_compat needs Python 3.11',
        ),
    ],
)
def test_message(name: str, text: str, message: str) -> None:
    (finding,) = report(text.encode(), name).findings
    assert finding.message.startswith(message)


@pytest.mark.parametrize(
    ("last", "changes"),
    [
        ("COPY job.py producer.py /\n", True),
        ("COPY setup.py *.py /\n", True),
        ("COPY . /\n", True),
        ("COPY producer.py /\n", False),
        ('COPY . /\nCMD ["python", "/app/producer.py"]\n', False),
    ],
)
def test_an_image_of_other_programs_is_left(last: str, changes: bool) -> None:
    found = fixed_report("Dockerfile", f"FROM python:2.7\n{last}", others={"job.py": JOB})
    assert (found.content is not None) is changes
    assert [f.code for f in found.findings] == ["D906"]


def test_nothing_in_a_project_of_another_language(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("import org.apache.spark.streaming.Seconds;\n")
    (tmp_path / "Dockerfile").write_text("FROM python:2.7\nRUN pip install pyspark==2.4.8\n")
    assert [f.path for f in scan(tmp_path, "check").files] == ["A.java"]
