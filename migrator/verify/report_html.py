"""The report of a verification as one HTML page."""

from __future__ import annotations

from html import escape

from migrator.verify.report_text import facts, headline, leftovers, side_by_side
from migrator.verify.verdict import Verdict

_ROWS = 500
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; } table { border-collapse: collapse; margin: 1rem 0; width: 100%; }
td, th { border: 1px solid #8888; padding: .2rem .5rem; text-align: left; vertical-align: top; }
td { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.equal { color: #1a7f37; } .different { color: #cf222e; } .not { color: #9a6700; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } }
"""


def as_html(verdict: Verdict) -> str:
    """Return the report; it loads nothing, and all that comes from the jobs is text."""
    kind = verdict.result.value.partition(" ")[0]
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>migrate verify: {escape(headline(verdict))}</title>",
        f"<style>{STYLE}</style></head><body>",
        f'<h1 class="{kind}">{as_text(headline(verdict))}</h1>',
        "<ul>",
        *(f"<li>{as_text(fact)}</li>" for fact in [*facts(verdict), *leftovers(verdict)]),
        "</ul>",
    ]
    comparison = verdict.comparison
    if comparison is not None and verdict.obstacle is None:
        first = comparison.first()
        if first is not None:
            rows = side_by_side(first)
            parts += ["<h2>The first difference</h2>", "<table>"]
            parts.append("<tr><th>only in the old</th><th>only in the new</th></tr>")
            for old, new in rows[:_ROWS]:
                parts.append(f"<tr><td>{as_text(old)}</td><td>{as_text(new)}</td></tr>")
            parts.append("</table>")
            if len(rows) > _ROWS:
                parts.append(f"<p>and {len(rows) - _ROWS} more</p>")
        parts += ["<h2>Outputs</h2>", "<table>"]
        parts.append("<tr><th>output</th><th>operator</th><th>batches that differ</th></tr>")
        for pair in comparison.pairs:
            own = [
                str(difference.batch)
                for difference in comparison.differences
                if difference.pair == pair
            ]
            cells = (pair.name, pair.operator, ", ".join(own) or "none")
            parts.append("<tr>" + "".join(f"<td>{as_text(cell)}</td>" for cell in cells) + "</tr>")
        parts.append("</table>")
    return "\n".join([*parts, "</body></html>", ""])


def as_text(text: str) -> str:
    """Return a text as HTML shows it."""
    # lone surrogates are no characters of UTF-8
    return escape(text).encode("utf-8", "backslashreplace").decode("utf-8").replace("\n", "<br>")
