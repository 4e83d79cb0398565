"""What the command lines share: parsers, options, and values that are numbers."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Group = argparse._ActionsContainer

_UNITS = {"k": 2**10, "m": 2**20, "g": 2**30}
_MOST_SECONDS = 1e9
NO_COLOR = {"--no-color": "no colours (also: NO_COLOR=1)"}
REAL = {
    "--real CLIENT ...": "let the jobs use a client themselves, such as sqlite3, instead of what "
    "stands for it and records its calls; may be given several times"
}


def parser_of(
    name: str, description: str, *, usage: str | None = None, epilog: str = ""
) -> argparse.ArgumentParser:
    """Return the parser of a subcommand, without options yet.

    Parameters
    ----------
    epilog : str
        Lines before the last one of its help.
    """
    return argparse.ArgumentParser(
        prog=f"migrate {name}",
        usage=usage,
        description=description,
        epilog=f"{epilog}A file or folder called {name} is migrated with: migrate ./{name}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def add_options(group: Group, forms: Mapping[str, str], **defaults: object) -> None:
    """Add arguments and options to a command line, or to a group of one.

    Parameters
    ----------
    forms : mapping of str to str
        Their help by their forms, as in a line of usage: ``JOB``, ``[JOB]``, ``CODE ...``,
        ``--flag``, ``--option VALUE``, ``--option VALUE ...`` for one that may be given several
        times, and ``--option {one,other}``.
    **defaults : object
        What is not given, by the names of the fields.
    """
    for form, text in forms.items():
        name, _, value = form.partition(" ")
        field = name.strip("-[]").replace("-", "_").lower()
        details: dict[str, Any] = {"help": text, "default": defaults.get(field)}
        if not name.startswith("--"):
            details |= {"metavar": name.strip("[]"), "nargs": "+" if value else None}
            name, details["nargs"] = field, "?" if "[" in name else details["nargs"]
        elif not value:
            details |= {"action": "store_true", "default": False}
        elif value.startswith("{"):
            details["choices"] = value[1:-1].split(",")
        elif value.endswith(" ..."):
            details |= {"metavar": value[:-4], "action": "append", "default": []}
        else:
            details |= {"metavar": value, "type": _READERS.get(value)}
        group.add_argument(name, **details)


def option_of(name: str) -> str:
    """Return the option that a field of a command line has its value from."""
    return f"--{name.replace('_', '-')}"


def given_options(args: argparse.Namespace, *names: str) -> list[str]:
    """Return the fields among some of a command line for which there is an option."""
    return [name for name in names if getattr(args, name) not in (None, False, [], ())]


def refuse_empty(
    parser: argparse.ArgumentParser, args: argparse.Namespace, names: Iterable[str] | None = None
) -> None:
    """End the process with 2 if an option, among some if these are named, is an empty text."""
    for name in vars(args) if names is None else names:
        value = getattr(args, name)
        texts = value if isinstance(value, list) else [value]
        option = "PATH" if name == "paths" else option_of(name)
        if "" in texts:
            parser.error(f"{option} is empty")
        if any(isinstance(text, str) and "\0" in text for text in texts):
            parser.error(f"{option} contains a null character")


def seconds(text: str) -> float:
    """Return a length of time, above 0."""
    value = _number(text)
    if not 0 < value < _MOST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")
    return value


def tolerance(text: str) -> float:
    """Return a tolerance, from 0 to below 1."""
    value = _number(text)
    if not 0 <= value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to below 1")
    return value


def count(text: str) -> int:
    """Return how many of something, one at least."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return int(text)


def size(text: str) -> int:
    """Return the bytes of a size such as 4g."""
    number, unit = text[:-1], text[-1:].lower()
    if unit not in _UNITS or not number.isascii() or not number.isdigit() or int(number) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write 512m or 4g")
    return int(number) * _UNITS[unit]


def _number(text: str) -> float:
    """Return a number, -1 if the text is none, which no option takes."""
    try:
        return float(text)
    except ValueError:
        return -1.0


# by what stands for a value in help
_READERS: dict[str, Callable[[str], object]] = {
    "SECONDS": seconds,
    "SIZE": size,
    "N": count,
    "T": tolerance,
}
