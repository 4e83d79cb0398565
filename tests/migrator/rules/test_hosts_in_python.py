"""Images that programs start: operators of Airflow, containers, dicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.run.scan import scan
from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.runs import JOB

CHANGED = [
    ("DockerOperator(image='python:2.7')\n", "DockerOperator(image='python:3.11')\n"),
    (
        "KubernetesPodOperator(\n    name='\u00e9', image=\"python:2.7-slim\",  # python:2.7\n)\n",
        "KubernetesPodOperator(\n    name='\u00e9', image=\"python:3.11-slim\",  # python:2.7\n)\n",
    ),
    (
        "x.DockerOperator(image='python:2', command=['python', 'job.py'])\n",
        "x.DockerOperator(image='python:3.11', command=['python', 'job.py'])\n",
    ),
    (
        "@task.docker(image='python:2.7.18-slim-buster')\ndef f(): pass\n",
        "@task.docker(image='python:3.11-slim-buster')\ndef f(): pass\n",
    ),
    ("a.containers.run('python:2.7', 'ls')\n", "a.containers.run('python:3.11', 'ls')\n"),
    ("V1Container(name='a', image='python:2.7')\n", "V1Container(name='a', image='python:3.11')\n"),
    (
        "def f():\n    print 'a', DockerOperator(image='python:2.7')\n",
        "def f():\n    print 'a', DockerOperator(image='python:3.11')\n",
    ),
]
REPORTED = [
    ("D906", "DockerOperator(image='acme/python:2.7')\n"),
    ("D906", "DockerOperator(image='python:2.7-jessie')\n"),
    ("D906", "DockerOperator(image='python:2' '.7')\n"),
    ("D906", "DockerOperator(image=r'python:2.7')\n"),
    ("D906", "DockerOperator(image='python:2.7', command='python other.py')\n"),
    ("D906", "IMAGE = 'python:2.7'\nDockerOperator(image=IMAGE)\nf(IMAGE)\n"),
    ("D906", "f({'image': 'python:2.7'})\n"),
    ("D906", "f(image='python:2.7')\n"),
    ("D905", "DockerOperator(image='bitnami/spark:2.4.5')\n"),
    ("D905", "DockerOperator(image='gcr.io/spark-operator/spark-py:v2.4.5')\n"),
    ("D905", "f({'image': 'jupyter/pyspark-notebook:spark-2.4.5'})\n"),
]
SILENT = [
    "DockerOperator(image='python:3.11')\n",
    "DockerOperator(image='python:3.12-slim')\n",
    "DockerOperator(image='python:latest')\n",
    "DockerOperator(image='python')\n",
    "DockerOperator(image='redis:2.7')\n",
    "DockerOperator(image='my-python:2.7')\n",
    "DockerOperator(image='acme/job:2.7')\n",
    "DockerOperator(image='acme/spark:2.4.5')\n",
    "DockerOperator(image='acme/spark-job:2.4.5')\n",
    "DockerOperator(image='bitnami/spark:4.1.0')\n",
    "DockerOperator(image='bitnami/spark:latest')\n",
    "DockerOperator(image='bitnami/kafka:2.4.5')\n",
    "DockerOperator(image='Use python:2.7')\n",
    "DockerOperator(image='image: python:2.7')\n",
    "DockerOperator(image=f'python:2.{minor}')\n",
    "DockerOperator(image='python:2.%s' % minor)\n",
    "DockerOperator(image='python:2' + minor)\n",
    "DockerOperator(image=name('python:2.7'))\n",
    "DockerOperator(my_image='python:2.7')\n",
    "DockerOperator(images='bitnami/spark:2.4.5')\n",
    "DockerOperator(name='python:2.7')\n",
    "DockerOperator('python:2.7')\n",
    "# DockerOperator(image='python:2.7')\n",
    "DockerOperator(image='x')  # image='python:2.7'\n",
    "'''DockerOperator(image='python:2.7')'''\n",
    "x = \"DockerOperator(image='python:2.7')\"\n",
    "image = 'python:2.7'\n",
    "IMAGE = 'python:2.7'\nDockerOperator(image=OTHER)\n",
    "IMAGE = 'python:2.7'\nIMAGE = 'python:3.12'\nDockerOperator(image=IMAGE)\n",
    "IMAGE = 'python:2.7'\nIMAGE += x\nDockerOperator(image=IMAGE)\n",
    "def f(IMAGE):\n    DockerOperator(image=IMAGE)\nIMAGE = 'python:2.7'\n",
    "IMAGE = 'python:2.7'\nfor IMAGE in x:\n    DockerOperator(image=IMAGE)\n",
    "f({'name': 'python:2.7'})\n",
    "f({'my_image': 'python:2.7'})\n",
    "f({image: 'python:2.7'})\n",
    "f({'image': image, 'x': 'python:2.7'})\n",
    "a.images.pull('python:2.7')\n",
    "a.containers.get('python:2.7')\n",
    "containers.run('python:2.7')\n",
]


def test_there_are_twice_as_many_silent_cases() -> None:
    assert len(SILENT) >= 2 * (len(CHANGED) + len(REPORTED))


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_changed(before: str, after: str) -> None:
    assert fixed_text("dag.py", before) == after


@pytest.mark.parametrize(("code", "text"), REPORTED)
def test_reported(code: str, text: str) -> None:
    found = fixed_report("dag.py", text)
    assert found.content is None
    assert [f.code for f in found.findings] == [code]


@pytest.mark.parametrize("text", SILENT)
def test_silent(text: str) -> None:
    assert fixed_report("dag.py", text).findings == []


@pytest.mark.parametrize("text", [text for _, text in REPORTED] + [text for text, _ in CHANGED])
def test_programs_that_only_start_jobs_are_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "dag.py").write_text(text.replace("print 'a', ", ""))
    assert scan(tmp_path, "check").files == []
    (tmp_path / "job.py").write_text(JOB)
    found = [f for f in scan(tmp_path, "check").files if f.path == "dag.py"]
    assert [f.code for f in found[0].findings] in (["D905"], ["D906"])


def test_the_image_of_another_program_is_left() -> None:
    text = "DockerOperator(image='python:2.7', command='python {}')\n"
    both = text.format("/app/job.py") + text.format("/app/producer.py")
    found = fixed_report("dag.py", both, others={"job.py": JOB})
    assert [f.is_fixed for f in found.findings] == [True, False]
    assert found.content == both.replace("python:2.7", "python:3.11", 1).encode()


def test_message() -> None:
    (finding,) = fixed_report("dag.py", "f(x, image='a/python:2.7-slim')\n").findings
    assert finding.message.startswith('`image="a/python:2.7-slim"` is Python 2')
    assert finding.at.column == 15
