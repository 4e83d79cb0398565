"""``spark.streaming.stopGracefullyOnShutdown``: a SIGTERM lets the job process what it received.

Decision 0012: SIGTERM is handled in Python and in the JVM.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from py4j.protocol import Py4JError
from pyspark import SparkContext

from ..settings import STOPS_GRACEFULLY
from ..spark.conf import conf_of

_LOG = logging.getLogger("dstream_compat")
_PRIORITY: Final = 100
"""Of our hook in the JVM; Spark's own, which stop the SparkContext, have 40."""
_HOURS: Final = 24


class ShutdownHook:
    """Stops a job gracefully when its Python process, its JVM or both get a signal to end.

    Mirrors the shutdown hook of ``org.apache.spark.streaming.StreamingContext``.

    Parameters
    ----------
    sc : SparkContext
        whose JVM is watched, too: ``spark-submit`` gets the signal there
    stop : callable
        stops gracefully; returns when everything is processed
    """

    def __init__(self, sc: SparkContext, stop: Callable[[], None]) -> None:
        self._sc = sc
        self._stop = stop
        self._thread: Any = None
        self._asked = False
        self._done = False
        self._exiting = False
        self.removed = False

    @classmethod
    def install(cls, sc: SparkContext, stop: Callable[[], None]) -> ShutdownHook | None:
        """Return the hook of a started job, or None where the setting is not ``true``."""
        if not STOPS_GRACEFULLY.read(conf_of(sc)):
            return None
        hook = cls(sc, stop)
        hook._watch_jvm()
        hook._watch_signal()
        return hook

    def remove(self) -> None:
        """Forget the job, which has ended."""
        self.removed = True
        thread, self._thread = self._thread, None
        if thread is None:
            return
        try:
            self._hooks().removeShutdownHook(thread)
        except (Py4JError, OSError) as error:  # the JVM ends, or has ended
            _LOG.debug("the shutdown hook stays: %s", error)

    def run(self) -> None:
        """Stop the job (called by the JVM when it ends)."""
        if not self.removed:
            _LOG.warning("the JVM received a signal to end: stopping gracefully")
            self._stop()

    class Java:
        """The Java interface that this object stands for."""

        implements = ("java.lang.Runnable",)

    def _hooks(self) -> Any:
        jvm: Any = self._sc._jvm
        return jvm.org.apache.hadoop.util.ShutdownHookManager.get()

    def _watch_jvm(self) -> None:
        jvm: Any = self._sc._jvm
        self._thread = jvm.java.lang.Thread(self)
        hours = jvm.java.util.concurrent.TimeUnit.HOURS
        self._hooks().addShutdownHook(self._thread, _PRIORITY, _HOURS, hours)

    def _watch_signal(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            _LOG.warning(
                "%s: start() was not called in the main thread, so SIGTERM ends the process "
                "at once",
                STOPS_GRACEFULLY,
            )
            return
        handler = signal.getsignal(signal.SIGTERM)
        ours = isinstance(getattr(handler, "__self__", None), ShutdownHook)
        if ours or handler is signal.SIG_DFL:  # the user's own handler stays
            signal.signal(signal.SIGTERM, self._on_signal)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._done:  # the signal is ours
            self.exit_if_asked()
        elif self._asked or self.removed:  # the second signal of somebody impatient, or no job
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGTERM)
        else:
            self._asked = True
            # Not here: this thread may be in the middle of a call into the JVM.
            threading.Thread(target=self._stop_and_exit, name="dstream-compat-shutdown").start()

    def exit_if_asked(self) -> None:
        """Exit if the job has ended because of a signal and this is the main thread."""
        main = threading.current_thread() is threading.main_thread()
        if main and self._asked and not self._exiting:
            self._exiting = True
            sys.exit(128 + signal.SIGTERM)

    def _stop_and_exit(self) -> None:
        _LOG.warning("SIGTERM: stopping gracefully")
        try:
            self._stop()
        finally:
            self._done = True
            if threading.main_thread().is_alive() and not self._exiting:
                os.kill(os.getpid(), signal.SIGTERM)
