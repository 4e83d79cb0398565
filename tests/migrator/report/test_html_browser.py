"""The HTML report in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from migrator.model.report import Report
from migrator.report.html_report import render
from tests.support.migrator.samples import hostile, mixed, reported

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# every pair of boxes of every picture that overlap, and texts that leave their box
OVERLAPS = """() => {
  const found = [];
  for (const svg of document.querySelectorAll("svg.pipeline")) {
    const outer = svg.getBoundingClientRect();
    const nodes = [...svg.querySelectorAll("g.node")].map((g) => ({
      name: g.textContent, rect: g.querySelector("rect").getBoundingClientRect(),
      texts: [...g.querySelectorAll("text")].map((t) => t.getBoundingClientRect()) }));
    nodes.forEach((a, i) => {
      if (a.rect.right > outer.right + 1 || a.rect.bottom > outer.bottom + 1)
        found.push("outside " + a.name);
      for (const t of a.texts)
        if (t.left < a.rect.left || t.right > a.rect.right) found.push("text " + a.name);
      for (const b of nodes.slice(i + 1))
        if (a.rect.left < b.rect.right && b.rect.left < a.rect.right &&
            a.rect.top < b.rect.bottom && b.rect.top < a.rect.bottom)
          found.push(a.name + " / " + b.name);
    });
  }
  return found;
}"""


class Opened:
    """A report in a browser, with everything that it tried to load or complained about."""

    def __init__(self, browser: Browser, path: Path, **options: Any) -> None:
        self.page: Page = browser.new_page(**options)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: self.complaints.append(dialog.message))
        self.page.goto(path.as_uri())

    def visible_findings(self) -> int:
        return self.page.locator("li.finding:visible").count()


def written(report: Report, folder: Path) -> Path:
    path = folder / "report.html"
    path.write_text(render(report), "utf-8")
    return path


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    path = written(reported(mixed(tmp_path / "tree")), tmp_path)
    found = Opened(browser, path, viewport={"width": 1200, "height": 900})
    yield found
    found.page.close()


def test_loads_nothing_but_itself_and_complains_about_nothing(opened: Opened) -> None:
    assert [url.rpartition("/")[2] for url in opened.requests] == ["report.html"]
    assert opened.complaints == []
    assert opened.page.locator("h1").inner_text() == "DStream migration"


def test_works_offline(browser: Browser, tmp_path: Path) -> None:
    path = written(reported(mixed(tmp_path / "tree")), tmp_path)
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    assert page.locator("svg.pipeline").count() == 1
    assert "findings" in page.locator("#shown").inner_text()
    context.close()


def test_filter_by_words(opened: Opened) -> None:
    everything = opened.visible_findings()
    assert opened.page.locator("#shown").inner_text() == f"{everything} of {everything} findings"
    opened.page.fill("#query", "FLUME")
    assert opened.visible_findings() == 2
    assert opened.page.locator("details.file:visible").count() == 1
    opened.page.fill("#query", "flume nothing-like-it")
    assert opened.visible_findings() == 0
    assert opened.page.locator("details.file:visible").count() == 0
    opened.page.fill("#query", "probable.py")
    assert opened.page.locator("details.file:visible").count() == 1
    opened.page.fill("#query", "")
    assert opened.visible_findings() == everything


@pytest.mark.parametrize("level", ["error", "warning", "info", "fixed", "suppressed"])
def test_filter_by_level(opened: Opened, level: str) -> None:
    everything = opened.visible_findings()
    of_level = opened.page.locator(f"li.finding[data-level={level}]").count()
    assert of_level
    opened.page.uncheck(f"#filter input[value={level}]")
    assert opened.visible_findings() == everything - of_level
    opened.page.check(f"#filter input[value={level}]")
    assert opened.visible_findings() == everything


def test_a_rule_filters_and_lets_go(opened: Opened) -> None:
    everything = opened.visible_findings()
    opened.page.click("button.rule[data-code=D203]")
    assert opened.visible_findings() == 1
    opened.page.click("button.rule[data-code=D203]")
    assert opened.visible_findings() == everything


def test_files_open_and_close(opened: Opened) -> None:
    opened.page.click("#close-all")
    assert opened.visible_findings() == 0
    opened.page.click("#open-all")
    assert opened.visible_findings() == opened.page.locator("li.finding").count()


def test_enter_in_the_filter_stays_on_the_page(opened: Opened) -> None:
    opened.page.fill("#query", "D203")
    opened.page.press("#query", "Enter")
    assert len(opened.requests) == 1
    assert opened.complaints == []


def test_picture_is_coloured_and_leads_to_findings(opened: Opened) -> None:
    page = opened.page
    assert page.evaluate(OVERLAPS) == []
    kinds = {
        way: page.locator(f"svg.pipeline g.{way} .name").all_text_contents()
        for way in ("runs", "manual", "impossible")
    }
    assert kinds["impossible"] == ["✕ createStream"]
    assert kinds["manual"] == ["✎ createStream", "✎ toDF"]
    assert "✓ socketTextStream" in kinds["runs"]
    fills = {
        way: page.locator(f"svg.pipeline g.{way} rect").first.evaluate(
            "rect => getComputedStyle(rect).fill"
        )
        for way in kinds
    }
    assert len(set(fills.values())) == 3
    assert page.locator("svg.pipeline path.edge").count() == 12
    page.locator("svg.pipeline a", has_text="createStream, line 7").click()
    assert page.locator("li.finding:target .code").inner_text() == "D203"


def test_a_link_to_a_finding_opens_its_file(opened: Opened) -> None:
    page = opened.page
    page.click("#close-all")
    name = page.locator("li.finding[data-code=D201]").get_attribute("id")
    page.evaluate("name => { location.hash = name; }", name)
    page.wait_for_selector(f"#{name}:visible")


def test_diff_is_shown(opened: Opened) -> None:
    added = opened.page.locator(".line.added").all_inner_texts()
    assert "+from dstream_compat import StreamingContext" in added
    removed = opened.page.locator(".line.removed").all_inner_texts()
    assert "-from pyspark.streaming import StreamingContext" in removed


@pytest.mark.parametrize(("width", "scheme"), [(380, "light"), (1200, "dark")])
def test_fits_a_phone_and_the_dark(
    browser: Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    path = written(reported(mixed(tmp_path / "tree")), tmp_path)
    view = {"width": width, "height": 800}
    opened = Opened(browser, path, viewport=view, color_scheme=scheme)
    assert opened.page.evaluate("document.documentElement.scrollWidth") == width
    back, text = opened.page.evaluate(
        "(() => { const s = getComputedStyle(document.body);"
        " return [s.backgroundColor, s.color].map((c) => +c.match(/[0-9]+/)[0]); })()"
    )
    assert (back < text) is (scheme == "dark")
    opened.page.close()


def test_hostile_names_and_contents_stay_text(browser: Browser, tmp_path: Path) -> None:
    path = written(reported(hostile(tmp_path / "tree")), tmp_path)
    opened = Opened(browser, path)
    opened.page.wait_for_load_state("networkidle")
    opened.page.locator("details").evaluate_all("all => all.forEach((d) => { d.open = true; })")
    assert opened.page.evaluate("window.pwned") is None
    assert [url.rpartition("/")[2] for url in opened.requests] == ["report.html"]
    assert opened.complaints == []
    assert opened.page.evaluate("document.scripts.length") == 1
    assert opened.page.evaluate("document.querySelectorAll('style').length") == 1
    assert opened.page.evaluate("document.querySelectorAll('img, iframe, object').length") == 0
    links = opened.page.locator("a").evaluate_all("all => all.map((a) => a.getAttribute('href'))")
    assert all(link.startswith(("#f-", "#file-")) for link in links)
    names = opened.page.evaluate(
        "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())"
    )
    assert not [name for name in names if name.startswith("on")]
    text = opened.page.inner_text("body")
    assert "</script><script>window.pwned = 1</script>" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    opened.page.close()


def test_many_files_open_folded(browser: Browser, tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"job{number}.py").write_text("import pyspark.streaming\n")
    opened = Opened(browser, written(reported(tmp_path), tmp_path))
    assert opened.page.locator("details.file:visible").count() == 30
    assert opened.visible_findings() == 0
    opened.page.close()


def test_nothing_found(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    opened = Opened(browser, written(reported(tmp_path / "tree"), tmp_path))
    assert "No DStream code found" in opened.page.inner_text("body")
    assert opened.complaints == []
    opened.page.close()
