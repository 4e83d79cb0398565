"""Write-ahead log."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.migrator.reports import codes, project

KEY = "spark.streaming.receiver.writeAheadLog.enable"
FIRES = [
    f'conf.set("{KEY}", "true")\n',
    f'SparkConf().setAll([("{KEY}", True)])\n',
    f'conf = {{"{KEY}": "true"}}\n',
    f'builder.config("{KEY}", True)\n',
    f'builder.config(key="{KEY}", value="true")\n',
    f'settings["{KEY}"] = "true"\n',
    f'args = "--conf {KEY}=true"\n',
    'conf.set("spark.streaming.driver.writeAheadLog.allowBatching", "true")\n',
]
SILENT = [
    f'"""{KEY}"""\n',
    f"# {KEY}\n",
    f'print("set {KEY} to keep data")\n',
    f'conf.get("{KEY}")\n',
    f'x = settings["{KEY}"]\n',
    f'"my.{KEY}"\n',
]


def test_switched_off_asks_for_nothing() -> None:
    from tests.support.migrator.reports import report

    assert report(f'conf.set("{KEY}", "true")\n').findings[0].severity == "warning"
    assert report(f'conf.set("{KEY}", "false")\n').findings[0].severity == "info"
    assert report(f'conf.set("{KEY}", value)\n').findings[0].severity == "warning"


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D701" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D701" not in [c.partition(":")[2] for c in codes(source)]


SOCKET = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
ssc = StreamingContext(SparkContext(), 1)
ssc.socketTextStream("localhost", 1).pprint()
"""
FILES = SOCKET.replace('socketTextStream("localhost", 1)', 'textFileStream("in")')
BOTH = SOCKET + 'ssc.textFileStream("in").pprint()\n'
MQTT = (
    SOCKET.partition("ssc.")[0]
    + "from pyspark.streaming.mqtt import MQTTUtils\n"
    + 'MQTTUtils.createStream(ssc, "tcp://b:1883", "t").pprint()\n'
)
LOGGED = "dstream_compat logs what it receives and processes it at least once"
AGAIN = "needs no log, its sources can be read again"


def effects_on_jobs(
    root: Path, files: dict[str, str], name: str = "spark-defaults.conf"
) -> list[str]:
    """What the details say of the jobs."""
    report = project(root, files)
    (finding,) = [x for f, x in report.findings() if f.path == name and x.code == "D701"]
    where, *effects = finding.details
    assert "checkpoint folder" in where
    return effects


def test_what_becomes_of_each_job(tmp_path: Path) -> None:
    files = {"a.py": SOCKET, "b.py": FILES, "c.py": BOTH, "d.py": MQTT}
    message = "; ".join(
        effects_on_jobs(tmp_path, {**files, "spark-defaults.conf": f"{KEY} true\n"})
    )
    assert message == "; ".join(
        [
            f"a.py (socketTextStream): {LOGGED}",
            f"b.py (textFileStream): {AGAIN}",
            f"c.py (socketTextStream): {LOGGED}",
            f"d.py (MQTTUtils.createStream): {LOGGED}",
        ]
    )


def test_a_setting_in_a_program_is_its_own(tmp_path: Path) -> None:
    job = f'{FILES}conf = {{"{KEY}": "true"}}\n'
    found = effects_on_jobs(tmp_path, {"a.py": SOCKET, "b.py": job}, "b.py")
    assert found == [f"b.py (textFileStream): {AGAIN}"]


def test_many_jobs_do_not_make_the_message_longer(tmp_path: Path) -> None:
    files = {f"{n}.py": FILES for n in range(6)}
    found = effects_on_jobs(tmp_path, {**files, "spark-defaults.conf": f"{KEY} true\n"})
    assert len(found) == 6


@pytest.mark.parametrize("line", [f"{KEY} false", KEY.replace("enable", "maxFailures") + " 3"])
def test_other_settings_say_nothing_of_jobs(tmp_path: Path, line: str) -> None:
    assert "a.py" not in "".join(
        x.message
        for f, x in project(tmp_path, {"a.py": SOCKET, "a.conf": f"{line}\n"}).findings()
        if f.path == "a.conf"
    )
