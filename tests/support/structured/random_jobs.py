"""Random jobs of DStreams, of a seed, with what they read.

``python -m tests.support.structured.random_jobs SEED`` prints the job of a seed, and what becomes
of it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.structured.random_code import CLASHING, Code, Kind, is_pair, places

WORDS = ("a", "b", "ab", "spark", "7", "10", "x,y", "É", "ß", "ERROR", "a:1", "-3", "\t", "")
BROKERS = {"metadata.broker.list": "broker:9092"}


@dataclass(frozen=True)
class Stream:
    """A stream of a job: its name, the kind of its records, and what the path to it has."""

    name: str
    kind: Kind
    source: str
    slide: int = 1
    has_state: bool = False


@dataclass
class RandomJob:
    """A job and its input.

    Parameters
    ----------
    seed : int
        what it was made of
    text : str
        the program
    recording : dict
        its sources and batches
    """

    seed: int
    text: str
    recording: dict[str, Any] = field(default_factory=dict)


class _Maker:
    """Writes one job."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.code = Code(self.random)
        self.interval = self.random.choice((1, 1, 2))
        self.functions: list[str] = []
        self.constants: list[str] = []
        self.known: dict[str, Kind] = {}
        self.body: list[str] = []
        self.streams: list[Stream] = []
        self.sources: dict[str, dict[str, Any]] = {}
        self.imports: set[str] = set()
        self.needs_checkpoint = False
        self._taken = {"sc", "ssc", "main", "lambda"}

    def fresh(self, plain: str) -> str:
        """Return a name of the job that nothing has; often one that a rewriting would like."""
        names = [name for name in CLASHING if name not in self._taken]
        name = self.random.choice(names) if self.random.random() < 0.4 else plain
        number = 2
        while name in self._taken:
            name, number = f"{plain}_{number}", number + 1
        self._taken.add(name)
        return name

    def make(self) -> str:
        """Return the program."""
        for plain, value in (("LIMIT", 2), ("MARK", "a"), ("offset", 1)):
            if self.random.random() < 0.3:
                name = self.fresh(plain)
                self.constants.append(f"{name} = {value!r}")
                self.known[name] = "int" if isinstance(value, int) else "str"
        for _ in range(self.random.choice((1, 1, 1, 2))):
            self._source()
        for _ in range(self.random.randint(1, 4)):
            self._step()
        outputs = {self.streams[-1], *self.random.sample(self.streams, 1)}
        for stream in sorted(outputs, key=lambda each: each.name):
            self._output(stream)
        return self._program()

    def _program(self) -> str:
        setting = [f"ssc = StreamingContext(sc, {self.interval})"]
        if self.needs_checkpoint:
            setting.append('ssc.checkpoint("checkpoint")')
        body = ['sc = SparkContext(appName="Random")', *setting, *self.body]
        body += ["ssc.start()", "ssc.awaitTermination()"]
        head = [
            "from pyspark import SparkContext",
            "from pyspark.streaming import StreamingContext",
        ]
        head += sorted(self.imports)
        style = self.random.random()
        if style < 0.3:
            body = ["", "def main():", *(f"    {line}" for line in body)]
            body += ["", "", 'if __name__ == "__main__":', "    main()"]
        elif style < 0.45 and self.needs_checkpoint:
            body = [
                "",
                "def create():",
                *(f"    {line}" for line in body[:-2]),
                "    return ssc",
                "",
                "",
            ]
            body += ['ssc = StreamingContext.getOrCreate("checkpoint", create)']
            body += ["ssc.start()", "ssc.awaitTermination()"]
        functions = [f"\n{text}\n" for text in self.functions]
        return "\n".join([*head, "", *self.constants, *functions, *body, ""])

    def _source(self) -> None:
        number = len(self.sources)
        kind = self.random.choice(("socket", "file", "file", "kafka"))
        name = self.fresh("lines")
        if kind == "socket":
            source, call = f"socket:999{number}", f'ssc.socketTextStream("localhost", 999{number})'
        elif kind == "file":
            source, call = f"file:in{number}", f'ssc.textFileStream("in{number}")'
        else:
            source = f"kafka:topic{number}"
            self.imports.add("from pyspark.streaming.kafka import KafkaUtils")
            call = f'KafkaUtils.createDirectStream(ssc, ["topic{number}"], {BROKERS})'
            call += ".map(lambda message: message[1])"
        self.sources[source] = {}
        self.body.append(f"{name} = {call}")
        self.streams.append(Stream(name, "str", source))

    def _step(self) -> None:
        parent = self.random.choice(self.streams[-2:])
        calls, stream = self._calls(parent)
        name = self.fresh("records")
        self.body.append(f"{name} = {parent.name}{calls}")
        self.streams.append(
            Stream(name, stream.kind, stream.source, stream.slide, stream.has_state)
        )

    def _calls(self, stream: Stream) -> tuple[str, Stream]:
        text = ""
        for _ in range(self.random.choice((1, 1, 2))):
            call, stream = self._call(stream)
            text += call
        return text, stream

    def _call(self, stream: Stream) -> tuple[str, Stream]:
        makers = [self._map, self._map, self._filter, self._filter]
        if stream.kind == "str":
            makers += [self._flat_map, self._flat_map]
        if is_pair(stream.kind):
            makers += [self._by_key, self._by_key, self._values, self._join]
            makers += [] if stream.has_state else [self._state, self._window_by_key]
        elif not stream.has_state:
            makers.append(self._window)
        makers.append(self._whole)
        return self.random.choice(makers)(stream)

    def _function(self, kind: Kind, made: Kind, body: str = "") -> str:
        """Return a function of a record: a lambda, or one of the module."""
        name = self.code.name()
        if self.random.random() < 0.65:
            text = body.replace("RECORD", name) or self._of(made, name, kind)
            return f"lambda {name}: {text}"
        own = self.fresh("parse")
        name = self.code.name()
        known = {each: its for each, its in self.known.items() if each != name}
        lines = [f"return {body.replace('RECORD', name) or self._of(made, name, kind)}"]
        if not body:
            lines = self.code.statements(made, known | places(name, kind))
        text = "".join(f"\n    {line}" for line in lines)
        self.functions.append(f"def {own}({name}):{text}")
        return own

    def _of(self, made: Kind, name: str, kind: Kind) -> str:
        """Return an expression of a record, and of constants that its name does not hide."""
        known = {each: its for each, its in self.known.items() if each != name}
        return self.code.of(made, known | places(name, kind))

    def _map(self, stream: Stream) -> tuple[str, Stream]:
        kind = self.code.kind()
        return f".map({self._function(stream.kind, kind)})", self._as(stream, kind)

    def _filter(self, stream: Stream) -> tuple[str, Stream]:
        return f".filter({self._function(stream.kind, 'bool')})", stream

    def _flat_map(self, stream: Stream) -> tuple[str, Stream]:
        body = self.random.choice(
            (
                *("RECORD.split(' ')", "RECORD.split()", "RECORD.split(',')"),
                *("[RECORD, RECORD[:1]]", "[each for each in RECORD.split(' ') if each != 'a']"),
                *("[each.upper() for each in RECORD.split(',')]", "RECORD.strip().split('a')"),
            )
        )
        return f".flatMap({self._function('str', 'str', body)})", self._as(stream, "str")

    def _join(self, stream: Stream) -> tuple[str, Stream]:
        key, value = stream.kind
        others = [
            each
            for each in self.streams
            if is_pair(each.kind) and each.kind[0] == key and each.slide == stream.slide
        ]
        if stream.has_state or not others:
            return self._values(stream)
        other = self.random.choice(others)
        return f".join({other.name})", self._as(stream, (key, (value, other.kind[1])))

    def _values(self, stream: Stream) -> tuple[str, Stream]:
        key, value = stream.kind
        if value == "str" and self.random.random() < 0.3:
            return ".flatMapValues(lambda value: value.split(' '))", stream
        made = self.code.kind(0)
        return f".mapValues({self._function(value, made)})", self._as(stream, (key, made))

    def _reducer(self, kind: Kind) -> str:
        return f"lambda a, b: {self.code.combining(kind, 'a', 'b')}"

    def _by_key(self, stream: Stream) -> tuple[str, Stream]:
        key, value = stream.kind
        if value == "int" and self.random.random() < 0.3:
            own = self.random.choice(("sum", "max", "min", "len"))
            return f".groupByKey().mapValues({own})", self._as(stream, (key, "int"))
        return f".reduceByKey({self._reducer(value)})", stream

    def _whole(self, stream: Stream) -> tuple[str, Stream]:
        kind = stream.kind
        choice = self.random.choice(("count", "countByValue", "distinct", "sorted", "union"))
        if choice == "count":
            return ".count()", self._as(stream, "int")
        if choice == "countByValue":
            return ".countByValue()", self._as(stream, (kind, "int"))
        if choice == "distinct":
            return ".transform(lambda rdd: rdd.distinct())", stream
        if choice == "sorted" and is_pair(kind):
            return ".transform(lambda rdd: rdd.sortByKey())", stream
        others = [each for each in self.streams if each.kind == kind and each.slide == stream.slide]
        if choice == "union" and others and not stream.has_state:
            return f".union({self.random.choice(others).name})", stream
        return f".reduce({self._reducer(kind)})", stream

    def _durations(self) -> tuple[int, int]:
        slide = self.random.choice((1, 1, 2, 3))
        length = self.random.choice((slide, slide * 2, slide + 1, slide * 5))
        return length * self.interval, slide * self.interval

    def _window_by_key(self, stream: Stream) -> tuple[str, Stream]:
        length, slide = self._durations()
        self.needs_checkpoint = True
        value = stream.kind[1]
        if value == "int" and self.random.random() < 0.4:
            functions = "lambda a, b: a + b, lambda a, b: a - b"
        else:
            functions = f"{self._reducer(value)}, None"
        call = f".reduceByKeyAndWindow({functions}, {length}, {slide})"
        return call, self._as(stream, stream.kind, slide)

    def _window(self, stream: Stream) -> tuple[str, Stream]:
        length, slide = self._durations()
        self.needs_checkpoint = True
        choice = self.random.choice(("window", "countByWindow", "countByValueAndWindow", "reduce"))
        if choice == "window":
            return f".window({length}, {slide})", self._as(stream, stream.kind, slide)
        if choice == "reduce":
            call = f".reduceByWindow({self._reducer(stream.kind)}, None, {length}, {slide})"
            return call, self._as(stream, stream.kind, slide)
        made: Kind = "int" if choice == "countByWindow" else (stream.kind, "int")
        return f".{choice}({length}, {slide})", self._as(stream, made, slide)

    def _state(self, stream: Stream) -> tuple[str, Stream]:
        key, value = stream.kind
        self.needs_checkpoint = True
        new, old = self.random.choice((("new", "old"), ("values", "state"), ("rows", "total")))
        bodies = [f"len({new}) + ({old} or 0)"]
        if value == "int":
            bodies += [
                f"sum({new}) + ({old} or 0)",
                f"sum({new}, {old} or 0)",
                f"max({new} + [{old}]) if {old} is not None else max({new})",
            ]
        body = self.random.choice(bodies)
        made = self._as(stream, (key, "int"), has_state=True)
        if self.random.random() < 0.5:
            return f".updateStateByKey(lambda {new}, {old}: {body})", made
        own = self.fresh("update")
        self.functions.append(f"def {own}({new}, {old}):\n    return {body}")
        return f".updateStateByKey({own})", made

    def _as(
        self, stream: Stream, kind: Kind, slide: int | None = None, has_state: bool = False
    ) -> Stream:
        stateful = stream.has_state or has_state or slide is not None
        return replace(stream, kind=kind, slide=slide or stream.slide, has_state=stateful)

    def _output(self, stream: Stream) -> None:
        name = self.random.choice(("rdd", "batch", "F", "spark", "records"))
        show = f"for each in sorted({name}.collect()):\n        print(each)"
        choice = self.random.randrange(8)
        if choice < 3:
            self.body.append(f"{stream.name}.pprint({self.random.choice(('', '3', '100'))})")
        elif choice == 3:
            self.body.append(f"{stream.name}.foreachRDD(lambda {name}: print({name}.count()))")
        elif choice == 4:
            sender, own = self.fresh("send"), self.fresh("show")
            self.functions.append(f"def {sender}(rows):\n    for each in rows:\n        str(each)")
            self.functions.append(f"def {own}({name}):\n    {name}.foreachPartition({sender})")
            self.body.append(f"{stream.name}.foreachRDD({own})")
        else:
            own = self.fresh("show")
            text = f"if not {name}.isEmpty():\n        print('some', {name}.count())"
            time = self.random.choice(("", "", "time, "))
            body = {5: show, 6: text}.get(choice, self._actions(name, stream.kind))
            self.functions.append(f"def {own}({time}{name}):\n    {body}")
            self.body.append(f"{stream.name}.foreachRDD({own})")

    def _actions(self, name: str, kind: Kind) -> str:
        """Return statements of a function of batches that compute something of its RDD."""
        lines = [f"print({name}.filter({self._function(kind, 'bool')}).count())"]
        if kind == "int":
            lines += [f"if not {name}.isEmpty():", f"    print({name}.sum(), {name}.max())"]
        elif is_pair(kind) and kind[1] == "int":
            reducer = self._reducer("int")
            lines.append(f"print(sorted({name}.reduceByKey({reducer}).collect()))")
        else:
            lines.append(f"print({name}.distinct().count())")
        return "\n    ".join(lines)

    def input(self) -> dict[str, Any]:
        """Return recorded batches, with an empty one in the middle and one at the end."""
        batches: list[dict[str, Any]] = []
        for number in range(6):
            batch: dict[str, Any] = {}
            for source in self.sources if number not in (2, 5) else ():
                if self.random.random() < 0.85:
                    lines = [self._line() for _ in range(self.random.randint(1, 6))]
                    is_file = source.startswith("file:")
                    batch[source] = {f"{number}.txt": lines} if is_file else lines
            batches.append(batch)
        return {"interval": self.interval, "sources": self.sources, "batches": batches}

    def _line(self) -> str:
        words = [self.random.choice(WORDS) for _ in range(self.random.randint(1, 4))]
        return self.random.choice((" ", " ", ",", "  ")).join(words)


def random_job(seed: int) -> RandomJob:
    """Return the job of a seed."""
    maker = _Maker(seed)
    return RandomJob(seed, maker.make(), maker.input())


def main() -> None:
    """Print the job of a seed, and its rewriting or why it stays."""
    job = random_job(int(sys.argv[1]))
    found = rewrite(job.text)
    print(job.text)
    print(job.recording)
    print(found.text if isinstance(found, Rewritten) else found)


if __name__ == "__main__":
    main()
