"""``python -m dstream_compat jars``: later jobs on Kafka start without a repository."""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark import __version__

import dstream_compat.cli.jars as jars
from dstream_compat.cli.jars import fetched_jars, jars_folder
from dstream_compat.source.kafka.connector import connector_package
from tests.support.components.ports import closed_port
from tests.support.streaming.processes import Finished, run_command

pytestmark = pytest.mark.slow

GROUP = "org.apache.spark"
NAME = "spark-sql-kafka-0-10_2.13"
POM = """<project><modelVersion>4.0.0</modelVersion><groupId>{group}</groupId>
<artifactId>{name}</artifactId><version>{version}</version>{needs}</project>"""
NEEDS = """<dependencies><dependency><groupId>{group}</groupId><artifactId>helper</artifactId>
<version>1</version></dependency></dependencies>"""
SETTINGS = """<ivysettings><settings defaultResolver="only"/><resolvers>
<ibiblio name="only" m2compatible="true" root="{root}"/></resolvers></ivysettings>"""
JOB = """\
from pyspark import SparkContext
import pyspark.streaming.kafka
sc = SparkContext("local[1]", "job")
loader = sc._jvm.java.lang.Thread.currentThread().getContextClassLoader()
for name in ("connector", "helper"):
    print(name, loader.getResource(f"{name}.txt") is not None)
"""


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def closed(tmp_path: Path) -> Iterator[str]:
    """Write settings of Ivy with a repository that nobody serves."""
    path = tmp_path / "closed.xml"
    with closed_port() as port:
        path.write_text(SETTINGS.format(root=f"http://127.0.0.1:{port}/"))
        yield str(path)


@pytest.fixture
def mirror(tmp_path: Path) -> str:
    """Return settings of Ivy with a repository that has a connector, and what that needs."""
    root = tmp_path / "maven"
    publish(root, NAME, __version__, "connector.txt", NEEDS.format(group=GROUP))
    publish(root, NAME, "4.0.0", "connector.txt", "")
    publish(root, "helper", "1", "helper.txt", "")
    path = tmp_path / "mirror.xml"
    path.write_text(SETTINGS.format(root=f"{root.as_uri()}/"))
    return str(path)


def publish(root: Path, name: str, version: str, member: str, needs: str) -> None:
    folder = root / GROUP.replace(".", "/") / name / version
    folder.mkdir(parents=True)
    pom = POM.format(group=GROUP, name=name, version=version, needs=needs)
    (folder / f"{name}-{version}.pom").write_text(pom)
    with zipfile.ZipFile(folder / f"{name}-{version}.jar", "w") as jar:
        jar.writestr(member, "")


def command(*args: str, **environment: str) -> Finished:
    given = [f"{name}={value}" for name, value in environment.items()]
    return run_command("env", *given, sys.executable, "-m", "dstream_compat", *args)


def start(how: str, folder: Path, settings: str) -> Finished:
    """Start a job on Kafka with an empty folder of Ivy."""
    job = folder / "job.py"
    job.write_text(JOB)
    options = ["--conf", f"spark.jars.ivySettings={settings}"]
    options += ["--conf", f"spark.jars.ivy={folder / 'ivy'}"]
    if how == "submit":
        return command("submit", *options, str(job))
    return command("run", str(job), PYSPARK_SUBMIT_ARGS=" ".join([*options, "pyspark-shell"]))


@pytest.mark.parametrize("how", ["run", "submit"])
def test_what_cannot_be_fetched_is_named_with_the_ways_to_give_it(
    tmp_path: Path, closed: str, how: str
) -> None:
    done = start(how, tmp_path, closed)
    assert done.code == 1
    package = connector_package(__version__)
    assert f"Spark could not be started, since {package} could not be fetched" in done.err
    assert f"Looked for in {tmp_path / 'ivy'}, the repositories of {closed}" in done.err
    assert "DEFAULT_ARTIFACT_REPOSITORY=" in done.err and "spark.jars.ivySettings" in done.err
    assert "--jars 'FOLDER/*.jar'" in done.err and "`python -m dstream_compat jars`" in done.err
    assert "JAVA_GATEWAY_EXITED" not in done.err


def test_jobs_start_with_what_was_fetched(tmp_path: Path, mirror: str, closed: str) -> None:
    done = command("jars", "--ivy-settings", mirror)
    assert done.code == 0, done.err
    assert done.out.startswith(str(jars_folder(__version__)))
    names = [f"{GROUP}_helper-1.jar", f"{GROUP}_{NAME}-{__version__}.jar"]
    assert fetched_jars(__version__) == [str(jars_folder(__version__) / name) for name in names]
    for how in ("run", "submit"):
        done = start(how, tmp_path, closed)
        assert done.code == 0, done.err[-3000:]
        assert done.out.splitlines()[-2:] == ["connector True", "helper True"]
    # another version takes the place of all of them
    done = command("jars", "--ivy-settings", mirror, "--version", "4.0.0")
    assert done.code == 0, done.err
    assert [Path(jar).name for jar in fetched_jars(__version__)] == [f"{GROUP}_{NAME}-4.0.0.jar"]
    assert os.listdir(jars_folder(__version__).parent) == [f"kafka-{__version__}"]


def test_a_folder_for_another_machine(tmp_path: Path, mirror: str, closed: str) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "mine.jar").touch()
    done = command("jars", "--out", str(folder), "--ivy-settings", mirror)
    assert done.code == 0, done.err
    assert f"start jobs with --jars '{folder}/*.jar'" in done.out
    assert len(list(folder.glob("*.jar"))) == 3, "what was there stays"
    (folder / "mine.jar").unlink()
    assert fetched_jars(__version__) == []
    (tmp_path / "job.py").write_text(JOB)
    given = f"--jars '{folder}/*.jar' --conf spark.jars.ivySettings={closed} pyspark-shell"
    done = command("run", str(tmp_path / "job.py"), PYSPARK_SUBMIT_ARGS=given)
    assert done.code == 0, done.err[-3000:]
    assert done.out.splitlines()[-2:] == ["connector True", "helper True"]


def test_what_cannot_be_fetched_beforehand_is_told(cache: Path, closed: str) -> None:
    done = command("jars", "--ivy-settings", closed)
    assert done.code == 1 and not done.out
    assert f"{connector_package(__version__)} could not be fetched:" in done.err
    assert "Connection refused" in done.err and "Traceback" not in done.err
    assert fetched_jars(__version__) == []
    assert list(cache.glob("*/*")) == []


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = command("jars", "--out", str(tmp_path / "file" / "jars"))
    assert done.code == 1 and str(tmp_path / "file") in done.err
    assert "Traceback" not in done.err


def spark(folder: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    """Let a script stand for spark-submit: its folder of Ivy is $IVY."""
    script = folder / "spark" / "bin" / "spark-submit"
    script.parent.mkdir(parents=True)
    head = "#!/bin/sh\nfor one; do case $one in spark.jars.ivy=*) IVY=${one#*=} ;; esac; done\n"
    script.write_text(head + does)
    script.chmod(0o755)
    monkeypatch.setattr(jars, "spark_home", lambda: str(folder / "spark"))


def test_two_versions_are_never_in_one_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fetch = f'mkdir "$IVY/jars" && touch "$IVY/jars/{GROUP}_{NAME}-$VERSION.jar"\n'
    spark(tmp_path, monkeypatch, fetch)
    out = tmp_path / "out"
    for version, code in (("4.2.0", 0), ("4.2.0", 0), ("4.3.0", 1)):
        monkeypatch.setenv("VERSION", version)
        assert jars.jars_command(["--out", str(out), "--version", version]) == code
    told = capsys.readouterr().err
    assert f"{out} has {GROUP}_{NAME}-4.2.0.jar, which a job must not have beside {GROUP}" in told
    assert os.listdir(out) == [f"{GROUP}_{NAME}-4.2.0.jar"]


def test_a_repository_that_never_answers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spark(tmp_path, monkeypatch, "exec sleep 1000")
    monkeypatch.setattr(jars, "_SECONDS", 0.1)
    assert jars.jars_command(["--out", str(tmp_path / "out")]) == 1
    assert (
        f"{connector_package(__version__)} could not be fetched in 0.1 s" in capsys.readouterr().err
    )


def test_wrong_usage() -> None:
    done = command("jars", "--nonsense")
    assert done.code == 2 and "usage: dstream-compat jars" in done.err


def test_who_has_no_home_has_no_jars(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", no_home)
    assert fetched_jars("4.3.0") == []
