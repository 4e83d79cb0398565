"""Classes of PySpark that a result has not: models that learn from streams, `TopicAndPartition`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from migrator.infer.scopes import binding_of_import
from migrator.spark.kinds import STREAMS, Kind

from ..program.arguments import bind_arguments
from ..program.bindings import loads, names_of, stores
from ..program.modules import SourceModule
from ..program.values import holds, is_in_batch, is_one_of
from .edits import (
    LineEdit,
    as_line,
    comment_lines,
    edit_of_spans,
    edits_of_spans,
    has_long_text,
    with_edits,
    without,
)

_MODEL = "pyspark.mllib.clustering.StreamingKMeans"
_TRAINERS = {
    "pyspark.mllib.regression.StreamingLinearRegressionWithSGD": (
        "pyspark.mllib.regression.LinearRegressionWithSGD",
        ("convergenceTol",),
    ),
    "pyspark.mllib.classification.StreamingLogisticRegressionWithSGD": (
        "pyspark.mllib.classification.LogisticRegressionWithSGD",
        ("regParam", "convergenceTol"),
    ),
}
"""What trains the linear models, with the attributes of theirs that it is given by name."""
_TRAINING = """
def {function}(rdd):
    if not rdd.isEmpty():
        trained = {trainer}.train(
            rdd,
            {model}.numIterations,
            {model}.stepSize,
            {model}.miniBatchFraction,
            {model}.latestModel().weights,
{named}
        )
        {model}.setInitialWeights(trained.weights)
"""
"""How linear models learn; the intercept of what is trained is 0, as that of initial weights."""
_PREDICTIONS = {"predictOn": "map", "predictOnValues": "mapValues"}
_METHODS = (*_PREDICTIONS, "trainOn")
_PARAMETERS = ("k=", "decayFactor=", "timeUnit=")
_DEFAULTS = {"decayFactor": "1.0", "timeUnit": '"batches"'}


def unfold_model(module: SourceModule) -> Iterator[SourceModule | None]:
    """Yield modules with a method of a model that learns from streams as PySpark makes it, on RDDs.

    DStreams make the RDDs of a batch before its first output runs, so a batch asks the model that
    the batches before have trained. Therefore the training stands behind all other outputs.
    """
    values = module.facts.values
    for node in ast.walk(module.tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr=method), args=[stream], keywords=[]
            ) if method in _METHODS and is_one_of(values.get(stream), STREAMS):
                made = _construction(module, name)
                if made is None or is_in_batch(module, node) or not _is_plain(module, name):
                    continue
                if method == "trainOn":
                    yield _with_training_output(module, node, stream, name, made)
                else:
                    yield _prediction(module, node, stream, name, _PREDICTIONS[method])


def _prediction(
    module: SourceModule, call: ast.Call, stream: ast.expr, model: str, method: str
) -> SourceModule:
    text = as_line(module.source(stream))
    text += f".{method}(lambda point: {model}.latestModel().predict(point))"
    first, last = module.lines_of(call)
    return with_edits(module, [edit_of_spans(module, first, last, [(*module.span(call), text)])])


@dataclass(frozen=True)
class Training:
    """How a model learns from the RDD of a batch.

    Parameters
    ----------
    function : str
        the function of a `foreachRDD`
    definition : tuple of str
        the lines that define it, if it has a name
    imported : tuple of stmt and str, optional
        an import that it needs, and the statement behind which that stands
    """

    function: str
    definition: tuple[str, ...] = ()
    imported: tuple[ast.stmt, str] | None = None


def _with_training_output(
    module: SourceModule, call: ast.Call, stream: ast.expr, model: str, made: ast.Call
) -> SourceModule | None:
    statement = module.statement(call)
    start = _start_behind(module, statement)
    whole = isinstance(statement, ast.Expr) and statement.value is call
    if start is None or not whole or has_long_text(ast.walk(statement)):
        return None
    between = range(statement.lineno, start.lineno)
    for name in names_of(stream):
        if any(store.lineno in between for store in stores(module.tree, name)):
            return None
    training = _training(module, model, made)
    text = f"{as_line(module.source(stream))}.foreachRDD({training.function})"
    pad, place = " " * start.col_offset, module.first_comment(start)
    own = comment_lines(module, pad, module.first_comment(statement), statement.end_lineno or 0)
    line = statement.lineno
    texts = [(pad + each if each else "", line) for each in training.definition]
    moved = LineEdit(place, place - 1, (*texts, *own, (pad + text, line)))
    edits = [without(module, statement), moved]
    if training.imported is not None:
        behind, new = training.imported
        last = module.lines_of(behind)[1]
        pad = " " * behind.col_offset
        edits.append(LineEdit(last + 1, last, ((pad + new, last),)))
    return with_edits(module, edits)


def _start_behind(module: SourceModule, statement: ast.stmt) -> ast.stmt | None:
    """Return the statement behind another one, in the same block, that starts the job."""
    body = getattr(module.parents[statement], "body", [])
    values = module.facts.values
    for part in body[body.index(statement) :] if statement in body else ():
        match part:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="start"))):
                if is_one_of(values.get(owner), {Kind.STREAMING_CONTEXT}):
                    return part
    return None


def _construction(module: SourceModule, model: str) -> ast.Call | None:
    """Return the call that makes a model, if all that it learns with is known."""
    match [module.parents[store] for store in stores(module.tree, model)]:
        case [ast.Assign(value=made)]:
            value: ast.expr | None = made
        case _:
            return None
    while isinstance(value, ast.Call):
        path = module.path_of(value.func)
        if path in _TRAINERS:
            return value
        if path == _MODEL:
            arguments = bind_arguments(value, _PARAMETERS)
            calls = {getattr(node, "attr", "") for node in ast.walk(module.tree)}
            known = arguments is not None and all(map(_is_literal, arguments.values()))
            return value if known and calls.isdisjoint(("setHalfLife", "setDecayFactor")) else None
        value = value.func.value if isinstance(value.func, ast.Attribute) else None
    return None


def _training(module: SourceModule, model: str, made: ast.Call) -> Training:
    """Return how a model learns, which a call has made."""
    path = module.path_of(made.func) or ""
    if path == _MODEL:
        arguments = bind_arguments(made, _PARAMETERS) or {}
        decay = _DEFAULTS | {name: module.source(e) for name, e in arguments.items()}
        update = f"{model}.latestModel().update"
        return Training(f"lambda rdd: {update}(rdd, {decay['decayFactor']}, {decay['timeUnit']})")
    trainer, _ = _TRAINERS[path]
    folder, _, name = trainer.rpartition(".")
    own_name = next((own for own, known in module.paths.items() if known == trainer), None)
    imported: tuple[ast.stmt, str] | None = None
    if own_name is None and isinstance(made.func, ast.Name):
        own_name = module.free_name(name)
        ending = "" if own_name == name else f" as {own_name}"
        imports = (node for node in ast.walk(module.tree) if isinstance(node, ast.ImportFrom))
        behind = next(
            node
            for node in imports
            if any(made.func.id in binding_of_import(node, alias) for alias in node.names)
        )
        imported = behind, f"from {folder} import {name}{ending}"
    elif isinstance(made.func, ast.Attribute):
        own_name = f"{module.source(made.func.value)}.{name}"
    function = module.free_name(f"train_{model}")
    definition = _definition(path, function, model, own_name or name)
    return Training(function, ("", *definition.splitlines(), "", ""), imported)


def _definition(path: str, function: str, model: str, trainer: str) -> str:
    """Return the function that trains a linear model."""
    named = "\n".join(f"            {name}={model}.{name}," for name in _TRAINERS[path][1])
    return _TRAINING.format(function=function, model=model, trainer=trainer, named=named)


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def _is_plain(module: SourceModule, model: str) -> bool:
    """Return whether batches ask a model only by its predictions, in the query that trains it."""
    asked = False
    for load in loads(module.tree, model):
        parent = module.parents[load]
        method = parent.attr if isinstance(parent, ast.Attribute) else ""
        if method in _PREDICTIONS or _predicts(module, load):
            asked = asked or _has_use(module, load)
        if is_in_batch(module, load) and not _predicts(module, load) and not _updates(module, load):
            return False
    return not asked or len(_queries(module)) == 1


def _has_use(module: SourceModule, model: ast.Name) -> bool:
    """Return whether predictions are more than printed as an object, which computes nothing."""
    statement = module.statement(model)
    match getattr(statement, "value", None):
        case ast.Call(func=ast.Name(id="print"), args=[ast.Call() as value], keywords=[]):
            pass
        case ast.Call() as value:
            if not isinstance(statement, ast.Expr):
                return True
        case _:
            return True
    return not is_one_of(module.facts.values.get(value), STREAMS)


def _predicts(module: SourceModule, name: ast.Name) -> bool:
    """Return whether a name is the model of ``model.latestModel().predict``, for each record."""
    around = [*module.around(name)][1:6]
    match around:
        case [
            ast.Attribute(attr="latestModel"),
            ast.Call(),
            ast.Attribute(attr="predict"),
            ast.Call(),
            ast.Lambda() as function,
        ]:
            call = module.parents[function]
            return getattr(getattr(call, "func", None), "attr", "") in _PREDICTIONS.values()
    return False


def _updates(module: SourceModule, name: ast.Name) -> bool:
    """Return whether a name is the model of ``model.latestModel().update``, or of our training."""
    around = [*module.around(name)]
    match around[1:4]:
        case [ast.Attribute(attr="latestModel"), ast.Call(), ast.Attribute(attr="update")]:
            return True
    function = next((node for node in around if isinstance(node, ast.FunctionDef)), None)
    if function is None:
        return False
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Attribute(attr="train", value=trainer)):
                definitions = (
                    _definition(path, function.name, name.id, ast.unparse(trainer))
                    for path in _TRAINERS
                )
                return ast.unparse(function) in [ast.unparse(ast.parse(e)) for e in definitions]
    return False


def _queries(module: SourceModule) -> set[str]:
    """Return the sources of a job, each of which is a query; one takes all queues."""
    queries, values = set(), module.facts.values
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and holds(values.get(node), STREAMS):
            parts = [*node.args, *(keyword.value for keyword in node.keywords), node.func]
            # a method's stream is what it is called on
            owners = (part.value if isinstance(part, ast.Attribute) else part for part in parts)
            if any(holds(values.get(owner), STREAMS) for owner in owners):
                continue
            method = getattr(node.func, "attr", "")
            queries.add(method if method == "queueStream" else ast.dump(node))
    return queries


_PAIR = ("topic", "partition")


def unfold_partition(module: SourceModule) -> Iterator[SourceModule]:
    """Yield a module with pairs in the place of `TopicAndPartition`, which is gone with the old
    module of Kafka.
    """
    calls, uses = [], 0
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr in ("_topic", "_partition"):
            return
        if isinstance(node, ast.Name | ast.Attribute) and _is_pair(module, node):
            uses += 1
        if isinstance(node, ast.Call) and _is_pair(module, node.func):
            arguments = bind_arguments(node, _PAIR)
            parts = (part for part in ast.walk(node) if part is not node)
            inner = any(isinstance(e, ast.Call) and _is_pair(module, e.func) for e in parts)
            if arguments is None or inner or node.lineno != node.end_lineno:
                return
            if not _is_key(module, node):
                return
            calls.append((node, [arguments[each] for each in _PAIR]))
    if not calls or uses > len(calls):
        return
    spans = [
        (*module.span(node), f"({', '.join(as_line(module.source(part)) for part in parts)})")
        for node, parts in calls
    ]
    yield with_edits(module, edits_of_spans(module, spans))


def _is_pair(module: SourceModule, node: ast.expr) -> bool:
    return module.is_old(node, "TopicAndPartition")


def _is_key(module: SourceModule, node: ast.expr) -> bool:
    """Return whether an object is only the key of a dict: a pair prints and formats otherwise."""
    match module.parents[node]:
        case ast.Dict(keys=keys):
            return node in keys
        case ast.DictComp(key=key) | ast.Subscript(slice=key):
            return key is node
        case ast.Compare(left=left):
            return left is node
        case ast.Assign(targets=[ast.Name(id=name)]):
            return all(_is_key(module, load) for load in loads(module.tree, name))
    return False
