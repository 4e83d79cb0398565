"""Runs that rewrite files in place: their originals, and whether they have ended.

The folder of such a run holds `.migrate-undo`, which has a folder for each run with the originals
and a manifest. The manifest is called `pending.json` while files are replaced, and `done.json`
afterwards. A process may be killed at any point: the originals of a pending run are put back, and a
run without a manifest has changed nothing.

Decision 0079: Runs that rewrite files in place keep a journal in their folder.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import secrets
import shutil
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from migrator.errors import MigrateError

JOURNAL = ".migrate-undo"

_PENDING, _DONE = "pending.json", "done.json"
_FORMAT = 1
_RUN = re.compile(r"\d{4,}-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file to replace: what it held when it was read, and what it is to hold."""

    path: str
    original: bytes
    content: bytes


@dataclass(frozen=True, slots=True)
class RewrittenFile:
    """A file of a run: digests of its content before and after."""

    path: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Run:
    """A run that rewrites files in place.

    Parameters
    ----------
    folder : Path
        Where its originals are.
    base : Path
        The folder to which the paths of its files are relative, without symlinks.
    date : str
        When it began.
    """

    folder: Path
    base: Path
    date: str
    files: tuple[RewrittenFile, ...]

    @property
    def is_pending(self) -> bool:
        """Whether it has not ended: its files may hold the old or the new content."""
        return (self.folder / _PENDING).exists()

    def edited_files(self) -> list[str]:
        """Return the files that hold neither their old nor their new content."""
        return [file.path for n, file in enumerate(self.files) if self._is_edited(n)]

    def replace(self, replacements: Sequence[FileChange]) -> None:
        """Keep the originals and replace the files.

        Raises
        ------
        MigrateError
            If a file changed since it was read.
        """
        for n, item in enumerate(replacements):
            self._refuse_change(n, "run migrate again")
            write_new(self._backup_path(n), item.original, self._target(n), keep_times=True)
        self._write_manifest()
        new = ((n, item.content, self._target(n)) for n, item in enumerate(replacements))
        self._put(new, "run migrate again", keep_times=False)
        os.rename(self.folder / _PENDING, self.folder / _DONE)
        sync_folder(self.folder)

    def restore(self, *, force: bool = False, but: Collection[str] = ()) -> None:
        """Put the originals back and forget the run; it may be repeated after any failure.

        Parameters
        ----------
        force : bool
            Whether files are put back that were edited since.
        but : collection of str
            Files that stay as they are.

        Raises
        ------
        MigrateError
            If an original is damaged, or a file is edited meanwhile.
        """
        if self.is_pending or (self.folder / _DONE).exists():
            changed = [
                n
                for n, file in enumerate(self.files)
                if file.path not in but and self._digest(n) != file.old
            ]
            # all of them are read before anything changes
            old = [(n, self._original(n), self._backup_path(n)) for n in changed]
            if not self.is_pending:
                os.rename(self.folder / _DONE, self.folder / _PENDING)
                sync_folder(self.folder)
            advice = None if force else "run migrate undo again"
            self._put(old, advice, keep_times=True)
        forget(self.folder)

    def _put(
        self, contents: Iterable[tuple[int, bytes, Path]], advice: str | None, *, keep_times: bool
    ) -> None:
        """Replace files by number, after all new contents are on the disk.

        Parameters
        ----------
        contents : iterable of (int, bytes, Path)
            For each file its new content, and a file with its mode.
        advice : str, optional
            What to do if a file was edited; None if it is replaced all the same.
        """
        self._remove_temporaries()
        staged = []
        try:
            for n, content, like in contents:
                self._target(n).parent.mkdir(parents=True, exist_ok=True)
                write_new(self._temporary(n), content, like, keep_times=keep_times)
                staged.append(n)
            for n in staged:
                if advice is not None:
                    self._refuse_change(n, advice)
                os.replace(self._temporary(n), self._target(n))
        finally:
            self._remove_temporaries()
        for folder in {self._target(n).parent for n in staged}:
            sync_folder(folder)

    def _write_manifest(self) -> None:
        manifest = {"format": _FORMAT, "date": self.date, "files": [asdict(f) for f in self.files]}
        new = self.folder / "new.json"
        write_new(new, json.dumps(manifest, indent=1).encode())
        os.rename(new, self.folder / _PENDING)
        for folder in (self.folder, self.folder.parent, self.base):
            sync_folder(folder)

    def _target(self, n: int) -> Path:
        """Return the file; a folder that has become a symlink would lead out of the tree."""
        path = self.base / self.files[n].path
        if os.path.realpath(path.parent) != os.fspath(path.parent):
            raise MigrateError(f"{path.parent} has become a symlink; put the folder back")
        return path

    def _backup_path(self, n: int) -> Path:
        return self.folder / str(n)

    def _temporary(self, n: int) -> Path:
        return self._target(n).with_name(f"{JOURNAL}-{self.folder.name}-{n}")

    def _remove_temporaries(self) -> None:
        for n in range(len(self.files)):
            self._temporary(n).unlink(missing_ok=True)

    def _original(self, n: int) -> bytes:
        content = self._backup_path(n).read_bytes()
        if _digest(content) != self.files[n].old:
            raise MigrateError(
                f"{self._backup_path(n)}, the original of {self.files[n].path}, is damaged; remove "
                f"{self.folder} to keep the files as they are"
            )
        return content

    def _digest(self, n: int) -> str | None:
        """Return the digest of what the file holds now, None if it is no file any more."""
        path = self._target(n)
        return _digest(path.read_bytes()) if path.is_file() and not path.is_symlink() else None

    def _is_edited(self, n: int) -> bool:
        return self._digest(n) not in (self.files[n].old, self.files[n].new)

    def _refuse_change(self, n: int, advice: str) -> None:
        if self._is_edited(n):
            raise MigrateError(
                f"{self._target(n)} changed during the run; it was not written, {advice}"
            )


def new_run(base: Path, replacements: Sequence[FileChange]) -> Run:
    """Return a run that is a folder only, with a number above those of earlier ones."""
    earlier = run_folders(base)
    number = int(earlier[-1].name.partition("-")[0]) + 1 if earlier else 1
    folder = base / JOURNAL / f"{number:04}-{secrets.token_hex(4)}"
    folder.mkdir()
    return Run(
        folder,
        base,
        datetime.now().astimezone().isoformat(" ", "seconds"),
        tuple(RewrittenFile(r.path, _digest(r.original), _digest(r.content)) for r in replacements),
    )


def run_folders(base: Path) -> list[Path]:
    """Return the folders of runs over a folder, the oldest first, also without a manifest."""
    folder = base / JOURNAL
    # of a folder that may not be looked into, those of os.path say that there is none
    if os.path.islink(folder) or not os.path.isdir(folder):
        return []
    run_paths = [p for p in folder.iterdir() if _RUN.fullmatch(p.name) and not p.is_symlink()]
    return sorted(run_paths, key=lambda p: (int(p.name.partition("-")[0]), p.name))


def forget(folder: Path) -> None:
    """Remove the folder of a run: its files stay as they are."""
    # without a manifest, what is left of the folder means nothing
    for name in (_PENDING, _DONE):
        (folder / name).unlink(missing_ok=True)
    sync_folder(folder)
    shutil.rmtree(folder)


def forget_unfinished(base: Path) -> None:
    """Remove the folders of runs that were killed before they changed anything."""
    for folder in run_folders(base):
        if not any((folder / name).exists() for name in (_PENDING, _DONE)):
            forget(folder)


def runs(base: Path, *, pending: bool = False) -> list[Run]:
    """Return the runs over a folder, the oldest first.

    Parameters
    ----------
    pending : bool
        Whether only those count that have not ended.

    Raises
    ------
    MigrateError
        If a manifest cannot be understood.
    """
    names = (_PENDING,) if pending else (_PENDING, _DONE)
    return [
        _read_run(folder, base, folder / name)
        for folder in run_folders(base)
        for name in names
        if (folder / name).is_file()
    ]


def _read_run(folder: Path, base: Path, manifest: Path) -> Run:
    try:
        data = json.loads(manifest.read_bytes())
        if data["format"] != _FORMAT:
            raise ValueError(data["format"])
        files = tuple(RewrittenFile(**{k: str(v) for k, v in f.items()}) for f in data["files"])
        date = str(data["date"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise MigrateError(
            f"{manifest} was not written by this version of migrate; remove {folder} to keep the "
            "files as they are"
        ) from error
    for file in files:
        if not _may_be_rewritten(PurePosixPath(file.path)):
            raise MigrateError(
                f"{manifest} names {file.path!r}, which no run rewrites; remove {folder}"
            )
    return Run(folder, base, date, files)


def _may_be_rewritten(path: PurePosixPath) -> bool:
    """Return whether a manifest may name a path: it may be forged, in a project from elsewhere."""
    # what git is told to run is in its folder
    no_code = {"..", ".git", ".hg", ".svn", JOURNAL}
    named = {part.lower() for part in path.parts}
    return bool(named) and not path.is_absolute() and not named & no_code and "\0" not in str(path)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def write_new(
    path: Path, content: bytes, like: Path | None = None, *, keep_times: bool = False
) -> None:
    """Write a file that does not exist yet.

    Parameters
    ----------
    like : Path, optional
        A file from which it takes its mode, attributes and, if that is allowed, its owner.
    keep_times : bool
        Whether it takes the times of that file too.
    """
    mode = 0o666 if like is None else 0o600
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            if like is not None:
                _copy_metadata(like, path)
                if not keep_times:
                    os.utime(path)
            os.fsync(stream.fileno())
    except BaseException:
        os.unlink(path)
        raise


def _copy_metadata(source: Path, target: Path) -> None:
    old_stat, new_stat = source.stat(), target.stat()
    if (old_stat.st_uid, old_stat.st_gid) != (new_stat.st_uid, new_stat.st_gid):
        # someone else's file in a shared folder becomes the user's own, as with git
        with suppress(PermissionError):
            os.chown(target, old_stat.st_uid, old_stat.st_gid)
    shutil.copystat(source, target)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        # some network file systems cannot sync a folder
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)
