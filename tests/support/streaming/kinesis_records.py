"""Records as the producer library packs them."""

from __future__ import annotations

import hashlib

from dstream_compat.worker.reading.kinesis_aggregation import _message
from tests.support.streaming.kinesis_fixtures import *  # noqa: F403


def packed(*records: tuple[str, str | None, bytes]) -> bytes:
    """What the producer library makes of (partition key, explicit hash key, data)."""
    message = _message()()
    for number, (key, explicit, data) in enumerate(records):
        message.partition_key_table.append(key)
        record = message.records.add(partition_key_index=number, data=data)
        if explicit is not None:
            record.explicit_hash_key_index = len(message.explicit_hash_key_table)
            message.explicit_hash_key_table.append(explicit)
    body = message.SerializeToString()
    return b"\xf3\x89\x9a\xc2" + body + hashlib.md5(body).digest()
