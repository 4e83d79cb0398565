"""What a result has for what its batches leave to later ones, as source: mostly functions.

They use no builtin that a star import of `pyspark.sql.functions` or of NumPy hides.
"""

from __future__ import annotations

import ast
import builtins
import json
import re
from typing import Final

from ..program.graph import Node
from .builder import Builder
from .standard import import_of_file

SAVE: Final = "save_batch"
SAVED: Final = "saved_batches"
UPDATE: Final = "update_state"
MAP: Final = "map_with_state"
REDUCE: Final = "reduce_window"
OFFSETS: Final = "kafka_records"
BYTES: Final = "bytes_of"
ENDS: Final = "kafka_ends"
START: Final = "kafka_start"
EXPORTED: Final = "exported_state"
MQTT_MESSAGES: Final = "mqtt_messages"
MQTT_RECORDS: Final = "mqtt_records"

_BEGIN = (", stream):", "    kafka_ends[stream] = {**offsets}\n")
"""What a helper takes and does if the job reads offsets, too."""
_SOURCES: Final = {
    ENDS: """\
# the offsets up to which each stream has been read, by topic and partition
kafka_ends = {}
""",
    START: '''\
def kafka_start(topics, offsets, start, stream):
    """Return the options of Kafka's source that begins at some offsets, else at its `start`.

    The offsets are those of pairs of a topic and a partition.
    """
    if not offsets:
        return {"subscribe": ",".join(topics), "startingOffsets": start}
    kafka_ends[stream] = {**offsets}
    partitions, positions = {}, {}
    for (topic, partition), offset in offsets.items():
        partitions.setdefault(topic, []).append(partition)
        positions.setdefault(topic, {})[partition] = offset
    return {"assign": json.dumps(partitions), "startingOffsets": json.dumps(positions)}
''',
    BYTES: '''\
def bytes_of(field):
    """Return the bytes of a field of Kafka, of which Spark makes a bytearray before 4.1."""
    return bytes(field) if isinstance(field, bytearray) else field
''',
    OFFSETS: '''\
def kafka_records(batch, stream, decode=lambda row: (row.key, row.value)):
    """Return the RDD of the keys and values of a batch, which knows the offsets of its records.

    A partition without new records has an empty range where its last one has ended.
    """
    first, end = F.min("offset").alias("fromOffset"), (F.max("offset") + 1).alias("untilOffset")
    rows = batch.groupBy("topic", "partition").agg(first, end).collect()
    ends = kafka_ends.setdefault(stream, {})
    ranges = {
        (topic, partition): Row(topic=topic, partition=partition, fromOffset=at, untilOffset=at)
        for (topic, partition), at in ends.items()
    }
    ranges.update({(row.topic, row.partition): row for row in rows})
    ends.update({place: row.untilOffset for place, row in ranges.items()})
    rdd = batch.rdd.map(decode)
    rdd.offsetRanges = lambda: [ranges[place] for place in sorted(ranges)]
    return rdd
''',
    MQTT_MESSAGES: '''\
def mqtt_messages(url, topic):
    """Return a queue that gets the messages of a topic from now on, as texts."""
    messages, address, port = SimpleQueue(), urlsplit(url), 1883
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    client.enable_logger()
    if address.scheme == "ssl":
        client.tls_set()
        port = 8883

    def subscribe(client, data, flags, reason, properties):
        client.subscribe(topic, 1)

    def keep(client, data, message):
        messages.put(message.payload.decode("utf-8", "replace"))

    client.on_connect, client.on_message = subscribe, keep
    # it connects again, also if there is no broker yet
    client.connect_async(address.hostname, address.port or port)
    client.loop_start()
    return messages
''',
    MQTT_RECORDS: '''\
def mqtt_records(context, messages):
    """Return the RDD of the messages that have come since the batch before."""
    records = [messages.get() for _ in range(messages.qsize())]
    # as of a receiver, without partitions if there are none
    return context.parallelize(records) if records else context.emptyRDD()
''',
    "hadoop_path": '''\
def hadoop_path(context, folder):
    """Return a folder as a path of Hadoop, and the file system that has it."""
    path = context._jvm.org.apache.hadoop.fs.Path(folder)
    return path, path.getFileSystem(context._jsc.hadoopConfiguration())
''',
    SAVE: '''\
def save_batch(rdd, folder, number, kept):
    """Save the RDD of a batch by its number, and delete the one that is `kept` batches older.

    A batch that Spark repeats has the same number, and takes the place of what it has saved.
    """
    for each in (number, number - kept):
        path, files = hadoop_path(rdd.context, f"{folder}/{each}")
        files.delete(path, True)
    if rdd.getNumPartitions() == 0:
        # it would have no file to be read again
        rdd = rdd.context.parallelize([], 1)
    rdd.saveAsPickleFile(f"{folder}/{number}")
''',
    SAVED: '''\
def saved_batches(context, folder, first, last):
    """Return what batches have saved, one after another; there is none before number 0."""
    rdds = []
    for number in range(first if first > 0 else 0, last + 1):
        path, files = hadoop_path(context, f"{folder}/{number}")
        if not files.exists(path):
            raise FileNotFoundError(
                f"{folder}/{number} is missing, which batch {number} has saved: restore it, or "
                "start with an empty checkpoint folder"
            )
        # the partitions in their order, none of them in parts
        rdds.append(context.pickleFile(f"{folder}/{number}/part-*", 1))
    return context.union(rdds)
''',
    EXPORTED: '''\
def exported_state(session, folder, number):
    """Return the states of an export, with which batch 0 begins; None for later batches."""
    if number > 0:
        return None

    def plain(value):
        # rows are the tuples that they were
        if isinstance(value, tuple):
            return tuple([plain(each) for each in value])
        if isinstance(value, list):
            return [plain(each) for each in value]
        if isinstance(value, dict):
            return {plain(key): plain(each) for key, each in value.items()}
        return bytes(value) if isinstance(value, bytearray) else value

    rows = session.read.parquet(folder)
    if rows.columns == ["pickled"]:
        return rows.rdd.map(lambda row: pickle.loads(row.pickled))
    return rows.rdd.map(plain)
''',
    UPDATE: '''\
def update_state(pairs, function, folder, number, partitions=None, initial=None):
    """Return the state of each key, which a function makes of new values and the old state."""
    context = pairs.context
    if number > 0:
        before = saved_batches(context, folder, number - 1, number - 1)
    else:
        before = initial or context.parallelize([])

    def updated(states_and_values):
        states, values = states_and_values
        return function(list(values), next(iter(states), None))

    states = before.cogroup(pairs, partitions or context.defaultParallelism).mapValues(updated)
    save_batch(states.filter(lambda pair: pair[1] is not None), folder, number, 2)
    return saved_batches(context, folder, number, number)
''',
    "State": '''\
class State:
    """The state of a key, as a function is given it for each record."""

    def __init__(self, values, timing_out=False):
        # no value or one
        self.values = values
        self.timing_out = timing_out
        self.updated = False
        self.removed = False

    def exists(self):
        return self.values != []

    def get(self):
        return self.values[0]

    def getOption(self):
        return self.values[0] if self.values else None

    def isTimingOut(self):
        return self.timing_out

    def update(self, value):
        self.check()
        self.values, self.updated = [value], True

    def remove(self):
        self.check()
        self.values, self.updated, self.removed = [], False, True

    def check(self):
        if self.timing_out or self.removed:
            raise ValueError("a state that times out or has been removed cannot change")
''',
    MAP: '''\
def map_with_state(pairs, function, folder, number, partitions=None, initial=None, timeout=None):
    """Return what a function gives for each record and the state of its key.

    A state that has not changed for `timeout` seconds is given to the function, and is gone.
    """
    context = pairs.context
    now = datetime.now().timestamp()
    if number > 0:
        before = saved_batches(context, folder, number - 1, number - 1)
        before = before.flatMap(lambda step: step[0])
    else:
        before = (initial or context.parallelize([])).mapValues(lambda state: ([state], now))

    def step(pair):
        key, (states, values) = pair
        kept, changed = next(iter(states), ([], now))
        given, values = [], list(values)
        for value in values:
            state = State(kept)
            given.append(function(key, value, state))
            kept = state.values
            if state.updated or timeout is not None:
                changed = now
        if kept and not values and timeout is not None and changed + timeout < now:
            given.append(function(key, None, State(kept, True)))
            kept = []
        return [(key, (kept, changed))] if kept else [], given

    steps = before.cogroup(pairs, partitions or context.defaultParallelism).map(step)
    save_batch(steps, folder, number, 2)
    return saved_batches(context, folder, number, number).flatMap(lambda step: step[1])
''',
    REDUCE: '''\
def reduce_window(
    context, function, inverse, folder, number, length, slide, partitions=None, kept=None
):
    """Return the reduced values of the last batches, made of the window before.

    The inverse function takes out what has left it. Keys stay, as long as `kept` holds for them.
    """
    partitions = partitions or context.defaultParallelism

    def reduced(first, last):
        rdd = saved_batches(context, f"{folder}/batches", first, last)
        return rdd.reduceByKey(function, partitions)

    if length < 5 * slide or number < slide:
        window = reduced(number - length + 1, number)
    else:
        before = number // slide - 1
        window = saved_batches(context, f"{folder}/windows", before, before)
        if number >= length:
            left = reduced(number - length - slide + 1, number - length)
            window = window.leftOuterJoin(left, partitions).mapValues(
                lambda both: both[0] if both[1] is None else inverse(*both)
            )
        window = window.union(reduced(number - slide + 1, number))
        window = window.reduceByKey(function, partitions)
    save_batch(window.filter(kept) if kept else window, f"{folder}/windows", number // slide, 2)
    return saved_batches(context, f"{folder}/windows", number // slide, number // slide)
''',
}
HELPERS: Final = frozenset(_SOURCES)
"""The names of these functions, if a job has none of them itself."""

_IMPORTS = {
    "datetime.": "datetime.datetime",
    "json.": "json",
    "mqtt.": "paho.mqtt.client",
    "pickle.": "pickle",
    "Row(": "pyspark.sql.Row",
    "SimpleQueue(": "queue.SimpleQueue",
    "urlsplit(": "urllib.parse.urlsplit",
}
"""How helpers write what they import, and what that is."""
_FUNCTIONS = re.compile(r"\bF\.")
_WORD = re.compile(r"\b(?:" + "|".join(_SOURCES) + r")\b")


def source_of(name: str) -> str:
    """Return the source of a helper, below that of all that it calls."""
    called: set[str] = set()
    waiting = [name]
    while waiting:
        each = waiting.pop()
        called.add(each)
        waiting += {*_WORD.findall(_SOURCES[each])} - called
    return "\n\n".join(source for each, source in _SOURCES.items() if each in called)


def helper(builder: Builder, name: str) -> str:
    """Return the name of a helper in the result, which has it and all that it calls from now on."""
    source = _SOURCES[name]
    if name == START and not builder.job.reads_offsets:
        parameter, begin = _BEGIN
        source = source.replace(parameter, "):").replace(begin, "")
    names = {each: _helper_name(builder, each) for each in dict.fromkeys(_WORD.findall(source))}
    source = _WORD.sub(lambda match: names[match[0]], source)
    if names[name] not in builder.helpers:
        for each in ast.walk(ast.parse(source)):
            if isinstance(each, ast.Name) and hasattr(builtins, each.id):
                builder.builtin(each.id)
        source = _FUNCTIONS.sub(f"{builder.printer.functions}.", source)
        for use, path in _IMPORTS.items():
            if use in source:
                source = source.replace(use, f"{import_of_file(builder, path)}{use[-1]}")
        builder.helpers[names[name]] = source
        for each in names:
            helper(builder, each)
        # what is called stands above
        order = [*map(builder.helper_names.get, _SOURCES)]
        builder.helpers = {e: builder.helpers[e] for e in order if e in builder.helpers}
    return names[name]


def stream_key(builder: Builder, node: Node) -> str:
    """Return the text by which helpers know a direct stream, as source: its variable if it can."""
    nodes = [each for each in builder.job.nodes if each.operator == node.operator]
    names = [each.name for each in nodes]
    is_own = node.name and names.count(node.name) == 1
    return json.dumps(node.name if is_own else f"stream {nodes.index(node) + 1}")


def _helper_name(builder: Builder, name: str) -> str:
    """Return the name of a helper, which is another one if the job has that."""
    names = builder.helper_names
    if name not in names:
        names[name] = builder.module.free_name(name)
    return names[name]
