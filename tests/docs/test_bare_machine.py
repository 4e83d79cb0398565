"""Tests say what is missing on a bare machine, and the script that makes one says what it needs."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.components import jars
from tests.support.fenced import ROOT
from tests.support.migrator import browser as browsers
from tests.support.migrator.browser import started_browser
from tests.support.mounts import may_mount
from tests.support.programs import program
from tests.support.streaming.kafka_fixtures import or_give_up
from tests.support.streaming.processes import wait_until_gone
from tests.support.waiting import wait_for

SCRIPT = ROOT / "scripts" / "fresh_machine.sh"
NOT_HERE = {False: pytest.skip.Exception, True: pytest.fail.Exception}


@pytest.fixture(params=[False, True], ids=["outside-ci", "in-ci"])
def ending(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[type[BaseException]]:
    """How a test ends that cannot run: in CI it fails."""
    if request.param:
        monkeypatch.setenv("CI", "true")
    else:
        monkeypatch.delenv("CI", raising=False)
    yield NOT_HERE[request.param]


def test_a_driver_of_playwright_that_does_not_start(
    ending: type[BaseException], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As its Node.js where it finds no libatomic: without a word from playwright itself."""
    node = tmp_path / "node"
    node.write_text(
        "#!/bin/sh\necho libatomic.so.1: cannot open shared object file >&2\nexit 127\n"
    )
    node.chmod(0o755)
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(node))
    with (
        pytest.raises(ending, match=r"libatomic\.so\.1: cannot open .*libatomic1"),
        started_browser(),
    ):
        raise AssertionError("there is none")


def test_a_browser_that_does_not_start(
    ending: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(browsers, "open_browser", failing_browser)
    with pytest.raises(ending, match="no libnss3"), started_browser():
        raise AssertionError("there is none")


def failing_browser() -> Iterator[None]:
    raise browsers.NoBrowserError("no libnss3")


@pytest.mark.slow
def test_no_way_to_maven_central(
    ending: type[BaseException], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proxy = [f"-D{each}.proxy{what}" for each in ("http", "https") for what in ("Host=", "Port=")]
    values = ("127.0.0.1", "9") * 2
    options = " ".join(map("".join, zip(proxy, values, strict=True)))
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", options)
    with pytest.raises(ending, match="no jars of Kafka without a way to Maven Central"):
        or_give_up(jars.connector, tmp_path)


def run_script(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", str(SCRIPT), *arguments],
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--fast"], "there is no option --fast"),
        (["nothing"], "the Makefile has no target nothing"),
        (["--keep"], "--keep needs a folder"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_wrong_arguments(arguments: list[str], said: str) -> None:
    done = run_script(*arguments)
    assert done.returncode == 2
    assert done.stderr == (
        f"error: {said}\nusage: fresh_machine.sh [--keep FOLDER] [--install] [TARGET ...]\n"
    )


def test_help_names_every_option() -> None:
    done = run_script("--help")
    assert done.returncode == 0
    options = set(re.findall(r"^    (--[a-z]+)", SCRIPT.read_text(), re.MULTILINE))
    assert options and all(f"  {option} " in done.stdout for option in options)
    assert not done.stdout.startswith("#")


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    done = run_script("--keep", str(tmp_path))
    assert done.returncode == 2
    assert f"error: {tmp_path} exists already" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_who_may_not_make_one(tmp_path: Path) -> None:
    """Without root, as a stand-in for `id` says."""
    stand_in = tmp_path / "id"
    stand_in.write_text("#!/bin/sh\n[ $1 = -u ] && echo 1000 || echo ann\n")
    stand_in.chmod(0o755)
    program("git")
    done = run_script("demo", PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 3
    assert done.stderr == (
        "error: user ann cannot make a machine: it takes mount and chroot\n"
        "       Run this as root.\n"
    )


def test_a_root_that_may_not_mount(tmp_path: Path) -> None:
    """As in an ordinary container, where `unshare` says so."""
    for name, code in (("id", "echo 0"), ("unshare", "exit 1")):
        (tmp_path / name).write_text(f"#!/bin/sh\n{code}\n")
        (tmp_path / name).chmod(0o755)
    program("git")
    done = run_script("demo", PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 3
    assert done.stderr.startswith("error: root may not mount anything here\n")


CI = """
heading() { :; }
lint=0 versions_log=/dev/null pythons_log=/dev/null bare_log=$PWD/log
"""
MACHINE = """\
echo run >>runs
echo "as $(id -u), HOME=$HOME, PIP_FIND_LINKS=$PIP_FIND_LINKS, ${SUDO_UID-}"
code=${CODES:$(($(wc -l <runs) - 1)):1}
case $code in [01]) printf -- '--- result\nmake: %s\n' "$code" ;; *) echo "error: why" >&2 ;; esac
exit "$code"
"""


def run_ci(folder: Path, user: int, codes: str, sudo: str = "") -> list[str]:
    """Run what `.ci/run` has for the bare machine; returns what it says, with the exit code."""
    code = (ROOT / ".ci" / "run").read_text()
    functions = code[code.index("may_sudo()") : code.index("updated=")]
    part = code[code.index('heading "bare machine"') : code.index("summary=")]
    (folder / "scripts").mkdir()
    (folder / "scripts" / "fresh_machine.sh").write_text(MACHINE)
    (folder / "id").write_text(f'#!/bin/sh\n[ -n "$SUDO_UID" ] && echo 0 || echo {user}\n')
    (folder / "sudo").write_text(f"#!/bin/sh\nshift\n{sudo or 'exit 1'}\n")
    for name in ("id", "sudo"):
        (folder / name).chmod(0o755)
    done = subprocess.run(
        ["bash", "-c", f"set -uo pipefail{CI}{functions}{part}\necho bare=$bare"],
        env={
            **{"PATH": f"{folder}:{os.environ['PATH']}", "HOME": "/home/a b", "CODES": codes},
            "PIP_FIND_LINKS": "/a /b*",
        },
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("codes", "runs", "said"),
    [
        ("0", 1, ["bare machine: make: 0", "bare=0"]),
        ("1", 1, ["bare machine: make: 1", "bare=1"]),
        ("3", 1, ["bare machine: not run: why", "bare=0"]),
        ("20", 2, ["bare machine: make: 0", "bare=0"]),
        ("22", 2, ["bare machine: FAILED (exit code 2)", "error: why", "bare=2"]),
    ],
)
def test_what_ci_makes_of_its_end(tmp_path: Path, codes: str, runs: int, said: list[str]) -> None:
    lines = run_ci(tmp_path, 0, codes)
    assert lines[-len(said) :] == said
    assert (tmp_path / "runs").read_text() == "run\n" * runs


def test_ci_makes_one_through_sudo(tmp_path: Path) -> None:
    """The environment of the user is kept, which sudo itself does not do."""
    given = run_ci(tmp_path, 1000, "0", 'exec env -i PATH=$PATH SUDO_UID=1000 "$@"')
    assert "as 0, HOME=/home/a b, PIP_FIND_LINKS=/a /b*, 1000" in given


def test_ci_asks_as_a_user_without_sudo(tmp_path: Path) -> None:
    """The script itself says then why there is no machine."""
    said = run_ci(tmp_path, 1000, "3")
    assert any(line.startswith("as 1000, HOME=/home/a b") for line in said)
    assert said[-2:] == ["bare machine: not run: why", "bare=0"]


STAND_IN = """#!/bin/sh
# as debootstrap: the folder of the machine is the last argument or the one before its mirror
for folder in "$@"; do case $folder in /*) break ;; esac; done
mkdir -p "$folder/proc" && mount -t tmpfs tmpfs "$folder/proc" && touch "$folder/proc/inside"
echo "$folder" >"$FOLDER_FILE"
exec sleep 1000
"""


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0 or not may_mount(), reason="only root may make a machine")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    """Neither folders nor mounts nor processes, while the system is made."""
    stand_in, said = tmp_path / "debootstrap", tmp_path / "folder"
    stand_in.write_text(STAND_IN)
    stand_in.chmod(0o755)
    variables = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "FOLDER_FILE": str(said)}
    with subprocess.Popen(
        ["bash", str(SCRIPT), "demo"],
        env={**os.environ, **variables, "TMPDIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        wait_for(lambda: said.exists() and bool(said.read_text()), "it makes a machine")
        folder = said.read_text().strip()
        assert folder.startswith(str(tmp_path))
        assert not Path(folder, "proc", "inside").exists()  # the mount is seen in there only
        assert folder not in Path("/proc/self/mounts").read_text()
        process.send_signal(number)
        assert process.wait(60) == 128 + number
    assert not Path(folder).exists()
    wait_until_gone(process.pid)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["debootstrap", "folder"]
