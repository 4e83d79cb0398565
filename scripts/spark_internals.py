"""Writes which modules use a private name of Spark, in the tables of docs/spark-internals.md.

A name that is new is printed as a row, for whoever uses it to complete: since when Spark has it,
what for, and what would do instead.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pyspark

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "dstream_compat"
SPARK = Path(pyspark.__file__).parent
PAGE = ROOT / "docs" / "spark-internals.md"
ROW = re.compile(
    r"^\| `([\w.$]+)` \| ([\w, /.]+) \| (\d\.\d)[^|]*\|[^|]+\|([^|]+)\|$", re.MULTILINE
)
MOST = 3
"""Modules that are named; of more, their folders are."""
DOCUMENTED = {"", "errors", "sql", "sql.datasource", "sql.functions", "sql.streaming", "sql.types"}
DOCUMENTED |= {f"sql.streaming.{name}" for name in ("query", "readwriter", "stateful_processor")}
"""The modules of PySpark whose names are public."""
JVM = "org.apache.spark."
# names of our own, or of named tuples, that Spark has, too
OWN = {"_fields", "_function", "_lock", "_partition", "_path", "_replace", "_sc", "_source", "_ssc"}
OWN |= {"_slideDuration", "_ensure_initialized", "_initialize_context"}
# the public API of Java
PUBLIC = {"SparkContext", "TaskContext", "Function", "Broadcast", "Encoders", "UDF1", "DataTypes"}
PUBLIC |= {"StorageLevel", "SparkListener", "SparkListenerJobStart", "TaskCompletionListener"}
STREAMING = JVM + "streaming"
"""Classes of DStreams: they go together, if they go."""


def definitions(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module defines."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.Assign(targets=targets):
                yield from (each.id for each in targets if isinstance(each, ast.Name))


@cache
def private_names() -> set[str]:
    """Return the private names of PySpark itself."""
    found: set[str] = set()
    for path in SPARK.rglob("*.py"):
        if {"pandas", "tests", "ml", "mllib"}.isdisjoint(path.relative_to(SPARK).parts):
            found.update(definitions(ast.parse(path.read_text(encoding="utf-8"))))
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


def used_names(path: Path) -> Iterator[str]:
    """Yield what a module uses of Spark that is not public."""
    if path.suffix == ".java":
        yield from re.findall(
            rf"^import ({re.escape(JVM)}[\w.$]+);", path.read_text(), re.MULTILINE
        )
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Attribute(value=owner, attr=name) if name in private_names() - OWN:
                if not (isinstance(owner, ast.Name) and owner.id in ("self", "cls")):
                    yield name
            case ast.Attribute(attr=name) if name[:1].isupper():
                found = re.search(rf"\.({re.escape(JVM)}[a-z0-9.]+\.\w+)$", ast.unparse(node))
                if found:
                    yield found[1]
            case ast.Import(names=names):
                yield from (each.name for each in names if each.name.startswith("pyspark."))
            case ast.ImportFrom(module=str(module), names=names) if module.startswith("pyspark"):
                yield from undocumented(module, [each.name for each in names])
            case ast.Constant(value=str(text)) if re.fullmatch(rf"{re.escape(JVM)}[\w.$]+", text):
                if text.rpartition(".")[2][:1].isupper():
                    yield text
            case ast.Constant(value=str(text)) if re.fullmatch(r"pyspark(\.\w+)+", text):
                if is_module(text):
                    yield from undocumented("pyspark", [text.removeprefix("pyspark.")])


def undocumented(module: str, names: list[str]) -> Iterator[str]:
    """Yield what is imported of a module of PySpark, unless Spark documents it."""
    public = module.removeprefix("pyspark").lstrip(".") in DOCUMENTED
    for name in names:
        whole = f"{module}.{name}"
        if name.startswith("_") and not name.startswith("__"):
            yield name
        elif whole.startswith("pyspark.streaming") or whole[len("pyspark.") :] in DOCUMENTED:
            continue  # DStreams go together, if they go
        elif not public or is_module(whole):
            yield whole


def defined_in(module: str) -> set[str]:
    """Return the names that a module of PySpark defines, or one in its folder."""
    place = SPARK.parent.joinpath(*module.split("."))
    files = place.glob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    return {name for file in files for name in definitions(ast.parse(file.read_text("utf-8")))}


def is_module(name: str) -> bool:
    """Return whether PySpark has a module of that name."""
    place = SPARK.parent.joinpath(*name.split("."))
    return place.is_dir() or place.with_suffix(".py").exists()


def uses() -> dict[str, str]:
    """Return the names that the package uses, with what the page says of their modules."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix in (".py", ".java"):
            for name in used_names(path):
                if name.startswith(JVM) and name.rpartition(".")[2] in PUBLIC:
                    continue
                name = STREAMING if name.startswith(STREAMING) else name
                found[name].add(path.relative_to(PACKAGE).as_posix().removesuffix(".py"))
    return {name: cell(modules) for name, modules in found.items()}


def cell(modules: set[str]) -> str:
    """Return what the page says of the modules that use a name."""
    if len(modules) > MOST:
        modules = {module.partition("/")[0] for module in modules}
    return ", ".join(sorted(modules))


def main() -> None:
    """Write the page, and print what is to be added to it."""
    found = uses()
    lines = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        row = re.match(r"\| `([\w.$]+)` \| [^|]+ \|", line)
        if row is None:
            lines.append(line)
        elif row[1] in found:
            lines.append(f"| `{row[1]}` | {found.pop(row[1])} |{line[row.end() :]}")
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name, modules in sorted(found.items()):
        print(f"| `{name}` | {modules} | SINCE | WHAT FOR | INSTEAD |")


if __name__ == "__main__":
    main()
