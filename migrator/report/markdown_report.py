"""Markdown, for a comment on a pull request or a page of a wiki.

Text from files stands in code spans and code blocks only, where no link, mention or markup works.
"""

from __future__ import annotations

import re

from migrator.model.printable import visible
from migrator.model.report import FileReport, Finding, Report
from migrator.report.jobs import COLUMNS, MANY, Job, Jobs, jobs_in_need, outcome
from migrator.report.wording import (
    BUGS,
    BUGS_REMARK,
    closing_lines,
    duration,
    label,
    no_code_message,
    place,
    quantity,
    status,
    totals,
)
from migrator.source.excerpt import SourceText, source_text

_WIDTH = 160
_MARK = "<!-- report of migrate -->"
# prose of our own rules: nothing in it can be a link, a mention, a reference or markup
_HARMLESS = re.compile(r"(?:[A-Za-z0-9 ,.;:'\"()/=+%?!-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9]))*")
_LINK = re.compile(r"://|\bwww\.|\bmailto:|\bxmpp:|\bgh-\d", re.IGNORECASE)


def render(report: Report) -> str:
    """Return the report as GitHub-flavoured Markdown."""
    parts = [_MARK, "# DStream migration", ""]
    if not report.files:
        return "\n".join([*parts, prose(no_code_message(report))]) + "\n"
    parts += [*_jobs(report), "", *(prose(text) for text in closing_lines(report)[-1:])]
    parts += ["", "| | |", "|---|---|"]
    parts += [f"| {name} | {text} |" for name, text in totals(report)]
    parts += ["", *_todo(report), *_bugs(report), *_fixed_section(report)]
    return "\n".join(parts).rstrip() + "\n"


def code(text: str, *, in_table: bool = False) -> str:
    """Return a text as a code span, which has no markup.

    Parameters
    ----------
    in_table : bool
        Whether a bar would end the cell: it is shown as its number then.
    """
    text = visible(text)
    if in_table:
        text = text.replace("|", "\\x7c")
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text[:1] in ("`", "") or text[-1:] == "`" or text != text.strip() else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def prose(text: str, *, in_table: bool = False) -> str:
    """Return a message with its quoted parts as code spans; all of it if the rest has markup."""
    text = visible(text)
    parts = text.split("`")
    plain = parts[::2]
    safe = all(_HARMLESS.fullmatch(part) and not _LINK.search(part) for part in plain)
    if len(parts) % 2 == 0 or not safe:
        return code(text, in_table=in_table)
    return "".join(code(p, in_table=in_table) if i % 2 and p else p for i, p in enumerate(parts))


def _jobs(report: Report) -> list[str]:
    """Return the headline, and what is needed by which job."""
    jobs = Jobs(report)
    lines = [f"**{prose(jobs.headline())}**", ""]
    if len(jobs.all) < MANY:
        return [*lines, *_list_running(jobs), *_list(jobs, jobs.all)]
    listed = _list(jobs, jobs.differences)
    if jobs.as_numbers:
        lines += [f"| project | {' | '.join(COLUMNS)} |", f"|---|{'--:|' * len(COLUMNS)}"]
        for name, cells in jobs.rows():
            lines.append(f"| {code(name, in_table=True)} | {' | '.join(cells)} |")
    else:
        lines += listed
    by_name = _details_block(f"{len(jobs.all)} jobs by name", [*_list_running(jobs), *listed])
    return [*lines, "", *by_name]


def _list_running(jobs: Jobs) -> list[str]:
    names = ", ".join(code(job.path) for job in jobs.running)
    return [f"- **runs**: {names}"] if names else []


def _list(jobs: Jobs, verified: list[Job]) -> list[str]:
    """Return a line for each job and file in need, and one for each verification."""
    in_need = (*jobs.waiting, *jobs.others)
    lines = [f"- **{job.label}** {code(job.path)}: {prose(job.needs())}" for job in in_need]
    for job in verified:
        if job.verified is not None:
            word, figures = outcome(job.verified)
            lines.append(f"- **{word}** {code(job.path)}: {prose(figures)}")
    return lines


def _details_block(title: str, lines: list[str]) -> list[str]:
    return ["<details>", f"<summary>{title}</summary>", "", *lines, "", "</details>"]


def _todo(report: Report) -> list[str]:
    lines: list[str] = []
    for file in report.files:
        findings = [f for f in file.findings if f.is_open and not f.is_bug]
        if not findings:
            continue
        todo = [f for f in findings if f.needs_person]
        minutes = duration(sum(f.effort for f in todo))
        effort = f", {quantity(len(todo), 'finding')}, about {minutes}" if todo else ""
        users = ", ".join(map(code, jobs_in_need(file)))
        part = f", part of {users}" if users else ""
        lines += [f"## {code(file.path)}", "", f"{status(file, report)}{effort}{part}", ""]
        text = source_text(file.path, file.original)
        for finding in findings:
            lines += _finding(finding, text, report)
        lines.append("")
    return lines


def _bugs(report: Report) -> list[str]:
    """Return what was wrong before, by file."""
    if not report.bugs():
        return []
    lines = [f"## {BUGS}", "", f"They are {BUGS_REMARK}.", ""]
    for file in report.files:
        bugs = [f for f in file.findings if f.is_bug]
        if bugs:
            text = source_text(file.path, file.original)
            lines += [f"### {code(file.path)}", ""]
            lines += [line for finding in bugs for line in _finding(finding, text, report)]
            lines.append("")
    return lines


def _finding(finding: Finding, text: SourceText, report: Report) -> list[str]:
    effort = f" ({finding.effort} min)" if finding.asks_for_change else ""
    where = place(finding.at).replace("[", "cell ").replace("]", ",")
    head = f"- **{finding.code}** {label(finding, report)} at {where}{effort}: "
    lines = [head + prose(finding.message)]
    excerpt = text.excerpt(finding.at, _WIDTH)
    if finding.asks_for_change and excerpt is not None:
        lines.append(f"  - {code(excerpt.text)}")
    if finding.advice:
        lines.append(f"  - {prose(finding.advice)}")
    return lines


def _fixed_section(report: Report) -> list[str]:
    fixes = [(file, f) for file, f in report.findings() if f.is_fixed and f.suppression is None]
    if not fixes:
        return []
    lines = ["| file | line | rule | what |", "|---|---|---|---|"]
    lines += [_row(file, finding) for file, finding in fixes]
    return _details_block(quantity(len(fixes), "rewrite"), lines)


def _row(file: FileReport, finding: Finding) -> str:
    where = place(finding.at).replace("[", "cell ").replace("]", ",")
    path, message = code(file.path, in_table=True), prose(finding.message, in_table=True)
    return f"| {path} | {where} | {finding.code} | {message} |"
