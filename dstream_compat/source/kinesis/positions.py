"""Where a shard of Kinesis is read on."""

from __future__ import annotations

from typing import Any, Final

LATEST: Final = "LATEST"
START: Final = "TRIM_HORIZON"
AFTER: Final = "AFTER_SEQUENCE_NUMBER"
AT: Final = "AT_TIMESTAMP"
END: Final = "END"

Position = tuple[str, Any]
"""Where to go on in a shard: a kind of iterator, and a sequence number or a time."""
