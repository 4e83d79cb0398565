"""The settings of a job's session."""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass, field

from migrator.spark.kinds import Kind

from ..refusals import NotExpressible
from .arguments import arguments_of
from .modules import SourceModule
from .values import is_one_of

CONTEXT = (
    "master=",
    "appName=",
    "sparkHome=",
    "pyFiles=",
    "environment=",
    "batchSize=",
    "serializer=",
    "conf=",
)
PARTITIONS = "has as many partitions as `spark.sql.shuffle.partitions` says"
"""What a method that shuffles has, whatever the job asks for."""


@dataclass(eq=False)
class Conf:
    """Settings in their order: a method of the builder, and its arguments, or their source."""

    calls: list[tuple[str, tuple[ast.expr | str, ...]]] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)

    def set_by(self, call: ast.Call, module: SourceModule) -> Conf | None:
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
        known = module.constant(key)
        if not (isinstance(known, ast.Constant) and isinstance(known.value, str)):
            return None
        if known.value.startswith("spark.streaming."):
            self.dropped.append(known.value)
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
    made = conf or Conf()
    if "conf" in arguments and conf is None:
        raise NotExpressible("SETTING", "the settings of the SparkContext are not known", call)
    if "environment" in arguments:
        _set_environment(made, arguments.pop("environment"))
    other = sorted(arguments.keys() - {"master", "appName", "conf", "pyFiles"})
    if other:
        raise NotExpressible(
            "SETTING", f"a session has no `{other[0]}`; give it to spark-submit", call
        )
    for name in ("master", "appName"):
        if name in arguments:
            made.calls = [each for each in made.calls if each[0] != name]
            made.calls.append((name, (arguments[name],)))
    return made


def _set_environment(conf: Conf, given: ast.expr) -> None:
    """Set the environment variables that a SparkContext is given for its executors."""
    match given:
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
    raise NotExpressible("SETTING", text, given)


def is_context(module: SourceModule, call: ast.Call) -> bool:
    """Return whether it is ``SparkContext(...)`` or ``SparkContext.getOrCreate(...)``."""
    made = call.func
    if _is_shared(call):
        assert isinstance(made, ast.Attribute)
        made = made.value
    return module.is_old(made, "SparkContext")


def made_before(module: SourceModule, call: ast.Call) -> ast.Call | None:
    """Return the ``SparkContext(...)`` of ``SparkContext(...).getOrCreate(conf)``, which is the
    context that is there then: the settings are those of the first call.
    """
    match call.func:
        case ast.Attribute(value=ast.Call() as made) if _is_shared(call):
            return made if is_context(module, made) else None
    return None


def _is_shared(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "getOrCreate"


def is_builder(module: SourceModule, call: ast.Call) -> bool:
    """Return whether it is ``SparkSession.builder....getOrCreate()``."""
    made = module.facts.values.get(call)
    return _is_shared(call) and is_one_of(made, {Kind.SPARK_SESSION})
