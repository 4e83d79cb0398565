"""What is done with the records of a batch."""

from . import foreach_rdd, pprint, text_files

__all__ = ["foreach_rdd", "pprint", "text_files"]
