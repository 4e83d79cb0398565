"""Views of batches: they are in the session of a batch, a copy of that of the job at the start."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from migrator.spark.kinds import Kind

from ..builder.builder import Builder
from ..program.modules import SourceModule
from ..program.values import holds
from ..refusals import NotExpressible

OLD_VIEW = "registerTempTable"
VIEWS = frozenset(("createOrReplaceTempView", "createTempView", OLD_VIEW))
QUERIES = frozenset(("sql", "table"))
_SESSIONS = {Kind.SPARK_SESSION, Kind.SQL_CONTEXT}


def check_view(builder: Builder, view: ast.Attribute, is_asked: bool) -> None:
    """Refuse a view of a batch that other code asks for, and one that may be for other programs.

    Parameters
    ----------
    view : ast.Attribute
        the method that makes it
    is_asked : bool
        whether the function that makes it asks for something, too

    Raises
    ------
    NotExpressible
        if other code asks for it, or may and that is not accepted
    """
    module = builder.module
    name = _first_text(module, module.parents[view])
    for query in _calls(module.tree, QUERIES):
        function = module.function(query)
        own = () if isinstance(function, ast.Module) else _calls(function, VIEWS)
        names = {_first_text(module, call) for call in own if module.function(call) is function}
        if name not in names and _asks(module, query, name):
            text = "other code asks for the view, which is in the session of the batch only"
            raise NotExpressible("VIEW", text, view)
    if not is_asked:
        text = "a view belongs to the session of the batch: queries elsewhere do not see it"
        builder.differs("VIEW", text, view)


def check_query(builder: Builder, query: ast.Call, function: ast.AST) -> None:
    """Refuse a query of a batch for a view that other code may make while the job runs.

    Parameters
    ----------
    function : ast.AST
        the function of the batch

    Raises
    ------
    NotExpressible
        if it may ask for such a view
    """
    module = builder.module
    own = {_first_text(module, call) for call in _calls(function, VIEWS)}
    starts = [
        call.lineno
        for call in builder.job.controls
        if isinstance(call.func, ast.Attribute) and call.func.attr == "start"
    ]
    for view in _calls(module.tree, VIEWS):
        name, outer = _first_text(module, view), module.function(view)
        is_early = isinstance(outer, ast.Module) and view.lineno < min(starts, default=0)
        if name not in own and not is_early and _asks(module, query, name):
            text = "other code makes a view, and may while the job runs"
            raise NotExpressible("VIEW", text, query)


def _calls(code: ast.AST, methods: Collection[str]) -> Iterator[ast.Call]:
    """Yield the calls of some methods in a piece of code."""
    for node in ast.walk(code):
        match node:
            case ast.Call(func=ast.Attribute(attr=method)) if method in methods:
                yield node


def _first_text(module: SourceModule, call: ast.AST) -> str | None:
    """Return the text that a call is given first, None if it is not known."""
    match call:
        case ast.Call(args=[first, *_]):
            match module.constant(first):
                case ast.Constant(value=str(text)):
                    return text
    return None


def _asks(module: SourceModule, query: ast.Call, view: str | None) -> bool:
    """Return whether a query may ask for a view; None is one whose name is not known."""
    text = _first_text(module, query)
    if text is not None and view is not None:
        return re.search(rf"\b{re.escape(view)}\b", text, re.IGNORECASE) is not None
    owner = query.func.value if isinstance(query.func, ast.Attribute) else query
    return holds(module.facts.values.get(owner), _SESSIONS)
