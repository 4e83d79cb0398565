"""`offsetRanges()` of Kafka's direct stream: the offsets of the records of a batch."""

from __future__ import annotations

import ast

from migrator.infer.scopes import locals_of

from ..program.bindings import loads, stores, uses
from ..program.graph import WINDOWS, BatchFunction, Node, Output, batch_function
from ..program.job import JobBlock, Remembered
from ..program.modules import SourceModule
from ..refusals import NotExpressible

CODE = "OFFSET_RANGES"
SOURCE = "createDirectStream"
_OF_RECORDS = (
    "the offsets of a batch are those of its records: a partition without {} records is missing, "
    "and a range ends at the first and at the last record where a topic is compacted or "
    "transactional; a range is a row with the same fields, so it prints as one"
)
RANGES = _OF_RECORDS.format("new")
RANGES_SO_FAR = _OF_RECORDS.format("any")
"""Of code of batches, which keeps where the ranges of earlier batches have ended."""
KEPT = "the offsets of a job that begins at given ones are kept: they have to name all partitions"
COLUMNS = ("topic", "partition", "offset")
FIELDS = ("topic", "partition", "fromOffset", "untilOffset")
OTHER_STREAM = "only the stream that `createDirectStream` gives knows its offsets"


def is_call(node: ast.AST, rdd: str) -> bool:
    """Return whether a node is ``rdd.offsetRanges()``."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr="offsetRanges"), args=[], keywords=[]
        ):
            return name == rdd
    return False


def global_with_offsets(
    function: ast.FunctionDef | ast.Lambda, rdd: str
) -> tuple[str, list[ast.stmt]] | None:
    """Return the global name in which a function keeps the
    offsets of its RDD, and the statements.
    """
    statements = function.body if isinstance(function, ast.FunctionDef) else []
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_call(value, rdd):
                declared = [e for e in statements if isinstance(e, ast.Global) and name in e.names]
                if len(declared) == 1 and declared[0].names == [name]:
                    return name, [declared[0], statement]
    return None


def find_readers(job: JobBlock) -> None:
    """Note which outputs read offsets, and of which stream.

    Raises
    ------
    NotExpressible
        if offsets are used in a way that is not known
    """
    readers: set[ast.AST] = set()
    for output in job.outputs:
        if output.method == "foreachRDD":
            readers |= _reads(job, output, batch_function(job.module, output))
    for name, remembered in job.remembered.items():
        _check_name(job, name, remembered, readers)


def _reads(job: JobBlock, output: Output, function: BatchFunction) -> set[ast.AST]:
    """Return the uses of offsets in the function of an output, which are noted there."""
    calls = [node for node in ast.walk(function.node) if is_call(node, function.rdd)]
    if calls:
        if output.node.operator != SOURCE:
            raise NotExpressible(CODE, OTHER_STREAM, calls[0])
        output.offsets = output.node
    own = locals_of(function.node)
    uses: list[ast.expr] = [call for call in calls if isinstance(call, ast.expr)]
    for name in sorted(job.remembered.keys() - own):
        reads = loads(function.node, name)
        if not reads:
            continue
        source = job.remembered[name].source
        if output.offsets not in (None, source) or source not in [*output.node.path()]:
            raise NotExpressible(CODE, f"`{name}` has the offsets of another stream", reads[0])
        output.offsets = source
        output.ranges = (*output.ranges, name)
        uses += reads
    if output.offsets is not None and _begins_at_offsets(output.offsets.call):
        raise NotExpressible(CODE, KEPT, output.offsets.call)
    for use in uses:
        if not _only_fields(job.module, use, function.node):
            raise NotExpressible(
                CODE, "offsets are used otherwise than by their number and fields", use
            )
    return {*uses}


def _begins_at_offsets(call: ast.Call) -> bool:
    given = [*call.args[3:4], *(each.value for each in call.keywords if each.arg == "fromOffsets")]
    return not all(isinstance(each, ast.Constant) and each.value is None for each in given)


def _check_name(job: JobBlock, name: str, remembered: Remembered, readers: set[ast.AST]) -> None:
    statements = (remembered.statement, remembered.start)
    for node in ast.walk(job.module.tree):
        own = node in readers or job.module.parents.get(node) in statements
        if isinstance(node, ast.Name) and node.id == name and not own:
            text = f"`{name}` is used outside of the functions of batches"
            raise NotExpressible(CODE, text, node)
        if isinstance(node, ast.Constant) and node.value == name:
            raise NotExpressible(CODE, f"`{name}` is named by a text", node)
    paths = [{*output.node.path()} for output in job.outputs]
    paths = [path for path in paths if not any(step.operator in WINDOWS for step in path)]
    if not any(remembered.node in path for path in paths):
        text = f"no output computes in each batch what gives `{name}` its value"
        raise NotExpressible(CODE, text, remembered.node.call)


def initial(module: SourceModule, name: str) -> ast.Assign | None:
    """Return the statement that gives a global name a plain value before the first batch."""
    for statement in module.tree.body:
        match statement:
            case ast.Assign(
                targets=[ast.Name(id=found)],
                value=ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Constant(value=None),
            ) if found == name:
                return statement
    return None


def _only_fields(module: SourceModule, node: ast.expr, scope: ast.AST) -> bool:
    """Return whether of a list of offsets only the number and
    the fields of its elements are used.
    """
    parent = module.parents[node]
    match parent:
        case (
            ast.For(target=ast.Name(id=name), iter=found)
            | ast.comprehension(target=ast.Name(id=name), iter=found)
        ) if found is node:
            return all(_is_field(module, load) for load in loads(scope, name))
        case ast.Call(func=ast.Name(id="len" | "bool")) | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.If(test=found) | ast.IfExp(test=found) if found is node:
            return True
        case ast.Subscript(value=found, slice=index) if found is node:
            return not isinstance(index, ast.Slice) and _is_field(module, parent)
        case ast.Assign(targets=[ast.Name(id=name)], value=found) if found is node:
            reads = loads(scope, name)
            once = len(stores(scope, name)) == 1
            return once and all(_only_fields(module, access, scope) for access in reads)
    return False


def _is_field(module: SourceModule, node: ast.expr) -> bool:
    parent = module.parents[node]
    return isinstance(parent, ast.Attribute) and parent.attr in FIELDS


def reads_records(module: SourceModule, output: Output) -> bool:
    """Return whether an output uses more of its records than their offsets."""
    if output.method != "foreachRDD":
        return True
    function = batch_function(module, output)
    return any(
        not is_call(module.parents[module.parents[use]], function.rdd)
        for use in uses(function.node, function.rdd)
    )


def source_of(owner: Node, node: ast.AST) -> Node:
    """Return the stream whose RDD knows its offsets.

    Raises
    ------
    NotExpressible
        if a stream is none
    """
    if owner.operator != SOURCE:
        raise NotExpressible(CODE, OTHER_STREAM, node)
    return owner
