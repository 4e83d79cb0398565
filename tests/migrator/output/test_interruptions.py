"""A run that ends at any point leaves the old tree or the new one."""

from __future__ import annotations

import errno
import itertools
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.discover.paths import select
from migrator.errors import MigrateError
from migrator.output.in_place import interrupted_runs, recover, replace_all, undo
from migrator.output.journal import FileChange, run_folders, runs
from tests.support.migrator.crashes import Described, at_change, described, killed_at

pytestmark = pytest.mark.slow

OLD = {
    "a.py": b"a = 1\r\nb = 2\r\n",
    "jobs/b.py": b"\xef\xbb\xbfname = 'b'",
    "jobs/caf\udce9.py": b"# -*- coding: latin-1 -*-\n# caf\xe9\n",
}
NEW = {name: data + b"# new\n" for name, data in OLD.items()}
STAYS = {"jobs/same.py": b"x = 1\n"}
REPLACEMENTS = [FileChange(name, OLD[name], NEW[name]) for name in OLD]


def make(base: Path) -> Described:
    """Make the old tree and describe it."""
    for number, (name, data) in enumerate((OLD | STAYS).items()):
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod((0o644, 0o755, 0o600, 0o444)[number])
        os.utime(path, ns=(10**18, 10**18 + number))
    return described(base)


def contents(base: Path) -> dict[str, bytes]:
    return {name: data for name, (data, _, _) in described(base).items()}


def is_new(base: Path, before: Described) -> bool:
    """Whether the tree is the new one; fails if it is neither."""
    now = described(base)
    if now == before:
        return False
    assert contents(base) == NEW | STAYS
    assert {n: mode for n, (_, mode, _) in now.items()} == {n: m for n, (_, m, _) in before.items()}
    return True


def test_a_run_killed_at_any_point(tmp_path: Path) -> None:
    seen = []
    for number in itertools.count(1):
        base = tmp_path / str(number)
        before = make(base)
        killed = killed_at(number, lambda at=base: replace_all(at, REPLACEMENTS))
        recover(select([base]))
        assert interrupted_runs(select([base])) == []
        seen.append(is_new(base, before))
        if seen[-1]:
            undo(base, force=False)
            assert described(base) == before
        else:
            assert runs(base) == []
            replace_all(base, REPLACEMENTS)
            assert is_new(base, before)
        if not killed:
            break
    # the tree is the new one from one point on
    assert seen == sorted(seen)
    assert seen.count(False) > 30
    assert seen[-1]


def test_an_undo_killed_at_any_point(tmp_path: Path) -> None:
    seen = []
    for number in itertools.count(1):
        base = tmp_path / str(number)
        before = make(base)
        replace_all(base, REPLACEMENTS)
        killed = killed_at(number, lambda at=base: undo(at, force=False))
        recover(select([base]))
        seen.append(is_new(base, before))
        if seen[-1]:
            undo(base, force=False)
            assert described(base) == before
        if not killed:
            break
    assert seen == sorted(seen, reverse=True)
    assert seen[0]
    assert seen.count(False) > 20


def test_a_recovery_killed_at_any_point(tmp_path: Path) -> None:
    for number in itertools.count(1):
        base = tmp_path / str(number)
        before = make(base)
        assert killed_at(3, lambda at=base: replace_all(at, REPLACEMENTS), names=("replace",))
        assert contents(base) not in (OLD | STAYS, NEW | STAYS)
        killed = killed_at(number, lambda at=base: recover(select([at])))
        recover(select([base]))
        assert described(base) == before
        if not killed:
            break
    assert number > 20


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_a_failure_at_any_point(tmp_path: Path, error: BaseException) -> None:
    def fail(name: str, args: tuple[object, ...]) -> None:
        raise error

    for number in itertools.count(1):
        base = tmp_path / str(number)
        before = make(base)
        with at_change(number, fail) as seen:
            try:
                replace_all(base, REPLACEMENTS)
            except (OSError, KeyboardInterrupt, MigrateError):
                failed = True
            else:
                failed = False
        if not failed:
            break
        assert len(seen) >= number
        assert described(base) == before
        assert run_folders(base) == []
    assert number > 30
    assert is_new(base, before)


def test_a_failure_that_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The originals cannot be put back at once, but later."""
    before = make(tmp_path)
    real = os.replace
    calls: list[object] = []

    def replace(source: Path, target: Path) -> None:
        calls.append(target)
        if len(calls) > 1:
            raise OSError(errno.EIO, "Input/output error")
        real(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", replace)
        with pytest.raises(MigrateError, match=r"so did putting the originals back .*migrate undo"):
            replace_all(tmp_path, REPLACEMENTS)
    assert contents(tmp_path) not in (OLD | STAYS, NEW | STAYS)
    assert [run.base for run in recover(select([tmp_path]))] == [tmp_path]
    assert described(tmp_path) == before


def half_done(base: Path) -> Described:
    before = make(base)
    assert killed_at(2, lambda: replace_all(base, REPLACEMENTS), names=("replace",))
    assert contents(base) not in (OLD | STAYS, NEW | STAYS)
    return before


def test_an_interrupted_run_over_a_folder_below_is_put_back(tmp_path: Path) -> None:
    before = half_done(tmp_path / "deep" / "project")
    (tmp_path / "other").mkdir()
    assert recover(select([tmp_path / "other"])) == []
    (run,) = recover(select([tmp_path]))
    assert run.base == tmp_path / "deep" / "project"
    assert described(run.base) == before


def test_an_interrupted_run_over_a_folder_above_is_named(tmp_path: Path) -> None:
    half_done(tmp_path)
    mixed = described(tmp_path)
    (tmp_path / "other").mkdir()
    assert recover(select([tmp_path / "other"])) == []
    with pytest.raises(MigrateError, match=f"put its files back with: migrate undo {tmp_path}$"):
        recover(select([tmp_path / "jobs"]))
    assert described(tmp_path) == mixed


@pytest.mark.parametrize("edit", [lambda p: p.write_bytes(b"mine"), lambda p: p.unlink()])
def test_edits_after_an_interruption_are_not_lost(
    tmp_path: Path, edit: Callable[[Path], object]
) -> None:
    before = half_done(tmp_path)
    edit(tmp_path / "jobs" / "b.py")
    mixed = described(tmp_path)
    with pytest.raises(MigrateError, match=r"b\.py was edited since; .* undo --force"):
        recover(select([tmp_path]))
    assert described(tmp_path) == mixed
    undo(tmp_path, force=True)
    assert described(tmp_path) == before


def test_a_folder_without_a_manifest_is_removed(tmp_path: Path) -> None:
    make(tmp_path)
    assert killed_at(1, lambda: replace_all(tmp_path, REPLACEMENTS), names=("rename",))
    (left,) = run_folders(tmp_path)
    assert recover(select([tmp_path])) == []
    replace_all(tmp_path, REPLACEMENTS)
    assert left not in run_folders(tmp_path)
    assert len(run_folders(tmp_path)) == 1
