"""Decodes UTF-8 as Java does, whose decoder DStreams' lines go through."""

from __future__ import annotations

import codecs
from typing import Final

REPLACE: Final = "dstream_compat.replace"
"""Name of the error handler, for ``bytes.decode`` and ``str``."""

_SURROGATE: Final = 0xED
"""First byte of what would be a surrogate if the second one is from 0xA0 to 0xBF."""


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Return one replacement character for what Java takes as one error.

    Python sees an error in each byte of a surrogate, Java one in all of them.
    """
    assert isinstance(error, UnicodeDecodeError)
    data, end = error.object, error.end
    if data[error.start] == _SURROGATE and 0xA0 <= (*data[end : end + 1], 0)[0] <= 0xBF:
        end += 1
        if 0x80 <= (*data[end : end + 1], 0)[0] <= 0xBF:
            end += 1
    return "\ufffd", end


codecs.register_error(REPLACE, _replace)
