"""Unpacks the records that Kinesis's producer library has packed together."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any, Final

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

_MAGIC: Final = b"\xf3\x89\x9a\xc2"
_DIGEST: Final = 16
_PACKAGE: Final = "dstream_compat.kinesis"

HashRange = tuple[int, int]
"""First and last hash key of a shard."""


def user_records(data: bytes, hashes: HashRange | None = None) -> list[bytes]:
    """Return what a producer has put, one or many records in one of the stream.

    As Kinesis's client library does, whatever is not in the aggregated format with the right
    checksum is one record, and records of another shard are left out: their producer sends them
    again.

    Parameters
    ----------
    data : bytes
        of a record of the stream
    hashes : tuple of int, optional
        first and last hash key of its shard
    """
    body, digest = data[len(_MAGIC) : -_DIGEST], data[-_DIGEST:]
    if not data.startswith(_MAGIC) or hashlib.md5(body, usedforsecurity=False).digest() != digest:
        return [data]
    try:
        packed = _message().FromString(body)
    except DecodeError:
        return [data]
    return [r.data for r in packed.records if hashes is None or _belongs(packed, r, hashes)]


def _belongs(packed: Any, record: Any, hashes: HashRange) -> bool:
    if record.HasField("explicit_hash_key_index"):
        key = int(packed.explicit_hash_key_table[record.explicit_hash_key_index])
    else:
        name = packed.partition_key_table[record.partition_key_index].encode()
        key = int.from_bytes(hashlib.md5(name, usedforsecurity=False).digest(), "big")
    return hashes[0] <= key <= hashes[1]


@cache
def _message() -> Any:
    """Return the class of aggregated messages; no maintained package has their definition."""
    file = descriptor_pb2.FileDescriptorProto(name="kinesis_aggregation.proto", package=_PACKAGE)
    field = descriptor_pb2.FieldDescriptorProto
    tables = {"partition_key_table": 1, "explicit_hash_key_table": 2}
    record = file.message_type.add(name="Record")
    record.field.add(
        name="partition_key_index", number=1, type=field.TYPE_UINT64, label=field.LABEL_REQUIRED
    )
    record.field.add(
        name="explicit_hash_key_index", number=2, type=field.TYPE_UINT64, label=field.LABEL_OPTIONAL
    )
    record.field.add(name="data", number=3, type=field.TYPE_BYTES, label=field.LABEL_REQUIRED)
    packed = file.message_type.add(name="AggregatedRecord")
    for name, number in tables.items():
        packed.field.add(
            name=name, number=number, type=field.TYPE_STRING, label=field.LABEL_REPEATED
        )
    packed.field.add(
        name="records",
        number=3,
        type=field.TYPE_MESSAGE,
        type_name=f".{_PACKAGE}.Record",
        label=field.LABEL_REPEATED,
    )
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(
        pool.FindMessageTypeByName(f"{_PACKAGE}.AggregatedRecord")
    )
