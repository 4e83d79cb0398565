"""Random expressions and functions of Python for the records of jobs."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

Kind = str | tuple["Kind", ...]
"""``str``, ``int`` or ``bool`` by name, or the kinds of a tuple's fields."""
TEXTS = ("a", "b", "spark", "", "x,y", "É", "ß")
# names that a rewriting makes, or imports
CLASHING = (
    *("batch", "batch_id", "process_batch", "process_lines", "process_words", "query", "spark"),
    *("F", "Row", "SparkSession", "StatefulProcessor", "WindowedCounts", "WHITESPACE", "records"),
    *("lines_query", "words", "value", "key", "count", "row", "windowed_rows", "line_udf", "col"),
    *("end", "total", "col_1", "value_2", "math", "keys", "rows", "now"),
    *("datetime", "dt"),
)
PLAIN = ("x", "line", "word", "pair", "kv", "item", "text", "number", "t", "record", "entry")


def is_pair(kind: Kind) -> bool:
    """Return whether records are keys with values."""
    return isinstance(kind, tuple) and len(kind) == 2


def places(name: str, kind: Kind) -> dict[str, Kind]:
    """Return what a record and the fields of its tuples are called, with their kinds."""
    found = {name: kind}
    if isinstance(kind, tuple):
        for place, each in enumerate(kind):
            found |= places(f"{name}[{place}]", each)
    return found


@dataclass(frozen=True)
class Code:
    """Makes expressions of what is at hand.

    Parameters
    ----------
    random : Random
        what decides
    """

    random: Random

    def name(self, clash: float = 0.4) -> str:
        """Return a name of a parameter."""
        return self.random.choice(CLASHING if self.random.random() < clash else PLAIN)

    def kind(self, depth: int = 1) -> Kind:
        """Return the kind of a new record."""
        if depth and self.random.random() < 0.55:
            return tuple(self.kind(depth - 1) for _ in range(self.random.choice((2, 2, 2, 3))))
        return self.random.choice(("str", "str", "int"))

    def of(self, kind: Kind, known: dict[str, Kind], depth: int = 2) -> str:
        """Return an expression of a kind."""
        if isinstance(kind, tuple):
            return f"({', '.join(self.of(each, known, depth - 1) for each in kind)})"
        at_hand = [name for name, own in known.items() if own == kind]
        if at_hand and (depth <= 0 or self.random.random() < 0.35):
            return self.random.choice(at_hand)
        make = {"str": self._text, "int": self._number, "bool": self._test}[kind]
        return make(known, depth - 1)

    def _text(self, known: dict[str, Kind], depth: int) -> str:
        if depth < 0:
            return repr(self.random.choice(TEXTS))
        text = self.of("str", known, depth)
        number = self.of("int", known, depth)
        return self.random.choice(
            (
                *(f"{_operand(text)}.{name}()" for name in ("upper", "lower", "strip")),
                f"{_operand(text)}[:2]",
                f"{_operand(text)}.replace('a', 'b')",
                f"{_operand(text)}.split(',')[0]",
                f"({text} + {self.of('str', known, depth)})",
                f"str({number})",
                f"'%s-%d' % ({text}, {number})",
                f"'{{}}:{{}}'.format({text}, {number})",
                f"({text} if {self.of('bool', known, depth)} else {self.of('str', known, depth)})",
            )
        )

    def _number(self, known: dict[str, Kind], depth: int) -> str:
        if depth < 0:
            return str(self.random.randint(0, 9))
        text = self.of("str", known, depth)
        number = self.of("int", known, depth)
        return self.random.choice(
            (
                f"len({text})",
                f"len({_operand(text)}.split(' '))",
                f"{_operand(text)}.count('a')",
                f"{_operand(text)}.find('b')",
                f"({number} + {self.random.randint(1, 9)})",
                f"({number} * {self.random.randint(2, 3)})",
                f"({number} - {self.of('int', known, depth)})",
                f"({number} % {self.random.randint(2, 4)})",
                f"({number} // {self.random.randint(2, 4)})",
                f"max({number}, {self.of('int', known, depth)})",
                f"abs({number})",
                f"({number} if {self.of('bool', known, depth)} else 0)",
            )
        )

    def _test(self, known: dict[str, Kind], depth: int) -> str:
        text = self.of("str", known, depth)
        number = self.of("int", known, depth)
        made = [
            f"{_operand(text)}.startswith({self.random.choice(TEXTS)!r})",
            f"{self.random.choice(TEXTS)!r} in {text}",
            f"{_operand(text)}.isdigit()",
            f"{text} != {self.random.choice(TEXTS)!r}",
            f"{number} {self.random.choice(('>', '<=', '==', '!='))} {self.random.randint(0, 5)}",
            f"{text} in ('a', 'b', '')",
        ]
        if depth > 0:
            other = self.of("bool", known, depth - 1)
            made += [f"(not {other})", f"({made[0]} and {other})", f"({made[4]} or {other})"]
        return self.random.choice(made)

    def statements(self, kind: Kind, known: dict[str, Kind]) -> list[str]:
        """Return the statements of a function that returns a value of a kind."""
        texts = [name for name, own in known.items() if own == "str"]
        choice = self.random.randrange(4)
        if choice == 0:
            test, early = self.of("bool", known), self.of(kind, known)
            return [f"if {test}:", f"    return {early}", f"return {self.of(kind, known)}"]
        if choice == 1 and texts:
            own = self.random.choice(("total", "count", "size", "batch"))
            known = {name: each for name, each in known.items() if name.partition("[")[0] != own}
            lines = [f"{own} = 0", f"for part in {self.random.choice(texts)}.split(' '):"]
            lines.append(f"    {own} += {self.of('int', {'part': 'str'}, 1)}")
            return [*lines, f"return {self.of(kind, known | {own: 'int'})}"]
        if choice == 2:
            own = self.random.choice(("made", "batch", "F", "spark"))
            value = self.of("str", known)
            known = {name: each for name, each in known.items() if name.partition("[")[0] != own}
            return [f"{own} = {value}", f"return {self.of(kind, known | {own: 'str'})}"]
        return [f"return {self.of(kind, known)}"]

    def combining(self, kind: Kind, first: str, second: str) -> str:
        """Return two values of a kind as one, in whatever order they come."""
        if isinstance(kind, tuple):
            fields = (
                self.combining(each, f"{first}[{place}]", f"{second}[{place}]")
                for place, each in enumerate(kind)
            )
            return f"({', '.join(fields)})"
        made = [f"max({first}, {second})", f"min({first}, {second})"]
        made.append(f"{first} if {first} > {second} else {second}")
        return (
            f"{first} + {second}"
            if kind == "int" and self.random.random() < 0.6
            else (self.random.choice(made))
        )


def _operand(text: str) -> str:
    """Return a text as what a method can follow."""
    return f"({text})" if " " in text and not text.startswith("(") else text
