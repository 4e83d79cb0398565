"""``python -m dstream_compat``: an unchanged script runs as if Python ran it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from dstream_compat.cli.submit import split_options, submit_command
from tests.support.components.ports import closed_port
from tests.support.streaming.processes import (
    DEADLINE,
    JOBS,
    ROOT,
    Finished,
    kill_group,
    our_frames,
    run_python,
    wait_until_gone,
)

pytestmark = pytest.mark.slow

ECHO = """\
import sys, json
import helper_beside_it
from pyspark.streaming import StreamingContext
from pyspark.streaming.context import StreamingContext as Same
import pyspark.streaming.kafka, pyspark.streaming as streaming, pyspark
assert pyspark.streaming.context.StreamingContext is StreamingContext
assert pyspark.streaming.util.rddToFileName("a", None, 1) == "a-1"
assert pyspark.streaming.listener.StreamingListener is streaming.StreamingListener
print(json.dumps([sys.argv, __name__, __file__, sys.modules["__main__"].__dict__ is globals(),
    helper_beside_it.VALUE, StreamingContext.__module__, StreamingContext is Same,
    streaming.StreamingContext is Same, streaming.kafka.KafkaUtils.__module__]))
"""


def write(folder: Path, text: str) -> str:
    path = folder / "job.py"
    path.write_text(text)
    return str(path)


def run(*args: str) -> tuple[int, str, str]:
    done = run_python("-m", "dstream_compat", "run", *args)
    return done.code, done.out, done.err


def test_script_sees_what_it_would_see_directly(tmp_path: Path) -> None:
    (tmp_path / "helper_beside_it.py").write_text("VALUE = 42\n")
    job = write(tmp_path, ECHO)
    code, out, err = run(job, "one", "--two", "-h")
    assert code == 0, err
    expected = (
        f'[["{job}", "one", "--two", "-h"], "__main__", "{job}", true, 42, '
        '"dstream_compat.context", true, true, "dstream_compat.kafka"]\n'
    )
    assert out == expected


@pytest.mark.parametrize(
    ("text", "code", "shown"),
    [
        ("import sys; sys.exit()", 0, ""),
        ("import sys; sys.exit(7)", 7, ""),
        ("raise SystemExit('usage: job.py host port')", 1, "usage: job.py host port\n"),
    ],
)
def test_exit_codes(tmp_path: Path, text: str, code: int, shown: str) -> None:
    got, _, err = run(write(tmp_path, text))
    assert (got, err) == (code, shown)


def test_traceback_is_the_one_of_python(tmp_path: Path) -> None:
    job = write(tmp_path, "def f():\n    return {}['missing']\n\nf()\n")
    direct = run_python(job)
    code, _, err = run(job)
    assert code == direct.code == 1
    assert err == direct.err


def both(folder: Path, text: str, job: str = "job.py") -> tuple[Finished, Finished]:
    """Run a script as Python does and as we do, by its path in a folder."""
    write(folder, text)
    ours = run_python("-m", "dstream_compat", "run", job, cwd=folder)
    return run_python(job, cwd=folder), ours


def test_relative_paths_are_shown_as_python_shows_them(tmp_path: Path) -> None:
    text = "import sys; print(__file__, sys.argv, sys.path[0])\n{}['missing']\n"
    direct, ours = both(tmp_path, text)
    assert str(tmp_path / "job.py") in direct.out
    assert ours == direct


def test_modules_are_beside_the_script_that_a_link_means(tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "job.py").symlink_to(tmp_path / "job.py")
    (tmp_path / "helper_beside_it.py").write_text("VALUE = 42\n")
    text = "import helper_beside_it; print(__file__)\n"
    direct, ours = both(tmp_path, text, "links/../links/job.py")
    assert direct.code == 0
    assert ours == direct


def test_the_script_has_no_future_of_ours(tmp_path: Path) -> None:
    direct, ours = both(tmp_path, "def f(x: int): pass\nprint(f.__annotations__)\n")
    assert direct.out == "{'x': <class 'int'>}\n"
    assert ours == direct


OUR_WARNING = "import logging\nlogging.getLogger('dstream_compat').warning('it is ours')\n"


def test_our_warnings_are_shown_and_those_of_others_as_ever(tmp_path: Path) -> None:
    text = OUR_WARNING + "logging.getLogger('dstream_compat').info('a detail')\n"
    _, ours = both(tmp_path, text + "logging.getLogger('job').warning('of the job')\n")
    assert ours.err == "WARNING dstream_compat: it is ours\nof the job\n"


@pytest.mark.parametrize("name", ["", "dstream_compat"])
def test_the_job_configures_logging(tmp_path: Path, name: str) -> None:
    if name:
        configure = f"logger = logging.getLogger({name!r}); logger.setLevel(logging.INFO)\n"
        configure += "logger.addHandler(logging.FileHandler('job.log'))\n"
    else:
        configure = "logging.basicConfig(level=logging.INFO, filename='job.log')\n"
    text = f"import logging\n{configure}logging.getLogger({name!r}).info('a detail')\n"
    direct, ours = both(tmp_path, text + OUR_WARNING)
    log = (tmp_path / "job.log").read_text()
    half = len(log) // 2
    assert log[:half] == log[half:]  # of either run
    assert "a detail" in log[:half]
    assert log[:half].count("it is ours") == 1
    assert ours == direct == Finished(0, "", "")


def test_syntax_error_is_the_one_of_python(tmp_path: Path) -> None:
    job = write(tmp_path, "print 'python 2'\n")
    direct = run_python(job)
    code, _, err = run(job)
    assert code == direct.code == 1
    told = "dstream-compat: if the job is Python 2, `migrate explain D001` says what to do\n"
    assert err == direct.err + told


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["run", "missing.py"], "can't open 'missing.py': No such file or directory"),
        (["run"], "usage: dstream-compat"),
        (["run", "--fast", "x.py"], "give the path of the job instead of --fast"),
        (["walk"], "invalid choice"),
        (["--fast"], "unrecognized arguments"),
        ([], "usage: dstream-compat"),
        (["submit", "--master"], "--master needs a value"),
        (["submit", "--master", "local[2]"], "no script"),
    ],
)
def test_wrong_usage(args: list[str], message: str) -> None:
    done = run_python("-m", "dstream_compat", *args)
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


@pytest.mark.parametrize("args", [["--help"], ["run", "--help"], ["--version"]])
def test_help(args: list[str]) -> None:
    done = run_python("-m", "dstream_compat", *args)
    assert done.code == 0
    assert done.out
    assert not done.err


def test_help_is_quick_because_it_imports_no_pyspark() -> None:
    code = (
        "import sys; from dstream_compat.__main__ import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "sys.exit('pyspark' in sys.modules)"
    )
    assert run_python("-c", code).code == 0


def test_install_after_the_real_one_is_refused() -> None:
    done = run_python(
        "-W", "ignore", "-c", "import pyspark.streaming, dstream_compat; dstream_compat.install()"
    )
    assert done.code == 1
    assert "pyspark.streaming was imported before dstream_compat.install()" in done.err


def test_submit_takes_spark_submits_options() -> None:
    args = [
        "--master",
        "local[2]",
        "-v",
        "--conf=a=b",
        "--load-spark-defaults",
        "--py-files",
        "x.zip",
        "job.py",
        "--name",
        "y",
    ]
    assert split_options(args) == (args[:7], args[7:])
    command = submit_command(args)
    assert command[0].endswith("spark-submit")
    given = command[command.index("--py-files") + 1].split(",")
    assert given[0] == "x.zip"
    assert given[1].endswith("dstream_compat.zip")
    assert command[-3:] == ["job.py", "--name", "y"]
    assert command[-4].endswith("launch.py")


@pytest.mark.parametrize(
    "mode", [("--deploy-mode", "cluster"), ("--conf", "spark.submit.deployMode=cluster")]
)
def test_submit_ships_the_script_to_a_cluster_driver(mode: Sequence[str]) -> None:
    command = submit_command([*mode, "/some/where/job.py", "x"])
    assert command[command.index("--files") + 1] == "/some/where/job.py"
    assert command[-2:] == ["job.py", "x"]


def test_submit_keeps_files_of_settings() -> None:
    files = ["--conf", "spark.submit.pyFiles=x.zip", "--conf", "spark.files=y.txt"]
    command = submit_command([*files, "--deploy-mode", "cluster", "job.py"])
    assert command[command.index("--py-files") + 1].startswith("x.zip,")
    assert command[command.index("--files") + 1] == "y.txt,job.py"


def test_submit_runs_a_job(tmp_path: Path) -> None:
    job = JOBS / "small.py"
    done = run_python("-m", "dstream_compat", "submit", "--master", "local[2]", str(job), "word")
    assert done.code == 0, done.err[-3000:]
    assert "counted: [('word', 3)]" in done.out
    assert "class: dstream_compat.context" in done.out


@pytest.fixture
def refused() -> Iterator[int]:
    with closed_port() as port:
        yield port


def test_interrupt_with_a_closed_port(refused: int) -> None:
    script = str(ROOT / "legacy_examples" / "network_wordcount.py")
    process = subprocess.Popen(
        [sys.executable, "-m", "dstream_compat", "run", script, "127.0.0.1", str(refused)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        start_new_session=True,
    )
    overdue = threading.Timer(DEADLINE, kill_group, (process.pid,))
    overdue.start()
    try:
        assert process.stderr is not None
        lines: list[str] = []
        for line in process.stderr:
            lines.append(line)
            if "trying again" in line:
                break
        assert f"socketTextStream(127.0.0.1:{refused})" in lines[-1]
        assert "refused" in lines[-1]
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 130
        assert "dstream-compat: interrupted" in err
        assert not our_frames(err), err
        wait_until_gone(process.pid)
    finally:
        overdue.cancel()
        kill_group(process.pid)
