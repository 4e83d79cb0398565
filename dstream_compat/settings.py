"""The settings that the runtime reads: the table of which docs/semantics/settings.md is written."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

T = TypeVar("T")
V = TypeVar("V")

_UNITS: Final = {
    "us": 1e-6,
    "ms": 0.001,
    "s": 1.0,
    "m": 60.0,
    "min": 60.0,
    "h": 3600.0,
    "d": 86400.0,
}


class _Conf(Protocol):
    """What gives the texts of settings, such as a ``SparkConf``."""

    def get(self, key: str, /) -> str | None: ...


class Kind(NamedTuple, Generic[T]):
    """What the value of a setting is.

    Parameters
    ----------
    words : str
        what it is, with its unit
    parse : callable
        returns the value of a text, or raises ``ValueError`` or ``KeyError``
    """

    words: str
    parse: Callable[[str], T]


def _seconds(unit: str) -> Kind[float]:
    """Return durations in seconds; the unit of a plain number depends on the setting in Spark."""

    def parse(text: str) -> float:
        text = text.lower()
        digits = text.rstrip("abcdefghijklmnopqrstuvwxyz").strip()
        return _number(digits, 0.0) * _UNITS[text[len(digits) :].strip() or unit]

    return Kind(f"a duration such as 60s, 5m or 500ms; a plain number is in {unit}", parse)


def _number(text: str, least: float = -math.inf) -> float:
    number = float(text)
    if not (math.isfinite(number) and number >= least):
        raise ValueError
    return number


def _text(words: str) -> Kind[str]:
    return Kind(words, str)


def _one_of(*words: str) -> Kind[str]:
    by_lower_case = {word.lower(): word for word in words}
    return Kind(f"one of {', '.join(words)}", lambda text: by_lower_case[text.lower()])


def _count(text: str) -> int:
    if int(text) < 1:
        raise ValueError
    return int(text)


_FLAG: Final = Kind("true or false", lambda text: {"true": True, "false": False}[text.lower()])
_COUNT: Final = Kind("a whole number above 0", _count)
_NUMBER: Final = Kind("a number", _number)


def _optional(kind: Kind[T]) -> Kind[T | None]:
    return Kind(kind.words, kind.parse)


@dataclass(frozen=True, eq=False)
class Setting(Generic[V]):
    """A setting of a job.

    Parameters
    ----------
    name : str
        its key
    kind : Kind
        what its value is
    default : object
        the value where it is not set
    does : str
        what it does, in the words of the page; links are relative to docs/semantics
    since : str
        the first version of this package that reads it; none for Spark's own settings
    otherwise : str
        the default in words, if a job computes it
    """

    name: str
    kind: Kind[V]
    default: V
    does: str
    since: str = ""
    otherwise: str = ""

    def __str__(self) -> str:
        return self.name

    def read(self, conf: _Conf) -> V:
        """Return the value in the settings of a job; an empty text is as none.

        Raises
        ------
        ValueError
            if it is set to something else than its kind
        """
        text = (conf.get(self.name) or "").strip()
        if not text:
            return self.default
        try:
            return self.kind.parse(text)
        except (ValueError, KeyError) as error:
            raise ValueError(f"{self.name}={text} is not {self.kind.words}") from error


AUTO: Final = "auto"
ONE_TASK: Final = "oneTask"
STAGES: Final = "stages"
ALWAYS: Final = "always"
NEVER: Final = "never"

MAX_INTERVALS: Final = Setting(
    "spark.streaming.compat.maxIntervals",
    _COUNT,
    20,
    "late intervals that one micro-batch processes at most",
    "0.1.0",
)
PARTITIONS: Final = Setting(
    "spark.streaming.compat.partitions",
    _optional(_COUNT),
    None,
    "tasks that share the partitions of all keyed operators",
    "0.1.0",
    "the cores that executors have, or are to have: see "
    "[Clusters](../production/clusters.md#partitions)",
)
EXECUTION: Final = Setting(
    "spark.streaming.compat.execution",
    _one_of(AUTO, ONE_TASK, STAGES),
    AUTO,
    "[how batches are computed](../production/performance.md#one-task-or-stages)",
    "0.1.0",
)
NATIVE: Final = Setting(
    "spark.streaming.compat.native",
    _one_of(AUTO, ALWAYS, NEVER),
    AUTO,
    "[functions of texts on blocks](../production/performance.md#functions-of-texts)",
    "0.2.0",
)
REBUILD_GRAPH: Final = Setting(
    "spark.streaming.compat.rebuildGraph",
    _FLAG,
    False,
    "a recovery takes the [current code](../production/upgrading.md)",
    "0.1.0",
)
UI: Final = Setting(
    "spark.streaming.compat.ui",
    _FLAG,
    True,
    "`false` leaves out the [Streaming tab](../production/monitoring.md#the-streaming-tab) and its "
    "metrics",
    "0.2.0",
)
IMPORT_FROM: Final = Setting(
    "spark.streaming.compat.importFrom",
    _optional(_text("a path")),
    None,
    "checkpoint folder of a job on Spark's DStreams that a new job [goes on from](../switching.md)",
    "0.2.0",
)
KAFKA_BROKERS: Final = Setting(
    "spark.streaming.compat.kafka.bootstrap.servers",
    _optional(_text("host:port,host:port")),
    None,
    "[brokers](../sources.md#kafka) for `createStream`",
    "0.1.0",
)
KAFKA_COMMITS: Final = Setting(
    "spark.streaming.compat.kafka.commitOffsets",
    _FLAG,
    False,
    "`true` stores in [the consumer group](../sources.md#kafka) how far direct streams have read",
    "0.2.0",
)
KAFKA_FROM_ZOOKEEPER: Final = Setting(
    "spark.streaming.compat.kafka.offsetsFromZooKeeper",
    _FLAG,
    False,
    "`true` begins `createStream` where [ZooKeeper](../switching.md#positions-that-are-elsewhere) "
    "has the group, once",
    "0.2.0",
)
KAFKA_FAILS_ON_LOSS: Final = Setting(
    "spark.streaming.compat.kafka.failOnDataLoss",
    _FLAG,
    True,
    "`false` skips records that [Kafka has deleted](../sources.md#kafka)",
    "0.1.0",
)
KINESIS_FROM_DYNAMODB: Final = Setting(
    "spark.streaming.compat.kinesis.positionsFromDynamoDB",
    _FLAG,
    False,
    "`true` begins where [the old job](../switching.md#positions-that-are-elsewhere) stood, once",
    "0.2.0",
)
KINESIS_IN_TASKS: Final = Setting(
    "spark.streaming.compat.kinesis.readInTasks",
    _FLAG,
    True,
    "`false` lets the driver [read Kinesis](../sources.md#kinesis) alone",
    "0.1.0",
)
MQTT_CLIENT_ID: Final = Setting(
    "spark.streaming.compat.mqtt.clientId",
    _optional(_text("a client id")),
    None,
    "a broker keeps the [session](../sources.md#mqtt) of a job that is away",
    "0.1.0",
)

BACKPRESSURE: Final = Setting(
    "spark.streaming.backpressure.enabled",
    _FLAG,
    False,
    "receivers and Kafka take what the job can process",
)
INITIAL_RATE: Final = Setting(
    "spark.streaming.backpressure.initialRate",
    _optional(_NUMBER),
    None,
    "records per second of a source before the first batch has ended",
)
ESTIMATOR: Final = Setting(
    "spark.streaming.backpressure.rateEstimator",
    _text("the name of an estimator"),
    "pid",
    "what computes the rate",
)
PROPORTIONAL: Final = Setting(
    "spark.streaming.backpressure.pid.proportional",
    _NUMBER,
    1.0,
    "weight of the difference between the rate and what was processed",
)
INTEGRAL: Final = Setting(
    "spark.streaming.backpressure.pid.integral", _NUMBER, 0.2, "weight of the backlog"
)
DERIVED: Final = Setting(
    "spark.streaming.backpressure.pid.derived",
    _NUMBER,
    0.0,
    "weight of how fast the difference changes",
)
LEAST_RATE: Final = Setting(
    "spark.streaming.backpressure.pid.minRate",
    _NUMBER,
    100.0,
    "records per second that are always taken",
)
BLOCK_INTERVAL: Final = Setting(
    "spark.streaming.blockInterval", _seconds("ms"), 0.2, "how often the write-ahead log is written"
)
CLOCK: Final = Setting(
    "spark.streaming.clock",
    _text("a class of clocks"),
    "org.apache.spark.util.SystemClock",
    "as in DStreams; for tests",
)
CONCURRENT_JOBS: Final = Setting(
    "spark.streaming.concurrentJobs",
    _COUNT,
    1,
    "outputs of one batch that run at once; batches still follow each other",
)
REMEMBER: Final = Setting(
    "spark.streaming.fileStream.minRememberDuration",
    _seconds("s"),
    60.0,
    "see [Sources](sources.md#textfilestream-binaryrecordsstream)",
)
STOP_TIMEOUT: Final = Setting(
    "spark.streaming.gracefulStopTimeout",
    _optional(_seconds("ms")),
    None,
    "see [Life cycle](life-cycle.md#start-and-stop)",
    otherwise="10 batch intervals",
)
KAFKA_RATE: Final = Setting(
    "spark.streaming.kafka.maxRatePerPartition",
    _optional(_NUMBER),
    None,
    "records per second of each partition: see [Sources](sources.md#kafka)",
)
MAX_RATE: Final = Setting(
    "spark.streaming.receiver.maxRate",
    _optional(_NUMBER),
    None,
    "records per second of each socket, MQTT or Kinesis stream",
)
WRITE_AHEAD_LOG: Final = Setting(
    "spark.streaming.receiver.writeAheadLog.enable", _FLAG, False, "sockets and MQTT"
)
RESTART_DELAY: Final = Setting(
    "spark.streaming.receiverRestartDelay", _seconds("ms"), 2.0, "sockets and MQTT"
)
# Spark's own tab reads this one
RETAINED: Final = Setting(
    "spark.streaming.ui.retainedBatches",
    _COUNT,
    1000,
    "batches that the [Streaming tab](../production/monitoring.md#the-streaming-tab) shows",
)
STOPS_GRACEFULLY: Final = Setting(
    "spark.streaming.stopGracefullyOnShutdown",
    _FLAG,
    False,
    "see [Life cycle](life-cycle.md#start-and-stop)",
)

_ALL: Final = tuple(value for value in list(globals().values()) if isinstance(value, Setting))
OWN: Final = tuple(each for each in _ALL if each.name.startswith("spark.streaming.compat."))
"""Settings of this package."""
SPARKS: Final = tuple(each for each in _ALL if each not in OWN)
"""Settings of Spark Streaming that have an effect; all others have none."""
