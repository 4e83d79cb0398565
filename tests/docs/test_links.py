"""Links of every page lead to a file and a heading of this repository; nothing is downloaded."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.fenced import DOCS, ROOT, anchors, links

PAGES = [
    *sorted(DOCS.rglob("*.md")),
    *sorted(ROOT.glob("*.md")),
    ROOT / "legacy_examples" / "README.md",
]


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def broken(page: Path, text: str) -> list[str]:
    """The links of a page that lead nowhere."""
    found = []
    for link in links(text):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        # the site has nothing from outside of docs/
        top = DOCS if page.is_relative_to(DOCS) else ROOT
        there = target.is_relative_to(top) and target.is_file()
        if not there or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            found.append(link)
    return found


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    assert broken(page, page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("link", "wrong"),
    [
        ("faq.md", False),
        ("faq.md#sources", False),
        ("missing.md", True),
        ("faq.md#no-such-heading", True),
        ("../README.md", True),
        ("images", True),
    ],
)
def test_broken_links_are_found(link: str, wrong: bool) -> None:
    text = f"See [there]({link}), `[not](a-link.md)`.\n\n```text\n[nor](this.md)\n```\n"

    assert broken(DOCS / "README.md", text) == ([link] if wrong else [])


def test_every_page_is_linked() -> None:
    """From the README, by way of the pages that it links to."""
    seen = {ROOT / "README.md"}
    waiting = list(seen)
    while waiting:
        page = waiting.pop()
        for link in links(page.read_text(encoding="utf-8")):
            target = (page.parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and target.is_file() and target not in seen:
                seen.add(target)
                waiting.append(target)

    assert [name_of(page) for page in PAGES if page not in seen] == []
