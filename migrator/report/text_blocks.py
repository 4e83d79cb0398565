"""Where texts are printed: lines and blocks, wrapped on a terminal and whole elsewhere."""

from __future__ import annotations

import os
import textwrap
from typing import IO

from rich.console import Console
from rich.text import Text

from migrator.model.printable import visible

INDENT = 11
PIPED_WIDTH = 120
_MIN_WIDTH = 40
# messages are written for so many columns; with fewer they take more lines
_CUT_FROM = 100
# a text that would have less begins on a line of its own
_MIN_ROOM = 30
_CUT = " ..."


def console(stream: IO[str], *, color: bool, piped_width: int = 0) -> Console:
    """Return what prints texts as they are.

    Parameters
    ----------
    color : bool
        False for no colours even on a terminal; NO_COLOR asks for none, too.
    piped_width : int
        The columns that it has at least if the stream is no terminal.
    """
    result = Console(
        file=stream,
        no_color=not color or bool(os.environ.get("NO_COLOR")),
        highlight=False,
        markup=False,
        emoji=False,
    )
    if not stream.isatty():
        result.width = max(result.width, piped_width)
    return result


class Page:
    """Where a report is printed.

    Parameters
    ----------
    color : bool
        False for no colours even on a terminal.

    Attributes
    ----------
    width : int or None
        The columns of a terminal, None for anything else: nothing is wrapped or cut there.
    """

    def __init__(self, stream: IO[str], *, color: bool) -> None:
        self.console = console(stream, color=color, piped_width=PIPED_WIDTH)
        self.width = self.console.width if stream.isatty() else None

    def room(self, lead: Text) -> int | None:
        """Return how long a text of one line may be behind its lead."""
        return None if self.width is None else self.width - 1 - len(lead)

    def line(self, text: str | Text = "", style: str = "") -> None:
        """Print a line that is not wrapped."""
        shown = Text(visible(text), style) if isinstance(text, str) else text
        self.console.print(shown, soft_wrap=True)

    def block(
        self, lead: Text, text: str, style: str = "", lines: int | None = None, indent: int = INDENT
    ) -> None:
        """Print a text behind its lead; on a terminal it is wrapped with a hanging indent.

        Parameters
        ----------
        lines : int, optional
            How many lines it may take on a terminal of usual width; what is left is cut.
        indent : int
            Of all lines but the first.
        """
        parts = [visible(text)]
        if self.width is not None and self.width > INDENT + _MIN_WIDTH:
            if len(lead) + _MIN_ROOM > self.width:
                self.line(lead)
                lead = Text(" " * indent)
            parts = textwrap.wrap(
                parts[0],
                self.width - 1,
                initial_indent=" " * len(lead),
                subsequent_indent=" " * indent,
                break_on_hyphens=False,
                max_lines=lines if self.width >= _CUT_FROM else None,
                placeholder=_CUT,
            )
        for index, part in enumerate(parts):
            whole = lead.copy() if index == 0 else Text(" " * indent)
            # only wrapped lines have an indent of their own
            shown = part if self.width is None else part.lstrip(" ")
            whole.append(shown.replace("\xa0", " "), style)
            self.line(whole)
