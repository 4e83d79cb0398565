"""Which names say that a value is a secret; Spark's ``spark.redaction.regex`` knows fewer."""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = re.compile(
    r"secret|passw|pwd|token|jaas|(access|account|api|private|keystore|encryption)[._-]?key"
    r"|[._]sas[._]|user[.]info|credentials?$",
    re.IGNORECASE,
)
_OF_A_FILE: Final = re.compile(r"file$", re.IGNORECASE)


def is_secret_name(name: str) -> bool:
    """Return whether what has this name is a secret.

    Parameters
    ----------
    name : str
        of a setting, a parameter or a variable of the environment
    """
    return _NAMES.search(name) is not None and _OF_A_FILE.search(name) is None
