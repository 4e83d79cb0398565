"""Random draws that depend on their seed only, not on what the process has imported before."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hypothesis.internal.conjecture import providers


@contextmanager
def steady_draws() -> Iterator[None]:
    """Keep hypothesis from drawing constants of those modules of this project that are loaded."""
    real = getattr(providers, "_get_local_constants", None)
    if real is None:  # a release that does not draw them
        yield
        return
    none = providers.Constants()
    providers.CONSTANTS_CACHE.cache.clear()
    providers._get_local_constants = lambda: none
    try:
        yield
    finally:
        providers._get_local_constants = real
        providers.CONSTANTS_CACHE.cache.clear()
