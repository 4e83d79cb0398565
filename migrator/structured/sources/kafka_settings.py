"""What the consumers of `KafkaUtils` are told, as options of Spark's Kafka source."""

from __future__ import annotations

import ast
import json

from dstream_compat.source.kafka.texts import text_for
from migrator.infer.scopes import bindings
from migrator.spark.connectors import BROKERS

from ..program.arguments import is_none
from ..program.modules import Block, SourceModule
from ..refusals import NotExpressible

RESET = {"smallest": "earliest", "earliest": "earliest", "largest": "latest", "latest": "latest"}
UNUSED = frozenset(
    ("enable.auto.commit", "auto.commit.enable", "auto.commit.interval.ms", "num.consumer.fetchers")
)
"""Settings without a meaning, as offsets are in Spark's checkpoint."""
IN_SPARK = UNUSED.union(BROKERS, ("auto.offset.reset", "key.deserializer", "value.deserializer"))
"""Settings that Spark refuses or has itself; records are bytes."""
OLD_CONSUMER = ("zookeeper.", "rebalance.", "offsets.", "queued.", "socket.", "consumer.")
OLD_NAMES = {"fetch.message.max.bytes": "max.partition.fetch.bytes"}
REFUSED = {
    "interceptor.classes": "Spark's source takes no interceptors",
    "partition.assignment.strategy": "Spark assigns the partitions itself",
}
_LISTS = frozenset(("split", "rsplit", "splitlines", "partition", "rpartition"))
_NO_TEXT = frozenset(
    ("list", "tuple", "set", "frozenset", "dict", "sorted", "range", "int", "float", "bool", "len")
)
_OTHERS = (
    *(ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp),
    *(ast.GeneratorExp, ast.Lambda, ast.Compare),
)


class Settings:
    """A dictionary of settings whose source is known.

    Parameters
    ----------
    module : Module
        the module
    block : Block
        where names are looked up
    """

    def __init__(self, module: SourceModule, block: Block) -> None:
        self._module = module
        self._block = block
        self.statements: list[ast.stmt] = []
        """The statements that bind the dictionaries, of which nothing else makes use."""

    def read(self, node: ast.expr) -> dict[str, ast.expr]:
        """Return the settings by their names.

        Raises
        ------
        NotExpressible
            if they are not written in the file
        """
        match node:
            case ast.Dict(keys=keys, values=values):
                settings_found: dict[str, ast.expr] = {}
                for key, value in zip(keys, values, strict=True):
                    if key is None:
                        settings_found |= self.read(value)
                    elif isinstance(key, ast.Constant) and isinstance(key.value, str):
                        settings_found[key.value] = value
                    else:
                        raise NotExpressible(
                            "KAFKA_PARAMS", "a key of kafkaParams is not a literal", key
                        )
                return settings_found
            case ast.Call(func=ast.Name(id="dict"), args=args, keywords=keywords):
                settings_found = self.read(args[0]) if len(args) == 1 else {}
                if len(args) > 1:
                    raise NotExpressible("KAFKA_PARAMS", "dict() with several arguments", node)
                for keyword in keywords:
                    settings_found |= (
                        self.read(keyword.value)
                        if keyword.arg is None
                        else {keyword.arg: keyword.value}
                    )
                return settings_found
            case ast.Name(id=name):
                return self.read(self._value_of_name(node, name))
        raise NotExpressible("KAFKA_PARAMS", "kafkaParams is not a dict that is written here", node)

    def _value_of_name(self, node: ast.Name, name: str) -> ast.expr:
        tree = self._module.tree
        uses = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == name]
        stores = [use for use in uses if isinstance(use.ctx, ast.Store)]
        arguments = [node for node in ast.walk(tree) if isinstance(node, ast.arg)]
        statement = self._module.parents[stores[0]] if len(stores) == 1 else None
        if (
            not isinstance(statement, ast.Assign)
            or len(statement.targets) != 1
            or any(argument.arg == name for argument in arguments)
        ):
            raise NotExpressible("KAFKA_PARAMS", f"`{name}` is not bound once to a dict", node)
        for use in uses:
            around = self._module.parents[use]
            read_only = isinstance(around, ast.Call | ast.keyword | ast.Dict)
            if use is not stores[0] and not read_only:
                raise NotExpressible("KAFKA_PARAMS", f"`{name}` is used in another way, too", use)
        if len(uses) == 2 and statement in self._block.body:
            self.statements.append(statement)
        return statement.value


def unused_settings(parameters: dict[str, ast.expr]) -> list[str]:
    """Return the settings that say nothing to Spark's source, which keeps its offsets itself."""
    return [name for name in parameters if name in UNUSED or name.startswith(OLD_CONSUMER)]


def options_of(module: SourceModule, parameters: dict[str, ast.expr]) -> dict[str, ast.expr | str]:
    """Return the options of Kafka's consumers, other than the brokers and what to read.

    Raises
    ------
    NotExpressible
        if Spark's source cannot do what a setting asks for
    """
    options: dict[str, ast.expr | str] = {}
    for name, value in parameters.items():
        if name in IN_SPARK or name.startswith(OLD_CONSUMER):
            continue
        if name in REFUSED:
            raise NotExpressible("KAFKA_PARAMS", f"`{name}`: {REFUSED[name]}", value)
        name = OLD_NAMES.get(name, name)
        options[f"kafka.{name}"] = as_option(module, name, value)
    return options


def starting_offsets(parameters: dict[str, ast.expr]) -> str:
    """Return where the source starts without a checkpoint: ``earliest`` or ``latest``."""
    reset = parameters.get("auto.offset.reset")
    if reset is None:
        return "latest"
    if not (isinstance(reset, ast.Constant) and reset.value in RESET):
        raise NotExpressible("OFFSETS", "`auto.offset.reset` is not known", reset)
    return RESET[reset.value]


def offsets(node: ast.expr) -> dict[str, dict[str, int]] | None:
    """Return the offsets of a literal `fromOffsets`, by topic and partition; None if it is none."""
    try:
        literal_value = ast.literal_eval(node)
    except (ValueError, TypeError):
        return None
    offsets_by_topic: dict[str, dict[str, int]] = {}
    for key, offset in literal_value.items() if isinstance(literal_value, dict) else ():
        match key:
            case (str(topic), int(partition)) if type(partition) is type(offset) is int:
                offsets_by_topic.setdefault(topic, {})[str(partition)] = offset
            case _:
                return None
    return offsets_by_topic or None


def as_option(module: SourceModule, name: str, value: ast.expr) -> ast.expr | str:
    """Return a setting as an option of Spark's source, whose values are texts.

    Raises
    ------
    NotExpressible
        if it is no text, and does not mean one to Kafka
    """
    value_node = _value_of_name(module, value) if isinstance(value, ast.Name) else value
    if isinstance(value_node, ast.Constant):
        if isinstance(value_node.value, str):
            return value
        text = text_for(value_node.value)
        if text is not None:
            return json.dumps(text, ensure_ascii=False)
    elif not _is_no_text(module, value, frozenset()):
        return value
    try:
        # another name of a list may change it
        text = text_for(ast.literal_eval(value))
    except (ValueError, TypeError):
        text = None
    if text is None:
        raise NotExpressible("KAFKA_PARAMS", f"the value of `{name}` is no text", value)
    return json.dumps(text, ensure_ascii=False)


def _value_of_name(module: SourceModule, node: ast.Name) -> ast.expr | None:
    """Return the only value that a name has in the module."""
    values = _values_assigned_to(module, node.id)
    return values[0] if _bindings_of(module, node.id) == len(values) == 1 else None


def _bindings_of(module: SourceModule, name: str) -> int:
    """Return how often a name is bound in the module."""
    return sum([*bindings(node)].count(name) for node in ast.walk(module.tree))


def _values_assigned_to(module: SourceModule, name: str) -> list[ast.expr]:
    return [
        node.value
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]


def _is_no_text(module: SourceModule, node: ast.expr, seen: frozenset[str]) -> bool:
    """Return whether an expression may have a value that surely is no text."""
    match node:
        case ast.Constant(value=value):
            return not isinstance(value, str)
        case ast.Name(id=name) if name not in seen:
            values = _values_assigned_to(module, name)
            if len(values) < _bindings_of(module, name):
                # it is something else before the stream is made: neither of both reads from None
                values = [value for value in values if not is_none(value)]
            return any(_is_no_text(module, value, seen | {name}) for value in values)
        case (
            ast.IfExp(body=first, orelse=second) | ast.BinOp(left=first, op=ast.Add(), right=second)
        ):
            return any(_is_no_text(module, each, seen) for each in (first, second))
        case ast.BoolOp(values=values):
            return any(_is_no_text(module, value, seen) for value in values)
        case ast.NamedExpr(value=value):
            return _is_no_text(module, value, seen)
        case ast.Call(func=ast.Attribute(attr=method)):
            return method in _LISTS
        case ast.Call(func=ast.Name(id=name)):
            return name in _NO_TEXT
        case ast.Subscript(value=owner, slice=ast.Slice()):
            path = module.path_of(owner)
            return path == "sys.argv" or _is_no_text(module, owner, seen)
        case ast.UnaryOp():
            return True
    return isinstance(node, _OTHERS)
