"""Changes of files that a run would make, which a person accepts or rejects one by one."""

from __future__ import annotations

from dataclasses import dataclass, field

from migrator.model.findings import Finding


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """A change of a file: the rewriting of the file as a whole, or the fix of a finding.

    Parameters
    ----------
    key : str
        What it is known by from run to run, as long as it changes the same lines in the same way.
    reasons : tuple of str
        Why it is made.
    before, after : bytes
        The file before and after this change, where the rewriting is made first.
    fixes : tuple of Finding
        The findings that it fixes; empty for the rewriting of the file.
    """

    path: str
    key: str
    reasons: tuple[str, ...]
    before: bytes = field(repr=False)
    after: bytes = field(repr=False)
    fixes: tuple[Finding, ...] = field(repr=False, default=())

    @property
    def is_rewriting(self) -> bool:
        """Whether it is the rewriting of the file as a whole."""
        return not self.fixes


@dataclass(frozen=True, slots=True)
class IgnoresAdded:
    """What became of the findings that comments were to ignore.

    Parameters
    ----------
    findings : int
        How many are ignored now.
    left : tuple of str
        Where no comment could be written: files with lines, and codes.
    """

    findings: int
    left: tuple[str, ...] = ()
