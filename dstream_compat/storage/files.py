"""Durable files: plain Python for local folders, Hadoop's file system API for everything else.

Decision 0127: Files of a checkpoint on S3 are written in place.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext

_LOG = logging.getLogger("dstream_compat")
_ABORTABLE = "fs.capability.outputstream.abortable"
_LOCAL = re.compile(r"file:(?://[^/]*)?")


class FolderEntry(NamedTuple):
    """One entry of a folder; ``modified`` is in milliseconds since the epoch, sizes in bytes."""

    name: str
    path: str
    modified: int
    size: int
    is_folder: bool
    block: int | None = None


class Storage(Protocol):
    """The few file operations that checkpoints and file sources need."""

    def list(self, path: str) -> list[FolderEntry]:
        """Return a folder's entries; raises FileNotFoundError."""

    def exists(self, path: str) -> bool:
        """Return whether a file or folder is there."""

    def read(self, path: str) -> bytes:
        """Return a file's bytes; raises FileNotFoundError."""

    def write(self, path: str, data: bytes) -> None:
        """Write a file in one step: it is there whole, or not at all."""

    def delete(self, path: str) -> None:
        """Delete a file or a folder with all in it, if it is there; raises OSError."""

    def local(self, path: str) -> str | None:
        """Return the path for Python's own file functions, or None."""

    def qualified_path(self, path: str) -> str:
        """Return the path with its file system, which Spark's checkpoints need."""


def join(folder: str, *names: str) -> str:
    """Return the path of something in a folder."""
    return "/".join((folder.rstrip("/") or "/", *names)) if folder != "/" else "/" + "/".join(names)


class LocalStorage:
    """A local file system."""

    def list(self, path: str) -> list[FolderEntry]:
        """See Storage."""
        files = []
        with os.scandir(self.local(path)) as entries:
            for entry in entries:
                try:
                    info = entry.stat()
                except FileNotFoundError:
                    continue  # deleted between listing and looking
                modified = info.st_mtime_ns // 1_000_000
                files.append(
                    FolderEntry(entry.name, entry.path, modified, info.st_size, entry.is_dir())
                )
        return files

    def exists(self, path: str) -> bool:
        """See Storage."""
        return os.path.exists(self.local(path))

    def read(self, path: str) -> bytes:
        """See Storage."""
        return Path(self.local(path)).read_bytes()

    def write(self, path: str, data: bytes) -> None:
        """See Storage."""
        target = Path(self.local(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(f".{target.name}.tmp")
        with draft.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(draft, target)

    def delete(self, path: str) -> None:
        """See Storage."""
        target = Path(self.local(path))
        if not target.is_dir() or target.is_symlink():
            target.unlink(missing_ok=True)
        while target.is_dir():
            with contextlib.suppress(FileNotFoundError):  # another process deletes in it, too
                shutil.rmtree(target)

    def local(self, path: str) -> str:
        """See Storage."""
        # Hadoop takes the text of a path as it is: no character of a name is quoted in it.
        match = _LOCAL.match(path)
        return path if match is None else path[match.end() :]

    def qualified_path(self, path: str) -> str:
        """See Storage."""
        return path


class HadoopStorage:
    """Any file system that Spark's Hadoop configuration knows."""

    def __init__(self, jvm: Any, configuration: Any, path: str) -> None:
        self._bytes = jvm.org.apache.commons.io.IOUtils
        self._fs: Any = jvm.org.apache.hadoop.fs.Path(path).getFileSystem(configuration)
        if self._fs.getCanonicalServiceName() is not None:  # one that gives out tokens
            _check_credentials(jvm)
        self._jvm, self._configuration = jvm, configuration
        option = jvm.org.apache.hadoop.fs.Options.Rename
        self._overwrite: Any = SparkContext._gateway.new_array(option, 1)  # type: ignore[union-attr]
        self._overwrite[0] = option.OVERWRITE

    @functools.cached_property
    def _context(self) -> Any:
        """Hadoop's newer API, which can replace a file in one step; None if it cannot."""
        try:
            return self._jvm.org.apache.hadoop.fs.FileContext.getFileContext(
                self._fs.getUri(), self._configuration
            )
        except Py4JJavaError as error:
            if "UnsupportedFileSystemException" not in str(error.java_exception):
                raise
            return None

    def _path(self, path: str) -> Any:
        # FileContext takes no hdfs:///folder
        return self._fs.makeQualified(self._jvm.org.apache.hadoop.fs.Path(path))

    def list(self, path: str) -> list[FolderEntry]:
        """See Storage."""
        if not self.exists(path):
            raise FileNotFoundError(path)
        return [entry_of(status) for status in self._fs.listStatus(self._path(path))]

    def exists(self, path: str) -> bool:
        """See Storage."""
        return bool(self._fs.exists(self._path(path)))

    def read(self, path: str) -> bytes:
        """See Storage."""
        if not self.exists(path):
            raise FileNotFoundError(path)
        stream = self._fs.open(self._path(path))
        try:
            return bytes(self._bytes.toByteArray(stream))
        finally:
            stream.close()

    def write(self, path: str, data: bytes) -> None:
        """See Storage."""
        target = self._path(path)
        if self._fs.hasPathCapability(target, _ABORTABLE):
            # Such a file is there when it is closed, in place of an old one. S3 has no rename: to
            # replace a file by one deletes it first, and a job that is killed then has neither.
            self._write_at_once(target, data)
            return
        draft = self._jvm.org.apache.hadoop.fs.Path(target.getParent(), f".{target.getName()}.tmp")
        stream = self._fs.create(draft, True)
        try:
            stream.write(data)
            stream.hsync()
        finally:
            stream.close()
        if self._context is not None:
            self._context.rename(draft, target, self._overwrite)
            return
        self._fs.delete(target, False)
        if not self._fs.rename(draft, target):
            raise OSError(f"could not rename {draft.toString()} to {target.toString()}")

    def _write_at_once(self, target: Any, data: bytes) -> None:
        stream = self._fs.create(target, True)
        try:
            stream.write(data)
        except BaseException:
            stream.abort()
            raise
        finally:
            stream.close()

    def delete(self, path: str) -> None:
        """See Storage."""
        self._fs.delete(self._path(path), True)

    def local(self, path: str) -> str | None:
        """See Storage."""
        return None

    def qualified_path(self, path: str) -> str:
        """See Storage."""
        return str(self._path(path).toString())


def _check_credentials(jvm: Any) -> None:
    """Refuse servers that ask who calls where this process cannot say: HDFS's client would try
    again for minutes.
    """
    users = jvm.org.apache.hadoop.security.UserGroupInformation
    user = users.getCurrentUser()
    asker = user.getRealUser() or user  # one who acts for another shows his own ticket
    has_nothing = not asker.hasKerberosCredentials() and user.getTokens().isEmpty()
    if users.isSecurityEnabled() and has_nothing:
        raise PermissionError(
            "its servers ask who calls (hadoop.security.authentication is kerberos), and this "
            "process has no ticket and no token: run kinit before, or submit the job with "
            "--principal and --keytab"
        )


def entry_of(status: Any) -> FolderEntry:
    """Return an entry for a FileStatus of Hadoop."""
    place = status.getPath()
    return FolderEntry(
        place.getName(),
        place.toString(),
        status.getModificationTime(),
        status.getLen(),
        status.isDirectory(),
        status.getBlockSize(),
    )


def reason_of(error: Exception) -> str:
    """Return what a file operation failed for, in one line."""
    text = str(error.java_exception) if isinstance(error, Py4JJavaError) else str(error)
    lines = text.strip().splitlines()
    return lines[0] if lines else type(error).__name__


def discard(storage: Storage, path: str) -> None:
    """Delete what is no longer needed; if that fails, say so and go on."""
    try:
        storage.delete(path)
    except (OSError, Py4JJavaError) as error:
        _LOG.warning("%s is no longer needed, but could not be deleted: %s", path, reason_of(error))


def storage_for(sc: SparkContext | None, path: str) -> Storage:
    """Return the storage that holds a path, by its scheme or Spark's default file system.

    Parameters
    ----------
    sc : SparkContext, optional
        without one, the settings that its JVM was started with count; the JVM must run
    path : str
        any Hadoop path
    """
    return LocalStorage() if is_local(sc, path) else HadoopStorage(*hadoop(sc), path)


def is_local(sc: SparkContext | None, path: str) -> bool:
    """Return whether a path is of the local file system; see ``storage_for``."""
    scheme = urlsplit(path).scheme
    if scheme:
        return scheme == "file"
    _, configuration = hadoop(sc)
    return bool(configuration.get("fs.defaultFS", "file:///").startswith("file:"))


def hadoop(sc: SparkContext | None) -> tuple[Any, Any]:
    """Return the JVM and the Hadoop configuration that counts."""
    jvm: Any = SparkContext._jvm if sc is None else sc._jvm
    jsc: Any = None if sc is None else sc._jsc
    if jsc is None:
        # with what spark-submit or spark-defaults.conf say of Hadoop, credentials for one thing
        return jvm, jvm.org.apache.spark.deploy.SparkHadoopUtil.get().conf()
    return jvm, jsc.hadoopConfiguration()
