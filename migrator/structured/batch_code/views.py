"""Views of DataFrames that `toDF` makes of RDDs.

Before Spark calls the function of a batch it makes a session of the query known to RDDs. Views of
its DataFrames are not there for the session of the job, so that makes these DataFrames itself.
"""

from __future__ import annotations

import ast

from migrator.infer.scopes import locals_of
from migrator.infer.values import Value
from migrator.spark.kinds import Kind

from ..builder.builder import Builder
from ..foreach.sessions import VIEWS
from ..program.job import JobBlock
from ..program.modules import SourceModule
from ..program.values import is_one_of
from ..refusals import NotExpressible

_PARAMETERS = {"schema": "schema", "sampleRatio": "samplingRatio"}


def frames_of_views(module: SourceModule) -> set[ast.Call]:
    """Return the calls of `toDF` of a module that has views.

    Raises
    ------
    NotExpressible
        if such a call may be one of a DataFrame
    """
    called = [
        (each, each.func)
        for each in ast.walk(module.tree)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
    ]
    if not any(func.attr in VIEWS for _, func in called):
        return set()
    found = set()
    for call, func in called:
        if func.attr != "toDF" or is_one_of(_kind(module, func.value), {Kind.DATAFRAME}):
            continue
        named = {each.arg for each in call.keywords}
        plain = named <= _PARAMETERS.keys() and not any(
            isinstance(each, ast.Starred) for each in call.args
        )
        if not (plain and is_one_of(_kind(module, func.value), {Kind.RDD})):
            text = "`toDF` makes a DataFrame of the query's session, whose views the job has not"
            raise NotExpressible("VIEWS", text, func)
        found.add(call)
    return found


def _kind(module: SourceModule, node: ast.expr) -> Value | None:
    return module.facts.values.get(node)


def made_by_session(
    builder: Builder, job: JobBlock, call: ast.Call, rdd: str, arguments: list[str]
) -> str:
    """Return the call that makes a DataFrame of an RDD by the session of the job.

    Parameters
    ----------
    call : ast.Call
        of `toDF`
    rdd : str
        the RDD, as source
    arguments : list of str
        the arguments of the call, with those that have names last
    """
    names = [""] * len(call.args) + [f"{_PARAMETERS[each.arg or '']}=" for each in call.keywords]
    given = [rdd, *(name + text for name, text in zip(names, arguments, strict=True))]
    session = builder.session
    if not _is_known(builder.module, job, call, session):
        session = "SparkSession.builder.getOrCreate()"
    return f"{session}.createDataFrame({', '.join(given)})"


def _is_known(module: SourceModule, job: JobBlock, node: ast.AST, session: str) -> bool:
    """Return whether the name of the session of the job means it at a place."""
    inside = not job.block.functions
    for each in module.around(node):
        if each in job.block.functions:
            inside = True
            break
        if isinstance(each, ast.FunctionDef | ast.Lambda) and session in locals_of(each):
            return False
    return inside
