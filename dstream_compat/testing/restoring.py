"""Takes back what was replaced in classes and modules."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def restored(*owners: Any) -> Iterator[None]:
    """Let some classes and modules be afterwards what they were before."""
    before = [(owner, dict(vars(owner))) for owner in owners]
    try:
        yield
    finally:
        for owner, known in before:
            for name, value in list(vars(owner).items()):
                if name not in known:
                    delattr(owner, name)
                elif value is not known[name]:
                    setattr(owner, name, known[name])
