"""Writes the tables of docs/native.md: what the translator of functions knows and refuses."""

from __future__ import annotations

import ast
from pathlib import Path

from dstream_compat.native.expressions import Column
from dstream_compat.native.printing import to_source
from dstream_compat.native.refusals import Code
from dstream_compat.native.registry import FUNCTIONS, METHODS, KnownFunction
from dstream_compat.native.translate import Translation, Translator
from dstream_compat.native.types import Boolean, Double, Long, String, Type, tuple_of, words

PAGE = Path(__file__).parents[1] / "docs" / "native.md"
START, END = "<!-- tables: start -->", "<!-- tables: end -->"
REFUSES = frozenset(("not translated",))
EXAMPLES: tuple[tuple[str, str, Type], ...] = (
    ("flat_map", "lambda line: line.split()", String()),
    ("flat_map", "lambda line: [w.strip() for w in line.split(',') if w]", String()),
    ("map", "lambda word: (word, 1)", String()),
    ("map", "lambda line: line.split(',')[2]", String()),
    ("map", "lambda pair: f'{pair[0]}: {pair[1]}'", tuple_of(String(), Long(0, 1000))),
    ("filter", "lambda line: 'error' in line and not line.startswith('#')", String()),
    ("filter", "lambda x: x > 0.5", Double()),
    ("map", "lambda n: n // 60", Long(0, 86_400)),
    ("map", "lambda n: 'large' if n > 100 else 'small'", Long(0, 86_400)),
    ("map", "lambda ok: 'ok: %s' % ok", Boolean()),
)


def tables() -> str:
    """Return all tables."""
    return "\n\n".join((_examples(), _known(), _codes()))


def _examples() -> str:
    rows = ["| function | of | becomes |", "|---|---|---|"]
    for purpose, source, kind in EXAMPLES:
        node = ast.parse(source, mode="eval").body
        found = getattr(Translator(), purpose)(node, Column(kind, "x"))
        assert isinstance(found, Translation), found
        written = to_source(found.expression, width=1000).text
        rows.append(f"| `{_cell(source)}` | {words(kind)} | `{_cell(written)}` |")
    return "\n".join(rows)


def _known() -> str:
    rows = ["| Python | becomes |", "|---|---|"]
    entries = [*FUNCTIONS.values(), *METHODS.values()]
    rows += [_row(each) for each in sorted(entries, key=lambda each: each.name.lower())]
    return "\n".join(row for row in rows if row)


def _row(entry: KnownFunction) -> str:
    if entry.about in REFUSES:
        return ""
    return f"| `{_cell(entry.written)}` | {_cell(entry.about)} |"


def _codes() -> str:
    rows = ["| code | difference | if accepted |", "|---|---|---|"]
    accepted = {
        "": "",
        "raises": "the expression raises where it has not Python's value",
        "rounds": "the last digits may differ",
        "shape": "exact for texts of the shape",
    }
    rows += [
        f"| `{code.name}` | {_cell(code.meaning)} | {accepted[code.accepted]} |" for code in Code
    ]
    return "\n".join(rows)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def written(page: str) -> str:
    """Return the page with its tables up to date."""
    before, _, rest = page.partition(START)
    _, _, after = rest.partition(END)
    return f"{before}{START}\n\n{tables()}\n\n{END}{after}"


def main() -> None:
    """Write the page."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
