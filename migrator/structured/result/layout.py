"""Puts the statements of a result, with their comments, where those of the job were, and a head."""

from __future__ import annotations

import ast
import io
import re
import textwrap
from collections.abc import Mapping
from itertools import pairwise

from migrator.source.import_place import first_line
from migrator.source.layout import marked_place
from migrator.source.lines import keep_ends
from migrator.spark.since import Version, version_name

from ..checks import uses_locals
from ..dataframes.frames import INDENT
from ..program.graph import Query
from ..program.job import JobBlock
from ..program.modules import SourceModule
from .writer import Edit, Writer

_HEAD = re.compile(r"[ \t]*# Needs Spark \d+\.\d+ or newer\.")
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+")


def with_head(text: str, spark: Version) -> str:
    """Return a result whose head says which Spark it needs, once: above all but what has to be
    first; in a notebook, whose cells may have something to be first, above the import of Spark.
    """
    lines = _without_head(keep_ends(text))
    head = f"# Needs Spark {version_name(spark)} or newer.\n"
    if any(marked_place(line) is not None for line in lines):
        place, indent = _import_of_spark("".join(lines))
        lines.insert(place, " " * indent + head)
        return "".join(lines)
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    place = 0
    if lines and lines[0].removeprefix(mark).startswith("#!"):
        place = 1
    if place < len(lines) and _CODING.match(lines[place].removeprefix(mark)):
        place += 1
    if place < 1 and mark:
        lines[0] = lines[0].removeprefix(mark)
        head = mark + head
    is_apart = place == len(lines) or not lines[place].strip()
    lines[place:place] = [head] if is_apart else [head, "\n"]
    return "".join(lines)


def _without_head(lines: list[str]) -> list[str]:
    """Return lines without the heads of earlier results and the empty lines behind them."""
    lines_left: list[str] = []
    is_head = False
    for line in lines:
        follows, is_head = is_head, _HEAD.fullmatch(line.rstrip("\r\n")) is not None
        if not (is_head or (follows and not line.strip())):
            lines_left.append(line)
    return lines_left


def _import_of_spark(text: str) -> tuple[int, int]:
    """Return the place and the indentation of the first import of Spark's SQL."""
    places = [
        (node.lineno - 1, node.col_offset)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pyspark.sql")
    ]
    return min(places, default=(0, 0))


Span = tuple[int, int, str]
STATE_NOTE = "# the whole batch: Spark saves the state that is computed, and show() reads a part"


def statement_spans(
    module: SourceModule, job: JobBlock, writer: Writer, edits: dict[ast.stmt, Edit]
) -> list[Span]:
    """Return what takes the place of whole lines."""
    comments, joined = _comments_by_statement(module, job, edits)
    bodies: dict[Query, list[str]] = {query: [] for query in writer.queries}
    places: dict[Query, ast.stmt] = {}
    moved: set[ast.stmt] = set()
    for statement, edit in edits.items():
        for query, text in edit.inside:
            places.setdefault(query, statement)
            if not edit.outside and statement not in moved:
                moved.add(statement)
                inner = text[: len(text) - len(text.lstrip(" "))]
                bodies[query] += [inner + comment for comment in comments[statement]]
            bodies[query].append(text)
    bodies = {query: _whole(writer, query, bodies[query], place) for query, place in places.items()}
    spans: list[Span] = []
    parameters = f"{writer.builder.batch}, {writer.builder.batch_id}"
    for function in job.expanded:
        spans.append(_lines_span(module, function, []))
    top = _top_statement(module, job)
    for query, place in [item for item in places.items() if top is not None]:
        assert top is not None
        if not uses_locals(job, textwrap.dedent("\n".join(bodies[query]))):
            del places[query]
            pad = " " * place.col_offset
            body = [line.removeprefix(pad) for text in bodies[query] for line in text.split("\n")]
            head = f"def {writer.functions[query]}({parameters}):"
            # a comment at the top of the file is about all of it
            line = module.first_comment(top) - 1 or first_line(top) - 1
            empty = 0
            while empty < 2 and line > empty and not module.lines[line - 1 - empty].strip():
                empty += 1
            text = "\n".join([*[""] * (2 - empty if line else 0), head, *body, "", "", ""])
            spans.append((module.starts[line], module.starts[line], text))
    for statement, edit in edits.items():
        own = " " * statement.col_offset
        lines = [] if statement in moved else [own + comment for comment in comments[statement]]
        lines += edit.outside
        for query, place in places.items():
            if place is statement:
                head = f"{own}def {writer.functions[query]}({parameters}):"
                first = not own
                space = [""] * (2 if first else 1)
                opens = first or statement is not _block_of(module, statement)[0]
                lines += [*(space if edit.outside or opens else []), head, *bodies[query], *space]
        spans.append(_lines_span(module, statement, lines, statement in joined))
    left = {*places.values(), *(each for each, edit in edits.items() if edit.outside)}
    return _without_empty_branches(module, {*edits} - left, spans)


def _without_empty_branches(
    module: SourceModule, gone: set[ast.stmt], spans: list[Span]
) -> list[Span]:
    """Return spans with which each `if` has statements: one that has none goes, with its branches.

    Parameters
    ----------
    gone : set of ast.stmt
        the statements of which nothing is left in their place
    spans : list of (int, int, str)
        what takes the place of lines so far
    """

    def is_empty(body: list[ast.stmt]) -> bool:
        return all(
            statement in gone
            or (isinstance(statement, ast.If) and is_empty([*statement.body, *statement.orelse]))
            for statement in body
        )

    ifs = {
        outer
        for statement in gone
        for outer in module.around(statement)
        if isinstance(outer, ast.If)
    }
    for node in ifs:
        if any(
            outer in ifs and is_empty([outer]) for outer in module.around(node) if outer is not node
        ):
            continue
        if is_empty(node.body) and not is_empty(node.orelse):
            start = module.starts[module.first_comment(node.body[0]) - 1]
            text = f"{' ' * node.body[0].col_offset}pass\n"
            spans = [(*span[:2], text) if span[0] == start else span for span in spans]
        elif is_empty(node.orelse):
            start, pad = module.first_comment(node), node.col_offset
            if not is_empty(node.body):
                start, pad = (node.body[-1].end_lineno or 0) + 1, node.body[0].col_offset
            # those of statements go where these go
            taken = {
                line
                for inner in ast.walk(node)
                if isinstance(inner, ast.stmt) and inner in gone
                for line in range(module.first_comment(inner), (inner.end_lineno or 0) + 1)
            }
            comments = [
                " " * pad + comment.text
                for comment in module.comments_in(start, node.end_lineno or start)
                if comment.line not in taken
            ]
            first, last, text = _lines_span(module, node, comments)
            if not is_empty(node.body):
                first = module.starts[start - 1]
            spans = [span for span in spans if not (first <= span[0] and span[1] <= last)]
            spans.append((first, last, text))
    return spans


def _comments_by_statement(
    module: SourceModule, job: JobBlock, edits: Mapping[ast.stmt, Edit]
) -> tuple[dict[ast.stmt, list[str]], set[ast.stmt]]:
    """Return the comments that belong to each statement that changes.

    Those of a statement of which nothing is left belong to the one behind it; if that is no part of
    the job, the second value has the first one, as its comments are to stand right above.
    """
    comments = {statement: _comments(module, statement) for statement in edits}
    for function, user in job.expanded.items():
        comments[user] += _comments(module, function)
    joined = set()
    for statement, following in pairwise(job.statements):
        if following not in _block_of(module, statement):
            continue
        edit = edits.get(statement)
        if edit is None or edit.outside or edit.inside or module.first_comment(statement) == 1:
            continue
        if statement in job.log_levels and job.session is not None and job.session in comments:
            # the session has it
            comments[job.session] += comments[statement]
            comments[statement] = []
        elif following in edits:
            comments[following] = comments[statement] + comments[following]
            comments[statement] = []
        elif comments[statement] and isinstance(following, ast.Expr | ast.Assign):
            joined.add(statement)
    return comments, joined


def _block_of(module: SourceModule, statement: ast.stmt) -> list[ast.stmt]:
    """Return the statements beside a statement."""
    parent = module.parents[statement]
    bodies = [getattr(parent, name, []) for name in ("body", "orelse", "finalbody")]
    return next(body for body in bodies if statement in body)


def _whole(writer: Writer, query: Query, lines: list[str], place: ast.stmt) -> list[str]:
    """Return the lines of the function of the batches of a query.

    A batch with state is computed once and whole: `show` and `take` read the first partitions only,
    and Spark fails if the state of others is not saved.
    """
    if not query.stateful or all(output.method == "saveAsTextFiles" for output in query.outputs):
        return lines
    pad, batch = " " * (place.col_offset + len(INDENT)), writer.builder.batch
    first = [f"{pad}{STATE_NOTE}", f"{pad}{batch}.persist().count()"]
    return [*first, *lines, f"{pad}{batch}.unpersist()"]


def _top_statement(module: SourceModule, job: JobBlock) -> ast.stmt | None:
    """Return the statement at the top of the module that has the job, None if it is one."""
    if job.block.body is module.tree.body:
        return None
    return module.statement_in(module.tree.body, job.block.body[0])


def removed_spans(module: SourceModule, removed: list[ast.stmt]) -> list[Span]:
    """Return statements of the module that are of no use any more; their comments stay."""
    spans = []
    for statement in removed:
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        above = 0
        while above < first - 1 and not module.lines[first - 2 - above].strip():
            above += 1
        end = last
        while end < min(last + above, len(module.lines)) and not module.lines[end].strip():
            end += 1
        comments = "".join(f"{comment.text}\n" for comment in module.comments_in(first, last))
        spans.append((module.starts[first - 1], module.starts[end], comments))
    return spans


def tidy_blank_lines(text: str) -> str:
    """Return a text with no more empty lines than style allows: two at the top, one in blocks."""
    lines: list[str] = []
    for line in io.StringIO(text, newline="\n").readlines():
        if line.strip():
            allowed = 1 if line.startswith((" ", "\t")) else 2
            while len(lines) > allowed and not any(e.strip() for e in lines[-allowed - 1 :]):
                del lines[-1]
        lines.append(line)
    return "".join(lines)


def _lines_span(
    module: SourceModule, statement: ast.stmt, lines: list[str], joined: bool = False
) -> Span:
    """Return the lines of a statement and of the comments above it, and what takes their place.

    Empty lines behind them go, too, if nothing is left of them or they join what follows.
    """
    first, last = module.first_comment(statement), statement.end_lineno or statement.lineno
    gone = not lines and (first == 1 or not module.lines[first - 2].strip())
    if gone or joined:
        while last < len(module.lines) and not module.lines[last].strip():
            last += 1
    return module.starts[first - 1], module.starts[last], "".join(f"{line}\n" for line in lines)


def _comments(module: SourceModule, statement: ast.stmt) -> list[str]:
    """Return the comments above and in a statement."""
    first = module.first_comment(statement)
    last = statement.end_lineno or statement.lineno
    return [comment.text for comment in module.comments_in(first, last)]
