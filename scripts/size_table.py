"""Writes the tables that say how large the runtime is, in README.md and docs/architecture.md.

A line counts if it has code: no blank lines, comments and docstrings. The tables have hundreds of
lines; a test compares them with the code, and allows a tenth.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path
from typing import Final, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "dstream_compat"
PAGES = (ROOT / "README.md", ROOT / "docs" / "architecture.md")
BEGIN = "<!-- size: written by scripts/size_table.py -->"
END = "<!-- size: end -->"
_NO_CODE: Final = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


class Part(NamedTuple):
    """A part of the runtime.

    Parameters
    ----------
    promise : str
        what users have of it
    modules : str
        its modules and folders, separated by blanks; a folder goes to the longest name that fits
    sparks : str
        what Spark does of it
    """

    promise: str
    modules: str
    sparks: str


PARTS: Final = (
    Part(
        "the names of DStreams, and of their connectors",
        "api context dstream kafka kinesis mqtt flume listener state util names __init__",
        "RDDs and DataFrames in functions of the driver are Spark's",
    ),
    Part(
        "operators, windows and state, as DStreams compute them",
        "worker wire",
        "Spark starts the workers, shuffles frames between them and stores the state",
    ),
    Part(
        "a batch for each interval, in order",
        "graph plan intervals batch job lifecycle clock",
        "Spark's query plans micro-batches, runs their tasks and commits them",
    ),
    Part(
        "sources",
        "source planner worker/reading",
        "Spark's connector reads Kafka, and Hadoop reads files",
    ),
    Part(
        "a restart that counts each batch once",
        "checkpoint storage",
        "Spark saves offsets and state, and Hadoop writes the files",
    ),
    Part(
        "functions of texts, computed on blocks; functions that `migrate` translates",
        "native worker/columns",
        "Spark or Arrow computes the expressions",
    ),
    Part(
        "jobs that go on from a checkpoint of Spark's DStreams, or as Structured Streaming",
        "old_checkpoint export",
        "Spark itself reads them with its DStreams only",
    ),
    Part(
        "listeners, the Streaming tab and metrics",
        "listeners",
        "Spark draws the tab and sends the metrics",
    ),
    Part(
        "`run`, `submit` and other commands; workers that start fast",
        "cli __main__ daemon python_start",
        "`spark-submit` starts the job",
    ),
    Part(
        "settings, sessions, versions of Spark, errors",
        "spark settings version_differences exceptions",
        "the JVM is reached by py4j, as PySpark does",
    ),
    Part(
        "**only for development**: jobs in tests, and in `migrate verify`",
        "testing",
        "Spark's manual clock stands still until a test moves it",
    ),
)


def sizes() -> dict[str, int]:
    """Return the lines of code of each part, by its promise.

    Raises
    ------
    ValueError
        if a module belongs to no part
    """
    owner = {name: part.promise for part in PARTS for name in part.modules.split()}
    found = dict.fromkeys((part.promise for part in PARTS), 0)
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix not in (".py", ".java"):
            continue
        place = path.relative_to(PACKAGE).with_suffix("").parts
        names = ["/".join(place[:end]) for end in range(len(place), 0, -1)]
        part = next((owner[name] for name in names if name in owner), None)
        if part is None:
            raise ValueError(f"{path}: give it to a part of scripts/size_table.py")
        text = path.read_text(encoding="utf-8")
        found[part] += python_lines(text) if path.suffix == ".py" else java_lines(text)
    return found


def python_lines(text: str) -> int:
    """Return the number of lines with code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=int(last)):
                lines.difference_update(range(first, last + 1))
    return len(lines)


def java_lines(text: str) -> int:
    """Return the number of lines with code."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL)
    return sum(bool(line.strip()) for line in code.splitlines())


def table() -> str:
    """Return the table."""
    found = sizes()
    development = PARTS[-1].promise
    whole = sum(found.values())
    rows = ["| what users have of it | lines of code | what Spark does of it |", "|---|---|---|"]
    rows += [f"| {part.promise} | {shown(found[part.promise])} | {part.sparks} |" for part in PARTS]
    rows += [f"| all but what is for development | {shown(whole - found[development])} | |"]
    return "\n".join(rows)


def shown(lines: int) -> str:
    """Return a number of lines in hundreds."""
    return f"{max(round(lines, -2), 100):,}"


def main() -> None:
    """Write the pages."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        _, _, after = rest.partition(END)
        page.write_text(f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
