"""Writes the classes of `transformWithState` that keep the slices of a window."""

from __future__ import annotations

import builtins
import keyword
from dataclasses import dataclass

from dstream_compat.native.schemas import schema
from dstream_compat.native.types import (
    Binary,
    Boolean,
    Date,
    Double,
    Long,
    String,
    Timestamp,
    Type,
    present,
)

FUNCTIONS = {"sum": "sum", "max": "max", "min": "min", "bool_or": "any", "bool_and": "all"}
"""Python's functions by Spark's aggregates."""
TAKEN = frozenset(("self", "key", "rows", "row", "slices", "end", "handle"))


def sql_type(kind: Type) -> str | None:
    """Return a type as schemas write it, None if a window keeps no such values."""
    match present(kind):
        case Long() | String() | Double() | Boolean() as plain:
            return str(schema(plain)).upper().replace("BIGINT", "LONG")
        case Binary() | Timestamp() | Date() as plain:
            return {Binary: "BINARY", Timestamp: "TIMESTAMP_NTZ", Date: "DATE"}[type(plain)]
    return None


@dataclass(frozen=True)
class WindowValue:
    """A value of a window.

    Parameters
    ----------
    name : str
        its column
    sql : str
        its type in a schema
    function : str
        Python's function of the values of rows, ``count`` for their number
    """

    name: str
    sql: str
    function: str
    column: str = ""


@dataclass(frozen=True)
class Slices:
    """What a class keeps of a window.

    Parameters
    ----------
    values : tuple of Value
        what is given for each key
    as_rows : bool
        whether each key is given as often as it occurs, instead of its values
    keeps_empty : bool
        whether keys may stay when their window is empty
    panes : bool
        whether the window may be no multiple of the slide
    fractions : bool
        whether durations may be fractions of a second
    each_interval : bool
        whether the query has a batch for each interval, instead of one for each slide
    """

    values: tuple[WindowValue, ...]
    as_rows: bool
    keeps_empty: bool
    panes: bool
    fractions: bool
    each_interval: bool = False

    @property
    def name(self) -> str:
        """The name of the class."""
        kind = "Row" if self.as_rows else "".join(map(_camel, self._words()))
        return f"Windowed{kind}s"

    @property
    def has_panes(self) -> bool:
        """Whether slices are shorter than the slide."""
        return self.panes or self.each_interval

    @property
    def variable(self) -> str:
        """The name of a stream that has no name."""
        return "windowed_rows" if self.as_rows else f"windowed_{'_'.join(self._words())}s"

    def _words(self) -> list[str]:
        words = {"max": "maximum", "min": "minimum", "bool_or": "any", "bool_and": "all"}
        return [words.get(value.name, value.name) for value in self.values]

    def source(self, name: str) -> str:
        """Return the class."""
        parameters = ["self", "row", "length", "slide"]
        parameters += ["interval"] if self.each_interval else []
        parameters += ["keep_empty=False"] if self.keeps_empty else []
        unit = "int({} * 1000)" if self.fractions else "{} * 1000"
        pane = "math.gcd(self.length, self.slide)"
        if self.each_interval:
            pane = unit.format("interval")
        schema = ", ".join(f"{value.name} {value.sql}" for value in self.values)
        lines = [
            f"class {name}(StatefulProcessor):",
            *self._docstring(),
            "",
            f"    def __init__({', '.join(parameters)}):",
            "        self.row = row",
            f"        self.length = {unit.format('length')}",
            f"        self.slide = {unit.format('slide')}",
            *([f"        self.pane = {pane}"] if self.has_panes else []),
            *(["        self.keep_empty = keep_empty"] if self.keeps_empty else []),
            "",
            "    def init(self, handle):",
            "        self.handle = handle",
            f'        self.slices = handle.getListState("slices", "end LONG, {schema}")',
            "",
            *self._input(),
            "",
            *self._output(),
        ]
        return "\n".join(lines)

    def _docstring(self) -> list[str]:
        """Return what the class keeps, and what its parameters mean."""
        more = []
        if self.keeps_empty:
            more.append("With `keep_empty` a key that has been there stays in an empty window.")
        if self.each_interval:
            more.append("A slice is what a batch adds: there is one every `interval` seconds.")
        elif self.panes:
            more.append("A slice is as long as the greatest time that divides both.")
        if not more:
            return [f'    """{self._summary()}"""']
        return [
            f'    """{self._summary()}',
            "",
            *(f"    {sentence}" for sentence in more),
            '    """',
        ]

    def _summary(self) -> str:
        time = "the last `length` seconds, every `slide` seconds."
        if self.as_rows:
            return f"The rows of {time}"
        return f"The {' and '.join(self._words())} of each key over {time}"

    def _input(self) -> list[str]:
        """Add a slice: what the rows of a batch are together."""
        several = len(self.values) > 1
        parts = ", ".join(f"{_of_rows(value)}" for value in self.values)
        end = "end + -end % self.slide" if self.has_panes else "end"
        return [
            "    def handleInputRows(self, key, rows, timerValues):",
            "        now = timerValues.getCurrentProcessingTimeInMs()",
            f"        end = now - now % self.{'pane' if self.has_panes else 'slide'}",
            *(["        rows = list(rows)"] if several else []),
            "        if not self.slices.exists():",
            f"            self.handle.registerTimer({end})",
            f"        self.slices.appendValue((end, {parts}))",
            "        yield from ()",
        ]

    def _output(self) -> list[str]:
        """Leave the slices before the window out, and give what the others are together."""
        empty = ", ".join(("end", *("0.0" if v.sql == "DOUBLE" else "0" for v in self.values)))
        keep = ["        if not slices and self.keep_empty:", f"            slices = [({empty})]"]
        parts = [self._of_slices(value) for value in self.values]
        last = _call("            yield self.row", ["*key", *parts])
        if self.as_rows:
            last = [
                f"            for _ in range({parts[0]}):",
                "                yield self.row(*key)",
            ]
        return [
            "    def handleExpiredTimer(self, key, timerValues, expiredTimerInfo):",
            "        now = timerValues.getCurrentProcessingTimeInMs()",
            "        end = now - now % self.slide",
            "        slices = [each for each in self.slices.get() if each[0] > end - self.length]",
            *(keep if self.keeps_empty else []),
            "        if slices:",
            "            self.slices.put(slices)",
            "            self.handle.registerTimer(end + self.slide)",
            *last,
            "        else:",
            "            self.slices.clear()",
        ]

    def _of_slices(self, value: WindowValue) -> str:
        name = value.name
        if name in TAKEN or keyword.iskeyword(name) or hasattr(builtins, name):
            name = "each"
        place = self.values.index(value)
        names = ["_", *(name if i == place else "_" for i in range(len(self.values)))]
        function = "sum" if value.function == "count" else value.function
        return f"{function}({name} for {', '.join(names)} in slices)"


def _of_rows(value: WindowValue) -> str:
    if value.function == "count":
        return "sum(1 for _ in rows)"
    return f'{value.function}(row["{value.column}"] for row in rows)'


def _call(start: str, arguments: list[str]) -> list[str]:
    line = f"{start}({', '.join(arguments)})"
    if len(line) <= 100:
        return [line]
    pad = " " * (len(start) - len(start.lstrip()))
    return [f"{start}(", *(f"{pad}    {argument}," for argument in arguments), f"{pad})"]


def _camel(name: str) -> str:
    return "".join(part.title() for part in name.split("_"))
