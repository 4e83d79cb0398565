"""Files that appear whole or not at all, and survive a loss of power."""

from __future__ import annotations

import errno
import os
import shutil
from contextlib import suppress
from pathlib import Path


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
