"""Writes `docs/rules`: one page per rule from its docstring, and an index.

Run it after a rule changed: `python -m migrator.rules.docs docs/rules`. A test compares the pages.
"""

from __future__ import annotations

import sys
from pathlib import Path

from migrator.model.report import Category, Safety
from migrator.rules.base import FAMILIES, Rule
from migrator.rules.registry import page_text, rules, rules_of_page

_SAFETY = {
    Safety.SAFE: "safe, applied",
    Safety.UNSAFE: "unsafe, applied with `--unsafe-fixes`",
    Safety.DISPLAY: "shown, never applied",
}
_CATEGORY = {
    Category.MIGRATION: "",
    Category.BUG: "Category: bug that the job has always had. ",
    Category.NOTE: "Category: note, shown with `--notes`. ",
}
_ASKED = " Reported only if `--select` names its code, or D85."
_INTRO = """\
# Rules of `migrate`

Each finding carries the code of a rule. Codes are stable; the first digit is the family.
The pages are generated from the docstrings in `migrator/rules` by
`python -m migrator.rules.docs docs/rules`.

## Severity and exit code

- **error**: the job will not run, or the file could not be read.
- **warning**: the job may behave differently, and a person has to check it.
- **info**: a note.

Findings have a category besides. *Bugs* are wrong with DStreams too, since the job was written:
reports list them in a section of their own, and they make the exit code 1 only with
`--fail-on-bugs`. *Notes* ask for nothing and are left out without `--notes`. Everything else is
*migration*.

A finding *needs manual work* if this run does not fix it and its severity is error or warning. The
exit code is 1 if at least one finding needs manual work (with `--check` also if a file would be
rewritten), 0 if none does, 2 if the command could not be carried out, and 130 after Ctrl-C.
Findings that a comment, a baseline or `--diff-base` excludes do not count: see
[options and reports](../reports.md).

## Fix safety

- **safe**: applied; the rewritten file is proven to be the old one with exactly the planned edits,
  byte for byte elsewhere, and a second run would change nothing.
- **unsafe**: applied with `--unsafe-fixes` only; the message says what may differ.
- **display**: shown in the report, never applied.

A fix may be safe for one finding and unsafe for another of the same rule; where it is not proven
right there is none, and the finding stays with its advice.

With `--check` and `--diff`, `fixed` means that the run would fix the finding.

## JSON

`migrate --format json` prints one object; `migrator/report/report.schema.json` describes it. Lines
and columns count from 1, columns in characters; `cell` is the number of the cell in a notebook,
from 1, all cells counted. `sites` lists every use of the DStream API:

- `use`: `import`, `reference` (a class that is named, or a dotted path), `construct`, `call` or
  `attribute`.
- `receiver`: what it is used on: `module`, `class`, `StreamingContext`, `DStream` or the name of
  a class such as `KafkaUtils`.
- `confidence`: `proven`, or `probable` if only a name or the called method suggests it;
  `evidence` lists the reasons.
- `outcome`: `rewritten`, `kept` (it runs as it is) or `reported` (a finding needs manual work).
- `migration`: `runs`, `review`, `manual` or `impossible`, as
  [explained there](../reports.md#outcomes).
- `inputs`: for calls that make, change or end a stream, the places where their input streams were
  made.

`jobs` lists the programs that start a streaming context: `state` is `runs`, `needs` or `cannot`,
`modules` are the files that a job consists of, and `findings` has the fingerprints of what needs
manual work in them. `other_files` has the same for files of no job.

A finding has a `fingerprint`, which stays the same as long as its line does, and a `suppression` if
it does not count. `details` has what is too long for its `message`; `also` has other places of the
same problem, for which it stands.

Text from the files is shown with control characters as `\\xNN`.

## Skipped files

Hidden files and folders, symlinks, virtual environments, `__pycache__`, `node_modules`, earlier
output and ignored files (`.gitignore`) are skipped.
"""


def fix_line(rule: Rule) -> str:
    """Return how the fixes of a rule are used."""
    if rule.safety is None:
        return "none"
    used = _SAFETY[rule.safety]
    if rule.option:
        used += f" with `{rule.option}`"
    return used if rule.other_safety is None else f"{used}; some {_SAFETY[rule.other_safety]}"


def page(rule: Rule) -> str:
    """Return the page of a rule."""
    body = page_text(rule).partition("\n")[2].rstrip()
    return f"{_head(rule)}{body}\n"


def _head(rule: Rule) -> str:
    title = page_text(rule).partition("\n")[0]
    return (
        f"# {rule.code}: {rule.name}\n\n{title}\n\n"
        f"Severity: {rule.severity.value}. {_CATEGORY[rule.category]}"
        f"Effort: about {rule.effort} minutes. "
        f"Fix: {fix_line(rule)}.{_ASKED if rule.asked_only else ''}\n"
    )


def pages() -> dict[str, str]:
    """Return every page of `docs/rules` by its file name."""
    texts = {}
    for code, rule in rules().items():
        first = rules_of_page(rule)[0]
        texts[f"{code}.md"] = page(rule)
        if first is not rule:
            # a file for each code, so that its address stays
            texts[f"{code}.md"] = f"{_head(rule)}\nSee [{first.code}]({first.code}.md).\n"
    texts["README.md"] = _INTRO + "\n" + _index()
    return texts


def _index() -> str:
    parts = ["## Rules\n"]
    for prefix, title in FAMILIES.items():
        family = [rule for rule in rules().values() if rule.code.startswith(prefix)]
        if not family:
            continue
        parts.append(f"### {prefix}: {title}\n")
        parts.append("| code | name | severity | what |\n|---|---|---|---|")
        for rule in family:
            code, first = rule.code, page_text(rule).partition("\n")[0]
            parts.append(f"| [{code}]({code}.md) | {rule.name} | {rule.severity.value} | {first} |")
        parts.append("")
    return "\n".join(parts)


def main(folder: str) -> None:
    """Write the pages into a folder."""
    for name, text in pages().items():
        Path(folder, name).write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
