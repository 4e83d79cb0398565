"""`[tool.migrate]` in pyproject.toml, and `--fail-on`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import Run
from tests.support.migrator.samples import CONF, mixed

Migrate = Callable[..., Run]


def configure(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text(text)


def found(migrate: Migrate, *arguments: str | Path) -> set[str]:
    run = migrate(*arguments, "--check", "--format", "json")
    return {f["code"] for f in run.json["findings"]}


def test_select_and_ignore(migrate: Migrate, tmp_path: Path) -> None:
    tree = mixed(tmp_path / "tree")
    configure(tree, '[tool.migrate]\nselect = ["D2", "D7"]\nignore = ["D704", "D001"]\n')
    assert found(migrate, tree) == {"D201", "D203", "D703"}
    assert found(migrate, tree, "--select", "D3") == {"D301"}
    assert "D601" in found(migrate, tree, "--no-config")


def test_the_nearest_one_above_counts(migrate: Migrate, tmp_path: Path) -> None:
    tree = mixed(tmp_path / "tree")
    configure(tmp_path, '[tool.migrate]\nselect = ["D7"]\nignore = ["D0"]\n')
    configure(tree, "[project]\nname = 'no section for migrate'\n")
    assert found(migrate, tree) == {"D703", "D704"}
    assert found(migrate, tree / "spark.conf") == {"D703", "D704"}


def test_fail_on_and_baseline(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text(CONF)
    configure(tmp_path, '[tool.migrate]\nfail-on = "error"\n')
    assert migrate(tmp_path, "--check").code == 0
    assert migrate(tmp_path, "--check", "--fail-on", "warning").code == 1
    assert migrate(tmp_path, "--write-baseline", tmp_path / "known.json").code == 0
    configure(tmp_path, '[tool.migrate]\nbaseline = "known.json"\n')
    assert migrate(tmp_path, "--check").code == 0
    assert migrate(tmp_path, "--write-baseline", tmp_path / "known.json").code == 0


def test_group_by(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text(CONF)
    configure(tmp_path, '[tool.migrate]\ngroup-by = "rule"\n')
    assert "D703 rate-limit" in migrate(tmp_path, "--check").out
    assert "a.conf  not changed" in migrate(tmp_path, "--check", "--group-by", "file").out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.migrate", "cannot be read"),
        ("[tool.migrate]\nselects = []\n", "[tool.migrate] has no setting selects; it has select"),
        ("[tool.migrate]\nreport = '/tmp/x.html'\n", "has no setting report"),
        ("[tool.migrate]\noutput = '/tmp/x'\n", "has no setting output"),
        (
            "[tool.migrate]\nselect = 'D2'\n",
            "select = 'D2' is not a list of codes; write select = ",
        ),
        ("[tool.migrate]\nselect = [2]\n", "select = [2] is not a list of codes"),
        ("[tool.migrate]\nselect = ['D999']\n", "no rule has the code D999"),
        (
            "[tool.migrate]\nfail-on = 'never ever'\n",
            "fail-on = 'never ever' is none of error, warning",
        ),
        ("[tool.migrate]\ngroup-by = 1\n", "group-by = 1 is none of file, rule"),
        ("[tool.migrate]\nbaseline = ''\n", "baseline = '' is not the path of a file"),
        ("[tool.migrate]\nbaseline = '../x.json'\n", "leads out of the folder of pyproject.toml"),
        ("[tool.migrate]\nbaseline = '/etc/passwd'\n", "leads out of the folder of pyproject.toml"),
        ("[tool.migrate]\nbaseline = 'none.json'\n", "cannot read the baseline"),
        ("[tool]\nmigrate = 1\n", "tool.migrate is not a table"),
    ],
)
def test_wrong_settings(migrate: Migrate, tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.conf").write_text(CONF)
    configure(tmp_path, text)
    run = migrate(tmp_path, "--check")
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert "pyproject.toml" in run.err or "rule" in run.err or "baseline" in run.err
    assert migrate(tmp_path, "--check", "--no-config").code == 1


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe[tool.other]",
        b"not = toml = at all",
        b"[tool]\nx = 1\n",
        b"",
        b"tool = 3 # migrate\n",
    ],
)
def test_files_that_are_not_about_migrate(migrate: Migrate, tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.conf").write_text(CONF)
    (tmp_path / "pyproject.toml").write_bytes(data)
    assert migrate(tmp_path, "--check").code == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("spark.streaming.blockInterval 5\n", {"info": 1}),
        ("spark.streaming.raw.maxBlockSizeBytes 5\n", {"info": 1, "warning": 1}),
        ("--packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8\n",
         {"info": 1, "warning": 1, "error": 1}),
    ],
)  # fmt: skip
def test_fail_on(migrate: Migrate, tmp_path: Path, text: str, expected: dict[str, int]) -> None:
    (tmp_path / "a.conf").write_text(text)
    for level in ("error", "warning", "info", "never"):
        run = migrate(tmp_path, "--check", "--notes", "--fail-on", level, "--format", "json")
        assert run.code == expected.get(level, 0)
        assert run.json["summary"]["exit_code"] == run.code
        assert run.json["summary"]["fail_on"] == level


def test_fail_on_never_covers_work_to_do(migrate: Migrate, tree: Path) -> None:
    assert migrate(tree, "--check", "--fail-on", "error").code == 1
    assert migrate(tree, "--check", "--fail-on", "never").code == 0


def test_fail_on_never_does_not_cover_our_errors(
    migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise KeyError("x")

    monkeypatch.setattr("migrator.run.analyse_file._examine", broken)
    assert migrate(tree, "--check", "--fail-on", "never").code == 2
