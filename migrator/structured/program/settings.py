"""The settings of a job's session."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass, field

from migrator.spark.kinds import Kind

from ..refusals import NotExpressible
from .arguments import arguments_of
from .modules import Block, SourceModule
from .values import function_of, is_one_of

CONTEXT = (
    *("master=", "appName=", "sparkHome=", "pyFiles="),
    *("environment=", "batchSize=", "serializer=", "conf="),
)
PARTITIONS = "has as many partitions as `spark.sql.shuffle.partitions` says"
"""What a method that shuffles has, whatever the job asks for."""


@dataclass(eq=False)
class Conf:
    """Settings in their order: a method of the builder, and its arguments, or their source.

    Parameters
    ----------
    calls : list of (str, tuple)
        the methods, with their arguments
    dropped : list of str
        the settings of the old API
    name : str
        the variable that has the object, if one has it
    statements : list of stmt
        the statements that make the object and set something
    is_kept : bool
        whether the result has the object and these statements still, as other code uses it
    is_taken : bool
        whether a context has been made of it, which has its settings from then on
    base : Conf, optional
        the object that a SparkContext is given besides these settings
    """

    calls: list[tuple[str, tuple[ast.expr | str, ...]]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    name: str = ""
    statements: list[ast.stmt] = field(default_factory=list)
    is_kept: bool = False
    is_taken: bool = False
    base: Conf | None = None

    def builder_calls(self) -> list[tuple[str, tuple[ast.expr | str, ...]]]:
        """Return the methods of a session's builder, with their arguments."""
        order = ("appName", "master", "config")
        first: list[tuple[str, tuple[ast.expr | str, ...]]] = []
        calls = [*self.calls]
        if self.base is not None and self.base.is_kept:
            # what is set by itself takes its place
            first = [("config", (f"conf={self.base.name}",))]
        elif self.base is not None:
            names = {name for name, _ in calls} - {"config"}
            calls = [*(call for call in self.base.calls if call[0] not in names), *calls]
        return first + sorted(calls, key=lambda call: order.index(call[0]))

    def old_settings(self) -> list[str]:
        """Return the settings of the old API."""
        return self.dropped + (self.base.old_settings() if self.base else [])

    def after_call(self, call: ast.Call, module: SourceModule) -> Conf | None:
        """Return this object after a call of SparkConf; None if the call is not known."""
        assert isinstance(call.func, ast.Attribute)
        if call.keywords:
            return None
        match call.func.attr, call.args:
            case "setAppName", [name]:
                self.calls.append(("appName", (name,)))
            case "setMaster", [name]:
                self.calls.append(("master", (name,)))
            case "set", [key, value]:
                return self._set(module, key, value)
            case "setExecutorEnv", [ast.Constant(value=str(name)), value]:
                self.set_variable(name, value)
            case "setAll", [pairs]:
                pairs = module.constant(pairs)
                if not isinstance(pairs, ast.List | ast.Tuple):
                    return None
                for pair in pairs.elts:
                    match pair:
                        case ast.Tuple(elts=[key, value]) | ast.List(elts=[key, value]):
                            if self._set(module, key, value) is None:
                                return None
                        case _:
                            return None
            case _:
                return None
        return self

    def set_variable(self, name: str, value: ast.expr) -> None:
        """Set an environment variable of the executors."""
        self.calls.append(("config", (json.dumps(f"spark.executorEnv.{name}"), value)))

    def _set(self, module: SourceModule, key: ast.expr, value: ast.expr) -> Conf | None:
        constant = module.constant(key)
        if not (isinstance(constant, ast.Constant) and isinstance(constant.value, str)):
            return None
        if constant.value.startswith("spark.streaming."):
            self.dropped.append(constant.value)
        else:
            self.calls.append(("config", (key, value)))
        return self


def context_settings(call: ast.Call, conf: Conf | None) -> Conf:
    """Return the settings of a SparkContext.

    Raises
    ------
    NotExpressible
        if it is given something that a session has no place for
    """
    arguments = arguments_of(call, *(("conf=",) if _is_shared(call) else CONTEXT))
    conf_found = Conf(base=conf)
    if conf is not None:
        conf.is_taken = True
    if "conf" in arguments and (conf is None or (conf.is_kept and not conf.name)):
        raise NotExpressible("SETTING", "the settings of the SparkContext are not known", call)
    if "environment" in arguments:
        _set_environment(conf_found, arguments.pop("environment"))
    other = sorted(arguments.keys() - {"master", "appName", "conf", "pyFiles"})
    if other:
        raise NotExpressible(
            "SETTING", f"a session has no `{other[0]}`; give it to spark-submit", call
        )
    for name in ("master", "appName"):
        if name in arguments:
            conf_found.calls.append((name, (arguments[name],)))
    return conf_found


def _set_environment(conf: Conf, argument: ast.expr) -> None:
    """Set the environment variables that a SparkContext is given for its executors."""
    match argument:
        case ast.Constant(value=None):
            return
        case ast.Dict(keys=names, values=values):
            for name, value in zip(names, values, strict=True):
                if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
                    break
                conf.set_variable(name.value, value)
            else:
                return
    text = "the variables of `environment` are not written in the call"
    raise NotExpressible("SETTING", text, argument)


def is_context(module: SourceModule, call: ast.Call) -> bool:
    """Return whether it is ``SparkContext(...)`` or ``SparkContext.getOrCreate(...)``."""
    function = call.func
    if _is_shared(call):
        assert isinstance(function, ast.Attribute)
        function = function.value
    return module.is_old(function, "SparkContext")


def first_context(module: SourceModule, call: ast.Call) -> ast.Call | None:
    """Return the ``SparkContext(...)`` of ``SparkContext(...).getOrCreate(conf)``, which is the
    context that is there then: the settings are those of the first call.
    """
    match call.func:
        case ast.Attribute(value=ast.Call() as context_call) if _is_shared(call):
            return context_call if is_context(module, context_call) else None
    return None


def _is_shared(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "getOrCreate"


def gives_session(module: SourceModule, call: ast.Call) -> bool:
    """Return whether it is ``SparkSession.builder....getOrCreate()``, or calls a function of the
    file that gives a session.
    """
    if isinstance(call.func, ast.Name):
        if lazy_session(module, call.func) is not None:
            return True
        is_own = function_of(module, call) is not None
    else:
        is_own = _is_shared(call)
    return is_own and is_one_of(module.facts.values.get(call), {Kind.SPARK_SESSION})


SESSION_CLASSES = ("SparkSession", "SQLContext", "HiveContext")


def lazy_session(module: SourceModule, maker: ast.Name) -> ast.FunctionDef | None:
    """Return the function of a name, if it makes a session once and returns it."""
    function = Block(module.tree.body).function(maker.id)
    if not isinstance(function, ast.FunctionDef):
        return None
    body = [statement for statement in function.body if not _is_text(statement)]
    match body:
        case [
            ast.If(test=ast.Compare(ops=[ast.NotIn()], comparators=[test]), orelse=[]) as once,
            ast.Return(value=ast.Subscript(value=kept)),
        ]:
            if not (_is_globals(test) and _is_globals(kept)):
                return None
            *prints, last = once.body
            if not all(_is_print(each) for each in prints):
                return None
            match last:
                case ast.Assign(targets=[ast.Subscript(value=target)], value=value):
                    if _is_globals(target) and _has_session_class(module, value):
                        return function
    return None


def _has_session_class(module: SourceModule, value: ast.expr) -> bool:
    for node in ast.walk(value):
        if isinstance(node, ast.Name | ast.Attribute) and any(
            module.is_old(node, name) for name in SESSION_CLASSES
        ):
            return True
    return False


def _is_globals(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "globals"
    )


def _is_print(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[ast.Constant()])):
            return True
    return False


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
