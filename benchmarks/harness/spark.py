"""SparkContexts and StreamingContexts of the engines, all with the same settings.

The JVM and the Python workers of ours are started as ``python -m dstream_compat run`` starts them;
those of the others as PySpark does.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from .figures import OURS
from .job import Place

CORES: Final = 2
DEADLINE: Final = 600.0
"""Seconds after which a batch counts as hanging."""

_CLOCK: Final = "spark.streaming.clock"
_MANUAL: Final = "org.apache.spark.util.ManualClock"
_SYSTEM: Final = "org.apache.spark.util.SystemClock"
_PAUSED: Final = "3600s"

SETTINGS: Final = {
    "spark.master": f"local[{CORES}]",
    "spark.app.name": "benchmark",
    "spark.driver.memory": "3g",
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
    # what `run` and `submit` set
    "spark.python.unix.domain.socket.enabled": "true",
    "spark.buffer.pageSize": "4m",
    # processes are paused while others have their turn
    "spark.network.timeout": _PAUSED,
    "spark.sql.shuffle.partitions": str(CORES),
}


def spark_context(place: Place, manual: bool = True) -> Any:
    """Return a new SparkContext.

    Parameters
    ----------
    place : Place
        where the job runs; jars among its resources are added
    manual : bool
        whether its streaming contexts have manual clocks
    """
    from pyspark import SparkConf, SparkContext

    if place.engine == OURS:
        from dstream_compat.cli.defaults import launch_with_defaults
        from dstream_compat.spark.workers import install_in_workers

        install_in_workers()
        launch_with_defaults(__file__)
    conf = SparkConf().setAll(list(SETTINGS.items()))
    conf.set("spark.local.dir", str(place.folder / "local"))
    conf.set(_CLOCK, _MANUAL if manual else _SYSTEM)
    if jars := place.resources.get("jars"):
        conf.set("spark.jars", jars)
    for name, value in place.resources.items():
        if name.startswith("spark."):
            conf.set(name, value)
    return SparkContext(conf=conf)


def set_clock(sc: Any, manual: bool) -> None:
    """Choose the clock of the streaming contexts that are made from now on."""
    name = _MANUAL if manual else _SYSTEM
    sc._conf.set(_CLOCK, name)
    sc._jsc.sc().conf().set(_CLOCK, name)  # DStreams read that of the JVM


def streaming_context(place: Place, sc: Any, interval: float) -> Any:
    """Return a new StreamingContext of DStreams or of ours."""
    if place.engine == OURS:
        from dstream_compat import StreamingContext
    else:
        from pyspark.streaming import StreamingContext  # type: ignore[assignment]
    return StreamingContext(sc, interval)


def clock_of(place: Place, ssc: Any) -> Any:
    """Return the manual clock of a started context."""
    return ssc._clock if place.engine == OURS else ssc._jssc.ssc().scheduler().clock()


def new_folder(parent: Path, name: str) -> Path:
    """Return a folder that has just been made."""
    folder = parent / name
    folder.mkdir(parents=True)
    return folder
