"""Results of earlier runs: used where nothing changed, never wrong."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import migrator.run.cache
import migrator.run.programs
import migrator.run.scan
from migrator.model.report import Report
from migrator.report.json_report import as_dict
from migrator.run.cache import _FORMAT, Cache, _Reports, digest
from migrator.run.scan import scan
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were analysed, in order."""
    names: list[str] = []
    real = migrator.run.scan.analyse

    def analyse(relative: str, *rest: Any, **options: Any) -> object:
        names.append(relative)
        return real(relative, *rest, **options)

    for module in (migrator.run.scan, migrator.run.programs):
        monkeypatch.setattr(module, "analyse", analyse)
    return names


def run(root: Path) -> tuple[Report, list[str]]:
    cache = Cache(root)
    return scan(root, "check", cache=cache), cache.notes


def rows(report: Report) -> object:
    return as_dict(report), [(f.path, f.original, f.content) for f in report.files]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "job.py").write_text(JOB)
    (root / "helper.py").write_text("def f(stream):\n    return stream.map(str)\n")
    (root / "old.py").write_text("import pyspark.streaming\nprint 'x'\n")
    (root / "a.conf").write_text("spark.streaming.receiver.maxRate 5\n")
    (root / "broken.ipynb").write_text("pyspark.streaming {")
    (root / "A.scala").write_text("import org.apache.spark.streaming._\n")
    return root


ALL = ["A.scala", "a.conf", "broken.ipynb", "job.py", "old.py"]


def test_an_unchanged_tree_is_not_analysed_again(project: Path, analysed: list[str]) -> None:
    first = rows(run(project)[0])
    assert sorted(analysed) == sorted(ALL)
    analysed.clear()
    assert rows(run(project)[0]) == first
    assert analysed == []
    assert rows(scan(project, "check")) == first


def test_a_changed_text_is_analysed_alone(project: Path, analysed: list[str]) -> None:
    run(project)
    analysed.clear()
    (project / "a.conf").write_text("spark.streaming.receiver.maxRate 6\n")
    report, _ = run(project)
    assert analysed == ["a.conf"]
    assert "maxRate=6" in next(f for f in report.files if f.path == "a.conf").findings[0].message


@pytest.mark.parametrize("change", ["edit", "remove", "rename", "add", "same size and time"])
def test_programs_depend_on_all_programs(project: Path, analysed: list[str], change: str) -> None:
    """A helper without a word about streams may change what is found elsewhere."""
    run(project)
    analysed.clear()
    helper = project / "helper.py"
    if change == "edit":
        helper.write_text("def f(stream):\n    return None\n")
    elif change == "remove":
        helper.unlink()
    elif change == "rename":
        helper.rename(project / "other.py")
    elif change == "add":
        (project / "more.py").write_text("x = 1\n")
    else:
        before = helper.stat()
        helper.write_text("def f(stream):\n    return stream.map(int)\n")
        os.utime(helper, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert helper.stat().st_size == before.st_size
    report, _ = run(project)
    assert sorted(analysed) == [n for n in sorted(ALL) if n != "a.conf"]
    assert rows(report) == rows(scan(project, "check"))


def test_versions_are_part_of_the_key(
    project: Path, analysed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(project)
    analysed.clear()
    monkeypatch.setattr(migrator.run.cache, "_versions", lambda names: [b"no fissix"])
    run(project)
    assert len(analysed) == len(ALL)


def test_the_code_of_the_tool_is_part_of_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "__init__.py").write_text("x = 1\n")
    monkeypatch.setattr(migrator, "__file__", str(tmp_path / "__init__.py"))
    before = migrator.run.cache._stamp()
    (tmp_path / "__init__.py").write_text("x = 2\n")
    assert migrator.run.cache._stamp() != before


def test_what_is_done_with_a_report_stays_out(project: Path) -> None:
    first, _ = run(project)
    expected = rows(first)
    for file in first.files:
        file.findings.clear()
        file.content = None
    second, _ = run(project)
    assert rows(second) == expected
    for file in second.files:
        file.sites.clear()
    assert rows(run(project)[0]) == expected


def damaged(data: bytes) -> list[bytes]:
    body = pickle.dumps({b"k": 1})
    other = pickle.dumps(os.getcwd)
    head = data[: len(_FORMAT) + len(digest())]
    return [
        *(b"", b"x", head[:-1], head, data[:-1], data[: len(data) // 2], data + b"x"),
        *(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in (0, len(head), -1)),
        head + digest(other) + other,
        head + digest(body[:-2]) + body[:-2],
    ]


@pytest.mark.slow
def test_damaged_caches_are_ignored_with_a_note(project: Path, cache_folder: Path) -> None:
    expected = rows(run(project)[0])
    (path,) = cache_folder.iterdir()
    good = path.read_bytes()
    for bad in damaged(good):
        path.write_bytes(bad)
        report, notes = run(project)
        assert rows(report) == expected
        assert len(notes) == 1
        assert str(path) in notes[0]
        # and it is whole again
        assert run(project)[1] == []


def test_caches_of_other_versions_are_no_news(
    project: Path, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade reports may look otherwise: nothing of the old ones is read."""
    expected = rows(run(project)[0])
    (path,) = cache_folder.iterdir()
    data = path.read_bytes()
    stale = [b"migrate cache 1\n" + data[len(_FORMAT) :], b"migrate cache 10\n" + data]
    for name in ("_versions", "_stamp"):
        with monkeypatch.context() as patch:
            made: object = [b"pyspark 9"] if name == "_versions" else digest(b"another migrate")
            patch.setattr(migrator.run.cache, name, lambda *_, made=made: made)
            patch.setattr(_Reports, "load", lambda self: pytest.fail("it was read"))
            path.unlink()
            assert run(project)[1] == []
            stale.append(path.read_bytes())
            path.write_bytes(data)
            assert run(project)[1] == []
    for old in stale:
        path.write_bytes(old)
        report, notes = run(project)
        assert (rows(report), notes) == (expected, [])


def test_only_reports_are_unpickled() -> None:
    for thing in (os.system, eval, Path("x"), pickle.Unpickler, migrator.run.scan.scan):
        with pytest.raises(pickle.UnpicklingError, match="does not belong in a cached report"):
            _Reports(io.BytesIO(pickle.dumps(thing))).load()


def test_the_command_says_it(migrate: Migrate, project: Path, cache_folder: Path) -> None:
    first = migrate(project, "--check", "--format", "json")
    (path,) = cache_folder.iterdir()
    path.write_bytes(b"junk")
    again = migrate(project, "--check", "--format", "json")
    assert again.out == first.out
    assert again.err == f"migrate: note: the cache {path} is damaged and was ignored\n"


def test_no_cache(migrate: Migrate, project: Path, cache_folder: Path) -> None:
    migrate(project, "--check", "--no-cache")
    assert list(cache_folder.iterdir()) == []


def test_a_tree_without_streams_leaves_nothing(
    migrate: Migrate, tmp_path: Path, cache_folder: Path
) -> None:
    (tmp_path / "x.py").write_text("x = 1\n")
    migrate(tmp_path, "--check")
    assert list(cache_folder.iterdir()) == []


def test_a_cache_that_cannot_be_written(
    migrate: Migrate, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MIGRATE_CACHE_DIR", str(tmp_path / "file" / "cache"))
    found = migrate(project, "--check")
    assert found.code == 1
    assert "cannot be read" in found.err or "cannot be written" in found.err
    assert "--no-cache" in found.err


def test_internal_errors_are_not_kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise KeyError("x")

    with monkeypatch.context() as patch:
        for module in (migrator.run.scan, migrator.run.programs):
            patch.setattr(module, "analyse", fails)
        assert run(project)[0].internal_errors == len(ALL)
    assert run(project)[0].internal_errors == 0


def test_old_results_are_forgotten(project: Path, cache_folder: Path) -> None:
    old = cache_folder / "0.cache"
    old.write_bytes(b"")
    os.utime(old, (0, 0))
    (cache_folder / "new.cache").write_bytes(b"")
    run(project)
    assert not old.exists()
    assert (cache_folder / "new.cache").exists()


def test_where_it_lives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MIGRATE_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert migrator.run.cache.cache_folder() == tmp_path / "dstream-compat" / "migrate"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert migrator.run.cache.cache_folder() == tmp_path / ".cache" / "dstream-compat" / "migrate"


def test_roots_have_results_of_their_own(project: Path, cache_folder: Path) -> None:
    run(project)
    Cache(project, ("job.py",)).load()
    scan(project, "check", ("job.py",), Cache(project, ("job.py",)))
    assert len(list(cache_folder.iterdir())) == 2


LOG = "spark.streaming.receiver.writeAheadLog.enable"


def test_what_rests_on_the_project_is_judged_anew(tmp_path: Path) -> None:
    """The settings stay as they are and come from the cache; what they mean for jobs changes."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.conf").write_text(f"{LOG} true\n")
    (root / "pom.xml").write_text("<arg>a.b:c_2.11:1.0</arg>  <!-- spark-streaming -->\n")

    def codes_and_messages() -> list[tuple[str, str]]:
        found = scan(root, "check", cache=Cache(root))
        assert as_dict(found) == as_dict(scan(root, "check"))
        return [(x.code, " ".join((x.message, *x.details))) for _, x in found.findings()]

    assert [code for code, _ in codes_and_messages()] == ["D701"]
    (root / "job.py").write_text(JOB)
    for _ in range(2):
        found = codes_and_messages()
        assert sorted({code for code, _ in found}) == ["D101", "D701", "D902"]
        (message,) = [text for code, text in found if code == "D701"]
        assert "job.py (socketTextStream)" in message
