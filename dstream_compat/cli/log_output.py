"""Prints this package's warnings as long as a job configures no logging."""

from __future__ import annotations

import logging
from typing import Final

_LOGGER: Final = logging.getLogger("dstream_compat")


def show_warnings() -> None:
    """Print warnings of this package while neither its logger nor the root has a handler."""
    # A handler of the root would make the job's own logging.basicConfig() do nothing.
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    handler.addFilter(lambda record: not logging.root.handlers and _LOGGER.handlers == [handler])
    _LOGGER.addHandler(handler)
