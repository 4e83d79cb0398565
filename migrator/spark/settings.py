"""Every `spark.streaming.*` key of Spark 1.x to 4.x, what it does under dstream_compat, and the
keys that misspelt ones mean.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache

from dstream_compat.settings import OWN

PREFIX = "spark.streaming."


class Effect(StrEnum):
    """What dstream_compat does with a key."""

    HONOURED = "honoured by dstream_compat"
    NONE = "has no effect under dstream_compat"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class Fact:
    """A known key: its effect, what to know, and its group (which rule reports it).

    Parameters
    ----------
    review : bool
        Whether the setting has to be reviewed.
    advice : str
        What to do, if not what the rule says.
    harmless : str
        A pattern of values that ask for nothing.
    """

    effect: Effect
    note: str
    group: str = "other"
    review: bool = False
    advice: str = ""
    harmless: str = "(?i:false)"


_HONOURED, _NONE, _REPLACED = Effect
# what is known of keys, which have no prefix here
_FACTS = {
    "receiver.writeAheadLog.enable": Fact(
        _HONOURED, "the log of the old job is not read", "write-ahead-log", review=True
    ),
    "receiver.writeAheadLog.class receiver.writeAheadLog.closeFileAfterWrite "
    "receiver.writeAheadLog.maxFailures receiver.writeAheadLog.rollingIntervalSecs "
    "driver.writeAheadLog.allowBatching driver.writeAheadLog.batchingTimeout "
    "driver.writeAheadLog.class driver.writeAheadLog.closeFileAfterWrite "
    "driver.writeAheadLog.maxFailures driver.writeAheadLog.rollingIntervalSecs": Fact(
        _NONE, "there is no such log to tune", "write-ahead-log", review=True
    ),
    "backpressure.enabled backpressure.initialRate backpressure.pid.derived "
    "backpressure.pid.integral backpressure.pid.minRate backpressure.pid.proportional "
    "backpressure.rateEstimator": Fact(
        _HONOURED, "works as before for sockets, MQTT, Kinesis and Kafka", "backpressure"
    ),
    "receiver.maxRate": Fact(_HONOURED, "works as before, for each receiver", "rate-limit"),
    "kafka.maxRatePerPartition": Fact(
        _HONOURED, "works as before; late intervals that run together add up", "rate-limit"
    ),
    "kafka.minRatePerPartition": Fact(
        _NONE,
        "a lower bound that backpressure kept for each Kafka partition",
        "rate-limit",
        review=True,
    ),
    "raw.maxBlockSizeBytes": Fact(
        _NONE, "nothing bounds what a receiver takes", "rate-limit", review=True
    ),
    "fileStream.minRememberDuration": Fact(_HONOURED, "works as before"),
    "gracefulStopTimeout": Fact(
        _HONOURED, "works as before; a number without a unit is milliseconds"
    ),
    "concurrentJobs": Fact(
        _HONOURED,
        "lets so many outputs of a batch run at once; batches still follow each other",
        review=True,
        advice="check that the job keeps up: on DStreams later batches overlapped, too",
        harmless="1",
    ),
    "stopGracefullyOnShutdown": Fact(
        _HONOURED, "works as before; a SIGTERM handler of the job comes first"
    ),
    " ".join(setting.name.removeprefix(PREFIX) for setting in OWN): Fact(
        _HONOURED, "new with dstream_compat"
    ),
    "minRememberDuration": Fact(
        _REPLACED, "the old name of spark.streaming.fileStream.minRememberDuration", review=True
    ),
    "blockInterval": Fact(
        _HONOURED, "how often receivers write their log; it sets no number of partitions"
    ),
    "receiverRestartDelay ui.retainedBatches": Fact(_HONOURED, "works as before"),
    "blockQueueSize receiver.blockStoreTimeout": Fact(
        _NONE, "changes nothing that a job computes: there are no receiver blocks"
    ),
    "unpersist sessionByKey.deltaChainThreshold": Fact(
        _NONE, "changes nothing that a job computes; old batches go anyway"
    ),
    "checkpoint.directory": Fact(
        _REPLACED,
        "this key alone sets no checkpoint directory any more",
        review=True,
        advice="call ssc.checkpoint(directory)",
    ),
    "extraListeners": Fact(
        _NONE,
        "listeners written for the JVM are not called",
        review=True,
        advice="write the listener in Python and give it to ssc.addStreamingListener()",
    ),
    "stopSparkContextByDefault": Fact(
        _REPLACED,
        "ssc.stop() stops the SparkContext too, unless it is told not to",
        review=True,
        advice="pass stopSparkContext to ssc.stop()",
    ),
    "dynamicAllocation.enabled dynamicAllocation.maxExecutors dynamicAllocation.minExecutors "
    "dynamicAllocation.scalingDownRatio dynamicAllocation.scalingInterval "
    "dynamicAllocation.scalingUpRatio dynamicAllocation.testing": Fact(
        _REPLACED,
        "receivers are not scaled with executors",
        review=True,
        advice="use spark.dynamicAllocation.* for the cluster",
    ),
    "kafka.consumer.cache.enabled kafka.consumer.cache.initialCapacity "
    "kafka.consumer.cache.loadFactor kafka.consumer.cache.maxCapacity "
    "kafka.consumer.cache.minEvictableIdleTimeMillis kafka.consumer.cache.timeout "
    "kafka.consumer.poll.ms kafka.maxRetries": Fact(
        _NONE, "Spark's source has its own: spark.kafka.consumer.*"
    ),
    "kafka.allowNonConsecutiveOffsets": Fact(_NONE, "Spark's Kafka source accepts gaps in offsets"),
    "kinesis.retry.maxAttempts kinesis.retry.waitTime": Fact(
        _NONE, "Kinesis is read with boto3, which has retries of its own"
    ),
    "clock": Fact(
        _HONOURED,
        "ManualClock is the manual clock of tests; names but that and SystemClock are refused",
        review=True,
        advice="remove it from everything but tests",
    ),
    "manualClock.jump": Fact(_NONE, "moved the manual clock of Spark's own suites", review=True),
    "internal.batchTime internal.outputOpId": Fact(
        _NONE, "a property that Spark sets by itself on the jobs of a batch", review=True
    ),
}
SETTINGS = {PREFIX + key: fact for keys, fact in _FACTS.items() for key in keys.split()}


def is_harmless(key: str, value: str | None) -> bool:
    """Return whether a known key with this value asks for nothing."""
    fact = SETTINGS[key]
    return not fact.review or (value is not None and bool(re.fullmatch(fact.harmless, value)))


def group_of(key: str) -> str:
    """Return the group of a key: "unknown" if Spark never had it, "prefix" if it is cut off."""
    if key.endswith("."):
        return "prefix"
    fact = SETTINGS.get(key)
    return "unknown" if fact is None else fact.group


# Finds the keys that misspelt keys of settings mean.

_COMMON = frozenset({"enable", "enabled", "class"})
# shorter names are like one another by chance
_SHORTEST = 8
# `spark.steaming.receiver.maxRate`, `sprak.streaming.receiver.maxRate`
_NEARLY = re.compile(
    r"(?:(?<![\w.])|(?<=-D))(?P<first>[Ss]park|[spark]{4,7})\.(?P<second>[A-Za-z]{5,12})\."
    r"(?P<rest>[A-Za-z]\w*(?:\.[A-Za-z]\w*)*)"
)
_NEARLY_BYTES = re.compile(_NEARLY.pattern.encode())
_WORDS = PREFIX.rstrip(".").split(".")


@cache
def suggestion(name: str) -> str | None:
    """Return the key of Spark that a misspelt one means, or None if none is close."""
    own, keys = _own(name), _keys_by_lower_case()
    if own in keys:
        return keys[own]
    end = own.rpartition(".")[2]
    # the last word says most: receiver.maxrateperpartition is kafka.maxRatePerPartition
    best = _closest(own, (k for k in keys if k.rpartition(".")[2] == end not in _COMMON), 0.5)
    best = best or _closest(own, keys, 0.73)
    if best is None and not difflib.get_close_matches(end, _COMMON, n=1, cutoff=0.85):
        ends = {key.rpartition(".")[2] for key in keys}
        close = difflib.get_close_matches(end, ends, n=1, cutoff=0.85)
        best = _closest(own, (k for k in keys if k.rpartition(".")[2] in close), 0.6)
    return None if best is None else keys[best]


def is_near(name: str) -> bool:
    """Return whether a key is so near to one of Spark's that it means that, wherever it stands."""
    own = _own(name)
    return len(own) >= _SHORTEST and _closest(own, _keys_by_lower_case(), 0.9) is not None


def _own(name: str) -> str:
    """Return a key without its beginning, in lower case."""
    match = _NEARLY.fullmatch(name)
    return (name.removeprefix(PREFIX) if match is None else match["rest"]).lower()


def _closest(own: str, keys: Iterable[str], cutoff: float) -> str | None:
    """Return the key most like a name, or None; of equals, the one that switches something on."""
    best, closest = cutoff, None
    for key in sorted(keys, key=lambda k: not k.endswith("enabled")):
        ratio = difflib.SequenceMatcher(None, own, key).ratio()
        if ratio > best or (closest is None and ratio == best):
            best, closest = ratio, key
    return closest


def misspelt_prefixes(text: str) -> Iterator[re.Match[str]]:
    """Yield keys that mean one of `spark.streaming.*` but do not begin so."""
    if "park." not in text and ".streaming." not in text:
        return
    for match in _NEARLY.finditer(text):
        if _is_nearly(match["first"], match["second"]) and suggestion(match.group()) is not None:
            yield match


def may_misspell(data: bytes) -> bool:
    """Return whether the bytes of a file may hold such a key."""
    if b"park." not in data and b".streaming." not in data:
        return False
    return any(
        _is_nearly(match["first"].decode(), match["second"].decode())
        for match in _NEARLY_BYTES.finditer(data)
    )


@lru_cache(4096)
def _is_nearly(first: str, second: str) -> bool:
    """Return whether two words are nearly `spark` and `streaming`, but not both exactly."""
    words = [first, second]
    return words != _WORDS and all(
        difflib.SequenceMatcher(None, word.lower(), right).ratio() >= 0.75
        for word, right in zip(words, _WORDS, strict=True)
    )


@cache
def _keys_by_lower_case() -> dict[str, str]:
    return {key.removeprefix(PREFIX).lower(): key for key in SETTINGS}
