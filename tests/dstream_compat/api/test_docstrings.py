"""Everything that users import is documented: in numpydoc's form, and as its signature is."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import pyspark.streaming
import pytest

MODULES = ("", ".flume", ".kafka", ".kinesis", ".listener", ".mqtt", ".util")
SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
KNOWN = ["Parameters", "Returns", "Raises", "Notes"]
NO_RESULT = {"None", "NoReturn"}


def public() -> Iterator[tuple[str, Any]]:
    """All functions and classes that users import, and the methods of the classes."""
    for name in MODULES:
        module = importlib.import_module(f"dstream_compat{name}")
        declared = getattr(module, "__all__", None)
        for own in declared or [n for n in vars(module) if n.startswith("rdd")]:
            yield own, getattr(module, own)
            if isinstance(getattr(module, own), type):
                yield from members(getattr(module, own))


def members(cls: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class that this package defines."""
    for name, member in inspect.getmembers_static(cls):
        found = getattr(member, "__func__", member)
        found = found.fget if isinstance(found, property) else found
        ours = str(getattr(found, "__module__", "")).startswith("dstream_compat")
        if isinstance(found, FunctionType) and ours and not name.startswith("_"):
            yield f"{cls.__name__}.{name}", member


EVERYTHING = dict(public())
FUNCTIONS = {
    name: getattr(one, "__func__", one)
    for name, one in EVERYTHING.items()
    if isinstance(getattr(one, "__func__", one), FunctionType)
}


def sections(text: str) -> dict[str, str]:
    """The sections of a docstring by their titles; what comes before them has none."""
    first, *rest = SECTION.split(text)
    return {"": first} | dict(zip(rest[::2], rest[1::2], strict=True))


def documented(section: str) -> Iterator[str]:
    """The parameters of a section, without stars."""
    for names in re.findall(r"^(\S.*?) : \S", section, re.MULTILINE):
        yield from (name.strip().lstrip("*") for name in names.split(","))


def test_what_is_looked_at() -> None:
    assert {"StreamingContext", "StreamingContext.start", "DStream.mapWithState"} < set(EVERYTHING)
    assert {"KafkaUtils.createStream", "State.update", "install"} < set(FUNCTIONS)
    assert len(EVERYTHING) > 100


@pytest.mark.parametrize("name", EVERYTHING)
def test_form(name: str) -> None:
    text = inspect.getdoc(EVERYTHING[name])
    assert text is not None
    found = sections(text)
    summary, *_ = found.pop("").split("\n\n")
    assert re.fullmatch(r"\S.*\.", summary.strip(), re.DOTALL)
    assert [title for title in KNOWN if title in found] == list(found)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_parameters_and_result(name: str) -> None:
    found = sections(inspect.getdoc(FUNCTIONS[name]) or "")
    signature = inspect.signature(FUNCTIONS[name])
    parameters = [one for one in signature.parameters if one not in {"self", "cls"}]
    assert list(documented(found.get("Parameters", ""))) == parameters
    assert ("Returns" in found) == (signature.return_annotation not in NO_RESULT)


@pytest.mark.parametrize("name", EVERYTHING)
def test_counterparts(name: str) -> None:
    """What DStreams have says so, and what it says it mirrors is there."""
    text = inspect.getdoc(EVERYTHING[name]) or ""
    mirrored = re.findall(r"Mirrors\s+``pyspark\.streaming\.((?:DStream|Streaming).*?)``", text)
    theirs: Any = pyspark.streaming
    for part in name.split("."):
        theirs = getattr(theirs, part, None)
    # the callbacks of a listener are documented as events
    assert mirrored == ([] if theirs is None or "Listener.on" in name else [name])
