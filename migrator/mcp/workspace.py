"""The folder that a server was started for: which paths are in it, and what runs there."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from mcp.server.mcpserver.exceptions import ToolError

from migrator.errors import MigrateError
from migrator.mcp.commands import Commands
from migrator.mcp.pages import Pages
from migrator.mcp.runs import Runs
from migrator.model.printable import visible


@dataclass(frozen=True, slots=True)
class Bounds:
    """What the tools of a server may use.

    Parameters
    ----------
    seconds : float
        Of each call that reads code.
    run_seconds : float
        Of each run of a job, and of a recording.
    memory : int
        Bytes of each command, and of each run of a job; 0 for half of the machine.
    real : tuple of str
        The clients that jobs may use themselves, if the assistant asks for it.
    """

    seconds: float = 120.0
    run_seconds: float = 600.0
    memory: int = 0
    real: tuple[str, ...] = ()


class Workspace:
    """The folder of a server.

    Parameters
    ----------
    folder : Path
        The folder, outside of which nothing is read or written.
    bounds : Bounds
        What the tools may use.

    Raises
    ------
    MigrateError
        If it is no folder.
    """

    def __init__(self, folder: Path, bounds: Bounds) -> None:
        self.root = Path(os.path.realpath(folder))
        if not self.root.is_dir():
            raise MigrateError(f"{visible(str(folder))} is no folder; name the one with the jobs")
        self.bounds = bounds
        self.commands = Commands(self.root, bounds.memory)
        self.pages = Pages()
        self.runs = Runs()

    def place(self, name: str) -> Path:
        """Return the real path that a name stands for, which need not exist.

        Parameters
        ----------
        name : str
            Relative to the folder, or absolute.

        Raises
        ------
        ToolError
            If it is not in the folder.
        """
        if not name or "\0" in name:
            raise ToolError("a path is empty or has a null character; give one below the folder")
        path = Path(os.path.realpath(self.root / name))
        if not path.is_relative_to(self.root):
            raise ToolError(
                f"{visible(name)!r} is outside of {visible(str(self.root))}, the folder that this "
                "server was started for; give a path below it"
            )
        return path

    def existing_path(self, name: str) -> Path:
        """Return the real path of a file or folder.

        Raises
        ------
        ToolError
            If it is not in the folder, or does not exist.
        """
        path = self.place(name)
        if not path.exists():
            raise ToolError(
                f"there is no {visible(name)!r} in {visible(str(self.root))}; paths are relative "
                "to that folder"
            )
        return path

    def file(self, name: str) -> Path:
        """Return the real path of a file.

        Raises
        ------
        ToolError
            If it is not in the folder, or no file.
        """
        path = self.existing_path(name)
        if not path.is_file():
            raise ToolError(f"{visible(name)!r} is no file; give the file of a job")
        return path

    def folder(self, name: str) -> Path:
        """Return the real path of a folder.

        Raises
        ------
        ToolError
            If it is not in the folder, or none itself.
        """
        path = self.existing_path(name)
        if not path.is_dir():
            raise ToolError(f"{visible(name)!r} is no folder")
        return path

    def relative_path(self, path: Path) -> str:
        """Return a path as results show it: relative to the folder."""
        return visible(os.path.relpath(path, self.root))
