"""What outputs become: `pprint`, `saveAsTextFiles` and `foreachRDD`."""

from . import foreach_rdd, pprint, text_files

__all__ = ["foreach_rdd", "pprint", "text_files"]
