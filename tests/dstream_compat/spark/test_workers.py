"""Modules that workers import know ``pyspark.streaming`` as the driver does."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from dstream_compat.cli.submit import submit_command
from dstream_compat.python_start.sitecustomize import STATE
from dstream_compat.spark import workers
from dstream_compat.spark.shipping import package_zip
from tests.support.streaming.processes import JOBS, Finished, run_command

PIPELINE = """\
from pyspark.streaming import StreamingContext
from pyspark.streaming.flume import FlumeUtils
from pyspark.streaming.kafka import KafkaUtils
from pyspark.streaming.mqtt import MQTTUtils

def parse(value):
    return KafkaUtils.__module__, StreamingContext.__module__
"""
START = str(Path(workers.__file__).parents[1] / "python_start")
PARSED = "[('dstream_compat.kafka', 'dstream_compat.context')]"


@pytest.fixture
def job(tmp_path: Path) -> str:
    (tmp_path / "pipeline.py").write_text(PIPELINE)
    path = tmp_path / "job.py"
    path.write_text((JOBS / "helpers_in_workers.py").read_text())
    return str(path)


def run(*args: str, cwd: Path | None = None) -> Finished:
    # before there is a StreamingContext, workers would be any python3 of the PATH
    return run_command("env", f"PYSPARK_PYTHON={sys.executable}", sys.executable, *args, cwd=cwd)


def check(done: Finished, *printed: str) -> None:
    assert done.code == 0, done.err[-3000:]
    lines = done.out.splitlines()
    assert [line for line in lines if line.endswith(PARSED)] == [f"{x}: {PARSED}" for x in printed]


@pytest.mark.slow
def test_functions_of_modules_under_run(tmp_path: Path, job: str) -> None:
    # Python adds the folder where workers start to their path, as without us
    done = run("-m", "dstream_compat", "run", job, "local[2]", cwd=tmp_path)
    check(done, "early", "stage", "rdd")


@pytest.mark.slow
def test_all_functions_of_a_job_share_workers(tmp_path: Path) -> None:
    done = run("-m", "dstream_compat", "run", str(JOBS / "daemons.py"), cwd=tmp_path)
    assert done.code == 0, done.err[-3000:]
    daemons = json.loads(done.out.splitlines()[-1])
    assert sorted(daemons) == ["map", "rdd", "updateStateByKey"]
    assert len(set(daemons.values())) == 1, daemons


DAEMON = """\
import runpy, sys, pyspark.daemon
pyspark.daemon.manager = lambda: print(*sorted({"pandas", "pyarrow"} & set(sys.modules)))
runpy.run_module("dstream_compat.daemon", run_name="__main__")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("setting", "libraries"), [("A=1", ""), (f"{STATE}=1", "pandas pyarrow")])
def test_libraries_of_state_are_imported_once_where_there_is_state(
    setting: str, libraries: str
) -> None:
    done = run_command("env", setting, sys.executable, "-c", DAEMON)
    assert (done.code, done.out.strip()) == (0, libraries), done.err


@pytest.mark.slow
def test_functions_of_modules_after_install(tmp_path: Path, job: str) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import dstream_compat\n"
        "dstream_compat.install(); import pipeline; from pyspark import SparkContext\n"
        "sc = SparkContext('local[1]', 'x', environment={'PYTHONPATH': sys.path[0]})\n"
        "print('early:', sc.parallelize(['a']).map(pipeline.parse).collect())\n"
    )
    check(run("-c", code, cwd=tmp_path), "early")


@pytest.mark.slow
@pytest.mark.full
def test_functions_of_modules_on_a_cluster(tmp_path: Path, job: str) -> None:
    options = ["--master", "local-cluster[1,1,1024]", "--py-files", str(tmp_path / "pipeline.py")]
    options += ["--driver-class-path", "spark-sql-kafka-0-10.jar"]
    done = run("-m", "dstream_compat", "submit", *options, job)
    check(done, "early", "stage", "rdd")


class Settings(dict[str, str]):
    """A SparkConf of the JVM."""

    set = dict.__setitem__


@pytest.fixture
def sc(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what has an environment for workers, and is no SparkContext."""
    monkeypatch.setattr(workers, "_local_path", lambda sc: "/local.zip")
    return Mock(environment={})


def settings(master: str, **more: str) -> Settings:
    return Settings({"spark.master": master}, **more)


@pytest.mark.parametrize("master", ["local", "local[2]", "local[*,3]"])
def test_workers_of_this_machine_get_a_path(sc: Any, master: str) -> None:
    conf = settings(master)
    workers._set_daemon(sc, conf)
    assert conf[workers.DAEMON] == workers.MODULE
    assert sc.environment == {"PYTHONPATH": os.pathsep.join(("/local.zip", START))}
    # a SparkContext made from the settings of another one
    sc.environment = {"PYTHONPATH": "/mine"}
    workers._set_daemon(sc, conf)
    assert sc.environment == {"PYTHONPATH": os.pathsep.join(("/mine", "/local.zip", START))}


def test_executors_get_what_submit_ships(sc: Any) -> None:
    command = submit_command(["job.py"])
    files = command[command.index("--py-files") + 1]
    conf = settings("yarn", **{"spark.submit.pyFiles": f"/x.zip,file:{files}"})
    workers._set_daemon(sc, conf)
    assert conf[workers.DAEMON] == workers.MODULE
    assert sc.environment == {"PYTHONPATH": os.pathsep.join((Path(package_zip()).name, START))}


def test_a_driver_in_a_cluster_ships_the_zip_that_it_is_in(tmp_path: Path) -> None:
    code = "from dstream_compat.spark.shipping import package_zip; print(package_zip())"
    done = run_command(
        "env", f"PYTHONPATH={package_zip()}", sys.executable, "-c", code, cwd=tmp_path
    )
    assert done.out == f"{package_zip()}\n", done.err


@pytest.mark.parametrize(
    "conf",
    [
        settings("yarn", **{"spark.submit.pyFiles": "/x.zip"}),
        settings("spark://host:7077"),
        settings("local-cluster[1,1,1024]"),
        settings("local", **{workers.DAEMON: "of.the.user"}),
    ],
)
def test_workers_that_may_lack_the_package_are_as_ever(sc: Any, conf: Settings) -> None:
    before = dict(conf)
    workers._set_daemon(sc, conf)
    assert conf == before
    assert sc.environment == {}


@pytest.mark.parametrize(
    ("paths", "known"),
    [
        ([], False),
        (["/mine"], False),
        ([str(Path(workers.__file__).parents[2])], True),
        (["/mine", "link", "/other"], True),
        (["dstream_compat.zip"], False),
    ],
)
def test_a_package_that_workers_know_is_not_shipped(
    sc: Any, tmp_path: Path, paths: list[str], known: bool
) -> None:
    package = Path(workers.__file__).parents[1]
    (tmp_path / package.name).symlink_to(package)
    paths = [str(tmp_path) if path == "link" else path for path in paths]
    sc.environment = {"PYTHONPATH": os.pathsep.join(paths)}
    sc.master = "local[2]"
    assert workers.knows_local_package(sc) is known
    for elsewhere in ("spark://host:7077", "yarn", "k8s://host", "local-cluster[1,1,1024]"):
        sc.master = elsewhere
        assert not workers.knows_local_package(sc), "executors may have no such folder"
