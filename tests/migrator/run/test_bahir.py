"""`mqtt`, the module of Apache Bahir: in a jar, or a copy of it in the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.model.report import Report
from migrator.run.scan import scan
from tests.support.migrator.reports import project

COPY = """from pyspark.streaming import DStream


class MQTTUtils(object):
    @staticmethod
    def createStream(ssc, brokerUrl, topic, username=None, password=None):
        helper = ssc._sc._jvm.org.apache.spark.streaming.mqtt.MQTTUtilsPythonHelper()
        return DStream(helper.createStream(ssc._jssc, brokerUrl, topic), ssc, None)
"""
OWN = """class MQTTUtils(object):
    @staticmethod
    def createStream(ssc, brokerUrl, topic):
        return ssc.socketTextStream(brokerUrl, 1)
"""
JOB = """from pyspark.streaming import StreamingContext
from {module} import MQTTUtils

ssc = StreamingContext(sc, 1)
MQTTUtils.createStream(ssc, "tcp://b", "t").pprint()
"""


def texts(report: Report) -> dict[str, str]:
    """The rewritten files."""
    return {f.path: f.content.decode() for f in report.files if f.content is not None}


MOVED = [
    # Bahir's jar has it
    ("mqtt", {}),
    ("mqtt", {"mqtt.py": COPY}),
    ("mqtt", {"deps/mqtt.py": COPY}),
    ("deps.mqtt", {"deps/mqtt.py": COPY, "deps/__init__.py": ""}),
    (".mqtt", {"mqtt.py": COPY, "__init__.py": ""}),
]


@pytest.mark.parametrize(("module", "files"), MOVED)
def test_it_is_dstream_compats(tmp_path: Path, module: str, files: dict[str, str]) -> None:
    report = project(tmp_path, {"job.py": JOB.format(module=module), **files})
    expected = JOB.format(module="dstream_compat.mqtt")
    expected = expected.replace("pyspark.streaming", "dstream_compat")
    assert texts(report) == {"job.py": expected}
    (job,) = report.files
    assert [f.code for f in job.findings if not f.is_fixed] == ["D204"]


KEPT = [
    ("mqtt", {"mqtt.py": OWN}),
    ("mqtt", {"deps/mqtt.py": OWN}),
    ("deps.mqtt", {"deps/mqtt.py": OWN, "deps/__init__.py": ""}),
    (".mqtt", {"mqtt.py": OWN, "__init__.py": ""}),
    # a package of others
    ("paho.mqtt", {}),
    ("deps.mqtt", {}),
    (".mqtt", {}),
]


@pytest.mark.parametrize(("module", "files"), KEPT)
def test_other_modules_of_that_name_stay(
    tmp_path: Path, module: str, files: dict[str, str]
) -> None:
    report = project(tmp_path, {"job.py": JOB.format(module=module), **files})
    assert f"from {module} import MQTTUtils" in texts(report)["job.py"]
    assert "D204" not in [f.code for file in report.files for f in file.findings]


@pytest.mark.parametrize(
    "line", ["from mqtt import Client", "from mqtt import *", "import mqtt", "import mqtt as m"]
)
def test_other_imports_stay(tmp_path: Path, line: str) -> None:
    job = JOB.replace("from {module} import MQTTUtils", line)
    report = project(tmp_path, {"job.py": job})
    assert line in texts(report)["job.py"]


def test_a_copy_beside_a_single_file(tmp_path: Path) -> None:
    (tmp_path / "mqtt.py").write_text(COPY)
    job = tmp_path / "job.py"
    job.write_text(JOB.format(module="mqtt"))
    report = scan(job, "check")
    assert "from dstream_compat.mqtt import MQTTUtils" in texts(report)["job.py"]


def test_a_copy_that_is_reached_by_its_module_is_read(tmp_path: Path) -> None:
    job = JOB.replace("from {module} import MQTTUtils", "import mqtt")
    job = job.replace("MQTTUtils.create", "mqtt.MQTTUtils.create")
    report = project(tmp_path, {"job.py": job, "mqtt.py": COPY})
    found = {f.path: {finding.code for finding in f.findings} for f in report.files}
    assert "D601" in found["mqtt.py"]
