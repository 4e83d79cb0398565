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
from ..foreach.body import VIEWS
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
        (node, node.func)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    if not any(func.attr in VIEWS for _, func in called):
        return set()
    frames = set()
    for call, func in called:
        if func.attr != "toDF" or is_one_of(_kind(module, func.value), {Kind.DATAFRAME}):
            continue
        named = {keyword.arg for keyword in call.keywords}
        plain = named <= _PARAMETERS.keys() and not any(
            isinstance(argument, ast.Starred) for argument in call.args
        )
        if not (plain and is_one_of(_kind(module, func.value), {Kind.RDD})):
            text = "`toDF` makes a DataFrame of the query's session, whose views the job has not"
            raise NotExpressible("VIEWS", text, func)
        frames.add(call)
    return frames


def _kind(module: SourceModule, node: ast.expr) -> Value | None:
    return module.facts.values.get(node)


def session_call(
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
    names = [""] * len(call.args) + [
        f"{_PARAMETERS[keyword.arg or '']}=" for keyword in call.keywords
    ]
    all_arguments = [rdd, *(name + text for name, text in zip(names, arguments, strict=True))]
    session = builder.session
    if not _is_known(builder.module, job, call, session):
        session = "SparkSession.builder.getOrCreate()"
    return f"{session}.createDataFrame({', '.join(all_arguments)})"


def _is_known(module: SourceModule, job: JobBlock, node: ast.AST, session: str) -> bool:
    """Return whether the name of the session of the job means it at a place."""
    inside = not job.block.functions
    for outer in module.around(node):
        if outer in job.block.functions:
            inside = True
            break
        if isinstance(outer, ast.FunctionDef | ast.Lambda) and session in locals_of(outer):
            return False
    return inside
