"""The known functions and methods, one family per module; importing them fills the registry."""

from __future__ import annotations

from . import arrays, case, conversions, documents, formats, numbers, patterns, texts, times

__all__ = [
    "arrays",
    "case",
    "conversions",
    "documents",
    "formats",
    "numbers",
    "patterns",
    "texts",
    "times",
]
