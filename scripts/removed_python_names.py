"""Writes migrator/python/removed.json: what the standard library has lost since Python 2.7.

``python scripts/removed_python_names.py [FOLDER]`` asks every Python in FOLDER, by default
`~/.pyenv/versions`, for its modules, their public names and the members of their classes. The table
holds what one of them has and a later one lacks, with the first of them that lacks it. What a later
one has on another platform, or if it is built with other libraries, is not gone: mypy's stubs tell.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from migrator.python.replacements import MODULES  # noqa: E402
from scripts.python_stubs import names_anywhere, stubs  # noqa: E402

TABLE = ROOT / "migrator" / "python" / "removed.json"
# versions that are asked, the first one and those from which names may have gone
VERSIONS = ("2.7", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
# what other packages and projects call their own modules, too
AMBIGUOUS = {
    *("CDROM", "Canvas", "DLFCN", "Dialog", "FileDialog", "IN", "SimpleDialog", "TYPES", "chunk"),
    *("crypt", "formatter", "mutex", "new", "parser", "pipes", "repr", "symbol", "uu", "user"),
}
# modules whose classes programs use by their methods
WITH_CLASSES = {
    *(
        "array",
        "builtins",
        "collections",
        "configparser",
        "datetime",
        "logging",
        "queue",
        "threading",
    ),
    *("unittest", "uuid", "xml.etree.ElementTree", "xml.dom.minidom", "multiprocessing.pool"),
}
# modules whose names are not for programs, or that not every Python is built with
NOT_ASKED = {
    *("ast", "dis", "opcode", "ossaudiodev", "pydoc", "sre_compile", "sre_constants"),
    *("sre_parse", "xxlimited", "xxsubtype", "zipfile", "typing", "pdb"),
}
# Python 2 runs it, too
PROBE = r"""
import json, pkgutil, sys, types, warnings
warnings.simplefilter("ignore")
SKIPPED = ("test", "lib2to3", "idlelib", "this", "antigravity", "turtle", "Tk", "tk", "lib-tk",
           "Tix", "bsddb", "compiler", "curses", "ensurepip", "pydoc_data", "ttk", "_",
           "ctypes", "distutils", "FixTk", "ScrolledText")
KEPT = ("__builtin__", "builtins", "_thread")
if sys.version_info[0] < 3:
    # programs bring sys.setdefaultencoding back that way
    reload(sys)
CLASSES = (type, types.ClassType) if sys.version_info[0] < 3 else (type,)
found = set(sys.builtin_module_names)
for path in sys.path:
    if path and "site-packages" not in path:
        found.update(info[1] for info in pkgutil.iter_modules([path]))
modules = {}
everything = {}
PACKAGES = ("collections.abc", "concurrent.futures", "email.mime.text", "importlib.abc", "os.path",
            "unittest.mock", "xml.etree.ElementTree", "xml.etree.cElementTree", "email.Utils",
            "logging.handlers", "multiprocessing.pool", "xml.dom.minidom", "email.MIMEText",
            "email.MIMEMultipart", "email.MIMEBase", "email.Encoders", "email.Header",
            "email.MIMEImage",
            "email.encoders", "email.header", "email.mime.base", "email.mime.image", "html.parser",
            "email.mime.multipart", "email.utils", "http.server", "http.client", "http.cookies",
            "http.cookiejar", "html.entities", "urllib.request", "urllib.parse",
            "urllib.robotparser",
            "xmlrpc.client", "urllib.error")
for name in sorted(found) + list(PACKAGES):
    if name.startswith(SKIPPED) and name not in KEPT:
        continue
    try:
        module = __import__(name, fromlist=["x"])
    except BaseException:
        if name in found:
            modules[name] = {}
        continue
    listed = getattr(module, "__all__", None)
    names = {}
    for member in dir(module):
        if member[:1] == "_":
            continue
        value = getattr(module, member, None)
        own = getattr(value, "__module__", None)
        if isinstance(value, types.ModuleType) or type(value).__name__ in ("_Feature", "_Printer"):
            continue
        if listed is not None and member not in listed and isinstance(own, str) and own != name:
            continue
        inside = []
        if isinstance(value, CLASSES) and not issubclass(value, Exception):
            inside = [m for m in dir(value) if m[:1] != "_"]
        names[member] = inside
    modules[name] = names
    everything[name] = [m for m in dir(module) if m[:1] != "_"]
for old in set(modules) & {"__builtin__"}:
    modules["builtins"], everything["builtins"] = modules[old], everything[old]
json.dump({"modules": modules, "listed": sorted(found), "all": everything}, sys.stdout)
"""

# some names are made when they are asked for
CHECK = r"""
import importlib, json, sys, warnings
warnings.simplefilter("ignore")
found = []
for path in json.load(sys.stdin):
    module, _, name = path.rpartition(".")
    if hasattr(importlib.import_module(module), name):
        found.append(path)
json.dump(found, sys.stdout)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path.home() / ".pyenv/versions")
    found = pythons(parser.parse_args().folder)
    lacking = table({version: ask(python) for version, python in found.items()})
    for version in ("3.11", "3.12", "3.13"):
        gone = [n for n, since in lacking["names"].items() if order(since) <= order(version)]
        for name in {*made_when_asked_for(found[version], gone), *of_other_builds(version, gone)}:
            del lacking["names"][name]
    text = json.dumps(lacking, indent=1, sort_keys=True)
    TABLE.write_text(text + "\n", "utf-8")


def order(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def pythons(folder: Path) -> dict[str, Path]:
    """Return the Python of each version that is asked."""
    found = {}
    for version in VERSIONS:
        (found[version],) = folder.glob(f"{version}.*/bin/python")
    return found


def made_when_asked_for(python: Path, names: list[str]) -> list[str]:
    """Return the names that a Python has although it does not list them."""
    command = [os.fspath(python), "-s", "-c", CHECK]
    text = json.dumps(names)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd="/")
    result: list[str] = json.loads(done.stdout)
    return result


def of_other_builds(version: str, paths: Iterable[str], folder: Path | None = None) -> list[str]:
    """Return the names that a version has on some platform, or as it may be built.

    Parameters
    ----------
    version : str
        of Python
    paths : iterable of str
        dotted paths of names of modules
    folder : Path, optional
        where the stubs are that know it, by default mypy's
    """
    parts = {path: path.rpartition(".") for path in paths}
    folder = folder or stubs()
    return [
        p
        for p, (module, _, n) in parts.items()
        if n in names_anywhere(module, order(version), folder)
    ]


def ask(python: Path) -> dict[str, Any]:
    """Return what a Python has."""
    command = [os.fspath(python), "-s", "-c", PROBE]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
    # some modules print when they are imported
    result: dict[str, Any] = json.loads(done.stdout[done.stdout.index('{"') :])
    return result


def table(known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Return what is gone, with the version that lacks it first."""
    modules = {v: set(k["modules"]) | set(k["listed"]) for v, k in known.items()}
    gone = {m: v for m, v in lost(modules, modules).items() if m not in AMBIGUOUS}
    gone = {m: v for m, v in gone.items() if m[0] != "_" or m == "__builtin__"}
    # of modules that are there to the end
    ever = set(known["3.11"]["modules"]) - set(gone) - AMBIGUOUS - NOT_ASKED
    own = {v: set(of_modules(k["modules"], ever)) for v, k in known.items()}
    names = {v: set(of_modules(k["all"], ever)) for v, k in known.items()}
    classes = own["3.11"] & own["3.13"]
    members = {v: set(of_classes(k["modules"], classes)) for v, k in known.items()}
    return {
        "modules": gone,
        "names": lost(own, names),
        "members": lost(members, members),
        "moved": {old: left_behind(known, old, r.new) for old, r in MODULES.items() if r.new},
    }


def left_behind(known: dict[str, dict[str, Any]], old: str, new: str) -> list[str]:
    """Return the names of a module of Python 2 that are not to be found at its new place."""
    last = known["3.13"]["all"]
    left = set(known["2.7"]["modules"][old]) - set(last[new])
    return sorted(left - names_anywhere(new, order("3.13"), stubs()))


def of_modules(modules: dict[str, Any], wanted: set[str]) -> list[str]:
    return [f"{m}.{name}" for m in modules if m in wanted for name in modules[m]]


def of_classes(modules: dict[str, dict[str, Any]], wanted: set[str]) -> list[str]:
    return [
        f"{m}.{name}.{member}"
        for m, names in modules.items()
        for name, inside in names.items()
        if f"{m}.{name}" in wanted and m in WITH_CLASSES
        for member in inside
    ]


def lost(own: dict[str, set[str]], names: dict[str, set[str]]) -> dict[str, str]:
    """Return what some version has and all later ones lack, with the first of these.

    Parameters
    ----------
    own : dict of str to set of str
        What each version has for programs to use.
    names : dict of str to set of str
        What it has at all: `urllib.request` lists no `URLError`, but has it.
    """
    found = {}
    for before, after in itertools.pairwise(VERSIONS):
        later = set().union(*(names[v] for v in VERSIONS[VERSIONS.index(after) :]))
        for name in own[before] - later:
            found[name] = "3.0" if before == "2.7" else after
    return found


if __name__ == "__main__":
    main()
