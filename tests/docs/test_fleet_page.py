"""docs/fleet.md: its commands run one after another, and its numbers are those of the script."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.fleet_projects import make_fleet
from scripts import public_corpus
from tests.support.fenced import README, ROOT, commands, languages
from tests.support.migrator import recorded_fleet
from tests.support.migrator.assistant import without_spark
from tests.support.page_commands import run, words

pytestmark = pytest.mark.slow

PAGE = ROOT / "docs" / "fleet.md"
PROJECTS = ("kafka_offsets", "pinned", "stateful")
# what each command prints, its exit code, and what it writes
EXPECTED: dict[str, tuple[str, int, set[str]]] = {
    "migrate --fleet 'clones/*' --check": ("19 jobs in 4 projects", 1, set()),
    "migrate --fleet 'clones/*' --check --report fleet.html --report fleet.json "
    "--report fleet.csv": (
        "Report: fleet.csv",
        1,
        {"fleet.html", "fleet.json", "fleet.csv", "fleet-projects"},
    ),
    "migrate --projects projects.txt --check --quiet": ("17 jobs in 2 projects", 1, set()),
    "migrate --fleet 'clones/*' --output moved --report fleet.json --report fleet.html": (
        "19 jobs in 4 projects",
        1,
        {"moved"},
    ),
    "migrate verify --all clones --migrated moved --no-shrink": (
        "1 different, 2 equal, 16 no recording",
        1,
        {"verify-all-clones"},
    ),
    "migrate report fleet.json --verified verify-all-clones --report verified.html": (
        "equal 1, differs 1, stale 1, not verified 16",
        1,
        {"verified.html"},
    ),
    "migrate clones/kafka_offsets --check --report offsets.json": (
        "Report: offsets.json",
        1,
        {"offsets.json"},
    ),
    "migrate report fleet.json offsets=offsets.json": ("in 5 projects", 1, set()),
    "migrate report fleet.json --report again.html --quiet": (
        "Report: again.html",
        1,
        {"again.html"},
    ),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with clones."""
    clones = tmp_path / "work" / "clones"
    recorded_fleet.write_clones(clones, PROJECTS)
    jobs = ("network_wordcount", "sql_network_wordcount", "windowed_wordcount")
    recorded_fleet.record(clones, [f"legacy_examples/{job}" for job in jobs])
    (clones.parent / "projects.txt").write_text("# two\nclones/legacy_examples\nclones/stateful\n")
    return clones.parent


@pytest.mark.parametrize("with_spark", [False, pytest.param(True, marks=pytest.mark.full)])
def test_commands(folder: Path, monkeypatch: pytest.MonkeyPatch, with_spark: bool) -> None:
    if not with_spark:
        monkeypatch.setenv("PYTHONPATH", without_spark(folder.parent / "site"))
    assert languages(PAGE) == {"sh", "text"}
    assert commands(PAGE) == list(EXPECTED)
    for command, (expected, code, files) in EXPECTED.items():
        before = {path.name for path in folder.iterdir()}

        done = run(words(command), folder, timeout=1800 if with_spark else 300)

        assert done.returncode == code, (command, done.stdout, done.stderr)
        assert expected in done.stdout, (command, done.stdout)
        assert {path.name for path in folder.iterdir()} - before == files, command
        if "moved" in files:
            recorded_fleet.make_a_mistake(folder / "moved")
        if "verify-all-clones" in files:
            recorded_fleet.change(folder / "clones")
    assert (folder / "fleet-projects" / "stateful.html").is_file()
    moved = (folder / "moved" / "legacy_examples" / "queue_stream.py").read_text()
    assert "dstream_compat" in moved


def corpus(folder: Path) -> tuple[Path, Path]:
    """A list of jobs, and the folder with their repositories."""
    made = make_fleet(folder / "team", 2, 12)
    rows = ["repository,commit,path"]
    rows += [f"team/{path.name},0,{job.path}" for path, jobs in made.items() for job in jobs]
    rows.append("other/settings,0,common.py")
    other = folder / "other+settings"
    other.mkdir()
    (other / "common.py").write_text("import pyspark.streaming\n")
    listed = folder / "jobs.csv"
    listed.write_text("\n".join(rows) + "\n")
    return listed, folder


def test_table_counts_every_job_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    listed, folder = corpus(tmp_path)

    public_corpus.main([str(listed), str(folder)])

    out = capsys.readouterr().out
    assert "13 jobs of 3 repositories" in out
    numbers = [int(found) for found in re.findall(r"\| (\d+) \| \d+ % \|", out)]
    unchanged, compat, needs, cannot, nothing, portable, classic = numbers
    assert compat + needs + cannot + nothing == 13
    assert nothing == 1
    assert 0 < unchanged <= compat
    assert 0 < portable + classic <= 12


def test_wrong_lists(tmp_path: Path) -> None:
    listed, folder = corpus(tmp_path)
    with pytest.raises(SystemExit, match="fetch it into"):
        public_corpus.main([str(listed), str(folder / "missing")])
    listed.write_text("repository,path\na/b,c.py\n")
    with pytest.raises(SystemExit, match="no column commit"):
        public_corpus.main([str(listed), str(folder)])
    listed.write_text("repository,commit,path\n")
    with pytest.raises(SystemExit, match="lists no job"):
        public_corpus.main([str(listed), str(folder)])


def test_readme_and_page_say_the_same() -> None:
    rows = dict(re.findall(r"^\| (.*?) \| (\d+) \| \d+ % \|", PAGE.read_text("utf-8"), re.M))
    numbers = list(map(int, rows.values()))
    said = README.read_text("utf-8")

    assert sum(numbers[1:5]) == 98
    assert f"Of 98 public jobs, {numbers[0]} run unchanged and {numbers[1]} once rewritten" in said
    assert f"{numbers[5]} are portable and {numbers[6]} classic" in said
    labels = re.findall(r'\("([^"]+)", ', Path(public_corpus.__file__).read_text("utf-8"))
    assert set(rows) <= set(labels)
