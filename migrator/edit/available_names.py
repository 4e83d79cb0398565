"""Decides whether dstream_compat has what an import names."""

from __future__ import annotations

from migrator.edit.importers import OtherModule
from migrator.edit.star_imports import file_with_clash
from migrator.spark import api, names
from migrator.spark.connectors import CONNECTORS


def name_problem(path: str, is_module: bool, importer: OtherModule) -> tuple[str | None, str]:
    """Return why an imported name has no counterpart, as the key of a rule and what it is about.

    Parameters
    ----------
    path : str
        The name with its module as written.
    is_module : bool
        Whether the path itself is imported (`import a.b`).
    importer : OtherModule
        The module that imports it.

    Returns
    -------
    tuple[str | None, str]
        (None, "") if dstream_compat has it.
    """
    if path == f"{api.COMPAT}.*":
        return None, ""
    if _is_own_module(path, is_module):
        return None, ""
    path = api.canonical(path) if path.startswith(api.COMPAT) else path
    if is_module or path == api.ROOT:
        return (None, "") if api.submodule(path) is not None else (_module_problem(path), path)
    module, _, name = path.rpartition(".")
    sub = api.submodule(module)
    if sub is None:
        return _module_problem(module), module
    if name == "*":
        return _star_problem(sub, importer)
    return (None, "") if name in names.exported(sub) else ("unknown-name", path)


def _is_own_module(path: str, is_module: bool) -> bool:
    """Return whether a path leads to a module of ours only, such as dstream_compat.exceptions."""
    package, _, rest = path.partition(".")
    name, _, inner = rest.partition(".")
    if package != api.COMPAT or name in names.exported(""):
        return False
    return is_module or bool(inner) or (name.islower() and not name.startswith("_"))


def _star_problem(sub: str, importer: OtherModule) -> tuple[str | None, str]:
    if not api.star_names(f"{api.ROOT}.{sub}" if sub else api.ROOT):
        return "star", "the module lists no public names"
    places: dict[str, list[str]] = {}
    for name in names.ADDED_BY_STAR.get(sub, ()):
        file = file_with_clash(importer, name)
        if file is not None:
            places.setdefault(file, []).append(name)
    for file in sorted(places, key=lambda f: (f != importer.file, f)):
        where = "here" if file == importer.file else f"in {file}, which this star gets to"
        return "star", f"dstream_compat would also bring {', '.join(places[file])}, used {where}"
    return None, ""


def _module_problem(module: str) -> str:
    """Return what is wrong with a module; connectors that Python never had are another rule's."""
    connector = module.split(".")[2]
    return "connector-module" if connector in CONNECTORS else "unknown-module"
