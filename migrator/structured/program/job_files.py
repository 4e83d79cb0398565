"""The other files of a job's project, as its imports name them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from migrator.source.layout import PlainLayout, plain_layout

from .modules import SourceModule


@dataclass(eq=False)
class JobFiles:
    """The file of a job, and those that it may take code from.

    Parameters
    ----------
    own : str
        the file of the job
    resolve : callable
        the file that an import leads to, None if it is none of the project: given the file that the
        import is in, its dots, and the name behind them
    read : callable
        the source of a file, None if it is no Python that can be read
    stream_lines : callable
        the lines of a file that use streams or contexts, as all of the project says
    """

    own: str
    resolve: Callable[[str, int, str], str | None]
    read: Callable[[str], str | None]
    stream_lines: Callable[[str], Collection[int]]
    _layouts: dict[str, PlainLayout | None] = field(default_factory=dict)

    def layout(self, path: str) -> PlainLayout | None:
        """Return the layout of another file, None if it cannot be read."""
        if path not in self._layouts:
            text = self.read(path)
            layout = None if text is None else plain_layout(text)
            self._layouts[path] = None if layout is None or layout.unusual else layout
        return self._layouts[path]

    def module(self, path: str) -> SourceModule | None:
        """Return another file in the plain layout, None if it cannot be read."""
        layout = self.layout(path)
        return None if layout is None else SourceModule(layout.text, ast.parse(layout.text))

    def lines_of(self, path: str, node: ast.stmt) -> tuple[int, int]:
        """Return the first and the last line of a statement of another file, as it is written."""
        layout = self.layout(path)
        assert layout is not None
        return layout.line(node.lineno), layout.line(node.end_lineno or node.lineno)
