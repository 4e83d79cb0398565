"""Which settings a recovered context takes over from the process that saved it."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkConf, SparkContext

from dstream_compat.spark.settings import lasting_settings, recovered_conf
from dstream_compat.spark.socket_folder import FOLDER
from dstream_compat.spark.workers import DAEMON, MODULE
from dstream_compat.wire.secret import names_for_secrets
from dstream_compat.wire.task_properties import stage_property
from tests.support.streaming.processes import run_python

pytestmark = pytest.mark.slow


def saved(sc: SparkContext, **values: str) -> dict[str, str]:
    conf = SparkConf(False)
    for name, value in values.items():
        conf.set(name.replace("_", "."), value)
    return dict(lasting_settings(conf))


def test_what_submit_ships_ends_with_it(sc: SparkContext) -> None:
    found = saved(
        sc,
        spark_files="/a.txt,file:/tmp/x/dstream_compat.zip",
        spark_submit_pyFiles="file:/tmp/x/dstream_compat.zip",
        spark_app_id="application_1",
        spark_app_name="job",
    )
    assert found == {"spark.files": "/a.txt", "spark.app.name": "job"}


@pytest.mark.parametrize("what", ["archives", "files", "jars", "pyFiles"])
def test_what_yarn_distributes_is_that_of_this_submission(
    what: str, sc: SparkContext, given: Callable[[str, str], None]
) -> None:
    """Where `--files` and its like are in the settings of YARN."""
    key = f"spark.yarn.dist.{what}"
    before = SparkConf(False).set(key, "file:/a.txt,file:/tmp/dead/dstream_compat.zip")
    old = lasting_settings(before)
    assert old == [(key, "file:/a.txt")]
    assert lasting_settings(SparkConf(False).set(key, "file:/tmp/dead/dstream_compat.zip")) == []
    assert recovered_conf(old).get(key) == "file:/a.txt"
    given(key, "file:/tmp/alive/dstream_compat.zip")
    assert recovered_conf(old).get(key) == "file:/tmp/alive/dstream_compat.zip"
    # what an earlier version has saved
    assert recovered_conf(before.getAll()).get(key) == "file:/tmp/alive/dstream_compat.zip"


@pytest.mark.parametrize("today", ["spark.yarn.archive", "spark.yarn.jars"])
def test_spark_on_yarn_comes_from_where_it_is_today(
    today: str, given: Callable[[str, str], None]
) -> None:
    """A saved archive would beat the jars that are given now."""
    old = {"spark.yarn.archive": "hdfs:/old.zip", "spark.yarn.jars": "hdfs:/old/*"}
    given(today, "hdfs:/new")
    conf = recovered_conf([*old.items()])
    assert {key: conf.get(key) for key in old} == dict.fromkeys(old) | {today: "hdfs:/new"}


def test_what_yarn_appends_to_the_path_of_executors_is_not_saved(sc: SparkContext) -> None:
    key = "spark.executorEnv.PYTHONPATH"
    ours = "{{PWD}}/pyspark.zip<CPS>{{PWD}}/dstream_compat.zip"
    for given, kept in ((f"/mine<CPS>/own<CPS>/mine<CPS>{ours}", "/mine<CPS>/own"), ("/a", "/a")):
        assert lasting_settings(SparkConf(False).set(key, given)) == [(key, kept)]
    assert lasting_settings(SparkConf(False).set(key, ours)) == []


def test_our_folder_of_sockets_is_of_one_process(sc: SparkContext) -> None:
    name = FOLDER.replace(".", "_")
    assert saved(sc, **{name: "/tmp/dstream-compat-x1y2z3a4"}) == {}
    assert saved(sc, **{name: "/mine"}) == {FOLDER: "/mine"}


def test_our_daemon_is_of_one_process(sc: SparkContext) -> None:
    name = DAEMON.replace(".", "_")
    assert saved(sc, **{name: MODULE}) == {}
    assert saved(sc, **{name: "mine"}) == {DAEMON: "mine"}


def test_files_are_those_of_this_submission(sc: SparkContext) -> None:
    system: Any = sc._jvm.java.lang.System  # type: ignore[union-attr]
    system.setProperty("spark.files", "/new.txt")
    try:
        conf = recovered_conf([("spark.files", "/old.txt"), ("spark.jars", "/old.jar")])
        assert (conf.get("spark.files"), conf.get("spark.jars")) == ("/new.txt", "/old.jar")
    finally:
        system.clearProperty("spark.files")
    assert recovered_conf([("spark.files", "/old.txt")]).get("spark.files") == "/old.txt"


OF_A_PROCESS = {
    "spark.blockManager.port": "4041",
    "spark.driver.appUIAddress": "http://driver-1:4043",
    "spark.driver.bindAddress": "10.0.0.7",
    "spark.driver.host": "driver-1",
    "spark.driver.port": "4042",
    "spark.kubernetes.driver.pod.name": "driver-1",
    "spark.kubernetes.executor.podNamePrefix": "job-1",
    "spark.ui.port": "4043",
    "spark.ui.proxyBase": "/proxy/application_1",
    "spark.yarn.cache.filenames": "hdfs:/user/me/.sparkStaging/application_1/a.zip#a.zip",
    "spark.yarn.secondary.jars": "a.jar",
    "spark.yarn.user.jar": "hdfs:/user/me/.sparkStaging/application_1/job.jar",
}
OF_A_SUBMISSION = {
    "spark.kerberos.keytab": "/old",
    "spark.kerberos.principal": "old",
    "spark.master": "yarn",
    "spark.org.apache.spark.deploy.yarn.AmIpFilter.param.PROXY_HOSTS": "old",
    "spark.streaming.compat.maxIntervals": "5",
    "spark.streaming.compat.partitions": "6",
    "spark.submit.deployMode": "client",
    "spark.ui.filters": "org.apache.spark.deploy.yarn.AmIpFilter",
    "spark.yarn.app.attemptId": "1",
    "spark.yarn.app.id": "old",
    "spark.yarn.archive": "/old",
    "spark.yarn.jars": "/old",
    "spark.yarn.keytab": "/old",
    "spark.yarn.principal": "old",
}
OF_THE_JOB = {"spark.executor.memory": "7g", "spark.app.name": "job", "spark.driver.memory": "3g"}


def test_what_belongs_to_a_process_is_not_saved(sc: SparkContext) -> None:
    conf = SparkConf(False).setAll([*OF_A_PROCESS.items(), *OF_THE_JOB.items()])
    assert dict(lasting_settings(conf)) == OF_THE_JOB


@pytest.fixture
def given(sc: SparkContext) -> Iterator[Callable[[str, str], None]]:
    """Sets what spark-submit would give to this process."""
    system: Any = sc._jvm.java.lang.System  # type: ignore[union-attr]
    before: dict[str, str | None] = {}

    def give(name: str, value: str) -> None:
        before.setdefault(name, system.getProperty(name))
        system.setProperty(name, value)

    yield give
    for name, value in before.items():
        if value is None:
            system.clearProperty(name)
        else:
            system.setProperty(name, value)


def test_secrets_of_a_submission_are_saved_by_name(given: Callable[[str, str], None]) -> None:
    key = "spark.mine.password"
    given(key, "correct-horse")
    old = lasting_settings(SparkConf(False).set(key, "correct-horse"))
    with names_for_secrets() as kept:
        data = pickle.dumps(old, 5)
    assert b"correct-horse" not in data and not kept
    given(key, "changed")
    assert recovered_conf(pickle.loads(data)).get(key) == "changed"


STARTED = """
import pickle, sys
from pyspark import SparkConf, SparkContext
from dstream_compat.spark.settings import lasting_settings, recovered_conf
from dstream_compat.wire.secret import names_for_secrets
key, how, path = sys.argv[1:]
if how == "code":
    sc = SparkContext(conf=SparkConf().setMaster("local[1]").set(key, "correct-horse"))
    with names_for_secrets() as kept, open(path, "wb") as file:
        pickle.dump(lasting_settings(sc.getConf()), file)
    assert not kept
else:
    SparkContext._ensure_initialized()
    with open(path, "rb") as file:
        print(recovered_conf(pickle.load(file)).get(key))
"""


def test_secrets_of_code_that_starts_the_jvm_are_those_of_a_submission(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "spark.mine.password"
    arguments = ["-c", STARTED, key]
    made = run_python(*arguments, "code", str(tmp_path / "conf"))
    assert made.code == 0, made.err[-3000:]
    assert b"correct-horse" not in (tmp_path / "conf").read_bytes()
    refused = run_python(*arguments, "again", str(tmp_path / "conf"))
    assert refused.code == 1 and "PYSPARK_SUBMIT_ARGS='--conf NAME=VALUE" in refused.err
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", f"--conf {key}=changed pyspark-shell")
    again = run_python(*arguments, "again", str(tmp_path / "conf"))
    assert again.out.split() == ["changed"], again.err[-3000:]


def test_what_hides_variables_from_the_event_log_is_of_one_process(sc: SparkContext) -> None:
    name = stage_property("source")
    assert lasting_settings(SparkConf(False).set(name, "")) == []


def test_what_a_submission_gives_counts(given: Callable[[str, str], None]) -> None:
    saved = {**OF_A_PROCESS, **OF_A_SUBMISSION, **OF_THE_JOB}
    given("spark.master", "local[*]")  # as Spark does, where none is given
    conf = recovered_conf([*saved.items()])
    assert {key: conf.get(key) for key in saved} == dict.fromkeys(OF_A_PROCESS) | (
        OF_A_SUBMISSION | OF_THE_JOB
    )
    for key in OF_A_PROCESS | OF_A_SUBMISSION:
        given(key, "local[3]" if key == "spark.master" else "today")
    for key in OF_THE_JOB:
        given(key, "today")
    conf = recovered_conf([*saved.items()])
    assert {conf.get(key) for key in OF_A_PROCESS} == {"today"}
    assert {conf.get(key) for key in OF_A_SUBMISSION} == {"today", "local[3]"}
    assert {key: conf.get(key) for key in OF_THE_JOB} == OF_THE_JOB
