"""Reads a list of packages or jars out of the text around one of its items.

Such a list stands behind `--packages` or `--jars` of a command, as value of a setting or of a
variable, or as an argument of a program; commas separate its items.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from migrator.model.events import Surroundings
from migrator.model.report import Spot, TextEdit

# Packages and jars as arguments of Airflow's `SparkSubmitOperator` and `SparkSubmitHook`.
#
# Calls are read from the tokens of a program, which may be Python 2.

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
_LIST_ARGUMENT = re.compile(r"(?P<name>packages|jars)\s*=\s*(?:\"[^\"\\\n]*\"\s*|'[^'\\\n]*'\s*)+")
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
        match = _LIST_ARGUMENT.fullmatch(text, start, end)
        if match is None:
            continue
        removal = None
        if index + 1 < len(spans) and _BETWEEN.fullmatch(text, end, spans[index + 1][0]):
            removal = start, spans[index + 1][0]
        elif index and _BETWEEN.fullmatch(text, spans[index - 1][1], start):
            removal = spans[index - 1][1], end
        yield Argument(match["name"], start, end, removal, call, is_open)


# The command that a list of packages belongs to: where it begins and ends in a text.


# arguments in brackets: strings, names and calls of a program, with comments between them
_BLANKS = r"(?>(?:\s|\#[^\n]*\n)*)"
_ELEMENT = (
    r"(?>(?:[A-Za-z]?\"(?:[^\"\\\n]|\\.)*\"|[A-Za-z]?'(?:[^'\\\n]|\\.)*'"
    r"|[\w*./:$@=-]+(?:\([^()\n]*\))?)(?:[ \t]*[%+][ \t]*[\w.]+)?)"
)
_ARRAY = re.compile(rf"\[{_BLANKS}(?>(?:{_ELEMENT}{_BLANKS},{_BLANKS})*)(?:{_ELEMENT}{_BLANKS})?\]")
_NEXT_COMMAND = re.compile(r"\s(?:&&|\|\|)\s|;\s")
_OF_STRINGS = re.compile(rf"{_NEXT_COMMAND.pattern}|[\"']\s*,\s*[\"']")


def command_around(around: Surroundings, offset: int, form: str = "command") -> tuple[int, int]:
    """Return where the command around an offset begins and ends.

    Of a program, this is the call that submits a job; otherwise the line with those that belong to
    it.

    Parameters
    ----------
    form : str
        How the list at the offset is written: one in brackets belongs to all of these.
    """
    text = around.text
    argument = argument_at(text, offset) if around.language == "python" else None
    if argument is not None:
        return argument.call
    arrays = _arrays(text) if form == "elements" else ()
    array_found = next((array for array in arrays if array[0] < offset < array[1]), None)
    if array_found is not None:
        return array_found
    start, end = _line_around(text, offset)
    # where a command is one string, the next string is another one
    separator = _OF_STRINGS if form == "command" else _NEXT_COMMAND
    ends = [match.span() for match in separator.finditer(text, start, end)]
    first = max((after for _, after in ends if after <= offset), default=start)
    return first, min((before for before, _ in ends if before >= offset), default=end)


def _line_around(text: str, offset: int) -> tuple[int, int]:
    """Return the line around an offset, with those that backslashes join to it."""
    start = text.rfind("\n", 0, offset) + 1
    while start and _is_continued(text[: start - 1]):
        start = text.rfind("\n", 0, start - 1) + 1
    end = _line_end(text, offset)
    while end < len(text) and _is_continued(text[:end]):
        end = _line_end(text, end + 1)
    return start, end


@lru_cache(maxsize=8)
def _arrays(text: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in _ARRAY.finditer(text))


def _is_continued(text: str) -> bool:
    body = text[-40:].removesuffix("\r")
    return (len(body) - len(body.rstrip("\\"))) % 2 == 1


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end < 0 else end


# an item may hold variables and templates; behind a comma the line may go on
_ITEM = r"""\$\{[^{}\s]*\}|\$\(\w+\)|\{\{[^{}\n]*\}\}|[^\s"'`\\;|&<>()\[\]{}=,]
    |,(?:(?:[ \t]*\\\r?\n)?[ \t]+(?=[\w$/.-]))?"""
_LIST = re.compile(rf"(?:{_ITEM})+", re.VERBOSE)
# the same with the fields of a text that is formatted
_PYTHON_LIST = re.compile(rf"(?:\{{[\w.!:\[\]]*\}}|{_ITEM})+", re.VERBOSE)
_BEFORE = re.compile(r"(?:^|[\s\"'=\[(])\Z")
_AFTER = re.compile(r"\Z|[\s\"'\]);|&<`]|\\\r?\n")
_SEPARATOR = re.compile(r",(?:[ \t]*\\\r?\n)?[ \t]*")
# a literal that is joined to another one in the middle of the list
_JOINED_BEFORE = re.compile(r"[^\s\"'=][\"'][\s\\]*[\"']\Z|[+%][\s\\]*[\"']\Z")
_JOINED_AFTER = re.compile(r"[\"'][\s\\]*(?:\+|[\"'](?=[^\s\"']))")
# to a variable, as a setting, as an item of YAML, in brackets
_ASSIGNED = re.compile(
    r"(?:(?:^|[\s;])[\w.-]+=|^[ \t]*[\w.-]+[ \t]*[:?+]?=[ \t]*|\[[ \t]*|^[ \t]*-[ \t]+"
    r"|^[ \t]*[\w.-]+:[ \t]+)\Z",
    re.MULTILINE,
)
_COMMENT = re.compile(r"(?:^|\s)(?:#|//)")
# the forms of lists that one command gets
_OF_COMMANDS = ("command", "elements", "argument")
# how far before a list its option is looked for
_AROUND = 400
# longer lists are data
_LONGEST = 4000
_GIVEN = re.compile(
    r"(?<![\w-])--(?:packages|jars)"
    r"(?:=|(?:[ \t]|\\\r?\n)+|[\"']?\s*,\s*(?=[\"']))[\"']?"
)
_OPTIONS = {
    "command": re.compile(
        r"(?<![\w-])--(?P<kind>packages|jars)(?:=|(?:[ \t]|\\\r?\n)+)(?P<quote>[\"']?)\Z"
    ),
    "setting": re.compile(
        r"(?<![\w-])--conf[ \t=]+(?P<quote>[\"']?)spark\.jars(?P<packages>\.packages)?=\Z"
    ),
    "elements": re.compile(
        r"(?<![\w-])([\"']?)--(?P<kind>packages|jars)\1\s*,\s*(?P<quote>[\"'])\Z"
    ),
    "line": re.compile(
        r"^[ \t]*spark\.jars(?P<packages>\.packages)?(?:[ \t]*[=:][ \t]*|[ \t]+)(?P<quote>)\Z",
        re.MULTILINE,
    ),
    "literals": re.compile(r"--(?P<kind>packages|jars)[ =]([\"'])\s*\\?\s*[\"'](?P<quote>)\Z"),
    "value": re.compile(
        r"(?:\bspark\.jars(?P<packages>\.packages)?|\b(?P<kind>packages|jars))[\"']?"
        r"\s*[=:,]\s*(?P<quote>[\"']?)\Z"
    ),
}


@dataclass(frozen=True, slots=True)
class Item:
    """A package or jar of a list, and where it stands in the text around it."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class JarList:
    """A list of packages or jars.

    Parameters
    ----------
    form : str
        How its option is written: "command" (`--packages a,b`), "setting" (`--conf
        spark.jars.packages=a,b`), "elements" (`"--packages", "a,b"`), "line" (of a file of
        settings), "literals" (`"--packages " "a,b"`), "argument" (of a call that submits a job),
        "value" (of a setting or an argument in a program or a data file), "" (none is seen).
    kind : str
        "packages", "jars" or "" if that is not known.
    option : int
        Where the option begins.
    end : int
        Where the list ends, its closing quote included.
    """

    form: str
    kind: str
    option: int
    end: int
    quote: str
    items: tuple[Item, ...] = field(default=())


def list_around(around: Surroundings, offset: int) -> JarList | None:
    """Return the list that an offset of a text lies in, None if it cannot be read."""
    text = around.text
    first = text.rfind("\n", 0, max(text.rfind("\n", 0, offset), 0)) + 1
    pattern = _PYTHON_LIST if around.language == "python" else _LIST
    lists = pattern.finditer(text, max(first, offset - _LONGEST), offset + _LONGEST)
    match = next((m for m in lists if m.end() > offset), None)
    if match is None or match.start() > offset:
        return None
    items = tuple(_items(text, match.start(), match.end()))
    # other arguments in brackets, without quotes
    if not all(item.text and not item.text.startswith("-") for item in items):
        return None
    start, end = items[0].start, items[-1].end
    if not _BEFORE.search(text, max(start - 1, 0), start):
        return None
    if not _AFTER.match(text, end):
        return None
    if around.language == "python" and not _is_whole_text(text, start, end):
        return None
    for form, pattern in _OPTIONS.items():
        jars = _jar_list(around, form, pattern, items)
        if jars is not None:
            return jars if text.startswith(jars.quote, end) else None
    if not _is_value(around, start, end):
        return None
    return JarList("", "", start, end, "", items)


def _jar_list(
    around: Surroundings, form: str, pattern: re.Pattern[str], items: tuple[Item, ...]
) -> JarList | None:
    """Return the list, if its option is written in one way."""
    text, start, end = around.text, items[0].start, items[-1].end
    match = pattern.search(text, max(start - _AROUND, 0), start)
    if match is None or (form == "line" and around.language != "conf"):
        return None
    named = match.groupdict()
    kind = named.get("kind") or ("packages" if named.get("packages") else "jars")
    option, last = match.start(), end + len(match["quote"])
    argument = argument_at(text, start) if around.language == "python" else None
    if form == "value" and argument is not None:
        return JarList("argument", kind, argument.start, argument.end, match["quote"], items)
    return JarList(form, kind, option, last, match["quote"], items)


def _is_value(around: Surroundings, start: int, end: int) -> bool:
    """Return whether a list without an option is a value of its own, not part of a sentence."""
    before, after = around.text[max(start - _AROUND, 0) : start], around.text[end : end + 1]
    if before[-1:] in ("'", '"'):
        return after == before[-1:] and around.language != "prose"
    return around.language in ("shell", "conf") and _ASSIGNED.search(before) is not None


def lists_beside(around: Surroundings, jars: JarList) -> list[JarList]:
    """Return the lists that the same command gets, the found one included, packages first."""
    lists: list[JarList | None]
    argument = argument_at(around.text, jars.option) if jars.form == "argument" else None
    if argument is not None:
        places = [one.end - 2 for one in arguments_beside(around.text, argument)]
        lists = [list_around(around, place) for place in places]
    else:
        command = command_around(around, jars.option, jars.form)
        options_before = (m.end() for m in _GIVEN.finditer(around.text, *command))
        lists = [list_around(around, p) for p in options_before if not _is_comment(around.text, p)]
    jar_lists = [jars for jars in lists if jars is not None and jars.form in _OF_COMMANDS]
    jar_lists.sort(key=lambda one: one.kind, reverse=True)
    return jar_lists if any(one.items == jars.items for one in jar_lists) else [*jar_lists, jars]


def _is_comment(text: str, offset: int) -> bool:
    """Return whether an offset lies in a comment, or behind the text."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return offset >= len(text) or _COMMENT.search(line) is not None


def _items(text: str, start: int, end: int) -> list[Item]:
    cuts = [(start, start), *(m.span() for m in _SEPARATOR.finditer(text, start, end)), (end, end)]
    return [Item(a[1], b[0], text[a[1] : b[0]]) for a, b in pairwise(cuts)]


def _is_whole_text(text: str, start: int, end: int) -> bool:
    """Return whether neither an operator of a program nor another literal goes on with the list."""
    before, after = text[max(start - _AROUND, 0) : start], text[end : end + _AROUND]
    return _JOINED_BEFORE.search(before) is None and _JOINED_AFTER.match(after) is None


def offset_of(around: Surroundings, at: Spot) -> int | None:
    """Return the offset of a place in the text, or None if it lies outside."""
    offset = 0
    for _ in range(at.line - around.first):
        offset = around.text.find("\n", offset) + 1
        if not offset:
            return None
    offset += at.column - 1
    return offset if at.line >= around.first and offset <= len(around.text) else None


def edit(around: Surroundings, start: int, end: int, new: str, cell: int | None) -> TextEdit:
    """Return the edit that puts a text in the place of a part of the surroundings."""
    before = around.text[:start]
    line = around.first + before.count("\n")
    at = Spot(line, start - before.rfind("\n"), cell)
    return TextEdit(at, around.text[start:end], new)
