"""Refuses jobs whose result would not run, or would read something at another time."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from symtable import symtable

from dstream_compat.native.json_uses import has_open_keys
from migrator.infer.scopes import locals_of

from .dataframes.frames import Frame
from .program.bindings import loads, stores, uses
from .program.graph import Output, Query, Stage
from .program.job import JobBlock
from .refusals import NotExpressible


def check_whole(output: Output, frame: Frame) -> None:
    """Refuse JSON objects as the output, if their keys are known from their uses only."""
    if has_open_keys(frame.element.type) and output.method != "foreachRDD":
        text = "JSON objects are output whole, and the code names only some of their keys"
        raise NotExpressible("JSON_SHAPE", text, output.call)


def check_controls(job: JobBlock) -> None:
    """Refuse a job that is started elsewhere, or whose streams are global names."""
    starts = [
        c for c in job.controls if isinstance(c.func, ast.Attribute) and c.func.attr == "start"
    ]
    own = job.block.functions[-1] if job.block.functions else job.module.tree
    for start in starts:
        around = job.module.function(start)
        if around is not own and any(job.module.function(c) is not around for c in job.controls):
            raise NotExpressible("START", "the job is started in another function", start)
        _check_later(job, start)
    for function in job.block.functions:
        for node in ast.walk(function):
            if isinstance(node, ast.Global | ast.Nonlocal):
                tracked = {node.name for node in job.nodes} | set(job.names)
                if any(uses(job.module.tree, name) for name in tracked & {*node.names}):
                    raise NotExpressible("GLOBAL", "a stream or context is a global name", node)


def _check_later(job: JobBlock, start: ast.Call) -> None:
    """Refuse streams and outputs behind the start of a job: DStreams raise there, and an output
    behind `awaitTermination` never runs.
    """
    starter = next((each for each in job.statements if start in ast.walk(each)), None)
    streams = [each for each, node in job.streams.items() if node.stage is not Stage.STATIC]
    made = {*streams, *(output.statement for output in job.outputs)}
    names: set[str] = set()
    is_started = False
    for statement in job.statements:
        if is_started and statement in made:
            text = "DStreams take no streams and outputs after `start()`"
            raise NotExpressible("START", text, statement)
        starts = statement is starter or any(loads(statement, name) for name in names)
        if starts and isinstance(statement, ast.FunctionDef | ast.ClassDef):
            names.add(statement.name)
        else:
            is_started |= starts


def check_queries(queries: Iterable[Query]) -> list[str]:
    """Refuse queries that would read a stream in a batch; return what several queries share."""
    sockets: Counter[str] = Counter()
    for query in queries:
        seen = set()
        for output in query.outputs:
            waiting = [output.node]
            while waiting:
                node = waiting.pop()
                if node is query.cut:
                    continue
                if node.is_source and node.stage is not Stage.STATIC:
                    raise NotExpressible(
                        "STATE", "a stream with state is used with one without", output.call
                    )
                waiting.extend(node.parents)
            seen |= {n for n in output.node.path() if n.operator == "socketTextStream"}
        sockets.update(str(id(node)) for node in seen)
    shared = any(count > 1 for count in sockets.values())
    return ["each query opens a connection of its own to the socket"] if shared else []


def check_late(job: JobBlock, node: ast.expr) -> None:
    """Refuse an expression that is moved, if it may give something else at its new place.

    Raises
    ------
    NotExpressible
        if a name in it is bound more than once, or something is called
    """
    scope = job.block.functions[-1] if job.block.functions else job.module.tree
    for part in ast.walk(node):
        if isinstance(part, ast.Call):
            raise NotExpressible("LATE", "this call would run later than in the original job", node)
        if isinstance(part, ast.Name):
            changed = any(
                isinstance(node, ast.Global | ast.Nonlocal) and part.id in node.names
                for node in ast.walk(job.module.tree)
            )
            if len(stores(scope, part.id)) > 1 or changed:
                raise NotExpressible("LATE", f"`{part.id}` may have another value later", node)


def uses_locals(job: JobBlock, text: str) -> bool:
    """Return whether code uses a name that belongs to a function around the job."""
    own: set[str] = set(job.added) if job.block.functions else set()
    for function in job.block.functions:
        own |= locals_of(function)
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    # comprehensions and functions bind names for themselves
    symbols = symtable(text, "<job>", "exec").get_symbols()
    own_names = {symbol.get_name() for symbol in symbols if symbol.is_assigned()}
    return not names.isdisjoint(own - own_names)
