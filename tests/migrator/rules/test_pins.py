"""Pinned versions: what they become, and which stay."""

from __future__ import annotations

import pytest

from tests.support.migrator.fixes import fixed_report, fixed_text

CHANGED = [
    # PySpark
    ("requirements.txt", "a==1\npyspark==2.4.8\nb\n", "a==1\npyspark>=4.1,<5\nb\n"),
    ("requirements.txt", "pyspark[sql]>=2.2,<3.0  # old\n", "pyspark[sql]>=4.1,<5  # old\n"),
    ("requirements.txt", "pyspark>=2.2, <3.0", "pyspark>=4.1,<5"),
    ("requirements-dev.txt", "pyspark ~= 3.5.0\r\n", "pyspark >=4.1,<5\r\n"),
    ("constraints.txt", "pyspark===2.3\n", "pyspark>=4.1,<5\n"),
    (
        "pyproject.toml",
        "[project]\ndependencies = ['a', 'pyspark==2.4']\n",
        "[project]\ndependencies = ['a', 'pyspark>=4.1,<5']\n",
    ),
    ("pyproject.toml", 'pyspark = "^2.4" # c\n', 'pyspark = ">=4.1,<5" # c\n'),
    (
        "pyproject.toml",
        'pyspark = { version = "~2.4", extras = ["sql"] }\n',
        'pyspark = { version = ">=4.1,<5", extras = ["sql"] }\n',
    ),
    ("Pipfile", 'pyspark = "==2.4.4"\n', 'pyspark = ">=4.1,<5"\n'),
    ("environment.yml", "- pyspark=2.4.4\n", "- pyspark>=4.1,<5\n"),
    ("environment.yml", '- "pyspark=2.4.*"\n', '- "pyspark>=4.1,<5"\n'),
    (
        "setup.py",
        'setup(install_requires=["a", "pyspark<=2.4.8"])\n',
        'setup(install_requires=["a", "pyspark>=4.1,<5"])\n',
    ),
    (
        "setup.cfg",
        "install_requires =\n  pyspark<4\n  a\n",
        "install_requires =\n  pyspark>=4.1,<5\n  a\n",
    ),
    ("Dockerfile", "RUN pip install pyspark==2.4.8 a\n", "RUN pip install pyspark~=4.1 a\n"),
    (
        "Dockerfile",
        "RUN pip3 install \\\n  pyspark==2.4\n",
        "RUN pip3 install \\\n  pyspark~=4.1\n",
    ),
    ("run.sh", 'pip install "pyspark==2.4.8"\n', 'pip install "pyspark>=4.1,<5"\n'),
    ("run.sh", "conda install -y pyspark=2.4\n", "conda install -y pyspark=4.1\n"),
    ("run.sh", "pip install pyspark==2.4.8; ls\n", "pip install pyspark~=4.1; ls\n"),
    ("README.md", "Run `pip install pyspark==2.4`\n", "Run `pip install pyspark~=4.1`\n"),
    # Python
    ("Dockerfile", "FROM python:2.7\n", "FROM python:3.11\n"),
    ("Dockerfile", "FROM python:2 AS a # b\n", "FROM python:3.11 AS a # b\n"),
    (
        "Dockerfile",
        "FROM --platform=x python:2.7.18-slim\n",
        "FROM --platform=x python:3.11-slim\n",
    ),
    ("Dockerfile", "FROM python:2.7-slim-buster\n", "FROM python:3.11-slim-buster\n"),
    (
        "a.yml",
        "services:\n  a:\n    image: 'python:2.7-slim'\n",
        "services:\n  a:\n    image: 'python:3.11-slim'\n",
    ),
    ("a.yml", "with:\n  python-version: 2.7 # c\n", "with:\n  python-version: 3.11 # c\n"),
    ("a.yml", "- python-version: '3.7'\n", "- python-version: '3.11'\n"),
    ("environment.yml", "dependencies:\n  - python=2.7\n", "dependencies:\n  - python=3.11\n"),
    ("environment.yml", "- python=2.7.18 # c\n", "- python=3.11 # c\n"),
    ("environment.yml", "- python==3.6\n", "- python==3.11\n"),
    ("environment.yml", "- python>=2.7,<3\n", "- python>=3.11\n"),
    ("run.sh", "conda create -n a python=2.7 b\n", "conda create -n a python=3.11 b\n"),
    ("Pipfile", '[requires]\npython_version = "2.7"\n', '[requires]\npython_version = "3.11"\n'),
    ("pyproject.toml", 'requires-python = "<3.9"\n', 'requires-python = ">=3.11"\n'),
    (
        "pyproject.toml",
        '[tool.poetry.dependencies]\npython = "^2.7" # c\n',
        '[tool.poetry.dependencies]\npython = "^3.11" # c\n',
    ),
    ("setup.cfg", "python_requires = <3\n", "python_requires = >=3.11\n"),
    ("setup.py", "setup(python_requires='<3', a=1)\n", "setup(python_requires='>=3.11', a=1)\n"),
]
LEFT = [
    ("a.yml", "python-version: ['2.7']\n"),
    ("a.yml", "image: bitnami/spark:2.4.5\n"),
    ("a.sh", "wget https://x/spark-2.4.8-bin-hadoop2.7.tgz\n"),
    (".travis.yml", "python:\n  - '2.7'\n"),
    ("tox.ini", "envlist = py27\nbasepython = python2.7\n"),
    ("requirements.txt", "pyspark==2.4.8 --hash=sha256:aa\n"),
    ("requirements.txt", "pyspark==2.4.8 \\\n  --hash=sha256:aa\n"),
    ("requirements.txt", "pyspark==2.4.8; python_version < '3'\n"),
    ("requirements.txt", "pyspark>=4.3\n"),
    ("requirements.txt", "pyspark\n"),
    ("requirements.txt", "pyspark>=2.4\n"),
    ("requirements.txt", "# pyspark==2.4.8\n"),
    ("requirements.txt", "pyspark-stubs==2.4.0\n"),
    ("environment.yml", "- pyspark=2.4.4=py_0\n"),
    ("environment.yml", "- python=2.7.18=h_1\n"),
    ("environment.yml", "- python>=3.6\n"),
    ("run.sh", "V=2.4.8\npip install pyspark==$V\n"),
    ("run.sh", "V=2.4\npip install pyspark==$V.8\n"),
    ("Dockerfile", "ARG SPARK=2.4.8\nRUN pip install pyspark==${SPARK}\n"),
    ("Dockerfile", "ARG V=2.7\nFROM python:${V}\n"),
    ("Dockerfile", "FROM registry/python:2.7\n"),
    ("Dockerfile", "FROM python:2.7-jessie\n"),
    ("Dockerfile", "FROM python:2.7-windowsservercore\n"),
    ("Dockerfile", "FROM acme/python2\n"),
    ("Dockerfile", "FROM python:3.9\n"),
    ("app.yaml", "sparkVersion: 2.4.5\n"),
    ("app.yaml", 'pythonVersion: "2"\n'),
    ("run.sh", "export PYSPARK_PYTHON=python2.7\n"),
    ("a.conf", "spark.pyspark.python /usr/bin/python2.7\n"),
    ("Pipfile", '[requires]\npython_full_version = "2.7.18"\n'),
    ("Pipfile", '[requires]\npython_version = "3"\n'),
    ("pyproject.toml", '[tool.mypy]\npython_version = "2.7"\n'),
    ("pyproject.toml", 'requires-python = ">=3.6"\n'),
    ("setup.py", "setup(python_requires=WANTED)\n"),
    ("setup.py", "setup(python_requires='<' + '3')\n"),
    ("setup.py", "x = 'pyspark is == 2'\n"),
    ("setup.py", "x = 'pyspark==' '2.4'\n"),
    ("setup.py", "x = f'pyspark=={v}'\n"),
    ("setup.py", "setup(python_requires='<'\n '3')\n"),
    ("job2.py", "# pyspark==2.4.8\n"),
    ("README.md", "It was written for pyspark==2.4.8.\n"),
]


@pytest.mark.parametrize(("name", "before", "after"), CHANGED)
def test_changed(name: str, before: str, after: str) -> None:
    assert fixed_text(name, before) == after
    (finding,) = fixed_report(name, before).findings
    assert finding.is_fixed and "instead of" in finding.message


@pytest.mark.parametrize(("name", "text"), LEFT)
def test_left(name: str, text: str) -> None:
    found = fixed_report(name, text)
    assert found.content is None
    assert not any(f.is_fixed for f in found.findings)
