"""Files for sources that watch folders."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tests.support.streaming.differential import Recorder


def flat(recorder: Recorder, name: str) -> list[Any]:
    batches = recorder.outcomes[name].batches
    return [
        sorted(record for part in parts for record in part) for _, parts in sorted(batches.items())
    ]


def put(folder: Path, name: str, seconds: float, data: bytes) -> None:
    draft = folder.parent / f"draft-{name}"
    draft.write_bytes(data)
    os.utime(draft, (seconds, seconds))
    draft.rename(folder / name)
