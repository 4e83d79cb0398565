"""Errors of this package; each says what happened and what to do."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any, Final


class DStreamCompatError(Exception):
    """Base of all errors that this package defines."""


class UnsupportedOperationError(DStreamCompatError, NotImplementedError):
    """A DStream feature that cannot be honoured; the message says why and what to use."""

    def __init__(self, what: str, reason: str, instead: str) -> None:
        super().__init__(f"{what} is not supported: {reason}. {instead}")


class UnsupportedSourceError(UnsupportedOperationError):
    """A source whose connector no longer exists."""


class MissingDependencyError(DStreamCompatError, ImportError):
    """A package is not installed that only some jobs need; the message says how to get it."""


def of_extra(module: str, what: str, package: str, extra: str) -> Any:
    """Return a module of an optional extra.

    Parameters
    ----------
    module : str
        its full name
    what : str
        what needs it
    package : str
        the package that has it
    extra : str
        the extra of this package that installs it

    Raises
    ------
    MissingDependencyError
        if it cannot be imported
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingDependencyError(
            f"{what} needs {package}, which is not installed (or too old). Install it in the "
            f"driver with: pip install 'dstream-compat[{extra}]'"
        ) from error


class BatchFailedError(DStreamCompatError, RuntimeError):
    """Code of the user failed in a batch; the message holds the original traceback.

    ``__cause__`` is the original exception wherever it could be kept.
    """


class CheckpointError(DStreamCompatError, RuntimeError):
    """A checkpoint folder cannot be used; nothing in it was changed."""


class StreamingStateError(DStreamCompatError, RuntimeError):
    """A call that does not fit the state of the StreamingContext."""


_EXPIRED: Final = re.compile(
    r"oken .*has expired, current time: "
    r"|HDFS_DELEGATION_TOKEN.* (is expired|can't be found in cache)"
)
"""What HDFS says of a token that was good for its lifetime only."""

_KEYTAB: Final = (
    ". Tokens of Hadoop end after their lifetime: submit the job with --principal and --keytab, "
    "and Spark fetches new ones"
)


class QueryFailedError(DStreamCompatError, RuntimeError):
    """Spark could not run the query; the message is Spark's."""

    @classmethod
    def of(cls, error: BaseException, folder: str) -> QueryFailedError:
        """Return the error for what Spark raised.

        Parameters
        ----------
        error : BaseException
            of Spark
        folder : str
            Spark's checkpoint of the query
        """
        text = getattr(error, "desc", None) or str(error)
        what = text.partition("\n=== Streaming Query ===")[0]  # what follows is our plan
        advice = _KEYTAB if _EXPIRED.search(what) else ""
        return cls(f"the streaming query failed: {what} (its checkpoint: {folder}){advice}")
