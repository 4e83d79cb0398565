"""Comments in the sources: `# migrate: ignore[D204] reason`."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from migrator.discover.filetypes import FileType
from migrator.model.events import IgnoreProblem
from migrator.model.places import shown_place
from migrator.model.projects import ProjectFacts
from migrator.model.report import FileReport, Finding, Spot, SuppressedBy
from migrator.rules.registry import RETIRED, findings_for, rules
from migrator.select.fixes import keep_original
from migrator.source.excerpt import Place, SourceText, source_text
from migrator.source.lines import split_lines
from migrator.source.magics import neutralise

_IGNORE = re.compile(
    r"(?:#|//)\s*migrate:\s*ignore\b(?:\[(?P<codes>[^\]]*)\])?[ \t]*(?P<reason>[^\r\n]*)"
)
_OWN_LINE = re.compile(r"\s*(?:#|//)")
_MARK = b"migrate:"


@dataclass(slots=True)
class IgnoreComment:
    """A comment, the place that it is about, and its codes that were of use."""

    at: Spot
    target: Spot
    codes: tuple[str, ...]
    reason: str
    used: set[str] = field(default_factory=set)


def apply_comments(file: FileReport) -> None:
    """Suppress the findings that comments name, and report comments without effect.

    An import whose rewriting is ignored keeps the whole file as it is.
    """
    if _MARK not in file.original:
        return
    text = source_text(file.path, file.original)
    comments = list(find_comments(text))
    if not comments:
        return
    by_line: dict[Place, list[IgnoreComment]] = {}
    for comment in comments:
        by_line.setdefault((comment.target.cell, comment.target.line), []).append(comment)
    findings = [*file.findings, *file.asked]
    fixes = [f for f in findings if f.is_fixed and _comment_for(f, by_line) is not None]
    if fixes:
        where = shown_place(fixes[0].at)
        why = f"{fixes[0].code} is ignored in {where}, and a file is rewritten as a whole"
        keep_original(file, why)
    for finding in findings:
        own = _comment_for(finding, by_line)
        if own is not None:
            own.used.add(finding.code)
            finding.decision.suppress(SuppressedBy.COMMENT, own.reason)
    for comment in comments:
        file.findings += _problems(comment)


def _comment_for(
    finding: Finding, by_line: dict[Place, list[IgnoreComment]]
) -> IgnoreComment | None:
    comments = by_line.get((finding.at.cell, finding.at.line), [])
    return next((c for c in comments if finding.code in c.codes), None)


def _problems(comment: IgnoreComment) -> Iterator[Finding]:
    if not comment.codes:
        yield from findings_for(IgnoreProblem(comment.at, "form"), ProjectFacts())
    for code in comment.codes:
        if code not in comment.used:
            kind = "unused" if code in (*rules(), *RETIRED) else "unknown"
            yield from findings_for(IgnoreProblem(comment.at, kind, code), ProjectFacts())


def find_comments(text: SourceText) -> Iterator[IgnoreComment]:
    """Yield the comments of a file that are for us."""
    for cell, part in text.parts.items():
        yield from _comments_of_part(text, cell, part)


def comments_of_text(kind: FileType, part: str) -> list[IgnoreComment]:
    """Return the comments of a text, or of one cell, that are for us."""
    lines: dict[Place, str] = {
        (None, number): line for number, line in enumerate(split_lines(part), 1)
    }
    return list(_comments_of_part(SourceText(kind, {None: part}, lines), None, part))


def _comments_of_part(text: SourceText, cell: int | None, part: str) -> Iterator[IgnoreComment]:
    for line, column, comment in _comments(text.kind, part):
        match = _IGNORE.search(comment)
        if match is None:
            continue
        at = Spot(line, column + match.start(), cell)
        codes = [code.strip().upper() for code in (match["codes"] or "").split(",")]
        target = _target(text, at)
        named = tuple(dict.fromkeys(code for code in codes if code))
        yield IgnoreComment(at, target, named, match["reason"].strip())


def _comments(kind: FileType, part: str) -> list[tuple[int, int, str]]:
    """Return line, column and text of what may be comments."""
    if kind in (FileType.PYTHON, FileType.NOTEBOOK):
        neutral = neutralise(part) if kind is FileType.NOTEBOOK else None
        source = io.StringIO(part if neutral is None else neutral.text)
        # what is not Python 3 is searched line by line
        with suppress(tokenize.TokenError, SyntaxError, UnicodeError):
            return [
                (token.start[0], token.start[1] + 1, token.string)
                for token in tokenize.generate_tokens(source.readline)
                if token.type == tokenize.COMMENT
            ]
    return [(number, 1, line) for number, line in enumerate(split_lines(part), 1)]


def _target(text: SourceText, at: Spot) -> Spot:
    """Return the line that a comment is about: its own, or the next one of code."""
    line = text.line(at) or ""
    if line[: at.column - 1].strip():
        return at
    number = at.line + 1
    while (following := text.lines.get((at.cell, number))) is not None:
        if following.strip() and not _OWN_LINE.match(following):
            return Spot(number, 1, at.cell)
        number += 1
    return at
