"""Packages and jars as arguments of Airflow's `SparkSubmitOperator` and `SparkSubmitHook`.

Calls are read from the tokens of a program, which may be Python 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

_CALLS = ("SparkSubmitOperator", "SparkSubmitHook")
_STRING = (
    r"[A-Za-z]{0,2}(?:\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''"
    r"|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
)
_TOKEN = re.compile(
    rf"(?P<string>{_STRING})|(?P<comment>\#[^\n]*)|(?P<open>[(\[{{])|(?P<close>[)\]}}])"
    r"|(?P<comma>,)|(?P<name>\w+)|(?P<other>[^\s\w])",
    re.DOTALL,
)
_LIST = re.compile(r"(?P<name>packages|jars)\s*=\s*(?:\"[^\"\\\n]*\"\s*|'[^'\\\n]*'\s*)+")
_BETWEEN = re.compile(r"\s*,\s*")
_DEFINITIONS = ("def", "class")


@dataclass(frozen=True, slots=True)
class Argument:
    """A list given by its name, with offsets in the text of the program.

    Parameters
    ----------
    name : str
        "packages" or "jars".
    start, end : int
        Where it begins, and where its value ends.
    removal : (int, int), optional
        What goes with it, its comma included; None if that is not plain.
    call : (int, int)
        Where the call begins and ends.
    is_open : bool
        Whether the call has `**arguments`, which may give any name.
    """

    name: str
    start: int
    end: int
    removal: tuple[int, int] | None
    call: tuple[int, int]
    is_open: bool


@dataclass(slots=True)
class _Bracket:
    """An open bracket: where its call begins, if it is one, and the arguments so far."""

    call: int | None
    spans: list[tuple[int, int]] = field(default_factory=list)
    current: tuple[int, int] | None = None

    def take(self, start: int, end: int) -> None:
        """Add a token to the current argument."""
        self.current = (start if self.current is None else self.current[0], end)

    def close(self) -> None:
        """End the current argument."""
        if self.current is not None:
            self.spans.append(self.current)
        self.current = None


def argument_at(text: str, offset: int) -> Argument | None:
    """Return the argument whose value an offset of a program lies in."""
    return next((a for a in _arguments(text) if a.start <= offset < a.end), None)


def arguments_beside(text: str, argument: Argument) -> Iterator[Argument]:
    """Return all such arguments of the same call."""
    return (other for other in _arguments(text) if other.call == argument.call)


@lru_cache(maxsize=8)
def _arguments(text: str) -> tuple[Argument, ...]:
    if not any(name in text for name in _CALLS):
        return ()
    return tuple(a for call, spans in _calls(text) for a in _of(text, call, spans))


def _calls(text: str) -> Iterator[tuple[tuple[int, int], list[tuple[int, int]]]]:
    """Yield the calls of a program, and the arguments of each."""
    brackets = [_Bracket(None)]
    before: list[re.Match[str]] = []
    for token in _TOKEN.finditer(text):
        start, end = token.span()
        match token.lastgroup:
            case "comment":
                continue
            case "open":
                brackets[-1].take(start, end)
                brackets.append(_Bracket(_call_start(before)))
            case "close" if len(brackets) > 1:
                bracket = brackets.pop()
                bracket.close()
                brackets[-1].take(start, end)
                if bracket.call is not None:
                    yield (bracket.call, end), bracket.spans
            case "comma":
                brackets[-1].close()
            case _:
                brackets[-1].take(start, end)
        before = [*before[-1:], token]


def _call_start(before: list[re.Match[str]]) -> int | None:
    """Return where a call begins whose bracket follows these tokens, None if it is no such call."""
    if not before or before[-1].group() not in _CALLS:
        return None
    defined = len(before) > 1 and before[0].group() in _DEFINITIONS
    return None if defined else before[-1].start()


def _of(text: str, call: tuple[int, int], spans: list[tuple[int, int]]) -> Iterator[Argument]:
    is_open = any(text.startswith("**", start) for start, _ in spans)
    for index, (start, end) in enumerate(spans):
        match = _LIST.fullmatch(text, start, end)
        if match is None:
            continue
        removal = None
        if index + 1 < len(spans) and _BETWEEN.fullmatch(text, end, spans[index + 1][0]):
            removal = start, spans[index + 1][0]
        elif index and _BETWEEN.fullmatch(text, spans[index - 1][1], start):
            removal = spans[index - 1][1], end
        yield Argument(match["name"], start, end, removal, call, is_open)
