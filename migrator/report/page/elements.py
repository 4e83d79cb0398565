"""Builds HTML as a tree, so that text is always escaped.

Decision 0016: Text in reports is escaped by construction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias
from xml.etree.ElementTree import Element, tostring

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
