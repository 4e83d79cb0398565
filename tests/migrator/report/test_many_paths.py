"""Reports about many paths name the first ones only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]


def test_many_paths_are_counted(migrate: Migrate, tmp_path: Path) -> None:
    paths = [tmp_path / f"job{number}.py" for number in range(20)]
    for path in paths:
        path.write_text(JOB)
    reports = [tmp_path / name for name in ("r.txt", "r.html", "r.json")]
    options = [part for report in reports for part in ("--report", report)]

    run = migrate(*paths, "--output", tmp_path / "out", *options)

    said = f"{paths[0]} {paths[1]} and 18 more paths"
    assert f"{said} was not changed" in run.out
    assert reports[0].read_text().startswith(f"Report of migrate on {said}\n")
    assert f"<code>{said}</code>" in reports[1].read_text()
    # programs get all of them
    assert str(paths[19]) in reports[2].read_text()


def test_nothing_in_many_paths(migrate: Migrate, tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.py" for number in range(5)]
    for path in paths:
        path.touch()

    run = migrate(*paths, "--check")

    assert f"No DStream code found in {paths[0]} {paths[1]} and 3 more paths" in run.out
