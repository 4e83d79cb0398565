"""What outputs become: `pprint`, `saveAsTextFiles` and `foreachRDD`."""

from . import foreach_rdd, lines

__all__ = ["foreach_rdd", "lines"]
