"""Whether a job reads Kafka is told by its text and that of its own modules."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from dstream_compat.cli.kafka_imports import reads_kafka

KAFKA = "from pyspark.streaming.kafka import KafkaUtils\n"


def job(folder: Path, text: str) -> str:
    path = folder / "job.py"
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize(
    "text",
    [
        KAFKA,
        "import pyspark.streaming.kafka as k\n",
        "def f():\n    from dstream_compat.kafka import KafkaUtils\n",
        "from pyspark.streaming import kafka\n",
        "from pyspark.streaming import StreamingContext, kafka\n",
        "from pyspark.streaming import (\n    StreamingContext,\n    kafka,\n)\n",
        "importlib.import_module('pyspark.streaming.kafka')\n",
    ],
)
def test_imports_of_kafka(tmp_path: Path, text: str) -> None:
    assert reads_kafka(job(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "from pyspark.streaming import StreamingContext\n",
        "x = 1  # was: pyspark.streaming.kafka\n",
        "from pyspark.streaming import StreamingContext\nkafka = 1\n",
        "from pyspark.streaming import StreamingContext  # not kafka\n",
        "from dstream_compat import StreamingContext\nimport kafka\n",
    ],
)
def test_other_texts(tmp_path: Path, text: str) -> None:
    # a checkout beside the script is not part of the job
    (tmp_path / "dstream_compat").mkdir()
    (tmp_path / "dstream_compat" / "finder.py").write_text("'pyspark.streaming.kafka'\n")
    assert not reads_kafka(job(tmp_path, text))


@pytest.mark.parametrize(
    ("statement", "module"),
    [
        ("import pipeline", "pipeline.py"),
        ("import os, pipeline as p", "pipeline.py"),
        ("from pipeline import (\n    parse)", "pipeline.py"),
        ("if True:\n    import steps.parse", "steps/parse.py"),
        ("from steps import parse", "steps/__init__.py"),
        ("import first", "pipeline.py"),
    ],
)
def test_modules_beside_the_script(tmp_path: Path, statement: str, module: str) -> None:
    (tmp_path / "first.py").write_text("import job, pipeline\n")
    script = job(tmp_path, statement + "\n")
    assert not reads_kafka(script)
    path = tmp_path / module
    path.parent.mkdir(exist_ok=True)
    path.write_text(KAFKA)
    assert reads_kafka(script)
    assert not reads_kafka(job(tmp_path, "from other import pipeline\n"))


def test_a_link_to_a_script(tmp_path: Path) -> None:
    for name in ("real", "links"):
        (tmp_path / name).mkdir()
    (tmp_path / "real" / "pipeline.py").write_text(KAFKA)
    link = tmp_path / "links" / "job.py"
    link.symlink_to(job(tmp_path / "real", "import pipeline\n"))
    assert reads_kafka(str(link))


def test_py_files(tmp_path: Path) -> None:
    script = job(tmp_path, "import pipeline\n")
    (tmp_path / "files").mkdir()
    module, archive, broken = (tmp_path / "files" / name for name in ("p.py", "p.zip", "b.zip"))
    module.write_text(KAFKA)
    with zipfile.ZipFile(archive, "w") as members:
        members.writestr("steps/pipeline.py", KAFKA)
        members.writestr("steps/notes.txt", "")
    broken.write_text(KAFKA)
    assert reads_kafka(script, [str(module)])
    assert reads_kafka(script, ["", f"file:{archive}"])
    assert not reads_kafka(script, [str(broken), "hdfs:///p.zip", str(tmp_path / "missing.zip")])


def test_a_script_that_is_not_here(tmp_path: Path) -> None:
    assert not reads_kafka("hdfs:///job.py")
    assert not reads_kafka(str(tmp_path / "missing.py"))
