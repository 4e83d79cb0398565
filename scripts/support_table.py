"""Writes docs/support.md, the table of supported names, and the table of sources in README.md.

The names are those of the installed `pyspark.streaming`, and of the connectors of older versions,
compared with what `dstream_compat` has today. `--check` writes nothing; the exit code is 1 if a
page is out of date.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple

from dstream_compat.source.base import Source
from dstream_compat.source.files.source import FileSource
from dstream_compat.source.kafka.source import DirectSource, ReceiverSource
from dstream_compat.source.kinesis.source import KinesisSource
from dstream_compat.source.queues.source import QueueSource
from dstream_compat.source.receivers.mqtt import MQTTSource
from dstream_compat.source.receivers.socket import SocketSource
from dstream_compat.source.tables.frames import FrameSource

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
SUPPORT = ROOT / "docs" / "support.md"
OLD_NAMES = ROOT / "tests" / "support" / "streaming" / "public_names_2_4.json"
BEGIN = "<!-- sources: written by scripts/support_table.py -->"
END = "<!-- sources: end -->"

YES = "yes"
NOT_YET = "not yet"
NO = "no"


class Guarantee(NamedTuple):
    """What a source promises in a job with a checkpoint folder that is killed at any moment.

    Parameters
    ----------
    source : str
        the function that makes the stream
    kind : type of Source
        what the function makes, which says whether it is replayable
    state : str
        how often state counts a record
    """

    source: str
    kind: type[Source]
    state: str


ONCE: Final = "exactly once"
RECEIVED: Final = (
    "once, if a batch has taken it; at least once with the write-ahead log, from its receipt on"
)

GUARANTEES: Final = (
    Guarantee("KafkaUtils.createDirectStream", DirectSource, ONCE),
    Guarantee("KafkaUtils.createStream", ReceiverSource, ONCE),
    Guarantee("KinesisUtils.createStream", KinesisSource, ONCE),
    Guarantee("textFileStream", FileSource, ONCE),
    Guarantee("binaryRecordsStream", FileSource, ONCE),
    Guarantee("queueStream", QueueSource, ONCE),
    Guarantee("from_dataframe", FrameSource, "as the DataFrame's sources"),
    Guarantee("socketTextStream", SocketSource, RECEIVED),
    Guarantee("MQTTUtils.createStream", MQTTSource, RECEIVED),
    Guarantee("MQTTUtils.createPairedStream", MQTTSource, RECEIVED),
    Guarantee("MQTTUtils.createPickleStream", MQTTSource, RECEIVED),
)

# How a docstring begins whose function does nothing but refuse.
_REFUSALS = ("Raise UnsupportedOperationError", "Raise UnsupportedSourceError")
_OURS = "Spark has it in Scala and Java only"

_MQTT = "with the extra `mqtt`; `storageLevel` has no effect"

REMARKS: Mapping[str, str] = {
    "DStream.cache": "only behind `transform()`: all other streams are computed once anyway",
    "DStream.checkpoint": "checked, and persists; the interval has no effect: state is made "
    "durable with every micro-batch",
    "DStream.explain": "new: which way each operator takes, and why",
    "DStream.from_dataframe": "new: a streaming DataFrame as a DStream",
    "DStream.foreachRDD": "methods, partials and callable objects work too",
    "DStream.mapWithState": _OURS,
    "DStream.persist": "like `cache`",
    "DStream.to_dataframe": "new: a DStream as a streaming DataFrame",
    "DStream.slice": "call `ssc.remember` before `start()`: without it a stream that only other "
    "operators read is not kept",
    "DStream.transform": "methods, partials and callable objects work too",
    "DStream.transformWith": "`keepSerializer` has no effect",
    "KafkaUtils.createDirectStream": "with Spark's Kafka connector",
    "KafkaUtils.createRDD": "with Spark's Kafka connector; `leaders` has no effect",
    "KafkaUtils.createStream": (
        "with Spark's Kafka connector; brokers are not found through ZooKeeper; `storageLevel` has "
        "no effect"
    ),
    "KinesisUtils.createStream": (
        "with the extra `kinesis`; `kinesisAppName`, `checkpointInterval`, `metricsLevel` and "
        "`storageLevel` have no effect"
    ),
    "MQTTUtils.createPairedStream": _MQTT,
    "MQTTUtils.createPickleStream": _MQTT,
    "MQTTUtils.createStream": _MQTT,
    "MapWithStateDStream.stateSnapshots": _OURS,
    "StreamingContext.socketTextStream": "`storageLevel` has no effect",
    "StreamingContext.queueStream": "also survives recovery from a checkpoint",
}
"""What a user should know of a name, in a few words."""


STATE = tuple(
    f"State.{name}" for name in ("exists", "get", "getOption", "update", "remove", "isTimingOut")
)
"""The names of Spark's class; ours has more, for inner use."""


@dataclass(frozen=True)
class Row:
    """One name of the API."""

    name: str
    parameters: str
    supported: str
    remark: str

    @property
    def owner(self) -> str:
        """The class that the name is in."""
        return self.name.partition(".")[0]


def rows() -> list[Row]:
    """Return the table, class by class, sorted by name."""
    import pyspark.streaming as real

    import dstream_compat as ours
    from dstream_compat.dstream import MapWithStateDStream

    found: list[Row] = []
    for name in ("StreamingContext", "DStream"):
        found += class_rows(name, getattr(real, name), getattr(ours, name))
    states = MapWithStateDStream
    found += class_rows(states.__name__, ours.DStream, states, inherited=False)
    found += class_rows("StateSpec", object, ours.StateSpec)
    found += [row for row in class_rows("State", object, ours.State) if row.name in STATE]
    found += class_rows("StreamingListener", real.StreamingListener, ours.StreamingListener)
    found += connector_rows()
    return [*found, *other_rows({row.owner for row in found}), *private_rows()]


def class_rows(name: str, real: type, ours: type, inherited: bool = True) -> Iterator[Row]:
    """Yield one row per public name of a class, those that only we have included."""
    for member in sorted({*public(real), *public(ours)} - (set() if inherited else public(real))):
        full = f"{name}.{member}"
        theirs, mine = getattr(real, member, None), getattr(ours, member, None)
        if inspect.isclass(theirs):
            continue  # tells Py4J what it may call
        if mine is None:
            yield Row(full, signature_of(theirs), NOT_YET, "")
        elif refuses(mine):
            yield refused_row(full, mine)
        else:
            difference = signature_remark(theirs, mine) if theirs is not None else ""
            remark = "; ".join(filter(None, [REMARKS.get(full, ""), difference]))
            yield Row(full, signature_of(mine), YES, remark)


def connector_rows() -> Iterator[Row]:
    """Yield one row per factory of streams in the connector modules."""
    import dstream_compat.flume
    import dstream_compat.kafka
    import dstream_compat.kinesis
    import dstream_compat.mqtt

    for module in (
        dstream_compat.kafka,
        dstream_compat.kinesis,
        dstream_compat.mqtt,
        dstream_compat.flume,
    ):
        for factory in factories(module):
            for member in sorted(public(factory)):
                name, function = f"{factory.__name__}.{member}", getattr(factory, member)
                if refuses(function):
                    yield refused_row(name, function)
                else:
                    yield Row(name, signature_of(function), YES, REMARKS.get(name, ""))


def other_rows(known: set[str]) -> Iterator[Row]:
    """Yield one row per class or function of Spark's modules that has no table of its own."""
    for module, names in spark_names().items():
        ours = importlib.import_module(f"dstream_compat.{module}")
        for name in names:
            if "." not in name and name not in known:
                thing, full = getattr(ours, name), f"Other names.{module}.{name}"
                refusal = refusal_of(thing) if inspect.isclass(thing) or refuses(thing) else ""
                if refusal:
                    yield Row(full, "", NO, refusal)
                else:
                    yield Row(full, signature_of(thing), YES, "")


def private_rows() -> Iterator[Row]:
    """Yield one row per private name of Spark's classes that only says why it is not there."""
    from dstream_compat.api import private_names
    from dstream_compat.names.refusals import Refused

    owners = {
        "StreamingContext": private_names.PrivateContextNames,
        "DStream": private_names.PrivateStreamNames,
    }
    for owner, names in owners.items():
        for name, thing in sorted(vars(names).items()):
            if isinstance(thing, Refused):
                yield Row(f"Private names.{owner}.{name}", "", NO, refusal_of(thing.__call__))


def spark_names() -> dict[str, list[str]]:
    """Return the names in Spark's streaming modules, those of
    2.4.8 and of the installed version.
    """
    from tests.support.streaming.public_names import read_folder

    old = json.loads(OLD_NAMES.read_text(encoding="utf-8"))
    import pyspark.streaming as real

    new = read_folder(Path(inspect.getfile(real)).parent)
    return {m: sorted({*old.get(m, ()), *new.get(m, ())}) for m in sorted({*old, *new})}


def refusal_of(thing: Any) -> str:
    """Return why a class or function cannot be used, and what to do instead, in one sentence."""
    from dstream_compat.exceptions import UnsupportedOperationError

    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    required = [p for p in parameters(thing).values() if p.kind in kinds and p.default is p.empty]
    try:
        thing(*(None for _ in required))
    except UnsupportedOperationError as error:
        return one_sentence(error)
    except (TypeError, ValueError, AttributeError):
        return ""  # what works does so with other arguments than these
    return ""


def factories(module: ModuleType) -> list[type]:
    """Return the classes of a module whose names end in `Utils`."""
    return [
        thing
        for name, thing in vars(module).items()
        if inspect.isclass(thing) and name.endswith("Utils")
    ]


def public(thing: type) -> set[str]:
    """Return the public names of a class, inherited ones included."""
    return {name for name in dir(thing) if not name.startswith("_")}


def refuses(function: Any) -> bool:
    """Return whether a function is there only to say that it is not supported."""
    return (inspect.getdoc(function) or "").startswith(_REFUSALS)


def one_sentence(error: Exception) -> str:
    """Return why the name that an error begins with is refused, and what to do instead."""
    why, _, instead = str(error).partition(": ")[2].partition(". ")
    if re.match("[A-Z][a-z]* ", instead):  # and no name in code
        instead = instead[0].lower() + instead[1:]
    return f"{why}: {instead}" if instead else why


def refused_row(name: str, function: Any) -> Row:
    """Return the row of a function that only refuses: its
    error says why, and what to do instead.
    """
    from dstream_compat.exceptions import UnsupportedOperationError

    required = [p for p in parameters(function).values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    try:
        function(*(None for _ in required))
    except UnsupportedOperationError as error:
        reason = one_sentence(error)
        return Row(name, "", NOT_YET if " yet" in reason else NO, REMARKS.get(name, reason))
    raise SystemExit(f"{name} says that it refuses, and does not")


def signature_remark(theirs: Any, mine: Any) -> str:
    """Return how the parameters differ from Spark's, if they do."""
    if not callable(theirs) or not callable(mine):
        return ""
    expected, found = list(parameters(theirs)), list(parameters(mine))
    missing = [name for name in expected if name not in found]
    if missing:
        return "without " + ", ".join(f"`{name}`" for name in missing)
    return "" if found[: len(expected)] == expected else "parameters in another order"


def parameters(function: Any) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a function."""
    return inspect.signature(function).parameters


def signature_of(function: Callable[..., Any]) -> str:
    """Return the signature of a function as one would write it; nothing for a property."""
    if not callable(function):
        return ""
    shown = [
        p.replace(annotation=p.empty, default=p.default if p.default is p.empty else Default(p))
        for p in parameters(function).values()
        if p.name != "self"
    ]
    return str(inspect.Signature(shown))


class Default:
    """The default of a parameter, shown as in the source."""

    def __init__(self, parameter: inspect.Parameter) -> None:
        self._value = parameter.default

    def __repr__(self) -> str:
        from pyspark import StorageLevel

        value = self._value
        if isinstance(value, StorageLevel):
            names = [name for name, level in vars(StorageLevel).items() if level == value]
            return f"StorageLevel.{names[0]}"
        return value.__name__ if isinstance(value, (FunctionType, type)) else repr(value)


def page(found: list[Row]) -> str:
    """Return the whole of docs/support.md."""
    lines = [
        "# What is supported",
        "",
        "Every public name of `pyspark.streaming`, and of the connectors that older versions had.",
        "[Semantics](semantics/README.md) describes what they do, batch by batch. This page is",
        "written by `scripts/support_table.py` from the code.",
        "",
        *summary(found),
    ]
    for owner in dict.fromkeys(row.owner for row in found):
        lines += ["", f"## {owner}", "", "| name | parameters | supported | remark |"]
        lines.append("|---|---|---|---|")
        for row in found:
            if row.owner == owner:
                name, shown = row.name.partition(".")[2], row.parameters[1:-1]
                shown = f"`{shown}`" if shown else ""
                lines.append(f"| `{name}` | {shown} | {row.supported} | {row.remark} |")
    return "\n".join([*lines, ""])


def summary(found: list[Row]) -> list[str]:
    """Return the table of classes: how much of each is supported, and what is not."""
    lines = ["| class | supported | without |", "|---|---|---|"]
    for owner in dict.fromkeys(row.owner for row in found):
        own = [row for row in found if row.owner == owner]
        there = sum(row.supported == YES for row in own)
        missing = [
            f"`{row.name.partition('.')[2]}`" + (" (not yet)" if row.supported == NOT_YET else "")
            for row in own
            if row.supported != YES
        ]
        lines.append(f"| `{owner}` | {there} of {len(own)} | {', '.join(missing)} |")
    return lines


def guarantees() -> str:
    """Return the table of sources; those with the same guarantee share a row."""
    rows: dict[tuple[bool, str], list[str]] = {}
    for one in GUARANTEES:
        rows.setdefault((one.kind.replayable, one.state), []).append(f"`{one.source}`")
    return "\n".join(
        [
            "| source | replayable | state counts a record |",
            "|---|---|---|",
            *(
                f"| {', '.join(names)} | {'yes' if replayable else 'no'} | {state} |"
                for (replayable, state), names in rows.items()
            ),
        ]
    )


def updated(readme: str, new: str) -> str:
    """Return README.md with a new table of sources between its two marks."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"README.md lacks the lines {BEGIN} and {END}")
    return f"{before}{begin}\n\n{new}\n\n{end}{after}"


def pages() -> dict[Path, str]:
    """Return what the two pages should say."""
    found = rows()
    return {
        README: updated(README.read_text(encoding="utf-8"), guarantees()),
        SUPPORT: page(found),
    }


def main(arguments: list[str] | None = None) -> int:
    """Update or check the pages; return the exit code."""
    parser = argparse.ArgumentParser(description="Write the support table.")
    parser.add_argument("--check", action="store_true", help="only say whether it is up to date")
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(ROOT))
    code = 0
    for path, new in pages().items():
        name = path.relative_to(ROOT)
        if path.exists() and path.read_text(encoding="utf-8") == new:
            print(f"{name}: the support table is up to date")
        elif options.check:
            print(f"{name}: out of date; run python scripts/support_table.py")
            code = 1
        else:
            path.write_text(new, encoding="utf-8")
            print(f"{name}: the support table is updated")
    return code


if __name__ == "__main__":
    sys.exit(main())
