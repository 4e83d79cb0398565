"""The table of names that Python has lost is that of the running Python.

If a test fails with a new Python, run `scripts/removed_python_names.py` with it, too.
"""

from __future__ import annotations

import builtins
import importlib
import importlib.util
import inspect
import sys
import warnings
from pathlib import Path

import pytest

from migrator.python import replacements
from migrator.python.replacements import (
    ARGUMENTS,
    BUILTINS,
    MAKERS,
    MEMBERS,
    MODULES,
    MOVED,
    NAMES,
    STRING_METHODS,
    STRING_NUMBERS,
    removed_table,
)
from scripts.removed_python_names import of_other_builds

TABLE = removed_table()


def is_gone(since: str) -> bool:
    """Whether the running Python is one without the name."""
    return sys.version_info[:2] >= tuple(map(int, since.split(".")))


def resolve(path: str) -> object:
    """What a dotted path leads to."""
    parts = path.split(".")
    if len(parts) == 1:
        return getattr(builtins, path)
    if parts[0] == "str":
        return getattr(str, parts[1])
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if importlib.util.find_spec(parts[0]) is None:
            break
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found: object = importlib.import_module(name)
        except ImportError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise ImportError(path)


def exists(path: str) -> bool:
    try:
        resolve(path)
    except (ImportError, AttributeError):
        return False
    return True


def test_the_table_has_the_names_that_jobs_use() -> None:
    """As counted in old jobs; a table that became empty would pass all other tests."""
    assert {"urllib2", "urlparse", "Queue", "ConfigParser", "cPickle"} <= TABLE.modules.keys()
    names = {"string.letters", "time.clock", "urllib.quote", "sys.maxint", "collections.Mapping"}
    assert names <= TABLE.names.keys()
    assert {"builtins.dict.iteritems", "threading.Thread.isAlive"} <= TABLE.members.keys()


def test_modules_are_gone() -> None:
    gone = [name for name, since in TABLE.modules.items() if is_gone(since)]
    # packages of their own may bring such a module back
    assert [n for n in gone if n in sys.stdlib_module_names] == []


def test_names_are_gone() -> None:
    gone = [n for n, since in TABLE.names.items() if is_gone(since)]
    assert [name for name in gone if exists(name)] == []


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_names_are_gone_however_python_is_built(version: str) -> None:
    """On other platforms, too; this Python alone cannot tell."""
    order = tuple(map(int, version.split(".")))
    gone = [n for n, since in TABLE.names.items() if tuple(map(int, since.split("."))) <= order]
    assert of_other_builds(version, gone) == []
    # there as in Python 3.12 and 3.13, or somewhere, so the stubs are read
    there = ["os.path.join", "os.lchmod", "socket.CAN_RAW_FILTER", "winreg.OpenKey", "token.NAME"]
    assert of_other_builds(version, [*there, "os.getcwdu"]) == there


def test_what_stubs_tell(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "__init__.pyi").write_text("""
import sys
from typing import Any, Callable
from q import *
from r import Again as Again, other
if sys.platform == "darwin" or (sys.version_info >= (3, 12) and sys.platform == "win32"):
    def somewhere() -> None: ...
    if sys.version_info < (3, 12):
        Early: Any
elif sys.version_info >= (3, 13):
    class Late: ...
else:
    a = b = 1
""")
    (tmp_path / "q.pyi").write_text("_hidden: int\nstarred: int\n")
    names = ["q", "Callable", "Any", "starred", "_hidden", "Again", "other", "somewhere", "Late"]
    names += ["Early", "a", "b", "sys"]

    def seen(version: str) -> list[str]:
        paths = of_other_builds(version, [f"p.{n}" for n in names], tmp_path)
        return [path.removeprefix("p.") for path in paths]

    always = ["starred", "Again", "somewhere"]
    assert seen("3.11") == [*always, "Early", "a", "b"]
    assert seen("3.12") == [*always, "a", "b"]
    assert seen("3.13") == [*always, "Late"]
    assert of_other_builds("3.13", ["unknown.name"], tmp_path) == []


def test_members_are_gone() -> None:
    gone = [name for name, since in TABLE.members.items() if is_gone(since)]
    assert [name for name in gone if exists(name)] == []
    # their classes are still there
    owners = {name.rpartition(".")[0] for name in TABLE.members}
    assert [owner for owner in sorted(owners) if not exists(owner)] == []


def test_what_is_replaced_is_in_the_table() -> None:
    assert {f"builtins.{n}" for n in BUILTINS} == {
        n for n in TABLE.names if n.startswith("builtins.")
    }
    assert MODULES.keys() <= TABLE.modules.keys()
    assert NAMES.keys() <= TABLE.names.keys()
    assert MEMBERS.keys() <= TABLE.members.keys()
    strings = {f"string.{n}" for n in (*STRING_METHODS, *STRING_NUMBERS)}
    assert strings <= TABLE.names.keys()
    assert {name.partition(".")[0] for name in MOVED} <= MODULES.keys()


@pytest.mark.parametrize("table", ["BUILTINS", "NAMES"])
def test_replacements_exist(table: str) -> None:
    found: dict[str, replacements.Replacement] = getattr(replacements, table)
    assert [r.new for r in found.values() if r.new and not exists(r.new)] == []
    assert all(r.new or r.advice for r in found.values())


def test_other_replacements_exist() -> None:
    for instead in MODULES.values():
        assert instead.new or instead.advice
        assert not instead.new or importlib.import_module(instead.new)
    assert [path for path in MOVED.values() if not exists(path)] == []
    for path, instead in MEMBERS.items():
        assert not instead.new or exists(f"{path.rpartition('.')[0]}.{instead.new}")
    assert all(hasattr(str, name) for name in STRING_METHODS)
    assert [path for path in (*MAKERS, *MAKERS.values()) if not exists(path)] == []


@pytest.mark.parametrize("old", sorted(TABLE.moved))
def test_names_that_were_left_behind_when_a_module_moved(old: str) -> None:
    new = importlib.import_module(MODULES[old].new)
    left = [name for name in TABLE.moved[old] if hasattr(new, name)]
    # the newest Python has been asked
    assert [n for n in left if is_gone(TABLE.names.get(f"{MODULES[old].new}.{n}", "3.13"))] == []


@pytest.mark.parametrize("path", sorted(ARGUMENTS))
def test_arguments_are_gone(path: str) -> None:
    function, (name, since) = resolve(path), ARGUMENTS[path]
    assert is_gone(since)
    assert callable(function)
    assert name not in inspect.signature(function).parameters
