"""`KafkaUtils`: Spark's Kafka source, and what its consumers are told as options of it."""

from __future__ import annotations

import ast
import json

from dstream_compat.native.expressions import Call, Column, Expression, struct
from dstream_compat.native.expressions import text as literal
from dstream_compat.native.types import Binary, Nullable, String, walk
from dstream_compat.source.kafka.texts import text_for
from migrator.spark.connectors import BROKERS

from ..builder.builder import Builder
from ..builder.helpers import START, helper, stream_key
from ..dataframes.frames import Aliased, Frame, over_columns
from ..program.arguments import is_none
from ..program.graph import Node, Stage
from ..program.modules import Block, SourceModule
from ..program.unchanged import bindings_of, changes, stays_the_same
from ..reading.offset_ranges import COLUMNS, SOURCE, reads_records
from ..refusals import NotExpressible
from ..registry import source
from .read_stream import reader

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
    """A dictionary of settings whose source is known."""

    def __init__(self, module: SourceModule, block: Block) -> None:
        self._module = module
        self._block = block
        self.statements: list[ast.stmt] = []
        """The statements that bind the dictionaries, of which nothing else makes use."""
        self._items: dict[ast.expr, str] = {}
        """The code of values that are asked of their dictionaries: they may change after it."""

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
            case ast.Name():
                return self._read_name(node)
        raise NotExpressible("KAFKA_PARAMS", "kafkaParams is not a dict that is written here", node)

    def options(self, options: dict[str, ast.expr | str]) -> dict[str, ast.expr | str]:
        """Return the options of a source, with the code of those values that do not move to it."""
        return {
            name: self._items.get(value, value) if isinstance(value, ast.expr) else value
            for name, value in options.items()
        }

    def _read_name(self, node: ast.Name) -> dict[str, ast.expr]:
        statement, is_used_once = self._statement_of(node, node.id)
        inner = len(self.statements)
        settings_found = self.read(statement.value)
        late = {
            name: value
            for name, value in settings_found.items()
            if not stays_the_same(self._module, value)
        }
        self._items |= {value: f"{node.id}[{json.dumps(name)}]" for name, value in late.items()}
        if late:
            # what the dictionary is made of stays with it
            del self.statements[inner:]
        elif is_used_once and statement in self._block.body:
            self.statements.append(statement)
        return settings_found

    def _statement_of(self, node: ast.Name, name: str) -> tuple[ast.Assign, bool]:
        """Return the statement that binds a dictionary, and whether it is used only once."""
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
            read_only = isinstance(around, ast.keyword | ast.Dict) or (
                isinstance(around, ast.Call) and not self._is_changed_by(around)
            )
            if use is not stores[0] and not read_only:
                raise NotExpressible("KAFKA_PARAMS", f"`{name}` is used in another way, too", use)
        return statement, len(uses) == 2

    def _is_changed_by(self, call: ast.Call) -> bool:
        """Return whether a function of the file that is called changes one of its arguments."""
        functions = [
            function
            for function in ast.walk(self._module.tree)
            if isinstance(function, ast.FunctionDef)
            and function.name == getattr(call.func, "id", getattr(call.func, "attr", None))
        ]
        return any(
            changes(node, ast.dump(ast.Name(argument.arg, ast.Load())))
            for function in functions
            for argument in ast.walk(function.args)
            if isinstance(argument, ast.arg)
            for node in ast.walk(function)
        )


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
    return values[0] if bindings_of(module, node.id) == len(values) == 1 else None


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
            if len(values) < bindings_of(module, name):
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


RATES = ("spark.streaming.kafka.maxRatePerPartition", "spark.streaming.receiver.maxRate")
FIELDS = ("key", "value")
_UTF8 = ("pyspark.streaming.kafka.utf8_decoder", "dstream_compat.kafka.utf8_decoder")


@source(
    "createDirectStream",
    Stage.ROWS,
    "ssc",
    "topics",
    "kafkaParams",
    "fromOffsets=",
    "keyDecoder=",
    "valueDecoder=",
    reason="the same records; Spark's checkpoint has the offsets, and keys and values that are "
    "not used are not decoded",
)
def create_direct_stream(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    settings = Settings(builder.module, node.block)
    parameters = _parameters(builder, settings, arguments["kafkaParams"])
    named = next((key for key in BROKERS if key in parameters), None)
    if named is None:
        raise NotExpressible("BROKERS", "kafkaParams names no brokers", node.call)
    servers = as_option(builder.module, named, parameters[named])
    options: dict[str, ast.expr | str] = {"kafka.bootstrap.servers": servers}
    if "fromOffsets" in arguments and not is_none(arguments["fromOffsets"]):
        options |= _assigned_partitions(builder, node, starting_offsets(parameters))
    else:
        options["subscribe"] = _topics(builder, arguments["topics"])
        if starting_offsets(parameters) == "earliest":
            options["startingOffsets"] = '"earliest"'
    options |= options_of(builder.module, parameters)
    return _records(builder, node, settings.options(options))


@source(
    "createStream",
    Stage.ROWS,
    "ssc",
    "zkQuorum",
    "groupId",
    "topics",
    "kafkaParams=",
    "storageLevel=",
    "keyDecoder=",
    "valueDecoder=",
    reason="the same records from the brokers; offsets that the group has stored in ZooKeeper are "
    "not read",
)
def create_stream(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    if builder.brokers is None:
        raise NotExpressible(
            "BROKERS",
            "receivers find the brokers through ZooKeeper, Spark's source needs their addresses: "
            "give them by --kafka-brokers",
            node.call,
        )
    settings = Settings(builder.module, node.block)
    parameters: dict[str, ast.expr] = {}
    if "kafkaParams" in arguments and not is_none(arguments["kafkaParams"]):
        parameters = _parameters(builder, settings, arguments["kafkaParams"])
    topics = _topics_of_threads(builder, arguments["topics"])
    options: dict[str, ast.expr | str] = {
        "kafka.bootstrap.servers": _quote(builder.brokers),
        "subscribe": topics,
        "kafka.group.id": arguments["groupId"],
    }
    if starting_offsets(parameters) == "earliest":
        options["startingOffsets"] = '"earliest"'
    options |= options_of(builder.module, parameters)
    return _records(builder, node, settings.options(options))


def _topics_of_threads(builder: Builder, topics: ast.expr) -> str:
    """Return the topics of a dict that has the number of threads for each of them."""
    if not isinstance(topics, ast.Dict) or None in topics.keys or not topics.keys:
        return f'",".join({builder.source(topics)})'
    keys = {builder.source(key): key for key in topics.keys if key is not None}
    if len(keys) == 1:
        return next(iter(keys))
    if all(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in keys.values()):
        return _quote(",".join(map(ast.literal_eval, keys)))
    return f'",".join([{", ".join(keys)}])'


def _parameters(builder: Builder, settings: Settings, expression: ast.expr) -> dict[str, ast.expr]:
    parameters = settings.read(expression)
    builder.dropped += settings.statements
    left = unused_settings(parameters)
    if left:
        names = ", ".join(f"`{name}`" for name in left)
        builder.note(f"{names} of kafkaParams say nothing to Spark, which keeps the offsets itself")
    return parameters


def _records(builder: Builder, node: Node, options: dict[str, ast.expr | str]) -> Frame:
    """Return the records, with the texts of those fields that are used."""
    for each in RATES:
        if each in builder.job.conf.old_settings():
            builder.note(
                f"`{each}` limits partitions by the second; the option `maxOffsetsPerTrigger` "
                "limits all of a batch"
            )
    if node in builder.positions:
        options["startingOffsets"] = builder.positions[node]
    code = reader(builder, "kafka", options).call("load")
    outputs = [output for output in builder.job.outputs if output.node is node]
    whole = any(reads_records(builder.module, output) for output in outputs)
    whole = whole or builder.batch_code
    used = FIELDS[1:] if _only_values(node) and not whole else FIELDS
    if len(used) == 1:
        builder.note("a key that is not UTF-8 fails no batch, as keys are not used")
    fields = {name: _decode_field(builder, node, name) for name in used}
    columns = {name: Column(field.type, name) for name, field in fields.items()}
    columns.setdefault("key", Column(Nullable(String()), "key"))
    element = struct((columns["key"], columns["value"]))
    reads = any(output.offsets is node for output in builder.job.outputs)
    reads = reads or (builder.job.reads_offsets and node.operator == SOURCE)
    extra = COLUMNS if reads else ()
    code = code.call(
        "select",
        *(Aliased(field, name) for name, field in fields.items()),
        *(f'"{each}"' for each in extra),
    )
    return Frame(code, over_columns(element, FIELDS), FIELDS, (*used, *extra))


def _decode_field(builder: Builder, node: Node, name: str) -> Expression:
    """Return what the decoder makes of the bytes of a field."""
    decoder = builder.arguments(node).get(f"{name}Decoder")
    raw = Column(Nullable(Binary()), name)
    if decoder is None or (
        isinstance(decoder, ast.Name) and (builder.module.path_of(decoder) in _UTF8)
    ):
        return Call(Nullable(String()), "decode", (raw, literal("UTF-8")))
    try:
        translation = builder.checked_translation(builder.translator(node).map(decoder, raw), node)
        if len(getattr(translation.type, "fields", ())):
            text = f"the {name}Decoder gives tuples or dictionaries"
            raise NotExpressible("DECODER", text, decoder)
        if builder.batch_code and any(isinstance(each, Binary) for each in walk(translation.type)):
            raise NotExpressible("DECODER", f"the {name}Decoder gives bytes", decoder)
    except NotExpressible:
        if not builder.batch_code:
            raise
        builder.decoders.setdefault(node, {})[name] = decoder
        return raw
    return translation.expression


def _only_values(node: Node) -> bool:
    """Return whether all that is made of the records are values: ``lambda record: record[1]``."""
    return bool(node.children) and all(
        (
            child.operator in ("map", "flatMap")
            and len(child.call.args) == 1
            and isinstance(child.call.args[0], ast.Lambda)
            and _takes_value(child.call.args[0])
        )
        or (child.operator == "transform" and _only_values(child))
        for child in node.children
    )


def _takes_value(function: ast.Lambda) -> bool:
    names = [argument.arg for argument in function.args.args]
    uses = [e for e in ast.walk(function.body) if isinstance(e, ast.Name) and e.id in names]
    values = [
        node.value
        for node in ast.walk(function.body)
        if isinstance(node, ast.Subscript)
        and isinstance(node.slice, ast.Constant)
        and node.slice.value == 1
    ]
    return len(names) == 1 and bool(uses) and all(use in values for use in uses)


def _assigned_partitions(builder: Builder, node: Node, start: str) -> dict[str, ast.expr | str]:
    """Return partitions and their first offsets."""
    arguments, reads = builder.arguments(node), builder.job.reads_offsets
    given, topics = arguments["fromOffsets"], arguments["topics"]
    offsets_found = offsets(given)
    written = ast.literal_eval(topics) if _is_literal(topics) else None
    if offsets_found is not None and written is not None and {*written} != {*offsets_found}:
        raise NotExpressible("OFFSETS", "the topics are not those of `fromOffsets`", topics)
    if offsets_found is None or written is None or reads:
        if any(_is_partition(builder, each) for each in ast.walk(builder.module.tree)):
            text = "a TopicAndPartition is used as more than the key of an offset"
            raise NotExpressible("OFFSETS", text, given)
        values = [builder.source(topics), builder.source(given), json.dumps(start)]
        values += [stream_key(builder, node)] if reads else []
        return {"**": f"{helper(builder, START)}({', '.join(values)})"}
    partitions = {topic: [int(each) for each in by] for topic, by in offsets_found.items()}
    return {
        "assign": f"'{_json(partitions, given)}'",
        "startingOffsets": f"'{_json(offsets_found, given)}'",
    }


def _is_partition(builder: Builder, node: ast.AST) -> bool:
    """Return whether a node names the class `TopicAndPartition`."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    return builder.module.is_old(node, "TopicAndPartition")


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple) and all(
        isinstance(element, ast.Constant) for element in node.elts
    )


def _json(value: object, node: ast.expr) -> str:
    text = json.dumps(value)
    if "'" in text or "\\" in text:
        raise NotExpressible("TOPICS", "a topic has a quote or a backslash", node)
    return text


def _topics(builder: Builder, node: ast.expr) -> str:
    match node:
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if elements and all(
            isinstance(element, ast.Constant) and isinstance(element.value, str)
            for element in elements
        ):
            return _quote(",".join(ast.literal_eval(element) for element in elements))
        case ast.List(elts=[one]) if not isinstance(one, ast.Starred):
            return builder.source(one)
        case ast.Call(
            func=ast.Attribute(value=ast.expr() as whole, attr="split"),
            args=[ast.Constant(value=",")],
        ):
            return builder.source(whole)
    return f'",".join({builder.source(node)})'


def _quote(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)
