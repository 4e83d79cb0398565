"""The names of ``pyspark.streaming.kinesis``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, ParamSpec, TypeVar

from pyspark import StorageLevel

from .source.kafka.records import utf8_decoder
from .source.kinesis.positions import LATEST, START
from .source.kinesis.source import KinesisSource
from .wire.secret import Secret
from .worker.reading.kinesis_access import Access, client_library

if TYPE_CHECKING:
    from .context import StreamingContext
    from .dstream import DStream

__all__ = ["InitialPositionInStream", "KinesisUtils", "MetricsLevel", "utf8_decoder"]


class InitialPositionInStream:
    """Where a stream without a known position begins."""

    LATEST, TRIM_HORIZON = (0, 1)


class MetricsLevel:
    """The metrics that Kinesis's client library sent to CloudWatch; has no effect."""

    DETAILED, SUMMARY, NONE = (0, 1, 2)


_INITIAL = {InitialPositionInStream.LATEST: LATEST, InitialPositionInStream.TRIM_HORIZON: START}


_P = ParamSpec("_P")
_T = TypeVar("_T")
_METRICS_PLACE: Final = 7


def _also_of_spark_2(create: Callable[_P, _T]) -> Callable[_P, _T]:
    """Return a function that takes positional arguments as Spark 2 did, without a metricsLevel."""

    @functools.wraps(create)
    def of_any(*args: _P.args, **options: _P.kwargs) -> _T:
        arguments: tuple[Any, ...] = args
        if len(arguments) > _METRICS_PLACE and isinstance(arguments[_METRICS_PLACE], StorageLevel):
            arguments = (
                *arguments[:_METRICS_PLACE],
                MetricsLevel.DETAILED,
                *arguments[_METRICS_PLACE:],
            )
        return create(*arguments, **options)

    return of_any


class KinesisUtils:
    """Makes streams of the records of Kinesis streams."""

    @staticmethod
    @_also_of_spark_2
    def createStream(
        ssc: StreamingContext,
        kinesisAppName: str,
        streamName: str,
        endpointUrl: str,
        regionName: str,
        initialPositionInStream: int,
        checkpointInterval: int,
        metricsLevel: int = MetricsLevel.DETAILED,
        storageLevel: StorageLevel = StorageLevel.MEMORY_AND_DISK_2,
        awsAccessKeyId: str | None = None,
        awsSecretKey: str | None = None,
        decoder: Callable[[bytes | None], Any] = utf8_decoder,
        stsAssumeRoleArn: str | None = None,
        stsSessionName: str | None = None,
        stsExternalId: str | None = None,
    ) -> DStream:
        """Return a stream of the decoded records of a Kinesis stream.

        Positional arguments may be those of Spark 2, too, which had no ``metricsLevel``: then
        ``storageLevel`` is the eighth.

        Mirrors ``pyspark.streaming.kinesis.KinesisUtils.createStream``.

        Parameters
        ----------
        ssc : StreamingContext
            where the stream belongs
        kinesisAppName : str
            positions are in the checkpoint folder, not in DynamoDB; those that an old job stored
            under this name are read once with
            ``spark.streaming.compat.kinesis.positionsFromDynamoDB=true``
        streamName, endpointUrl, regionName : str
            which stream, and where it is
        initialPositionInStream : int
            where to begin without a checkpoint, of ``InitialPositionInStream``
        checkpointInterval : int
            has no effect: positions are saved with every micro-batch
        metricsLevel : int
            has no effect
        storageLevel : StorageLevel
            has no effect
        awsAccessKeyId, awsSecretKey : str, optional
            without them boto3 looks for credentials as it always does; a checkpoint has their
            values unless environment variables give them, see the page Security
        decoder : callable
            from the bytes of a record to an element
        stsAssumeRoleArn, stsSessionName, stsExternalId : str, optional
            a role to read with

        Returns
        -------
        DStream

        Raises
        ------
        MissingDependencyError
            if boto3 is not installed
        ValueError
            if only some of the keys or of the role's arguments are given, or the initial position
            is none
        """
        role = stsAssumeRoleArn, stsSessionName, stsExternalId
        if len({part is None for part in role}) > 1:
            raise ValueError(
                "stsAssumeRoleArn, stsSessionName, and stsExternalId must all be defined or all be "
                "null"
            )
        if awsAccessKeyId is None and awsSecretKey is not None:
            raise ValueError("awsSecretKey is set but awsAccessKeyId is null")
        if awsAccessKeyId is not None and awsSecretKey is None:
            raise ValueError("awsAccessKeyId is set but awsSecretKey is null")
        if initialPositionInStream not in _INITIAL:
            raise ValueError(
                "Illegal InitialPositionInStream. Please use InitialPositionInStream.LATEST or "
                "InitialPositionInStream.TRIM_HORIZON"
            )
        client_library()
        label = f"KinesisUtils.createStream({kinesisAppName}, {streamName})"
        key = awsAccessKeyId and Secret(awsAccessKeyId, f"the awsAccessKeyId of {label}")
        secret = awsSecretKey and Secret(awsSecretKey, f"the awsSecretKey of {label}")
        access = Access(endpointUrl, regionName, key, secret, *role)
        initial = _INITIAL[initialPositionInStream]
        source = KinesisSource(label, streamName, access, initial, kinesisAppName)
        return ssc._source(source).map(decoder)
