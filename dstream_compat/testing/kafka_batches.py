"""What direct streams of Kafka have in each batch: records with their partitions and offsets.

A recorded topic has the records of one partition. They are what arrives while the job runs, so
their offsets begin where the job begins: at 0, or at those that it names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..source.kafka.records import OffsetRange, TopicAndPartition


@dataclass(frozen=True, slots=True)
class KafkaPart:
    """A partition that a stream reads.

    Parameters
    ----------
    topic, partition : str, int
        which
    start : int
        the offset of its first record
    has_records : bool
        whether it is the one with the recorded records of its topic
    """

    topic: str
    partition: int
    start: int
    has_records: bool


def parts_of(topics: Sequence[str], offsets: Any) -> list[KafkaPart]:
    """Return the partitions of a direct stream; those of a topic with records come first.

    Parameters
    ----------
    topics : sequence of str
        the topics
    offsets : dict or str, optional
        ``fromOffsets`` of the job; a text, such as ``"group"``, names a place that only Kafka knows

    Raises
    ------
    ValueError
        if the offsets are of other topics
    """
    names = sorted(set(topics))
    offsets_of: Mapping[TopicAndPartition, Any] = offsets if isinstance(offsets, Mapping) else {}
    starts = {(part._topic, part._partition): int(at) for part, at in offsets_of.items()}
    if starts and (named := sorted({topic for topic, _ in starts})) != names:
        raise ValueError(f"The topics {names} are not those of fromOffsets, {named}")
    starts = starts or dict.fromkeys([(name, 0) for name in names], 0)
    parts: list[KafkaPart] = []
    for (topic, partition), start in sorted(starts.items()):
        is_first = not parts or parts[-1].topic != topic
        parts.append(KafkaPart(topic, partition, start, is_first))
    return parts


def ranges_of(
    parts: list[KafkaPart], batches: list[list[list[Any]]], number: int
) -> list[OffsetRange]:
    """Return the offsets that a batch covers.

    Parameters
    ----------
    parts : list of KafkaPart
        what the stream reads
    batches : list of list of list
        per batch the records of each of them
    number : int
        of the batch, from 1; behind the last one there is nothing new
    """

    def until(count: int, at: int) -> int:
        return parts[at].start + sum(len(given[at]) for given in batches[:count])

    return [
        OffsetRange(part.topic, part.partition, until(number - 1, at), until(number, at))
        for at, part in enumerate(parts)
    ]
