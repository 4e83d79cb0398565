"""Names our queries in Spark's UI and for Spark's own listeners of streaming queries."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from pyspark.sql import SparkSession

_LONGEST: Final = 200


def query_name(labels: Iterable[str]) -> str:
    """Return a query's name: the user's operators in order.

    Parameters
    ----------
    labels : iterable of str
        the operators of each stage
    """
    name = " -> ".join(labels)
    return name if len(name) <= _LONGEST else name[: _LONGEST - 3] + "..."


def share_listeners(session: SparkSession, user: Any) -> None:
    """Let the listeners of the user's session be told about the queries of ours.

    Parameters
    ----------
    session : SparkSession
        ours, in which the query starts
    user : JavaObject
        the user's (a Java object)
    """
    streams: Any = session._jsparkSession.streams()
    for listener in user.streams().listListeners():
        streams.addListener(listener)
