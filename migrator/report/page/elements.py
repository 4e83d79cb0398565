"""Builds HTML as a tree, so that text is always escaped.

Decision 0016: Text in reports is escaped by construction.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import TypeAlias
from xml.etree.ElementTree import Element, tostring

from migrator import __version__
from migrator.model.printable import visible

Attributes: TypeAlias = Mapping[str, str | int | float]
Child: TypeAlias = Element | str | None
_TAB = 4


def el(tag: str, attributes: Attributes | None = None, *children: Child) -> Element:
    """Return an element.

    Parameters
    ----------
    attributes : Attributes, optional
        The attributes by name.
    *children : Child
        Elements, texts (whose control characters are shown as numbers), or None for nothing.
    """
    element = Element(tag, {k: _text(str(v)) for k, v in (attributes or {}).items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, str):
            text = _text(child)
            if last is None:
                element.text = (element.text or "") + text
            else:
                last.tail = (last.tail or "") + text
        elif child is not None:
            element.append(child)
            last = child
    return element


def cells(*children: Child) -> list[Element]:
    """Return a cell of a table for each child."""
    return [el("td", {}, child) for child in children]


def table(
    attributes: Attributes, titles: Iterable[Child], rows: Iterable[Element | Iterable[Child]]
) -> Element:
    """Return a table whose columns have titles; a row is an element, or what its cells have."""
    heads = (el("th", {"scope": "col"}, title) for title in titles)
    head = el("thead", {}, el("tr", {}, *heads))
    body = (row if isinstance(row, Element) else el("tr", {}, *cells(*row)) for row in rows)
    return el("table", attributes, head, el("tbody", {}, *body))


def facts_table(facts: Iterable[tuple[str, str]]) -> Element:
    """Return a table of names and texts."""
    rows = (el("tr", {}, el("th", {"scope": "row"}, name), *cells(text)) for name, text in facts)
    return el("table", {"class": "totals"}, el("tbody", {}, *rows))


def raw(tag: str, content: str) -> Element:
    """Return a `style` or `script` element with our own content, which is not escaped."""
    element = Element(tag)
    element.text = content
    return element


def html(root: Element) -> str:
    """Return a document as text."""
    return f"<!DOCTYPE html>\n{tostring(root, encoding='unicode', method='html')}\n"


def _text(text: str) -> str:
    return visible(text.expandtabs(_TAB))


def resource(name: str) -> str:
    """Return the text of a file of this package."""
    return files("migrator.report.page").joinpath(name).read_text("utf-8")


def document(title: str, style: str, script: str, *body: Child) -> str:
    """Return a document.

    Parameters
    ----------
    style, script : str
        Our own, the only ones that the page allows.
    *body : Child
        What the page shows.
    """
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    head = el(
        "head",
        {},
        el("meta", {"charset": "utf-8"}),
        el("meta", {"name": "generator", "content": f"migrate {__version__}"}),
        el("meta", {"http-equiv": "Content-Security-Policy", "content": policy}),
        el("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        el("meta", {"name": "referrer", "content": "no-referrer"}),
        el("title", {}, title),
        raw("style", style),
    )
    foot = el("footer", {}, f"migrate {__version__}")
    page = el("body", {}, *body, foot, raw("script", script))
    return html(el("html", {"lang": "en"}, head, page))


def _hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"sha256-{digest}"
