from __future__ import annotations
from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from pyspark.streaming import DStream
    import pyspark.streaming


def words(lines: DStream) -> Optional["DStream"]:
    return lines.flatMap(str.split)


def more(lines: pyspark.streaming.DStream):
    return lines.window(2).toDF()
