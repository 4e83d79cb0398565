"""Whatever stands in a file, every report shows it as text and nothing else."""

from __future__ import annotations

import itertools
import json
import re
from html.parser import HTMLParser

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from migrator.model.findings import Decision
from migrator.model.printable import visible
from migrator.model.report import (
    FileReport,
    Finding,
    Report,
    Severity,
    Spot,
    SuppressedBy,
    Suppression,
)
from migrator.report import github_report, html_report, markdown_report, sarif_report, text_report
from tests.support.migrator.report_checks import CHECKER, commands, harmless
from tests.support.migrator.samples import ATTACKS

PIECES = (
    *ATTACKS,
    *("<", ">", "&", '"', "'", "`", "``", "\\", "|", "[", "]", "(", ")", "{", "}", "*", "_", "#"),
    *("~", "!", "@", ":", "::", ",", "%", "\n", "\r", "\x1b", "\x9b", "\u2028", "\u202e", "\ud800"),
    *("\udce9", "\t", " ", "a", "</", "/>", "<!--", "-->", "]]>", "http://", "www.", "\x00", "é"),
)
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join) | st.text(max_size=30)

# what a file system gives: bytes that are not UTF-8 are surrogates of their own kind
PATHS = TEXTS.map(lambda text: text.replace("\ud800", "").replace("\x00", ""))


def report_of(path: str, message: str, advice: str, source: str, reason: str) -> Report:
    def finding(severity: Severity, suppression: Suppression | None = None) -> Finding:
        return Finding(
            "D204",
            "mqtt",
            severity,
            Spot(1, 1),
            message,
            advice,
            10,
            evidence=(message,),
            decision=Decision(suppression=suppression, fingerprint="0" * 32),
        )

    ignored = finding(Severity.ERROR, Suppression(SuppressedBy.COMMENT, reason))
    findings = [finding(Severity.ERROR), finding(Severity.INFO), ignored]
    data = source.encode("utf-8", "replace")
    file = FileReport(path or "x", findings=findings, original=data, content=data + b"\n" + data)
    return Report("root", "check", files=[file], base="/nowhere")


class Reader(HTMLParser):
    """Reads a page as a browser would, and counts what could act."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.handlers: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        for name, value in attrs:
            if name in ("href", "src", "action", "data", "style"):
                self.links.append(f"{name}={value}")
            if name.startswith("on"):
                self.handlers.append(name)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(path=PATHS, message=TEXTS, advice=TEXTS, source=TEXTS, reason=TEXTS)
def test_html(path: str, message: str, advice: str, source: str, reason: str) -> None:
    plain = Reader()
    plain.feed(html_report.render(report_of("x", "m", "a", "s", "r")))
    reader = Reader()
    page = html_report.render(report_of(path, message, advice, source, reason))
    reader.feed(page)
    assert reader.tags.count("script") == reader.tags.count("style") == 1
    # some elements are there only if there is something to say
    assert set(reader.tags) - {"code", "pre", "p", "span"} <= set(plain.tags)
    assert set(reader.links) <= {"href=#file-1"}
    assert reader.handlers == []
    assert visible((path or "x").expandtabs(4)) in reader.texts
    page.encode("utf-8")


@settings(deadline=None, max_examples=80)
@given(path=PATHS, message=TEXTS, advice=TEXTS, source=TEXTS, reason=TEXTS)
def test_markdown(path: str, message: str, advice: str, source: str, reason: str) -> None:
    text = markdown_report.render(report_of(path, message, advice, source, reason))
    harmless(text)
    text.encode("utf-8")


@settings(deadline=None, max_examples=80)
@given(path=PATHS, message=TEXTS, advice=TEXTS, source=TEXTS, reason=TEXTS)
def test_github(path: str, message: str, advice: str, source: str, reason: str) -> None:
    text = github_report.render(report_of(path, message, advice, source, reason))
    assert [level for level, _, _ in commands(text)] == ["error", "notice"]
    text.encode("utf-8")


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(path=PATHS, message=TEXTS, advice=TEXTS, source=TEXTS, reason=TEXTS)
def test_sarif(path: str, message: str, advice: str, source: str, reason: str) -> None:
    log = json.loads(sarif_report.render(report_of(path, message, advice, source, reason)))
    assert [error.message for error in CHECKER.iter_errors(log)] == []
    for result in log["runs"][0]["results"]:
        shown = result["message"]["text"]
        assert not re.search(r"(?<!\\)(?:\\\\)*\[", shown)
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"(?:file://)?[A-Za-z0-9/._~%-]*", uri)


@pytest.mark.slow
@settings(deadline=None, max_examples=80)
@given(path=PATHS, message=TEXTS, advice=TEXTS, source=TEXTS, reason=TEXTS)
def test_text(path: str, message: str, advice: str, source: str, reason: str) -> None:
    report = report_of(path, message, advice, source, reason)
    for group_by, verbose in itertools.product(("file", "rule"), (False, True)):
        text = text_report.render(report, group_by, verbose)
        assert visible(text.replace("\n", "")) == text.replace("\n", "")
        text.encode("utf-8")


def test_the_checks_notice() -> None:
    reader = Reader()
    reader.feed("<p onclick=x><a href=y>t</a></p>")
    assert (reader.links, reader.handlers, reader.texts) == (["href=y"], ["onclick"], ["t"])
    assert isinstance(CHECKER, jsonschema.Draft4Validator)
