"""Draws docs/images/report.svg: what `migrate legacy_examples` prints on a terminal."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "legacy_examples"
PICTURE = ROOT / "docs" / "images" / "report.svg"
COMMAND = "migrate legacy_examples"
WIDTH = 100

# what could make rich print otherwise than on a plain terminal
_COLOR_SETTINGS = ("NO_COLOR", "FORCE_COLOR", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE")

# the picture must not load anything from elsewhere; every system has a font of this kind
_FONT_FACE = re.compile(r"\s*@font-face \{.*?\n\s*\}", re.DOTALL)


class Terminal(io.StringIO):
    """Standard output of a terminal."""

    def isatty(self) -> bool:
        """Return True: it is a terminal."""
        return True


@contextlib.contextmanager
def at_terminal(folder: Path) -> Iterator[Terminal]:
    """Let standard output be a terminal with colours, and a folder the current one."""
    settings = {"COLUMNS": str(WIDTH), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    kept = {name: value for name, value in os.environ.items() if name not in _COLOR_SETTINGS}
    terminal = Terminal()
    with (
        mock.patch.dict(os.environ, {**kept, **settings}, clear=True),
        contextlib.chdir(folder),
        contextlib.redirect_stdout(terminal),
    ):
        yield terminal


def report() -> str:
    """Return what the command prints, with its colours."""
    from migrator.cli.main import main

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(EXAMPLES, folder / EXAMPLES.name, ignore=ignored)
        with at_terminal(folder) as terminal:
            code = main(COMMAND.split()[1:])
        if code not in (0, 1):
            raise SystemExit(f"{COMMAND} failed with exit code {code}")
        return terminal.getvalue().replace(f"{folder}{os.sep}", "")


def picture() -> str:
    """Return the picture as SVG."""
    console = Console(
        record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(Text(f"$ {COMMAND}\n", "bold"))
    console.print(Text.from_ansi(report()))
    return _FONT_FACE.sub("", console.export_svg(title=COMMAND))


def main() -> int:
    """Draw the picture."""
    sys.path.insert(0, str(ROOT))
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    PICTURE.write_text(picture(), encoding="utf-8")
    print(f"{PICTURE.relative_to(ROOT)} is drawn")
    return 0


if __name__ == "__main__":
    sys.exit(main())
