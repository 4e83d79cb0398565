"""The RDDs of a `queueStream`: where they are kept, and how a batch takes the next one.

A queue is copied when the job is built, and each batch takes one of its RDDs. What PySpark makes of
lists, of `oneAtATime` and of `default` is made in the same place as before, so a batch only pops.

Decision 0115: Queues of RDDs are taken at ticks.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from migrator.infer.values import BOTTOM, UNKNOWN, items_of
from migrator.spark.kinds import Kind

from ..builder.builder import Builder
from ..dataframes.chains import INDENT, WIDTH
from ..program.arguments import bind_arguments, is_none
from ..program.bindings import uses
from ..program.graph import Node
from ..program.modules import SourceModule
from ..program.values import holds, is_one_of
from ..refusals import NotExpressible
from .code import Code

PARAMETERS = ("rdds", "oneAtATime=", "default=")
NO_PARTITIONS = "`count` of an RDD without partitions, as of `emptyRDD()`, gives 0, no more nothing"
_FILLS = frozenset(("append", "extend", "insert"))
"""Methods of a list that give it more items, and nobody else the list."""


@dataclass(frozen=True)
class Queue:
    """A queue in the result.

    Parameters
    ----------
    statements : tuple of str
        those before the function of the batches
    names : tuple of str
        the names that they bind
    next : str
        the RDD of a batch, as source
    """

    statements: tuple[str, ...]
    names: tuple[str, ...]
    next: str


def write_queue(builder: Builder, code: Code, node: Node, statement: ast.stmt) -> Queue:
    """Return what takes the place of a queue.

    Parameters
    ----------
    builder : Builder
        of the job
    code : Code
        writes expressions of the job
    node : Node
        the stream of the queue
    statement : ast.stmt
        the statement that makes it

    Raises
    ------
    NotExpressible
        if it is not known what the queue has, or if a start would go on with it
    """
    if builder.job.is_recovered:
        text = "DStreams cannot recover a queue from a checkpoint; leave out `getOrCreate`"
        raise NotExpressible("SOURCE", text, node.call)
    arguments = bind_arguments(node.call, PARAMETERS)
    assert arguments is not None
    module, items = builder.module, arguments["rdds"]
    context = f"{builder.session}.sparkContext"
    otherwise = _default(builder, code, arguments.get("default"))
    filled = _filled_list(builder, items, statement)
    is_empty = isinstance(items, ast.List | ast.Tuple) and not items.elts
    may_be_empty = not (isinstance(filled, ast.List | ast.Tuple) and filled.elts)
    has_rdds = not is_empty and _has_rdds(module, items)
    takes_one = _takes_one(module, arguments)
    if is_empty and otherwise is None:
        raise NotExpressible("SOURCE", "DStreams take no empty queue without a default", items)
    if any(isinstance(e, ast.Attribute) and e.attr == "emptyRDD" for e in ast.walk(module.tree)):
        builder.note(NO_PARTITIONS)
    statements: list[tuple[str, str]] = []
    is_own = filled is not None and _is_last_use(module, items, statement)
    if is_own and has_rdds and takes_one and otherwise is None:
        # a copy would be the same
        name = module.source(items)
    else:
        several = sum(part.operator == node.operator for part in builder.job.nodes) > 1
        names = (f"{node.name}_rdds",) if several and node.name else ()
        name, rdds = module.free_name(*names, "rdds", "queue"), code.argument(items)
        # with a default, DStreams take an empty queue as one that has an empty list
        or_empty = may_be_empty and otherwise is not None
        if not has_rdds:
            lists = "[[]]" if is_empty else f"({rdds} or [[]])" if or_empty else rdds
            rdds = f"[{context}.parallelize(each) for each in {lists}]"
        elif or_empty:
            rdds = f"{builder.builtin('list')}({rdds}) or [{context}.parallelize([])]"
        elif takes_one and not isinstance(items, ast.List | ast.ListComp):
            rdds = f"{builder.builtin('list')}({rdds})"
        if not takes_one and not has_rdds:
            statements.append((name, rdds))
            rdds = name
        statements.append((name, rdds if takes_one else f"[{context}.union({rdds})]"))
    following = otherwise or f"{context}.parallelize([], 1)"
    if otherwise is not None:
        following = module.free_name("default", f"{name}_default")
        statements.append((following, otherwise))
    return Queue(
        tuple(_wrap_statement(f"{each} = {value}") for each, value in statements),
        tuple(each for each, _ in statements),
        f"{name}.pop(0) if {name} else {following}",
    )


def _takes_one(module: SourceModule, arguments: dict[str, ast.expr]) -> bool:
    """Return whether a batch takes one item, not all of them."""
    match module.constant(arguments.get("oneAtATime", ast.Constant(True))):
        case ast.Constant(value=value):
            return bool(value)
    raise NotExpressible("ARGUMENTS", "`oneAtATime` is no literal", arguments["oneAtATime"])


def _has_rdds(module: SourceModule, items: ast.expr) -> bool:
    """Return whether a queue has RDDs; else it has lists."""
    value = module.facts.values.get(items)
    item = UNKNOWN if value is None else items_of(value)
    if is_one_of(item, {Kind.RDD}):
        return True
    if item == BOTTOM:
        raise NotExpressible("SOURCE", "it is not known what fills the queue", items)
    if item.unknown or holds(item, {Kind.RDD, Kind.NONE}):
        raise NotExpressible("SOURCE", "it is not known whether the queue has RDDs or lists", items)
    return False


def _default(builder: Builder, code: Code, node: ast.expr | None) -> str | None:
    """Return the RDD of batches behind the end of a queue, None if they are empty."""
    if node is None or is_none(node):
        return None
    if is_one_of(builder.module.facts.values.get(node), {Kind.RDD}):
        return code.argument(node)
    match builder.module.constant(node):
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            if not elements:
                return None
            return f"{builder.session}.sparkContext.parallelize({code.argument(node)})"
    raise NotExpressible("SOURCE", "the default of the queue is no RDD, and no list here", node)


def _filled_list(builder: Builder, items: ast.expr, statement: ast.stmt) -> ast.expr | None:
    """Return the list that a queue was made of, if the job has done nothing but fill it since."""
    module, block = builder.module, builder.job.block
    if not isinstance(items, ast.Name):
        return items
    scope = block.functions[-1] if block.functions else module.tree
    shared = (node for node in ast.walk(module.tree) if isinstance(node, ast.Global))
    if any(items.id in each.names for each in shared):
        return None
    list_value: ast.expr | None = None
    for use in uses(module.tree, items.id):
        if module.function(use) is not scope:
            return None
        if use is items or use.lineno > (statement.end_lineno or 0):
            continue
        match module.parents[use]:
            case ast.Assign(targets=[_], value=ast.List() | ast.ListComp() as value) if (
                not list_value
            ):
                list_value = value
            case ast.AugAssign(target=target) if target is use:
                pass
            case ast.Attribute(attr=method) if method in _FILLS:
                pass
            case ast.Call(func=ast.Name(id="len")):
                pass
            case _:
                return None
    return list_value


def _is_last_use(module: SourceModule, items: ast.expr, statement: ast.stmt) -> bool:
    """Return whether a queue has a name that is not used after a statement."""
    last = statement.end_lineno or statement.lineno
    return isinstance(items, ast.Name) and all(
        use.lineno <= last for use in uses(module.tree, items.id)
    )


def _wrap_statement(text: str) -> str:
    """Return the statement of a list, with the parts of a comprehension below each other if it is
    too long.
    """
    if "\n" in text or len(text) <= WIDTH:
        return text
    (statement,) = ast.parse(text).body
    assert isinstance(statement, ast.Assign)
    value = statement.value
    if not isinstance(value, ast.ListComp):
        return text
    start, place = text.encode()[: value.elt.col_offset], value.elt.end_col_offset or 0
    parts = text.encode()[len(start) : place], text.encode()[place:-1].lstrip()
    return "\n".join(
        [start.decode(), *(INDENT + part.decode() for part in parts), "]"],
    )
