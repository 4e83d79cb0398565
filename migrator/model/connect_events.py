"""Events about code that Spark Connect cannot run."""

from __future__ import annotations

from dataclasses import dataclass

from migrator.model.events import Event
from migrator.model.job_events import InferredEvent


@dataclass(frozen=True, eq=False)
class ConnectBlock(InferredEvent):
    """Code that needs a driver with Spark in its process.

    Parameters
    ----------
    what : str
        "rdd", "shared", "jvm", "session", "context", "setting" or "file".
    """

    what: str
    text: str

    @property
    def key(self) -> str:
        """What it needs."""
        return self.what


@dataclass(frozen=True, eq=False)
class FunctionState(Event):
    """What a function uses of the driver, though Connect runs it elsewhere.

    Parameters
    ----------
    what : str
        "global" (it sets a global name) or "session" (it uses one from outside).
    where : str
        The method that it is given to.
    """

    what: str
    name: str
    function: str
    where: str

    @property
    def key(self) -> str:
        """What it uses."""
        return self.what
