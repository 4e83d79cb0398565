"""The syntax of Python, one family per module; importing them fills the registry."""

from __future__ import annotations

from . import calls, comprehensions, conditions, displays, operators

__all__ = ["calls", "comprehensions", "conditions", "displays", "operators"]
