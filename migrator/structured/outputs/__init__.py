"""What is done with the records of a batch."""

from . import pprint, text_files

__all__ = ["pprint", "text_files"]
