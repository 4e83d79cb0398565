"""Where Unix sockets are made if a JVM's temporary folder has too long a path."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from dstream_compat.spark.socket_folder import FOLDER, SOCKETS, choose_socket_folder
from dstream_compat.wire.socket_paths import is_private_folder
from tests.support.streaming.processes import run_command

LONG = "/" + "long" * 20
OPTION = f"-Xss1m -Djava.io.tmpdir={LONG}"


class Settings(dict[str, str]):
    """A SparkConf of the JVM."""

    set = dict.__setitem__
    contains = dict.__contains__


def settings(master: str, **more: str) -> Settings:
    return Settings({"spark.master": master, SOCKETS: "true"}, **more)


def context(temporary: str = "/tmp") -> Any:
    """Return what has a JVM with a temporary folder, and is no SparkContext."""
    sc = Mock()
    sc._jvm.java.lang.System.getProperty = {"java.io.tmpdir": temporary}.__getitem__
    sc._jvm.java.io.File = str
    return sc


@pytest.mark.parametrize(
    "conf",
    [
        settings("local[2]"),
        settings("spark://host:7077"),
        settings("k8s://https://host"),
        settings("local", **{"spark.executor.extraJavaOptions": "-Djava.io.tmpdir=/short -Xss1m"}),
        settings("yarn", **{SOCKETS: "false"}),
        settings("yarn", **{FOLDER: "/mine"}),
    ],
)
def test_nothing_is_set_where_nothing_is_wrong(conf: Settings) -> None:
    before = dict(conf)
    choose_socket_folder(context(), conf)
    assert conf == before


def test_ports_need_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYSPARK_UDS_MODE", raising=False)
    conf = Settings({"spark.master": "yarn"})
    choose_socket_folder(context(LONG), conf)
    assert FOLDER not in conf
    monkeypatch.setenv("PYSPARK_UDS_MODE", "true")
    choose_socket_folder(context(LONG), conf)
    assert conf[FOLDER] == "/tmp"


@pytest.mark.parametrize(
    ("conf", "temporary"),
    [
        (settings("yarn"), "/tmp"),
        (settings("yarn"), LONG),
        (settings("spark://host:7077"), LONG),
        (settings("spark://h:1", **{"spark.executorEnv.JAVA_TOOL_OPTIONS": OPTION}), "/tmp"),
        (settings("k8s://h", **{"spark.executor.extraJavaOptions": OPTION}), "/tmp"),
    ],
)
def test_executors_of_other_machines_get_a_folder_that_is_everywhere(
    conf: Settings, temporary: str
) -> None:
    choose_socket_folder(context(temporary), conf)
    assert conf[FOLDER] == "/tmp"


def test_one_process_gets_a_folder_of_its_own() -> None:
    sc, conf = context(LONG), settings("local[2]")
    choose_socket_folder(sc, conf)
    folder = conf[FOLDER]
    assert is_private_folder(folder)
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    hooks = getattr(sc._jvm, "org.apache.spark.util.ShutdownHookManager")
    hooks.registerShutdownDeleteDir.assert_called_once_with(folder)
    os.rmdir(folder)


JOB = """
import os
from pyspark import SparkContext

sc = SparkContext("local[2]", "long paths")
seen = sc.accumulator(0)

def parse(text):
    seen.add(1)
    return int(text), os.environ["PYTHON_WORKER_FACTORY_SOCK_DIR"]

numbers, folders = zip(*sc.parallelize(["1", "2", "3"], 2).map(parse).collect())
print(sum(numbers), seen.value)
(folder,) = set(folders)
print(os.stat(folder).st_mode & 0o777 == 0o700, os.listdir(folder)[0].endswith(".sock"))
print("FOLDERS", folder, sc.getConf().get("spark.python.unix.domain.socket.dir"))
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["run", "submit"])
def test_a_job_whose_temporary_folder_has_a_long_path(tmp_path: Path, how: str) -> None:
    long = tmp_path / ("long" * 20)
    long.mkdir()
    (tmp_path / "job.py").write_text(JOB)
    given = [
        f"PYSPARK_PYTHON={sys.executable}",
        f"JAVA_TOOL_OPTIONS=-Djava.io.tmpdir={long}",
        f"TMPDIR={long}",
    ]
    command = [sys.executable, "-m", "dstream_compat", how, "job.py"]
    done = run_command("env", *given, *command, cwd=tmp_path)
    assert done.code == 0, done.err[-3000:]
    *printed, folders = done.out.splitlines()
    assert printed == ["6 3", "True True"]
    for folder in folders.split()[1:]:
        assert is_private_folder(folder)
        assert not os.path.exists(folder), "it was removed"
