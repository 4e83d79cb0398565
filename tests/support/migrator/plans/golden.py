"""A job of a golden project: what it reads, and which outputs it has to have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.legacy.plans import job


@dataclass(frozen=True)
class Golden:
    """A job, which runs as it was on Spark's DStreams, and migrated.

    Parameters
    ----------
    project : str
        its folder below ``tests/migrator``
    plan : dict
        what it reads, for :mod:`tests.support.legacy.drive`
    blocks : list of list of str, optional
        what each ``pprint`` prints, computed without Spark, where the DStreams of Spark 4 have no
        such source
    lines : list of str, optional
        the other lines that it prints; with it, `blocks` or `python2` it does not run on DStreams
    in_total : bool
        whether only the sums of the numbers in `blocks` are compared, over all batches
    unordered : bool
        whether the other lines come in any order
    ignored : str
        how lines begin whose number depends on real time
    error : str
        a pattern for the name or the text of the exception with which both end, where the job never
        worked
    by_hand : str
        code of the finding that says why only the original runs to its end
    python2 : bool
        whether it prints what Python 2.7 printed, see :mod:`tests.support.migrator.python2_jobs`
    kafka : dict
        the topics that it reads, to the numbers of their partitions
    server : str
        ``mqtt`` or ``kinesis``, if it reads from one
    stand_ins : dict
        files that let the original be started without the machine that it was written for
    addresses : dict
        names of such machines in the job, to what stands for them; ``{TEST_MQTT}`` is a server's
    options : tuple of str
        of ``migrate``, the same for all jobs of a project
    """

    project: str
    plan: dict[str, Any]
    blocks: list[list[str]] | None = None
    lines: list[str] | None = None
    in_total: bool = False
    unordered: bool = False
    ignored: str = ""
    error: str = ""
    by_hand: str = ""
    python2: bool = False
    kafka: dict[str, int] = field(default_factory=dict)
    server: str = ""
    stand_ins: dict[str, str] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()

    @property
    def on_dstreams(self) -> bool:
        """Whether Spark's own DStreams can run the original."""
        return self.blocks is None and self.lines is None and not self.python2

    def __str__(self) -> str:
        return f"{self.project.partition('/')[2]}-{self.plan['script']}"


_ABOUT = (
    "blocks",
    "lines",
    "in_total",
    "unordered",
    "ignored",
    "error",
    "by_hand",
    "python2",
    "kafka",
    "server",
    "stand_ins",
    "addresses",
    "options",
)


def golden(
    project: str, script: str, steps: Sequence[Any], args: Sequence[object] = (), **more: Any
) -> Golden:
    """Return a job of a golden project.

    Parameters
    ----------
    project, script : str
        a folder in ``tests/migrator/projects``, and the job in it
    steps : sequence
        per interval the lines that it receives (with several sockets: by port), or what else
        ``files``, ``records`` (of Kafka), ``messages`` (of MQTT) and ``puts`` (of Kinesis) say
    args : sequence, optional
        its arguments
    more : dict
        of :class:`Golden`, and of :func:`tests.support.legacy.plans.job`
    """
    about = {name: more.pop(name) for name in _ABOUT if name in more}
    if "error" in about or "by_hand" in about:
        more.setdefault("end", "fails")
    folder = project if "/" in project else f"projects/{project}"
    plan = job(script, list(args), [], **more)
    plan["steps"] = [{"lines": step} if isinstance(step, list) else step for step in steps]
    return Golden(folder, plan, **about)
