from __future__ import annotations
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from dstream_compat import DStream
    import dstream_compat


def words(lines: DStream) -> Optional["DStream"]:
    return lines.flatMap(str.split)


def more(lines: dstream_compat.DStream):
    return lines.window(2).toDF()
