"""Writes migrator/spark/removed.json: the public names that PySpark has lost.

``python scripts/removed_pyspark_names.py FOLDER`` parses the PySparks in FOLDER, each in a folder
of its version, without importing them, and compares them with the installed one. They come from
``pip download --no-deps --no-binary pyspark pyspark==2.4.8`` and ``tar -xzf``. PyPI has none before
2.1, so what Spark 2.0 dropped stands below, as the documentation of 1.6 has it. The table has the
last of these versions that had a name.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "migrator" / "spark" / "removed.json"
# Spark's own workers, tests and generators; the streaming part has tables of its own
SKIPPED = (
    *("pyspark.streaming", "pyspark.tests", "pyspark.testing", "pyspark.pandas", "pyspark.worker"),
    *("pyspark.daemon", "pyspark.cloudpickle", "pyspark.heapq3", "pyspark.java_gateway"),
    *("pyspark.sql.tests", "pyspark.ml.tests", "pyspark.mllib.tests", "pyspark.sql.connect"),
    *("pyspark.shell", "pyspark.find_spark_home", "pyspark.ml.param._shared_params_code_gen"),
    *("pyspark.ml.torch", "pyspark.ml.connect", "pyspark.sql.pandas", "pyspark.resource.tests"),
    *(
        "pyspark.python",
        "pyspark.serializers",
        "pyspark.shuffle",
        "pyspark.errors_doc_gen",
        "pyspark.join",
    ),
)
OF_SPARK_1 = (
    *(f"pyspark.sql.context.SQLContext.{n}" for n in ("applySchema", "inferSchema", "jsonFile")),
    *(f"pyspark.sql.context.SQLContext.{n}" for n in ("jsonRDD", "load", "parquetFile")),
    *(f"pyspark.sql.dataframe.DataFrame.{n}" for n in ("flatMap", "insertInto", "map")),
    *(f"pyspark.sql.dataframe.DataFrame.{n}" for n in ("mapPartitions", "save", "saveAsTable")),
    "pyspark.sql.dataframe.DataFrame.saveAsParquetFile",
    *(f"pyspark.sql.functions.{n}" for n in ("cumeDist", "denseRank", "percentRank")),
    *(f"pyspark.sql.functions.{n}" for n in ("monotonicallyIncreasingId", "rowNumber")),
    "pyspark.sql.functions.sparkPartitionId",
    "pyspark.context.SparkContext.clearFiles",
)
# what modules define for themselves only
PRIVATE = {"basestring", "long", "unicode", "xrange", "ignore_unicode_prefix", "fast_pickle_array"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    known = {
        version: dict.fromkeys(names_of(folder / version / "pyspark"))
        for version in sorted((p.name for p in folder.iterdir()), key=numbers)
    }
    known = {"1.6": dict.fromkeys(OF_SPARK_1), **known}
    gone: dict[str, str] = {}
    for version, names in known.items():
        # the last version that had a name wins
        gone |= {name: version for name in names if not exists(name)}
    # of what is gone as a whole, the parts say nothing
    short = {n: v for n, v in gone.items() if n.rpartition(".")[0] not in gone}
    table = {"compared with": list(known), "names": short}
    TABLE.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n", "utf-8")


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def names_of(root: Path) -> Iterator[str]:
    """Yield the modules of a package, what they define, and the members of their classes."""
    for file in sorted(root.rglob("*.py")):
        parts = file.relative_to(root.parent).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if module.startswith(SKIPPED) or parts[-1].startswith("test"):
            continue
        yield module
        tree = ast.parse(file.read_text("utf-8"))
        yield from (f"{module}.{name}" for name in listed(tree))
        for name, members in defined(tree.body):
            if name[:1] != "_" and name not in PRIVATE:
                yield f"{module}.{name}"
                yield from (f"{module}.{name}.{m}" for m in members if m[:1] != "_")


def defined(body: list[ast.stmt]) -> Iterator[tuple[str, list[str]]]:
    """Yield the names that statements define, with the members of classes."""
    for node in body:
        match node:
            case ast.ClassDef(name=name):
                yield name, [member for member, _ in defined(node.body)]
            case ast.FunctionDef(name=name):
                yield name, []
            case ast.Assign(targets=targets):
                yield from ((t.id, []) for t in targets if isinstance(t, ast.Name))
            case ast.If(test=test, body=inside, orelse=other) if "__main__" not in ast.unparse(
                test
            ):
                yield from defined(inside + other)


def listed(tree: ast.Module) -> list[str]:
    """Return what a module exports, as far as that is written down."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name("__all__")], value=ast.List(elts=elements)):
                return [e.value for e in elements if isinstance(e, ast.Constant)]
    return []


def exists(path: str) -> bool:
    """Return whether a dotted path leads to something in the installed PySpark."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        module = imported(".".join(parts[:length]))
        if module is not None:
            found: object = module
            for part in parts[length:]:
                found = getattr(found, part, MISSING)
            return found is not MISSING
    return False


MISSING = object()


def imported(name: str) -> ModuleType | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(name)
    except ImportError:
        return None


if __name__ == "__main__":
    main()
