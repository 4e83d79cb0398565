"""Runs git in a repository of a test."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.programs import program


def forget_settings(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Let git have an author, and no other settings of the user or of a hook."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    for part in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{part}_NAME", "a")
        monkeypatch.setenv(f"GIT_{part}_EMAIL", "a@b")


def git(root: Path, *arguments: str) -> str:
    """Run git, and return what it prints."""
    command = [program("git"), *arguments]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout


def commit(root: Path) -> None:
    """Commit all files."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x")


def watch_commands(root: Path, script: Path) -> Path:
    """Configure a script wherever git runs one; return the file that it writes when it runs."""
    touched = script.with_name("touched")
    script.write_text(f"#!/bin/sh\necho ran >> {touched}\ncat\n")
    script.chmod(0o755)
    for key in (
        *("core.fsmonitor", "diff.external", "diff.x.textconv", "diff.x.command"),
        *("filter.x.clean", "filter.x.smudge", "filter.x.process", "core.pager", "core.editor"),
        "filter.a=b.clean",
        *("core.sshCommand", "gpg.program", "credential.helper"),
    ):
        git(root, "config", key, str(script))
    (root / ".gitattributes").write_text("* diff=x filter=x\n*.py filter=a=b\n")
    for name in ("post-index-change", "post-checkout", "reference-transaction"):
        hook = root / ".git" / "hooks" / name
        hook.write_text(script.read_text())
        hook.chmod(0o755)
    return touched
