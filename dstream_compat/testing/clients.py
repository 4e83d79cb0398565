"""The clients by which jobs send what they compute to other systems, and which a job uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

MODULES: Final = (
    # databases, by the DB-API
    *("psycopg2", "psycopg", "pymysql", "MySQLdb", "mysql", "pymssql", "sqlite3"),
    # stores and services
    *("redis", "happybase", "elasticsearch", "pymongo", "cassandra", "boto3"),
    # messages
    "kafka",
    # the web
    "requests",
)
"""Modules for which others stand, which need not be installed."""

FUNCTIONS: Final = {
    "urllib": (("urllib.request", "urlopen"),),
    "pandas": tuple(
        ("pandas", f"{kind}.{method}")
        for kind in ("DataFrame", "Series")
        for method in ("to_csv", "to_json", "to_sql", "to_parquet", "to_excel", "to_pickle")
    ),
}
"""Functions and methods of modules that stay as they are: the module, and the function's name."""

RESULTS: Final[dict[str, Any]] = {
    **dict.fromkeys(("fetchone", "raise_for_status"), None),
    "fetchall": [],
    "fetchmany": [],
    "json": {},
    "read": b"{}",
}
"""What calls of some names give; others give something that stands for a client."""

VALUES: Final[dict[str, Any]] = {
    **dict.fromkeys(("rowcount", "lastrowid"), -1),
    **dict.fromkeys(("status_code", "status"), 200),
    "text": "{}",
    "content": b"{}",
    "ok": True,
    "closed": 0,
}
"""What attributes of some names are; others stand for a client."""

TARGETS: Final = ("path_or_buf", "path", "excel_writer", "name")
"""The names of the first argument of what writes frames of pandas."""

# calls that prepare others: it does not matter how often they are made
_PREPARES: Final = frozenset(
    (
        *("connect", "cursor", "client", "resource", "from_url", "session", "prepare", "pipeline"),
        *("table", "bucket", "batch", "get_database", "get_collection", "set_isolation_level"),
    )
)


def is_preparation(name: str, has_arguments: bool) -> bool:
    """Return whether a call sends nothing by itself: it makes a client, or has no argument.

    Parameters
    ----------
    name : str
        such as ``redis.Redis().pipeline``
    has_arguments : bool
        whether it has any
    """
    last = name.rpartition(".")[2]
    return not has_arguments or last in _PREPARES or last[:1].isupper() or last.endswith("=")


def used_clients(script: Path) -> list[str]:
    """Return the clients that a job imports, also by modules in its folder, by their names.

    Parameters
    ----------
    script : Path
        the file of the job
    """
    supported = {*MODULES, *FUNCTIONS}
    clients = set()
    files = [script]
    for file in files:
        for name in _imported_packages(file):
            beside = (script.parent / name).with_suffix(".py")
            package = script.parent / name
            if not (beside.is_file() or (package / "__init__.py").is_file()):
                # a module of the job itself is no client
                clients |= {name} & supported
            more = [beside] if beside.is_file() else sorted(package.rglob("*.py"))
            files += [path for path in more if path not in files]
    return sorted(clients)


def _imported_packages(file: Path) -> Iterator[str]:
    """Yield the first names of what a program imports anywhere; of a frame of pandas, pandas."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.Attribute) and node.attr == "toPandas":
            yield "pandas"
