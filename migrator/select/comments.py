"""Comments in the sources, `# migrate: ignore[D204] reason`: reads and writes them."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from migrator.discover.filetypes import FileType, type_by_first_line, type_of
from migrator.edit.text_edits import file_texts
from migrator.model.events import IgnoreProblem
from migrator.model.findings import shown_place
from migrator.model.projects import ProjectFacts
from migrator.model.report import FileReport, Finding, Spot, SuppressedBy
from migrator.rules.registry import RETIRED, findings_for, rules
from migrator.select.fixes import keep_original
from migrator.source.decode import DecodeProblem
from migrator.source.excerpt import Place, SourceText, source_text
from migrator.source.layout import SILENT, all_tokens
from migrator.source.lines import keep_ends, split_lines
from migrator.source.magics import neutralise
from migrator.source.notebook import NotebookProblem

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


# Writes `# migrate: ignore[...]` comments, only where they are comments and nothing else changes.
#
# A comment goes to the end of its line or, where it would be none there, to a line above it.

_PYTHON = (FileType.PYTHON, FileType.NOTEBOOK)
_SLASHES = (FileType.SCALA, FileType.JAVA, FileType.SLASHES, FileType.GROOVY)
# a comment ends no line there: it would be part of a value
_COMMENTS_ABOVE = (FileType.CONF, FileType.SHELL)
# where a line may be a piece of text whatever it begins with
_NESTED = (".yaml", ".yml", ".tf", ".hcl")
_CODES = re.compile(r"(migrate:\s*ignore\[)([^\]]*)(\])")


@dataclass(slots=True)
class IgnoresWritten:
    """A file with comments.

    Parameters
    ----------
    content : bytes
        What it becomes.
    places : set of (int or None, int)
        The cells and lines, before, whose findings are ignored now.
    """

    content: bytes
    places: set[Place] = field(default_factory=set)


def with_ignores(
    path: str, data: bytes, codes_by_place: Mapping[Place, frozenset[str]], reason: str
) -> IgnoresWritten:
    """Return a file with comments that ignore findings.

    Parameters
    ----------
    path : str
        The name of the file, which says how to read it.
    codes_by_place : mapping of (int or None, int) to frozenset of str
        The codes to ignore by cell and line.
    reason : str
        What the comments say behind the codes.
    """
    kind = type_of(path) or type_by_first_line(data) or FileType.PLAIN
    written = IgnoresWritten(data)
    if kind not in (*_PYTHON, *_SLASHES, *_COMMENTS_ABOVE) or path.lower().endswith(_NESTED):
        return written
    try:
        file = file_texts(kind, data)
        texts = dict(file.texts)
        # in text cells of a notebook there are no comments
        code = source_text(path, data).parts
        # from the end, so that lines above keep their numbers
        for place in sorted(codes_by_place, key=lambda one: (one[0] or 0, -one[1])):
            cell, line = place
            before = texts.get(cell)
            if before is None or cell not in code:
                continue
            for text in _candidates(kind, before, line, codes_by_place[place], reason):
                if _is_right(kind, before, text, line, codes_by_place[place]):
                    texts[cell] = text
                    written.places.add(place)
                    break
        written.content = file.render(texts) if written.places else data
    except (DecodeProblem, NotebookProblem):
        return IgnoresWritten(data)
    return written


def _candidates(
    kind: FileType, text: str, number: int, codes: frozenset[str], reason: str
) -> Iterator[str]:
    """Yield a text with the comment at each place where it may be."""
    lines = keep_ends(text)
    if not 0 < number <= len(lines):
        return
    line = lines[number - 1]
    if line.startswith("#!"):
        return
    for comment in _comments_about(kind, text, number):
        # the codes of one comment stay together
        own = lines[comment.at.line - 1]
        names = ", ".join(sorted({*comment.codes, *codes}))
        merged = _CODES.sub(rf"\g<1>{names}\g<3>", own, count=1)
        yield "".join([*lines[: comment.at.line - 1], merged, *lines[comment.at.line :]])
    mark = "//" if kind in _SLASHES else "#"
    words = f"{mark} migrate: ignore[{', '.join(sorted(codes))}] {reason}".rstrip()
    body = line.rstrip("\r\n")
    end = line[len(body) :]
    if kind not in _COMMENTS_ABOVE:
        longer = f"{body.rstrip()}  {words}{end}"
        yield "".join([*lines[: number - 1], longer, *lines[number:]])
    if number <= 2 and any("coding" in line for line in lines[:2]):
        # the encoding is said in the first two lines
        return
    indent = body[: len(body) - len(body.lstrip())]
    above = f"{indent}{words}{end or _line_end(lines)}"
    yield "".join([*lines[: number - 1], above, *lines[number - 1 :]])


def _line_end(lines: list[str]) -> str:
    first = lines[0]
    return first[len(first.rstrip("\r\n")) :] or "\n"


def _comments_about(kind: FileType, text: str, number: int) -> list[IgnoreComment]:
    return [comment for comment in comments_of_text(kind, text) if comment.target.line == number]


def _is_right(kind: FileType, before: str, after: str, number: int, codes: frozenset[str]) -> bool:
    """Return whether a text has the comment for a line, and is the same otherwise."""
    moved = number + len(keep_ends(after)) - len(keep_ends(before))
    present_codes = {
        code for comment in _comments_about(kind, after, moved) for code in comment.codes
    }
    if not codes <= present_codes:
        return False
    if kind in _PYTHON:
        code = _code(kind, before)
        return code is not None and code == _code(kind, after)
    above = keep_ends(before)[: number - 1]
    if kind in _SLASHES:
        # a comment of several lines, or a text of them, may be open
        has_texts = any(quote in before for quote in ('"""', "'''", "$/"))
        return not has_texts and _is_outside_comment("".join(above))
    return kind is FileType.CONF or _ends_statement(above)


def _ends_statement(lines: list[str]) -> bool:
    """Return whether no text that began in lines of a script goes on behind them."""
    code = "".join(line for line in lines if not line.lstrip().startswith("#"))
    quoted = any(code.count(quote) % 2 for quote in ("'", '"'))
    return not quoted and "<<" not in code and not code.rstrip("\r\n").endswith("\\")


def _is_outside_comment(text: str) -> bool:
    return text.rfind("/*") <= text.rfind("*/")


def _code(kind: FileType, text: str) -> list[tuple[int, str]] | None:
    """Return the tokens of a program without its comments, None if it has no tokens."""
    neutral = neutralise(text) if kind is FileType.NOTEBOOK else None
    source = text if neutral is None else neutral.text
    silent = (*SILENT[1:2], tokenize.COMMENT)
    try:
        return [
            (token.type, token.string) for token in all_tokens(source) if token.type not in silent
        ]
    except (tokenize.TokenError, SyntaxError):
        return None
