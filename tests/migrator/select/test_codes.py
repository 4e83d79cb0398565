"""`--select` and `--ignore`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.errors import MigrateError
from migrator.rules.registry import rules
from migrator.select.apply import chosen_codes
from tests.support.migrator.reports import CONTEXT, tree_hash
from tests.support.migrator.runs import Run
from tests.support.migrator.samples import mixed

Migrate = Callable[..., Run]
ALL = {code for code, rule in rules().items() if not rule.asked_only}
ASKED = set(rules()) - ALL
PROBLEMS = {"D001", "D002", "D003", "D005"}


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        ((), (), ALL),
        (("D204",), (), {"D204"} | PROBLEMS),
        (("d204",), (), {"D204"} | PROBLEMS),
        (("D7",), ("D701",), {c for c in ALL if c[:2] == "D7"} - {"D701"} | PROBLEMS),
        (("D701",), ("D7",), {"D701"} | PROBLEMS),
        (("D2", "D203"), ("D2",), {"D203"} | PROBLEMS),
        (("D203",), ("D203",), PROBLEMS),
        ((), ("D",), set()),
        (("D85",), (), ASKED | PROBLEMS),
        (("D850", "D851"), ("D851",), {"D850"} | PROBLEMS),
        (("D8",), (), {c for c in ALL if c[:2] == "D8"} | PROBLEMS),
        (("D",), (), ALL),
        ((), ("D0", "D1"), {c for c in ALL if c[:2] not in ("D0", "D1")}),
    ],
)
def test_chosen(select: tuple[str, ...], ignore: tuple[str, ...], expected: set[str]) -> None:
    assert chosen_codes(select, ignore) == expected


@pytest.mark.parametrize("code", ["D999", "X", "", "D2 D3", "2", "D2044"])
def test_unknown(code: str) -> None:
    with pytest.raises(MigrateError, match="no rule has the code"):
        chosen_codes((), (code,))


def test_codes_of_rules_that_are_gone() -> None:
    assert chosen_codes((), ("D019", "D020")) == ALL - ASKED
    assert chosen_codes(("D019",), ()) == PROBLEMS


def found(migrate: Migrate, *arguments: str | Path) -> set[str]:
    run = migrate(*arguments, "--check", "--format", "json")
    return {f["code"] for f in run.json["findings"]}


def test_on_the_command_line(migrate: Migrate, tmp_path: Path) -> None:
    tree = mixed(tmp_path / "tree")
    everything = found(migrate, tree)
    assert found(migrate, tree, "--select", "D2,D7") == {"D201", "D203", "D703", "D704"}
    assert found(migrate, tree, "--select", "D2", "--select", "D7", "--ignore", "D704") == {
        *("D201", "D203", "D703"),
    }
    assert found(migrate, tree, "--ignore", "D2") == everything - {"D201", "D203"}


def test_wrong_use(migrate: Migrate, tmp_path: Path) -> None:
    tree = mixed(tmp_path / "tree")
    for value, message in (("D999", "no rule has the code D999"), (",", "need a code")):
        run = migrate(tree, "--select", value)
        assert (run.code, run.out) == (2, "")
        assert message in run.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["tree"]


def test_a_rule_that_takes_no_part_rewrites_nothing(migrate: Migrate, tree: Path) -> None:
    before = tree_hash(tree)
    run = migrate(tree, "--in-place", "--ignore", "D101", "--format", "json")
    assert run.code == 0
    assert run.json["findings"] == []
    assert tree_hash(tree) == before
    (site, *_) = [s for s in run.json["sites"] if s["use"] == "import"]
    assert (site["outcome"], site["migration"]) == ("reported", "manual")


def test_rules_that_wait_to_be_asked(migrate: Migrate, tmp_path: Path) -> None:
    job = CONTEXT + "x = ssc.sparkContext.textFile('a')\n"
    (tmp_path / "job.py").write_text(job)
    assert "D850" not in migrate(tmp_path, "--check", "--notes").out
    assert "D850" in migrate(tmp_path, "--check", "--select", "D85").out


def test_comments_excuse_them_too(migrate: Migrate, tmp_path: Path) -> None:
    job = (
        "x = ssc.sparkContext.textFile('a')  # migrate: ignore[D850]\n"
        "y = ssc.sparkContext.broadcast(1)\n"
    )
    job = CONTEXT + job
    (tmp_path / "job.py").write_text(job)
    found = migrate(tmp_path, "--check", "--select", "D85").out
    assert "D851" in found
    assert "textFile` makes an RDD" not in found
    assert "D009" not in migrate(tmp_path, "--check").out
