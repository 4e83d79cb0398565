"""SQL sessions: ours for the query, the user's for the user's code.

Decision 0013: Query listeners of the user's session see the query.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from pyspark import RDD, SparkContext
from pyspark.sql import SparkSession

from .java import java_class
from .query_names import share_listeners

_ABSENT: Any = object()
_EXTENSIONS: Final = "spark.sql.extensions.test.loadFromCp"
_changing_conf: Final = threading.Lock()
_keeping_sessions: Final = threading.RLock()
_reading: SparkSession | None = None


@contextmanager
def _python_sessions_kept() -> Iterator[None]:
    """Undo what making a SparkSession object leaves behind: PySpark keeps the latest one.

    One block at a time, or one would take the other's session for the user's.
    """
    with _keeping_sessions:
        kept = {
            name: getattr(SparkSession, name) for name in ("_instantiatedSession", "_activeSession")
        }
        to_df = RDD.__dict__.get("toDF", _ABSENT)
        try:
            yield
        finally:
            for name, value in kept.items():
                setattr(SparkSession, name, value)
            if to_df is _ABSENT:
                if "toDF" in RDD.__dict__:
                    del RDD.toDF
            else:
                RDD.toDF = to_df  # type: ignore[method-assign]


def _session_class(sc: SparkContext) -> Any:
    return java_class(sc, "org.apache.spark.sql.classic.SparkSession")


@contextmanager
def _jvm_sessions_kept(sc: SparkContext) -> Iterator[None]:
    sessions = _session_class(sc)
    default, active = sessions.getDefaultSession(), sessions.getActiveSession()
    try:
        yield
    finally:
        _restore(sessions, default, active)


def _restore(sessions: Any, default: Any, active: Any) -> None:
    if default.isDefined():
        sessions.setDefaultSession(default.get())
    else:
        sessions.clearDefaultSession()
    if active.isDefined():
        sessions.setActiveSession(active.get())
    else:
        sessions.clearActiveSession()


@contextmanager
def query_session(sc: SparkContext, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """Give a session of our own; the user's sessions are the same before and after.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    settings : mapping
        SQL settings of the query
    """
    with _python_sessions_kept(), _jvm_sessions_kept(sc):
        default = _session_class(sc).getDefaultSession()
        session = _new_session(sc, settings)
        if _usable(default):
            share_listeners(session, default.get())
        yield session


@contextmanager
def reading_session(sc: SparkContext, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """Give a session of our own to read tables with: one for each context, as none is ever freed.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    settings : mapping
        SQL settings; always the same
    """
    global _reading
    with _python_sessions_kept(), _jvm_sessions_kept(sc):
        if _reading is None or _reading._sc is not sc:
            _reading = _new_session(sc, settings)
        yield _reading


def _usable(default: Any) -> bool:
    return bool(default.isDefined() and not default.get().sparkContext().isStopped())


def new_java_session(sc: SparkContext) -> Any:
    """Return a session of Java that nobody else has; it becomes nobody's default.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    """
    default = _session_class(sc).getDefaultSession()
    return default.get().newSession() if _usable(default) else _fresh(sc)


def _new_session(sc: SparkContext, settings: Mapping[str, str]) -> SparkSession:
    session = SparkSession(sc, jsparkSession=new_java_session(sc))
    for key, value in settings.items():
        session.conf.set(key, value)
    return session


def _fresh(sc: SparkContext) -> Any:
    """Return a session without what is on Spark's class path for sessions of users.

    That is functions of MLlib: to register them takes 2 s of the first session of a JVM.
    """
    jvm: Any = sc._jvm
    context = sc._jsc.sc()
    conf = context.conf()
    with _changing_conf:
        before = conf.getOption(_EXTENSIONS)
        conf.set(_EXTENSIONS, "false")
        try:
            return _session_class(sc)(context, jvm.java.util.HashMap())
        finally:
            if before.isDefined():
                conf.set(_EXTENSIONS, before.get())
            else:
                conf.remove(_EXTENSIONS)


@contextmanager
def user_session(sc: SparkContext) -> Iterator[None]:
    """Make the user's session, not the micro-batch's clone, the active one of this thread."""
    sessions = _session_class(sc)
    active = sessions.getActiveSession()
    mine = SparkSession._instantiatedSession
    if mine is not None and mine._sc is sc:
        sessions.setActiveSession(mine._jsparkSession)
    else:
        sessions.clearActiveSession()
    try:
        yield
    finally:
        if active.isDefined():
            sessions.setActiveSession(active.get())
