"""What batches see of a session: they have a copy of that of the job, taken at the start.

Decision 0158: A view that other code asks for needs code of batches.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrator.spark.kinds import Kind

from ..builder.builder import Builder
from ..program.job import JobBlock
from ..program.modules import SourceModule
from ..program.values import holds
from ..refusals import NotExpressible

OLD_VIEW = "registerTempTable"
VIEWS = frozenset(("createOrReplaceTempView", "createTempView", OLD_VIEW))
QUERIES = frozenset(("sql", "table"))
_CHANGES = frozenset(("conf.set", "udf.register", "catalog.setCurrentDatabase", "setConf"))
_SESSIONS = {Kind.SPARK_SESSION, Kind.SQL_CONTEXT}
_VIEW_IN_SQL = re.compile(
    r"\s*create\s+(?:or\s+replace\s+)?temp(?:orary)?\s+view\s+(?:if\s+not\s+exists\s+)?`?(\w+)",
    re.IGNORECASE,
)
_CHANGE_IN_SQL = re.compile(r"\s*(use|set)\s", re.IGNORECASE)


def check_view(builder: Builder, view: ast.Call, is_asked: bool) -> None:
    """Refuse a view of a batch that other code asks for, and one that may be for other programs.

    Parameters
    ----------
    view : ast.Call
        the call that makes it
    is_asked : bool
        whether the function that makes it asks for something, too

    Raises
    ------
    NotExpressible
        if other code asks for it, or may and that is not accepted
    """
    module = builder.module
    name = _view_name(module, view)
    for query in _queries(module, module.tree):
        function = module.function(query)
        own = () if isinstance(function, ast.Module) else _views(module, function)
        names = {_view_name(module, call) for call in own if module.function(call) is function}
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
    own = {_view_name(module, call) for call in _views(module, function)}
    for view in _views(module, module.tree):
        name = _view_name(module, view)
        is_early = module.function(view) is _scope(builder.job) and view not in _late(builder.job)
        if name not in own and not is_early and _asks(module, query, name):
            text = "other code makes a view, and may while the job runs"
            raise NotExpressible("VIEW", text, query)


def check_session(builder: Builder) -> None:
    """Refuse a session that is changed while the job runs, for what a batch does in it.

    Raises
    ------
    NotExpressible
        if its settings, functions or database are changed behind the start
    """
    for call in _late_changes(builder.module, builder.job):
        text = "the session is changed while the job runs, and batches have a copy of it"
        raise NotExpressible("SESSION_SETTINGS", text, call)


def needs_own_session(module: SourceModule, job: JobBlock) -> bool:
    """Return whether DataFrames of batches have to be in the session of the job, not in a copy."""
    return any(_views(module, module.tree)) or any(_late_changes(module, job))


def _late_changes(module: SourceModule, job: JobBlock) -> Iterator[ast.Call]:
    """Yield the calls that change a session behind the start of a job."""
    for call in _late(job):
        if module.function(call) is _scope(job) and _changes(module, call):
            yield call


def _scope(job: JobBlock) -> ast.AST:
    """Return the function, or the module, in which the job is built."""
    return job.block.functions[-1] if job.block.functions else job.module.tree


def _late(job: JobBlock) -> Iterator[ast.Call]:
    """Yield the calls behind the start of a job, all if it is started elsewhere."""
    starts = [call.lineno for call in job.controls if getattr(call.func, "attr", "") == "start"]
    for node in ast.walk(_scope(job)):
        if isinstance(node, ast.Call) and node.lineno > min(starts, default=0):
            yield node


def _changes(module: SourceModule, call: ast.Call) -> bool:
    """Return whether a call changes a session."""
    path, owner = [], call.func
    while isinstance(owner, ast.Attribute) and not _is_session(module, owner):
        path.append(owner.attr)
        owner = owner.value
    if not _is_session(module, owner):
        return False
    text = _first_text(module, call) if path == ["sql"] else None
    return ".".join(reversed(path)) in _CHANGES or bool(text and _CHANGE_IN_SQL.match(text))


def _is_session(module: SourceModule, node: ast.expr) -> bool:
    return holds(module.facts.values.get(node), _SESSIONS)


def _views(module: SourceModule, code: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls in a piece of code that make views."""
    for node in ast.walk(code):
        match node:
            case ast.Call(func=ast.Attribute(attr=method)) if method in VIEWS or (
                method == "sql" and _VIEW_IN_SQL.match(_first_text(module, node) or "")
            ):
                yield node


def makes_view(module: SourceModule, query: ast.Call) -> bool:
    """Return whether a query makes a view."""
    return query in _views(module, query)


def _queries(module: SourceModule, code: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls in a piece of code that ask for views."""
    for node in ast.walk(code):
        match node:
            case ast.Call(func=ast.Attribute(attr=method)) if method in QUERIES:
                yield node


def _view_name(module: SourceModule, view: ast.Call) -> str | None:
    """Return the name of a view, None if it is not known."""
    text = _first_text(module, view)
    made = _VIEW_IN_SQL.match(text or "")
    return made[1] if made else text


def _first_text(module: SourceModule, call: ast.Call) -> str | None:
    """Return the text that a call is given first, None if it is not known."""
    match call.args:
        case [first, *_]:
            match module.constant(first):
                case ast.Constant(value=str(text)):
                    return text
    return None


def _asks(module: SourceModule, query: ast.Call, view: str | None) -> bool:
    """Return whether a query may ask for a view; None is one whose name is not known."""
    text = _first_text(module, query)
    if text is not None and view is not None:
        made = _VIEW_IN_SQL.match(text)
        rest = text[made.end() :] if made else text
        return re.search(rf"\b{re.escape(view)}\b", rest, re.IGNORECASE) is not None
    assert isinstance(query.func, ast.Attribute)
    return _is_session(module, query.func.value)
