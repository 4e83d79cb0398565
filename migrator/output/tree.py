"""Writes the migrated copy of a file, or of a tree to a folder of its own.

The whole tree is copied, so that the result runs by itself, without version control metadata,
environments and caches. It is built beside its destination and renamed, so that an interrupted
run leaves neither half a tree nor loses an earlier one.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any

from migrator import __version__
from migrator.discover.walk import MARKER, VERIFY_MARKER, is_environment
from migrator.errors import MigrateError
from migrator.output.journal import JOURNAL, write_new
from migrator.source.python import deep_recursion

_LEFT_OUT = {".git", ".hg", ".svn", "__pycache__", ".tox", ".nox", ".mypy_cache"}
_LEFT_OUT |= {".pytest_cache", ".ruff_cache", JOURNAL}


def default_output(root: Path) -> Path:
    """Return where the migrated copy of a path goes: beside it."""
    if not root.name:
        raise MigrateError("the root folder has no place beside it; use --output or --in-place")
    if root.is_file():
        return root.with_name(f"{root.stem}-migrated{root.suffix}")
    return root.with_name(f"{root.name}-migrated")


def check_output(root: Path, output: Path, chosen: tuple[str, ...] = ()) -> None:
    """Raise if the destination holds something that is not ours to replace.

    Parameters
    ----------
    chosen : tuple of str
        The parts of root that are copied, all of it if empty.

    Raises
    ------
    MigrateError
        If it overlaps the source, exists and is not ours, or has no parent.
    """
    source, target = Path(os.path.realpath(root)), Path(os.path.realpath(output))
    read = [source / name for name in chosen] or [source]
    if target == source or any(target.is_relative_to(path) for path in read):
        raise MigrateError(f"the output {output} is inside {root}; choose a folder outside")
    if any(path.is_relative_to(target) for path in read):
        raise MigrateError(f"{root} is inside the output {output}; choose another folder")
    if not target.parent.is_dir():
        raise MigrateError(f"cannot write to {output}: the folder {target.parent} does not exist")
    if os.path.lexists(output) and not is_ours(output):
        raise MigrateError(
            f"{output} exists and was not made by migrate; remove it or choose another --output"
        )


def is_ours(folder: Path) -> bool:
    """Return whether this tool made a folder."""
    marker = folder / MARKER
    if folder.is_symlink() or marker.is_symlink() or not marker.is_file():
        return False
    try:
        content = json.loads(marker.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and content.get("tool") == "migrate"


def write_tree(
    root: Path,
    output: Path,
    contents: dict[str, bytes],
    unread: set[str],
    chosen: tuple[str, ...] = (),
) -> None:
    """Copy a tree with new contents for some of its files.

    Parameters
    ----------
    output : Path
        The destination, checked by `check_output`.
    contents : dict of str to bytes
        New bytes by path relative to root.
    unread : set of str
        Files that could not be read and are left out.
    chosen : tuple of str
        The parts of root to copy, all of it if empty.
    """
    parent = output.parent
    temporary = Path(tempfile.mkdtemp(prefix=f".{output.name}.", suffix=".migrating", dir=parent))
    try:
        with deep_recursion():
            _Copier(root, temporary, contents, unread, chosen).copy(root, temporary, "")
        marker = {"tool": "migrate", "version": __version__, "source": os.fspath(root)}
        (temporary / MARKER).write_text(json.dumps(marker, indent=2) + "\n", "utf-8")
        _publish(temporary, output)
    finally:
        if temporary.exists():
            _remove(temporary)


def _publish(temporary: Path, output: Path) -> None:
    """Put a finished tree in place of an earlier one."""
    old = temporary.with_suffix(".old")
    try:
        if output.exists():
            os.rename(output, old)
        os.rename(temporary, output)
    except BaseException:
        if old.exists() and not output.exists():
            os.rename(old, output)
        raise
    if old.exists():
        _remove(old)


class _Copier:
    def __init__(
        self,
        root: Path,
        target: Path,
        contents: dict[str, bytes],
        unread: set[str],
        chosen: tuple[str, ...],
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self.target = target
        self.contents = contents
        self.unread = unread
        self.chosen = chosen
        self.on_the_way = {os.fspath(p) for name in chosen for p in PurePath(name).parents}

    def copy(self, source: Path, target: Path, relative: str) -> None:
        """Copy a folder; its mode last, so that a read-only one can be filled."""
        for entry in sorted(os.scandir(source), key=lambda e: e.name):
            path = f"{relative}/{entry.name}" if relative else entry.name
            new = target / entry.name
            if path in self.unread or not self._is_chosen(path):
                continue
            if entry.is_symlink():
                self._link(Path(entry.path), new)
            elif entry.is_dir(follow_symlinks=False):
                if not _is_left_out(Path(entry.path)):
                    new.mkdir(0o700)
                    self.copy(Path(entry.path), new, path)
            elif path == MARKER:
                continue
            elif path in self.contents:
                new.write_bytes(self.contents[path])
                shutil.copystat(entry.path, new)
            elif stat.S_ISREG(entry.stat(follow_symlinks=False).st_mode):
                shutil.copy2(entry.path, new)
        shutil.copystat(source, target)
        if not relative:
            # the marker is still to come
            target.chmod(target.stat().st_mode | stat.S_IRWXU)

    def _is_chosen(self, path: str) -> bool:
        """Return whether a path was chosen, lies in what was chosen, or leads there."""
        if not self.chosen or path in self.on_the_way:
            return True
        return any(path == name or path.startswith(f"{name}/") for name in self.chosen)

    def _link(self, source: Path, new: Path) -> None:
        """Copy a link: inside the tree it points into the copy, else to where it did."""
        text = os.readlink(source)
        pointed = os.path.normpath(os.path.join(os.path.realpath(source.parent), text))
        inside = Path(pointed).is_relative_to(self.root)
        if inside and os.path.isabs(text):
            text = os.path.relpath(pointed, os.path.realpath(source.parent))
        elif not inside:
            text = pointed
        os.symlink(text, new)


def _is_left_out(folder: Path) -> bool:
    # what a verification has written may be around the copy itself
    is_own = is_ours(folder) or (folder / VERIFY_MARKER).is_file()
    return folder.name in _LEFT_OUT or is_environment(folder) or is_own


def _remove(folder: Path) -> None:
    """Remove a tree, read-only folders too."""

    def retry(function: Callable[..., Any], path: str, _: Any) -> None:
        with suppress(OSError):
            os.chmod(os.path.dirname(path), stat.S_IRWXU)
            os.chmod(path, stat.S_IRWXU)
        function(path)

    if sys.version_info >= (3, 12):
        shutil.rmtree(folder, onexc=retry)
    else:
        shutil.rmtree(folder, onerror=retry)


def output_file(source: Path, output: Path) -> Path:
    """Return the file to write: under the source's own name if the output is a folder."""
    return output / source.name if output.is_dir() else output


def check_output_file(source: Path, output: Path) -> None:
    """Refuse a destination that cannot be written.

    Raises
    ------
    MigrateError
        If it is the source or its folder does not exist.
    """
    if os.path.realpath(source) == os.path.realpath(output):
        raise MigrateError(f"the output {output} is the file itself; use --in-place to rewrite it")
    if not output.parent.is_dir():
        raise MigrateError(f"cannot write to {output}: the folder {output.parent} does not exist")


def write_file(source: Path, output: Path, content: bytes) -> None:
    """Write a file that must not exist yet, or already holds what is to be written.

    Raises
    ------
    MigrateError
        If it holds something else: nothing shows that this tool made it.
    """
    temporary = output.with_name(f".{secrets.token_hex(8)}.migrating")
    write_new(temporary, content, source)
    try:
        try:
            # fails if it exists, unlike a rename
            os.link(temporary, output)
        except FileExistsError:
            if not output.is_file() or output.read_bytes() != content:
                raise MigrateError(
                    f"{output} exists; remove it or choose another --output"
                ) from None
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
