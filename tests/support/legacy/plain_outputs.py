"""Examples that DStreams in Python cannot run, and what they give, computed by plain Python.

Kafka, Kinesis and MQTT have no connector there, and `mapWithState` is of Scala and Java.
``python -m tests.support.legacy.plain_outputs`` writes the recorded outputs anew.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from dstream_compat.testing import intervals
from dstream_compat.testing.results_writer import ResultsWriter
from dstream_compat.testing.values import encode
from tests.support.fenced import ROOT

FOLDER = ROOT / "tests" / "migrator" / "verify" / "recorded"
BEGIN = intervals.BEGIN // 1000
"""Seconds at which the manual clock begins."""
Batch = dict[str, Any]
Rows = dict[str, list[Any]]
"""What outputs give in a batch: by their kinds, with a number where there are several."""


def counts(texts: list[str], separator: str | None = " ") -> Counter[str]:
    return Counter(word for text in texts for word in text.split(separator))


def received(batches: list[Batch]) -> Iterator[Rows]:
    for batch in batches:
        words = counts([value for _, value in batch.get("kafka:words", [])])
        yield {"pprint 1": [*words.items()]}


def direct(batches: list[Batch]) -> Iterator[Rows]:
    ends = {"headlines": 0, "words": 0}
    for batch in batches:
        given = {topic: batch.get(f"kafka:{topic}", []) for topic in ends}
        messages = [(key, value) for part in given.values() for key, value in part]
        offsets = [f"{topic}[0] {end} -> {end + len(given[topic])}" for topic, end in ends.items()]
        ends = {topic: end + len(given[topic]) for topic, end in ends.items()}
        yield {
            "pprint 1": [*counts([value for _, value in messages]).items()],
            "foreachRDD 1": messages,
            "printed 1": offsets,
        }


def kinesis(batches: list[Batch]) -> Iterator[Rows]:
    totals: Counter[str] = Counter()
    for batch in batches:
        words: Counter[str] = Counter()
        for data in batch.get("kinesis:notes", []):
            if data.startswith('{"text"'):
                words.update(json.loads(data)["text"].lower().split())
        totals.update(words)
        yield {
            "pprint 1": [*words.items()],
            "pprint 2": [f"{word} so far: {n}" for word, n in totals.items()],
            "state 1": [*totals.items()],
        }


def mqtt(batches: list[Batch]) -> Iterator[Rows]:
    for batch in batches:
        yield {"pprint 1": [*counts(batch.get("mqtt:notes", []), None).items()]}


def rolling(batches: list[Batch], window: int = 3, slide: int = 2) -> Iterator[Rows]:
    last: dict[str, list[float]] = defaultdict(list)
    base: dict[str, float] = {}
    warned: list[list[str]] = []
    for number, batch in enumerate(batches, 1):
        statistics, warnings = [], []
        warned.append([])
        for line in batch.get("socket:9999", []):
            symbol, _, text = line.partition(" ")
            if not text.replace(".", "").isdigit():
                continue
            symbol, price = symbol.upper(), float(text)
            last[symbol] = kept = [*last[symbol], price][-5:]
            statistics.append((symbol, min(kept), max(kept), round(sum(kept) / len(kept), 2)))
            move = round(price - base.setdefault(symbol, price), 2)
            if abs(move) > 2:
                base[symbol] = price
                warned[-1].append(symbol)
                warnings.append(f"warning: {symbol} {move:+.2f} at :{(BEGIN + number) % 60:02}")
        found: Rows = {"pprint 1": statistics, "pprint 2": warnings}
        if number % slide == 0:
            total = Counter(symbol for batch in warned[-window:] for symbol in batch)
            text = f"warnings of the last {window} seconds"
            found["pprint 3"] = [f"{text}: {symbol} {n}" for symbol, n in total.items()]
        yield found | {"state 1": [*last.items()], "state 2": [*base.items()]}


def recording(interval: float, *batches: Batch) -> dict[str, Any]:
    sources: dict[str, Any] = {source: {} for batch in batches for source in batch}
    return {"sources": sources, "interval": interval, "batches": list(batches)}


WORDS = [[None, "a b b"], ["key", "b"], [None, "two  blanks"]]
Plain = Callable[[list[Batch]], Iterator[Rows]]
JOBS: dict[str, tuple[tuple[str, ...], dict[str, Any], Plain]] = {
    "kafka_receiver_wordcount.py": (
        ("zookeeper:2181", "words"),
        recording(5, {"kafka:words": WORDS}, {}, {"kafka:words": WORDS[:1]}),
        received,
    ),
    "direct_kafka_wordcount.py": (
        ("broker:9092", "words,headlines"),
        recording(
            2,
            {"kafka:words": WORDS},
            {},
            {"kafka:headlines": [["k", "a c"]], "kafka:words": WORDS[:1]},
            {"kafka:headlines": [[None, ""]]},
        ),
        direct,
    ),
    "kinesis_wordcount.py": (
        ("app", "notes", "url", "region", "checkpoint"),
        recording(
            2,
            {"kinesis:notes": ['{"text": "A b b"}', "no JSON", '{"other": "a"}', "[1]"]},
            {},
            {"kinesis:notes": ['{"text": "c  B"}', '{"text": ""}']},
        ),
        kinesis,
    ),
    "mqtt_wordcount.py": (
        ("tcp://broker:1883", "notes"),
        recording(2, {"mqtt:notes": ["a b  b", ""]}, {}, {"mqtt:notes": ["b"]}),
        mqtt,
    ),
    "rolling_statistics.py": (
        ("localhost", "9999", "3", "2"),
        recording(
            1,
            {"socket:9999": ["acme 12.50", "ACME 14.75", "Umbra 7", "nothing", "ACME x"]},
            {"socket:9999": ["ACME 14.80", "UMBRA 4.50", "UMBRA 9.25"]},
            {},
            {"socket:9999": [f"ACME {price}" for price in (14.9, 11, 11.5, 11.25, 20)]},
            {"socket:9999": ["Tyrell 1"]},
            {},
            {"socket:9999": ["tyrell 3"]},
            {"socket:9999": ["tyrell 3.01"]},
        ),
        rolling,
    ),
}


def recorded(script: str) -> Path:
    """Return the file of the recorded outputs of a job."""
    return FOLDER / f"{Path(script).stem}.jsonl"


def write(script: str, path: Path) -> None:
    """Write what a job gives, in the form of ``migrate verify --expected``."""
    arguments, given, plain = JOBS[script]
    rows = [*plain(given["batches"])]
    header = {"engine": "python", "job": script, "args": arguments, "interval": given["interval"]}
    writer = ResultsWriter(path, header)
    names = sorted({name for batch in rows for name in batch})
    numbers = {name: writer.output(name, name.partition(" ")[0], "") for name in names}
    writer.begin()
    for number, batch in enumerate(rows, 1):
        for name, found in batch.items():
            writer.rows(number, numbers[name], [encode(one) for one in found])
    writer.end("stopped", None, 0, 0)


if __name__ == "__main__":
    for name in JOBS:
        write(name, recorded(name))
