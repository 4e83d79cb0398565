"""An HTML document of its own: it needs no network and runs no script but its own."""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files

from migrator import __version__
from migrator.report.page.elements import Child, el, html, raw


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
