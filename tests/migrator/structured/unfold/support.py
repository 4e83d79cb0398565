"""What unfolding makes of the code behind a head."""

from __future__ import annotations

import ast

from migrator.structured.program.modules import SourceModule
from migrator.structured.unfold.unfold import unfold


def unfolded(head: str, body: str) -> tuple[str, tuple[str, ...]]:
    """The body after its unfolding, and the notes."""
    text = head + body
    module = unfold(SourceModule(text, ast.parse(text)))
    return module.text.removeprefix(head), module.notes
