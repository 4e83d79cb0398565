"""Rewrites a module whose jobs have counterparts in Structured Streaming.

Decision 0092: A job becomes Structured Streaming as a whole, or not at all.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from dstream_compat.native import Code, Refusal
from dstream_compat.native.json_uses import JsonUses, path_text
from dstream_compat.native.types import Type
from migrator.infer.around import ModulesAround
from migrator.source.layout import PlainLayout, plain_layout
from migrator.source.problems import RewriteProblem
from migrator.source.python import ParseProblem
from migrator.source.spans import with_spans
from migrator.spark.needs import needs
from migrator.spark.since import NEWEST, Version, version_name

from . import operators, outputs, sources
from .batch_code.reader import BatchReader
from .batch_code.writer import BatchWriter
from .builder.builder import SAFE, UNSAFE, Builder, RewrittenCall
from .builder.helpers import HELPERS
from .checks import check_controls
from .program.carried import Carried
from .program.graph import Node, Query
from .program.job import JobBlock, find_creation
from .program.modules import SourceModule, blocks
from .reading.reader import Reader
from .refusals import NotExpressible, Reason
from .registry import OUTPUTS
from .result.controls import control_spans
from .result.imports import with_imports
from .result.layout import removed_spans, statement_spans, tidy_blank_lines, with_head
from .result.session import passed_spans
from .result.several_jobs import join_results, new_names
from .result.unused import without_copies, without_unused
from .result.writer import Writer, idle_outputs
from .unfold.other_files import with_explicit_imports, with_other_files
from .unfold.several_jobs import jobs_apart
from .unfold.unfold import unfold

assert operators and outputs and sources


NOTED_LINE = re.compile(r"^line (\d+)(?=: )")
"""The line in a note about one; notes about others name none."""
CARRIED = (
    "the job begins with the states and positions of {}: keep that folder as long as the code has "
    "its name"
)
"""What an owner has to know of a job that goes on where another one has stopped."""

_LONG_TEXT = re.compile(r"(\"{3}|'{3})(?:(?!\1).)*?\n[ \t]*\n[ \t]*\n(?:(?!\1).)*?\1", re.DOTALL)


@dataclass(frozen=True)
class Rewritten:
    """A module after its rewriting.

    Parameters
    ----------
    text : str
        the new source
    steps : tuple of Step
        what each call became
    differences : tuple of str
        what is not quite the same, and what an owner has to know
    idle : frozenset of int
        the lines of the outputs that give nothing in intervals without input, as the differences
        say, though they did
    names : frozenset of str
        the names of the streams and contexts of the job
    is_portable : bool
        whether it has DataFrames only, which run on Spark Connect, too
    taken : tuple of (str, str)
        the functions and classes of other files whose code it has, each with its file
    spark : (int, int)
        the first Spark that it runs on and gives the same
    """

    text: str
    steps: tuple[RewrittenCall, ...]
    differences: tuple[str, ...] = ()
    idle: frozenset[int] = frozenset()
    names: frozenset[str] = frozenset()
    is_portable: bool = True
    taken: tuple[tuple[str, str], ...] = ()
    spark: Version = NEWEST


@dataclass(frozen=True)
class RewriteOptions:
    """How a job is to be rewritten, as `rewrite` is told."""

    unsafe: bool
    brokers: str | None
    json: Type | JsonUses | None
    batch_code: bool
    carried: Carried | None
    spark: Version

    @property
    def reader(self) -> type[Reader]:
        """What reads a block."""
        return BatchReader if self.batch_code else Reader

    def builder(self, job: JobBlock, session: str, functions: str) -> Builder:
        """Return what makes the DataFrames of a job."""
        accept = SAFE | UNSAFE if self.unsafe else SAFE
        builder = Builder(job.module, job, session, functions, accept, self.spark)
        builder.brokers, builder.json = self.brokers, self.json
        builder.batch_code = self.batch_code
        return builder


def rewrite(
    text: str,
    unsafe: bool = False,
    brokers: str | None = None,
    json: Type | JsonUses | None = None,
    name: str = "job",
    batch_code: bool = False,
    around: ModulesAround | None = None,
    carried: Carried | None = None,
    spark: Version = NEWEST,
) -> Rewritten | Reason | None:
    """Return a module as Structured Streaming.

    Parameters
    ----------
    text : str
        the source of the module
    unsafe : bool
        whether a job may fail on records that it could read before
    brokers : str, optional
        addresses of Kafka's brokers, for jobs that know ZooKeeper only
    json : Type or JsonUses, optional
        the shape of the texts that `json.loads` reads; an unsafe rewriting finds it out from the
        code, if it can
    name : str
        the name of the folder that the job gets in its folder of checkpoints
    batch_code : bool
        whether the code of the batches stays RDD code; else all of the result is DataFrames
    around : ModulesAround, optional
        the modules around it, if it may be found out what their functions take; the job takes code
        from those whose lines with streams are known
    carried : Carried, optional
        the states and positions with which the job begins
    spark : (int, int)
        the oldest Spark that the result is to run on

    Returns
    -------
    Rewritten, Reason or None
        the new module; why it stays as it is; None if it builds no job
    """
    try:
        layout = plain_layout(text)
        donors = None if around is None or around.stream_lines is None else around
        job_block = _one_block(layout.text, donors)
        whole = None if donors is None or batch_code else _whole(layout.text, donors)
    except SyntaxError as error:
        # Python 2 that is kept
        why = f"it does not parse as Python 3: {error.msg}"
        return Reason("SYNTAX", why, error.lineno or 1, max((error.offset or 1) - 1, 0))
    except ParseProblem as problem:
        return Reason("SYNTAX", problem.detail, problem.line, problem.column - 1)
    except NotExpressible as error:
        # code of other files that does not fit
        return error.reason if error.reason.path else _with_place(layout, error.reason)
    if carried is not None and len(job_block.jobs) > 1:
        text = f"the file has several jobs, and {carried.folder} is of one; give each its own file"
        return Reason("CARRIED_STATE", text, 1, 0)
    options = RewriteOptions(unsafe, brokers, json, batch_code, carried, spark)
    form = partial(_form, layout, options)
    new_form = _form_of_jobs(form, name, job_block, around)
    if whole is not None and not isinstance(new_form, Rewritten):
        new_form = _form_of_jobs(form, name, whole, around)
    if not isinstance(new_form, Rewritten):
        return new_form
    if layout.unusual:
        text = "libcst cannot read the file, in which this line shares statements or has tabs"
        return Reason("LAYOUT", text, layout.unusual, 0)
    try:
        return replace(new_form, text=layout.restore(with_head(new_form.text, new_form.spark)))
    except RewriteProblem as problem:
        return Reason("LAYOUT", str(problem), 1, 0)


def _form_of_jobs(
    form: Callable[[str, SourceModule], Rewritten | Reason | None],
    name: str,
    job_block: Unfolded,
    around: ModulesAround | None,
) -> Rewritten | Reason | None:
    """Return a module whose jobs are rewritten; the first reason, if one of them stays."""
    parts: list[Rewritten] = []
    reserved: frozenset[str] = frozenset()
    for number, module in enumerate(job_block.jobs, 1):
        own = name if number == 1 else f"{name}_{number}"
        files = form(own, _fresh(module, reserved=reserved, surroundings=around))
        if not isinstance(files, Rewritten):
            return files
        parts.append(files)
        if len(job_block.jobs) > 1:
            # jobs have the same helpers
            reserved |= new_names(job_block.module, files.text) - HELPERS
    if len(parts) == 1:
        return parts[0]
    text = join_results(job_block.module, [part.text for part in parts])
    if text is None:
        words = "the jobs of the file do not fit together; put each in a file of its own"
        return Reason("JOBS", words, 1, 0)
    return Rewritten(
        text,
        tuple(step for part in parts for step in part.steps),
        tuple(dict.fromkeys(said for part in parts for said in part.differences)),
        frozenset().union(*(part.idle for part in parts)),
        frozenset().union(*(part.names for part in parts)),
        all(part.is_portable for part in parts),
        job_block.module.taken,
        max(part.spark for part in parts),
    )


def _form(
    layout: PlainLayout, options: RewriteOptions, name: str, module: SourceModule
) -> Rewritten | Reason | None:
    """Return a module, one block of which builds the job, with its places in the user's files."""
    form: Rewritten | Reason | None
    if options.unsafe and options.json is None and not options.batch_code:
        form, options = _with_uses(module, options, name)
    else:
        form = _once(module, options, name)
    if isinstance(form, Reason):
        others = every_reason(_fresh(module), form, options)
        placed = (_reason_in(layout, module, other) for other in others)
        return replace(_reason_in(layout, module, form), others=tuple(placed))
    return None if form is None else _with_places(form, module, layout)


def _with_place(layout: PlainLayout, reason: Reason) -> Reason:
    """Return a reason of the plain text with its place in the user's file."""
    line, column = layout.place(reason.line, reason.column)
    return replace(reason, line=line, column=column)


def _reason_in(layout: PlainLayout, module: SourceModule, reason: Reason) -> Reason:
    """Return a reason with its place in the user's files."""
    path, line = module.place(reason.line)
    reason = replace(reason, line=line, path=path)
    return reason if path else _with_place(layout, reason)


def _with_places(form: Rewritten, module: SourceModule, layout: PlainLayout) -> Rewritten:
    """Return a result with the places of the user's files."""

    def old_line(line: int) -> int:
        return layout.line(module.origin(line))

    def old_place(line: int) -> str:
        path, number = module.place(line)
        return f"{path}, line {number}" if path else f"line {old_line(line)}"

    def fill_places(text: str, place_of: Callable[[int], str]) -> str:
        return NOTED_LINE.sub(lambda line: place_of(int(line[1])), text)

    return replace(
        form,
        steps=tuple(replace(step, line=old_line(step.line)) for step in form.steps),
        differences=(
            *(fill_places(difference, old_place) for difference in form.differences),
            # the lines of these are those of the plain layout
            *(fill_places(note, lambda line: f"line {layout.line(line)}") for note in module.notes),
            *_taken_code(module),
        ),
        idle=frozenset(map(old_line, form.idle)),
        taken=module.taken,
    )


def _taken_code(module: SourceModule) -> Iterator[str]:
    """Yield what an owner has to know of the code that is taken from each other file."""
    names: dict[str, list[str]] = {}
    for path, name in module.taken:
        names.setdefault(path, []).append(f"`{name}`")
    for path, members in names.items():
        yield f"the code of {', '.join(members)} of {path} is in this file now"


@dataclass(frozen=True)
class Unfolded:
    """A module, and its jobs each in a module with the others left out."""

    module: SourceModule
    jobs: tuple[SourceModule, ...]

    @classmethod
    def of(cls, module: SourceModule) -> Unfolded:
        """Return a module with its jobs, each in one block, as far as that can be."""
        return cls(module, tuple(map(unfold, jobs_apart(module) or [module])))


@lru_cache(maxsize=2)
def _one_block(text: str, around: ModulesAround | None) -> Unfolded:
    module = SourceModule(text, ast.parse(text))
    if around is not None:
        module = with_other_files(with_explicit_imports(module, around), around)
    return Unfolded.of(module)


@lru_cache(maxsize=2)
def _whole(text: str, around: ModulesAround) -> Unfolded | None:
    """Return a module with all functions of other files that it uses, None if it cannot have
    them.
    """
    try:
        module = with_explicit_imports(SourceModule(text, ast.parse(text)), around)
        module = with_other_files(module, around, whole=True)
    except NotExpressible:
        return None
    return Unfolded.of(module) if module.copies else None


def _fresh(source: SourceModule, **changes: Any) -> SourceModule:
    """Return a module in which no rewriting has given names yet."""
    module = replace(source, **changes)
    module.__dict__["program"] = source.program
    return module


def _once(source: SourceModule, options: RewriteOptions, name: str) -> Rewritten | Reason | None:
    """Return a module, one block of which builds the job, as Structured Streaming."""
    module = _fresh(source)
    try:
        readers = (options.reader(module, block) for block in blocks(module.tree))
        jobs = [job for reader in readers if (job := reader.read())]
        if not jobs:
            return _without_job(module)
        if len(jobs) > 1:
            second = jobs[1].block.body[0]
            text = "the file has several jobs; put each in a file of its own"
            return Reason("JOBS", text, second.lineno, second.col_offset)
        return _rewrite_job(module, jobs[0], options, name)
    except NotExpressible as error:
        return error.reason


def _without_job(module: SourceModule) -> Reason | None:
    """Return the reason of a context that no block builds a job with; None if there is none."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and module.is_old(node.func, "StreamingContext"):
            text = "no block of the file builds the whole job of this context"
            return Reason("NO_JOB", text, node.lineno, node.col_offset)
    return None


def _with_uses(
    module: SourceModule, options: RewriteOptions, name: str
) -> tuple[Rewritten | Reason | None, RewriteOptions]:
    """Return a module, whose code tells the shape of the JSON texts that it reads."""
    uses = JsonUses()
    options = replace(options, json=uses)
    while True:
        uses.learned = False
        form = _once(module, options, name)
        if not uses.learned:
            break
    unknown = uses.unknown_values
    if uses.place is None or not unknown:
        return form, options
    nothing = unknown == [((), "")]
    if isinstance(form, Reason) and (nothing or form.code == Code.MISSING_KEY.name):
        return form, options
    values = ", ".join(f"{path_text(path)}{kind and f' ({kind})'}" for path, kind in unknown)
    reason = f"the code does not say the type of the JSON values {values}"
    if nothing:
        reason = "the code does not say what the JSON texts have in them"
    return Reason("JSON_SHAPE", reason, *uses.place, uses.shape), options


def _session_name(module: SourceModule, job: JobBlock) -> str:
    """Return the variable of the session; functions may have the name for themselves."""
    scopes = module.program.scopes
    around = (scopes[module.tree], *(scopes[function] for function in job.block.functions))
    uses = [scope for use, scope in module.names_in(module.tree) if use.id == "spark"]
    free = not any("spark" in outer.locals for outer in around)
    if "spark" in module.names and free and all(use.owner_of("spark") for use in uses):
        return "spark"
    return module.free_name("spark")


def _rewrite_job(
    module: SourceModule, job: JobBlock, options: RewriteOptions, name: str
) -> Rewritten:
    check_controls(job)
    job.folder = name
    if job.returned is not None:
        job.created = find_creation(module, job)
    if job.is_given and not job.block.functions and "spark" in job.names:
        job.session_name = "spark"
    session = job.session_name or _session_name(module, job)
    builder = options.builder(job, session, module.free_name("F"))
    if (carried := options.carried) is not None:
        builder.carried = carried.states_of(job)
        positions = carried.positions_of(job)
        builder.positions = {node: value.source_text(session) for node, value in positions.items()}
        builder.note(CARRIED.format(carried.folder))
    writer = (BatchWriter if options.batch_code else Writer)(module, job, builder)
    edits = writer.write()
    passed = [*passed_spans(builder, job, edits)]
    builder.edits += passed
    spans = [*statement_spans(module, job, writer, edits), *control_spans(module, job, writer)]
    spans += builder.spans
    first, last = min(span[0] for span in spans), max(span[1] for span in spans)
    builder.edits += removed_spans(module, builder.removed)
    spans += [edit for edit in builder.edits if first <= edit[0] < last]
    changed = with_spans(module.text[first:last], spans, first)
    head = with_spans(module.text[:first], [edit for edit in builder.edits if edit[0] < first])
    tail = with_spans(module.text[last:], [e for e in builder.edits if e[0] >= last], last)
    # an empty line of a text in quotes must stay
    text = head + (changed if _has_long_text(changed) else tidy_blank_lines(changed)) + tail
    steps = sorted(builder.steps.values(), key=lambda step: step.line)
    try:
        text = without_copies(without_unused(text, module), module)
        text = with_imports(text, module, builder)
        compile(text, "<job>", "exec", dont_inherit=True)
    except SyntaxError:
        raise NotExpressible(
            "LAYOUT", "the result does not fit into the layout of the code", job.block.body[0]
        ) from None
    for note in job.notes:
        builder.note(note)
    if builder.job.classic:
        names = ", ".join(f"`{note}`" for note in builder.job.classic)
        builder.note(f"the job keeps the SparkContext, which Spark Connect has not, for {names}")
    idle = idle_outputs(builder)
    differences = [_difference(note) for note in builder.accepted]
    noted = (*dict.fromkeys(differences), *builder.notes)
    portable = not builder.job.classic
    needed = _needed_spark(text, builder)
    return Rewritten(text, tuple(steps), noted, idle, frozenset(job.names), portable, spark=needed)


def _needed_spark(text: str, builder: Builder) -> Version:
    """Return the first Spark that a result runs on and gives the same.

    Raises
    ------
    NotExpressible
        if that is later than the one that it is to run on
    """
    needed = builder.printer.least
    for name, since in needs(ast.parse(text), builder.printer.functions):
        if since > builder.spark:
            words = f"the result has `{name}`, which Spark has since {version_name(since)}"
            raise NotExpressible("SPARK", words, builder.job.block.body[0])
        needed = max(needed, since)
    return needed


def _has_long_text(text: str) -> bool:
    """Return whether a text in quotes has two empty lines after each other."""
    return _LONG_TEXT.search(text) is not None


def _difference(accepted: Refusal) -> str:
    """Return what an owner has to know of a difference."""
    if accepted.code is Code.CASE_MAPPING:
        return (
            "`lower` and `upper` follow the Unicode of Spark; they differ from Python's for "
            "letters that one of both does not know yet"
        )
    return f"{accepted.text}: {accepted.code.meaning}"


def every_reason(
    module: SourceModule, first: Reason, options: RewriteOptions
) -> tuple[Reason, ...]:
    """Return the reasons why the steps of a module's job have no form, by their places.

    Parameters
    ----------
    first : Reason
        the one that stopped its rewriting
    options : RewriteOptions
        how it is to be rewritten; batches that stay RDD code leave the steps as they are
    """
    reasons = [first]
    for block in blocks(module.tree):
        reader = options.reader(module, block)
        reader.errors = reasons
        job = reader.read()
        if job is not None:
            if not options.batch_code:
                builder = options.builder(job, "spark", "F")
                builder.errors = reasons
                _of_steps(builder, job, reasons)
            break
    unique = {(reason.line, reason.column, reason.text): reason for reason in reasons}
    return tuple(sorted(unique.values(), key=lambda reason: (reason.line, reason.column)))


def _of_steps(builder: Builder, job: JobBlock, reasons: list[Reason]) -> None:
    """Add the reasons of streams, outputs, and the layout of the job."""
    failed: set[Node] = set()
    if builder.brokers is None:
        for node in job.nodes:
            if node.is_source:
                with _note_refusal(reasons):
                    builder.frame(node)
        builder.brokers = "HOST:9092"
    for node in job.nodes:
        if failed.isdisjoint(node.parents):
            count = len(reasons)
            with _note_refusal(reasons):
                builder.frame(node)
            if len(reasons) > count:
                failed.add(node)
        else:
            failed.add(node)
    for output in job.outputs:
        if output.node not in failed:
            builder.query = Query([output], output.node)
            with _note_refusal(reasons):
                OUTPUTS[output.method][1](builder, output)
            builder.query = None
    with _note_refusal(reasons):
        check_controls(job)


@contextmanager
def _note_refusal(reasons: list[Reason]) -> Iterator[None]:
    """Note a refusal, and go on."""
    try:
        yield
    except NotExpressible as error:
        reasons.append(error.reason)
