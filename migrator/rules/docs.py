"""Writes `docs/rules`: one page per rule from its docstring, and an index.

Run it after a rule changed: `python -m migrator.rules.docs docs/rules`. A test compares the pages.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from migrator.model.report import Safety
from migrator.rules.base import FAMILIES, Rule
from migrator.rules.registry import rule_modules

_SAFETY = {
    Safety.SAFE: "safe, applied",
    Safety.UNSAFE: "unsafe, applied with `--unsafe-fixes`",
    Safety.DISPLAY: "shown, never applied",
    None: "none",
}
_INTRO = """\
# Rules of `migrate`

Each finding carries the code of a rule. Codes are stable; the first digit is the family.
These pages are generated from the docstrings in `migrator/rules` with
`python -m migrator.rules.docs docs/rules`.

## Severity and exit code

- **error**: the job will not run, or the file could not be read.
- **warning**: the job may behave differently and has to be checked.
- **info**: something to know; it asks for nothing.

A finding *needs manual work* if this run does not fix it and its severity is error or warning. The
exit code is 1 as soon as one finding needs manual work (with `--check` also if a file would be
rewritten), 0 if none does, 2 if the command could not be carried out, 130 after Ctrl-C. Findings
that a comment, a baseline or `--diff-base` takes out do not count: see
[reports and options](../reports.md).

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
- `confidence`: `proven`, or `probable` where only a name or the method called speaks for it;
  `evidence` says what it rests on.
- `outcome`: `rewritten`, `kept` (it runs as it is) or `reported` (a finding
  needs manual work).
- `migration`: `automatic`, `review`, `manual` or `impossible`, as
  [explained there](../reports.md#what-becomes-of-the-code).
- `inputs`: for calls that make, change or end a stream, where the streams that go in were made.

A finding has a `fingerprint`, which stays the same while its line does, and a `suppression` if it
does not count.

Text from the files is shown with control characters as `\\xNN`.

## What is not analysed

Hidden files and folders, links, virtual environments, `__pycache__`, `node_modules`, earlier
output, and what `.gitignore` excludes are not analysed.
"""


def page(rule: Rule, docstring: str) -> str:
    """The page of a rule."""
    title, _, body = docstring.strip().partition("\n")
    return (
        f"# {rule.code}: {rule.name}\n\n{title}\n\n"
        f"Severity: {rule.severity.value}. Effort: about {rule.effort} minutes. "
        f"Fix: {_SAFETY[rule.safety]}.\n{body.rstrip()}\n"
    )


def pages() -> dict[str, str]:
    """Every page of `docs/rules` by its file name."""
    modules = rule_modules()
    found = {f"{code}.md": page(m.rule, m.__doc__ or "") for code, m in modules.items()}
    found["README.md"] = _INTRO + "\n" + _index(modules)
    return found


def _index(modules: dict[str, Any]) -> str:
    parts = ["## Rules\n"]
    for prefix, title in FAMILIES.items():
        codes = [code for code in modules if code.startswith(prefix)]
        if not codes:
            continue
        parts.append(f"### {prefix}: {title}\n")
        parts.append("| code | name | severity | what |\n|---|---|---|---|")
        for code in codes:
            rule = modules[code].rule
            first = (modules[code].__doc__ or "").strip().partition("\n")[0]
            parts.append(f"| [{code}]({code}.md) | {rule.name} | {rule.severity.value} | {first} |")
        parts.append("")
    return "\n".join(parts)


def main(folder: str) -> None:
    """Writes the pages into a folder."""
    for name, text in pages().items():
        Path(folder, name).write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
