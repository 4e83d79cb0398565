"""Makes the many short-lived JVMs of the tests start with half of the CPU time."""

from __future__ import annotations

import os

import pytest

from tests import jvm


def pytest_collection_finish(session: pytest.Session) -> None:
    slow = sum(item.get_closest_marker("slow") is not None for item in session.items)
    if session.config.option.collectonly or not slow:
        return
    cache = getattr(session.config, "cache", None)
    # An archive of classes costs as much as it saves in some five starts.
    archive = jvm.archive(cache.mkdir("jvm")) if cache is not None and slow > 100 else None
    os.environ["SPARK_SUBMIT_OPTS"] = " ".join([*jvm.OPTIONS, *jvm.use(archive)])
