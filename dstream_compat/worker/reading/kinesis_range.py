"""Reads a range of records of a Kinesis shard, in a task.

A range is what lies between two sequence numbers that were seen in the shard. Records of a shard
become visible in the order of their sequence numbers, and never change: else no consumer could go
on behind the last record that it has seen. So when a plan names the last record of a range, all
before it is there and stays what it is, and whoever reads the range reads the same: another attempt
at the task, or a replay in another process. Arrival times are only used to find a last record
(``Shards``); they may be inaccurate and out of order.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ...wire import errors
from .kinesis_access import Access, Place, access_to, client_library, forget_client, task_client

if TYPE_CHECKING:
    from .kinesis_aggregation import HashRange

READ_MOST: Final = 10_000
"""Records that Kinesis gives at once at most."""
BUSY_SECONDS: Final = 0.2
"""Between two reads of a shard that has more: Kinesis allows five a second."""
LEAST_BACKOFF: Final = 1.0
MOST_BACKOFF: Final = 30.0
EXPIRED_ITERATOR: Final = ("ExpiredIteratorException",)
THROTTLED: Final = (
    *("ProvisionedThroughputExceededException", "LimitExceededException"),
    *("KMSThrottlingException", "ThrottlingException", "Throttling", "RequestLimitExceeded"),
)
EXPIRED_KEYS: Final = ("ExpiredTokenException", "ExpiredToken")
_PATIENCE: Final = 300.0
"""Seconds that a task goes on without any record."""


class RangeReadError(errors.InternalError):
    """Kinesis cannot be read by a task: no record is at fault, so the micro-batch runs again."""


class Span(NamedTuple):
    """The records of a shard after a sequence number, up to and including another one.

    Parameters
    ----------
    shard : str
        its name
    hashes : tuple of int
        first and last hash key of the shard
    after, until : str
        sequence numbers
    """

    shard: str
    hashes: HashRange
    after: str
    until: str


class KinesisRange(NamedTuple):
    """A span of a stream; it has the keys to read it only on its way to a task."""

    place: Place
    span: Span
    access: Access | None = None

    def for_task(self) -> KinesisRange:
        """Return the range with what a task needs to read it."""
        return self._replace(access=access_to(self.place))


def read_range(part: KinesisRange) -> Iterator[bytes]:
    """Yield the records of a range, in a task.

    Raises
    ------
    LookupError
        if they have left the stream
    RangeReadError
        if Kinesis cannot be read
    """
    assert part.access is not None
    try:
        from .kinesis_aggregation import user_records

        client_library()
    except ImportError as error:
        raise RangeReadError(
            f"tasks read Kinesis, and cannot: {type(error).__name__}: {error}. Install "
            "'dstream-compat[kinesis]' where they run, or let the driver read with "
            "spark.streaming.compat.kinesis.readInTasks=false"
        ) from error
    for record in _records(part.access, part.place.stream, part.span):
        yield from user_records(record["Data"], part.span.hashes)


def _records(access: Access, stream: str, span: Span) -> Iterator[Any]:
    """Yield the records of a span as Kinesis gives them."""
    last, after = int(span.until), span.after
    iterator: str | None = None
    attempts = _Attempts(stream, span)
    while True:
        try:
            client = task_client(access)
            if iterator is None:
                iterator = _iterator(client, stream, span.shard, after)
            answer = client.get_records(ShardIterator=iterator, Limit=READ_MOST)
        except Exception as error:
            attempts.wait_after_failure(error, access)
            iterator = None  # the next one is made from the last record
            continue
        for record in answer["Records"]:
            number = int(record["SequenceNumber"])
            if number > last:
                raise _gone_error(stream, span)
            yield record
            if number == last:
                return
            after = record["SequenceNumber"]
        iterator = answer.get("NextShardIterator")
        if iterator is None:
            raise _gone_error(stream, span)
        attempts.wait_after_success(bool(answer["Records"]))


class _Attempts:
    """How long a task goes on asking for the records of a span.

    Parameters
    ----------
    stream : str
        its name
    span : Span
        what is read
    """

    def __init__(self, stream: str, span: Span) -> None:
        self._stream = stream
        self._span = span
        self._since = time.monotonic()
        self._backoff = 0.0

    def wait_after_success(self, had_records: bool) -> None:
        """Wait before the next page; a page may be empty in the middle of a shard."""
        self._backoff = 0.0
        if had_records:
            self._since = time.monotonic()
        self._wait(BUSY_SECONDS, None)

    def wait_after_failure(self, error: Exception, access: Access) -> None:
        """Wait before the next attempt, if there is a point in one.

        Raises
        ------
        RangeReadError
            if there is none
        """
        from botocore.exceptions import BotoCoreError, ClientError

        if not isinstance(error, (ClientError, BotoCoreError)):
            raise error
        response = error.response if isinstance(error, ClientError) else {}
        code = response.get("Error", {}).get("Code")
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 500)
        if code in EXPIRED_ITERATOR:
            self._wait(0.0, error)
            return
        if code in EXPIRED_KEYS:
            forget_client(access)
        elif code not in THROTTLED and status < 500:
            raise self._unreadable(error) from error
        self._backoff = min(max(2 * self._backoff, LEAST_BACKOFF), MOST_BACKOFF)
        self._wait(self._backoff, error)

    def _wait(self, seconds: float, error: Exception | None) -> None:
        if time.monotonic() - self._since > _PATIENCE:
            raise self._unreadable(error) from error
        time.sleep(seconds)

    def _unreadable(self, error: Exception | None) -> RangeReadError:
        why = "no records come" if error is None else f"{type(error).__name__}: {error}"
        return RangeReadError(
            f"shard {self._span.shard} of the Kinesis stream {self._stream}, records until "
            f"{self._span.until}: {why}"
        )


def _iterator(client: Any, stream: str, shard: str, after: str) -> str:
    answer = client.get_shard_iterator(
        StreamName=stream,
        ShardId=shard,
        ShardIteratorType="AFTER_SEQUENCE_NUMBER",
        StartingSequenceNumber=after,
    )
    return str(answer["ShardIterator"])


def _gone_error(stream: str, span: Span) -> LookupError:
    return LookupError(
        f"records of shard {span.shard} of the Kinesis stream {stream} have left it before they "
        f"were read: behind {span.after}, until {span.until}"
    )
