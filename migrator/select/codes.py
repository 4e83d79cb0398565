"""`--select` and `--ignore`: which rules take part in a run."""

from __future__ import annotations

from collections.abc import Iterable

from migrator.errors import MigrateError
from migrator.model.report import Category, FileReport
from migrator.rules.registry import rules
from migrator.select.fixes import keep_original

# these report what was not analysed, so --select keeps them; only --ignore drops them
_ALWAYS = frozenset({"D001", "D002", "D003", "D005"})

# how much of a code has to be named for a rule that takes part only if it is asked for
_FAMILY = 3


def chosen_codes(select: Iterable[str], ignore: Iterable[str]) -> frozenset[str]:
    """Return the codes of the rules that take part.

    Parameters
    ----------
    select : iterable of str
        Codes or beginnings of codes such as `D2`, if there are none all that need not be asked for.
    ignore : iterable of str
        The same, for rules to leave out. The longer of two that fit a rule decides, `ignore` if
        they are equal.

    Raises
    ------
    MigrateError
        If one of them fits no rule.
    """
    wanted, unwanted = _known(select), _known(ignore)
    found = set()
    for code in rules():
        chosen = max((len(p) for p in wanted if code.startswith(p)), default=0)
        refused = max((len(p) for p in unwanted if code.startswith(p)), default=0)
        wished = chosen or not wanted or code in _ALWAYS
        if rules()[code].asked_only:
            wished = chosen >= _FAMILY
        if wished and (not refused or chosen > refused):
            found.add(code)
    return frozenset(found)


def _known(prefixes: Iterable[str]) -> list[str]:
    found = []
    for prefix in prefixes:
        upper = prefix.strip().upper()
        if not upper or not any(code.startswith(upper) for code in rules()):
            raise MigrateError(
                f"no rule has the code {prefix.strip() or '(empty)'}; `migrate rules` lists them, "
                "and D2 stands for all codes that begin so"
            )
        found.append(upper)
    return found


def keep_chosen(file: FileReport, codes: frozenset[str]) -> None:
    """Drop the findings of other rules; a file is not rewritten by a rule that takes no part."""
    left_out = {f.code for f in file.findings if f.fixed} - codes
    if left_out:
        named = ", ".join(sorted(left_out))
        why = f"{named} takes no part in this run, and a file is rewritten as a whole"
        keep_original(file, why)
    file.findings = [f for f in [*file.findings, *file.asked] if f.code in codes]
    file.sort()


def hide_notes(file: FileReport) -> int:
    """Drop the notes that ask for nothing, and say how many would have counted."""
    notes = [f for f in file.findings if f.category is Category.NOTE]
    file.findings = [f for f in file.findings if f.category is not Category.NOTE]
    return sum(f.suppression is None for f in notes)
