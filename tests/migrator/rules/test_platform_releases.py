"""Releases of EMR, Databricks, Dataproc and Glue with an old Spark."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.run.scan import scan
from tests.support.migrator.fixes import fixed_report
from tests.support.migrator.runs import JOB

REPORTED = [
    ("main.tf", 'release_label = "emr-5.29.0"\n'),
    ("a.yaml", "Properties:\n  ReleaseLabel: emr-6.2.0\n"),
    ("a.json", '{"ReleaseLabel": "emr-7.1.0"}\n'),
    ("a.sh", "aws emr create-cluster \\\n  --release-label emr-5.29.0 --name x\n"),
    ("a.sh", "V=emr-5.29.0\naws emr create-cluster --release-label $V\n"),
    ("main.tf", 'spark_version = "6.4.x-scala2.11"\n'),
    ("job.json", '{"new_cluster": {"spark_version": "7.3.x-cpu-ml-scala2.12"}}\n'),
    ("databricks.yml", "new_cluster:\n  spark_version: 16.4.x-scala2.13\n"),
    ("a.sh", "gcloud dataproc clusters create c --image-version 1.4\n"),
    ("a.sh", "gcloud beta dataproc clusters create c \\\n  --image-version=2.2-debian12\n"),
    ("a.yaml", "softwareConfig:\n  imageVersion: 2.0.27-debian10\n"),
    ("main.tf", 'image_version = "1.5-ubuntu18"\n'),
    ("main.tf", 'glue_version = "2.0"\n'),
    ("a.yaml", "GlueVersion: '5.0'\n"),
    ("dag.py", "FLOW = {'Name': 'x', 'ReleaseLabel': 'emr-5.29.0'}\n"),
    ("dag.py", "emr.run_job_flow(ReleaseLabel='emr-5.29.0')\n"),
    ("dag.py", "LABEL = 'emr-5.29.0'\nemr.run_job_flow(ReleaseLabel=LABEL)\n"),
    ("dag.py", "Run(new_cluster={'spark_version': '6.4.x-scala2.11'})\n"),
    ("dag.py", "DataprocClusterCreateOperator(image_version='1.4')\n"),
    ("dag.py", "ClusterGenerator(image_version='2.1-debian11')\n"),
]
SILENT = [
    ("main.tf", "release_label = var.release\n"),
    ("main.tf", '# release_label = "emr-5.29.0"\n'),
    ("main.tf", 'my_release_label = "emr-5.29.0"\n'),
    ("main.tf", 'release_label = "emr-12.1.0"\n'),
    ("main.tf", 'release_label = "emr-5.x"\n'),
    ("main.tf", 'name = "emr-5.29.0"\n'),
    ("a.sh", "echo emr-5.29.0\n"),
    ("a.sh", "aws emr create-cluster --release-label $V\n"),
    ("a.sh", "aws s3 cp emr-5.29.0 s3://x/emr-5.29.0\n"),
    ("README.md", "It ran on emr-5.29.0, with the release label emr-5.29.0.\n"),
    ("main.tf", 'spark_version = "18.0.x-scala2.13"\n'),
    ("main.tf", "spark_version = data.x.id\n"),
    ("main.tf", 'spark_version = "auto:latest-lts"\n'),
    ("main.tf", 'min_spark_version = "6.4.x-scala2.11"\n'),
    ("main.tf", '# spark_version = "6.4.x-scala2.11"\n'),
    ("main.tf", 'name = "6.4.x-scala2.11"\n'),
    ("a.yaml", "scala_version: 6.4.x-scala2.11\n"),
    ("README.md", "Use spark_version 6.4.x-scala2.11 of Databricks.\n"),
    ("a.sh", "gcloud dataproc clusters create c --image-version 3.0\n"),
    ("a.sh", "gcloud dataproc clusters create c --image-version $V\n"),
    ("a.sh", "gcloud composer environments create c --image-version 1.4\n"),
    ("a.sh", "gcloud dataproc clusters list; x --image-version 1.4\n"),
    ("a.sh", "# gcloud dataproc clusters create c --image-version 1.4\n"),
    ("a.yaml", "imageVersion: 1.4\n"),
    ("a.yaml", "imageVersion: 1.4.2\n"),
    ("a.yaml", "imageVersion: composer-1.4-airflow\n"),
    ("a.yaml", "imageVersion: 3.0-debian12\n"),
    ("a.yaml", "baseimageVersion: 1.4-debian9\n"),
    ("main.tf", 'image_version = "10-debian9"\n'),
    ("main.tf", 'glue_version = "6.0"\n'),
    ("main.tf", "glue_version = var.x\n"),
    ("main.tf", 'my_glue_version = "2.0"\n'),
    ("main.tf", '# glue_version = "2.0"\n'),
    ("a.yaml", "GlueVersionX: '2.0'\n"),
    ("dag.py", "x = 'emr-5.29.0'\n"),
    ("dag.py", "f(name='emr-5.29.0')\n"),
    ("dag.py", "f({'Name': 'emr-5.29.0'})\n"),
    ("dag.py", "f(ReleaseLabel='emr-%s' % v)\n"),
    ("dag.py", "f(ReleaseLabel=label)\n"),
    ("dag.py", "# f(ReleaseLabel='emr-5.29.0')\n"),
    ("dag.py", "'''ReleaseLabel='emr-5.29.0' '''\n"),
    ("dag.py", "f(spark_version='2.4.5')\n"),
    ("dag.py", "f(spark_version='18.0.x-scala2.13')\n"),
    ("dag.py", "f(image_version='1.4')\n"),
    ("dag.py", "DataprocClusterCreateOperator(image_version='3.0')\n"),
    ("dag.py", "DataprocClusterCreateOperator(image_version=f'1.{v}')\n"),
]


def test_there_are_twice_as_many_silent_cases() -> None:
    assert len(SILENT) >= 2 * len(REPORTED)


@pytest.mark.parametrize(("name", "text"), REPORTED)
def test_reported(tmp_path: Path, name: str, text: str) -> None:
    found = fixed_report(name, text)
    assert found.content is None
    assert [f.code for f in found.findings] == ["D905"]
    (tmp_path / name).write_text(text)
    assert scan(tmp_path, "check").files == []
    (tmp_path / "job.py").write_text(JOB)
    assert name in [f.path for f in scan(tmp_path, "check").files]


@pytest.mark.parametrize(("name", "text"), SILENT)
def test_silent(name: str, text: str) -> None:
    assert fixed_report(name, text).findings == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('release_label = "emr-5.29.0"\n', "`release_label = emr-5.29.0` has Spark 2;"),
        (
            '{"spark_version": "6.4.x-scala2.11"}\n',
            "`spark_version: 6.4.x-scala2.11` has Spark 2.4",
        ),
        ("gcloud dataproc x --image-version 2.1\n", "`--image-version 2.1` has Spark 3.3;"),
    ],
)
def test_message(text: str, message: str) -> None:
    (finding,) = fixed_report("a.sh", text).findings
    assert finding.message.startswith(message)
