"""Pages, tables and pictures of docs/ are complete and up to date."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pyspark.streaming
import pytest

from scripts import report_picture, support_table
from tests.support.fenced import DOCS, README

SEMANTICS = DOCS / "semantics"
ROW = re.compile(r"^\| (.*) \| (.*) \|$", re.MULTILINE)


def test_semantics_has_its_pages() -> None:
    index = (SEMANTICS / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[[^\]]*\]\(([\w-]+\.md)\)", index, re.MULTILINE)

    assert sorted(listed) == sorted(
        page.name for page in SEMANTICS.glob("*.md") if page.name != "README.md"
    )


def test_every_row_of_semantics_says_what_happens_here() -> None:
    said = [
        (page.name, theirs, here)
        for page in sorted(SEMANTICS.glob("*.md"))
        if "| DStreams | `dstream_compat` |" in (text := page.read_text(encoding="utf-8"))
        for theirs, here in ROW.findall(text)
        if theirs != "DStreams"
    ]

    assert len(said) > 130
    assert [row for row in said if not row[2].startswith(("Same", "**Differs**"))] == []


def test_a_cell_of_a_table_has_at_most_a_sentence() -> None:
    pages = [path for path in DOCS.rglob("*.md") if "decisions" not in path.parts]
    cells = [
        (page.name, cell)
        for page in [*pages, DOCS.parent / "README.md"]
        for line in page.read_text(encoding="utf-8").splitlines()
        if line.startswith("|")
        for cell in re.sub("`[^`]*`|\\[[^]]*]", "", line).split("|")
    ]

    assert len(cells) > 1000
    assert [(page, cell) for page, cell in cells if re.search(r"\. [A-Z*]", cell)] == []


@pytest.mark.parametrize(
    ("folder", "pattern"), [("decisions", r"\d{4}-[a-z0-9-]+\.md"), ("production", r"[a-z-]+\.md")]
)
def test_an_index_lists_its_folder(folder: str, pattern: str) -> None:
    index = (DOCS / folder / "README.md").read_text(encoding="utf-8")
    pages = {page.name for page in (DOCS / folder).glob("*.md")} - {"README.md"}

    assert all(re.fullmatch(pattern, name) for name in pages)
    assert pages <= set(re.findall(r"\]\(([^)#]+)\)", index))


def test_decisions_have_numbers_of_their_own() -> None:
    numbers = [page.name[:4] for page in (DOCS / "decisions").glob("0*.md")]

    assert len(set(numbers)) == len(numbers) > 50


@pytest.mark.slow
def test_pages_that_messages_name_exist() -> None:
    named = {
        name
        for package in ("dstream_compat", "migrator", "scripts", "benchmarks")
        for path in (DOCS.parent / package).rglob("*.py")
        for name in re.findall(r"\bdocs/[\w/-]+\.\w+", path.read_text(encoding="utf-8"))
    }

    assert "docs/switching.md" in named
    assert [name for name in sorted(named) if not (DOCS.parent / name).is_file()] == []


@pytest.mark.parametrize("page", [README, support_table.SUPPORT], ids=lambda page: page.name)
def test_support_table_is_up_to_date(page: Path) -> None:
    text = page.read_text(encoding="utf-8")

    assert support_table.pages()[page] == text, "run python scripts/support_table.py"


def test_support_table_has_all_names_of_spark() -> None:
    import pyspark.streaming as real

    names = {row.name for row in support_table.rows()}

    for name in ("StreamingContext", "DStream", "StreamingListener"):
        public = support_table.public(getattr(real, name)) - {"Java"}
        assert {f"{name}.{member}" for member in public} <= names


def test_support_table_knows_what_refuses() -> None:
    marks = {row.name: row.supported for row in support_table.rows()}

    assert marks["DStream.reduceByKey"] == support_table.YES
    assert marks["DStream.mapWithState"] == support_table.YES
    assert marks["KafkaUtils.createStream"] in (support_table.YES, support_table.NOT_YET)
    assert marks["FlumeUtils.createStream"] == support_table.NO


def test_support_table_shows_parameters() -> None:
    shown = {row.name: row.parameters for row in support_table.rows()}

    assert shown["DStream.map"] == "(f, preservesPartitioning=False)"
    assert shown["DStream.partitionBy"].endswith("partitionFunc=portable_hash)")
    assert shown["StreamingContext.union"] == "(*dstreams)"
    assert shown["StreamingContext.sparkContext"] == ""
    assert "StorageLevel.MEMORY_AND_DISK_2" in shown["StreamingContext.socketTextStream"]


def test_summary_names_what_is_missing() -> None:
    found = [
        support_table.Row("A.one", "()", support_table.YES, ""),
        support_table.Row("A.two", "()", support_table.NOT_YET, "later"),
        support_table.Row("B.three", "()", support_table.NO, "never"),
    ]

    assert support_table.summary(found)[2:] == [
        "| `A` | 1 of 2 | `two` (not yet) |",
        "| `B` | 0 of 1 | `three` |",
    ]


def test_every_source_has_a_guarantee() -> None:
    known = {one.source for one in support_table.GUARANTEES}
    made = {
        row.name.removeprefix("StreamingContext.")
        for row in support_table.rows()
        if row.supported == support_table.YES
        and "Stream" in row.name.partition(".")[2]
        and (row.name.startswith("StreamingContext.") or "Utils." in row.name)
        and not row.name.endswith("Listener")
    }

    assert made | {"from_dataframe"} == known


def test_remarks_are_about_names_that_exist() -> None:
    names = {row.name for row in support_table.rows()}

    assert set(support_table.REMARKS) <= names


def test_names_that_spark_lacks_have_a_remark() -> None:
    """Add one to `REMARKS` of scripts/support_table.py, beginning with "new:"."""
    lacking = [
        row
        for row in support_table.rows()
        if (spark := getattr(pyspark.streaming, row.owner, None)) is not None
        and not hasattr(spark, row.name.partition(".")[2])
    ]
    assert {row.name for row in lacking} >= {"DStream.explain", "DStream.mapWithState"}
    assert [row.name for row in lacking if not row.remark] == []


def test_signature_remark_names_what_is_missing() -> None:
    def theirs(self: object, a: int, b: int = 0) -> None: ...
    def mine(self: object, b: int) -> None: ...
    def more(self: object, a: int, b: int = 0, c: int = 0) -> None: ...
    def swapped(self: object, b: int, a: int) -> None: ...

    assert support_table.signature_remark(theirs, mine) == "without `a`"
    assert support_table.signature_remark(theirs, more) == ""
    assert support_table.signature_remark(theirs, swapped) == "parameters in another order"


def test_updated_wants_its_marks() -> None:
    with pytest.raises(SystemExit, match="lacks"):
        support_table.updated("no marks", "table")


def visible(svg: str) -> list[str]:
    """The lines of text in a picture of a terminal."""
    rows: dict[float, list[str]] = {}
    for y, text in re.findall(r'<text[^>]* y="([\d.]+)"[^>]*>(.*?)</text>', svg):
        rows.setdefault(float(y), []).append(html.unescape(text).replace("\xa0", " "))
    return ["".join(rows[y]).strip() for y in sorted(rows)]


@pytest.mark.slow
def test_picture_shows_the_report_of_today() -> None:
    drawn = visible(report_picture.PICTURE.read_text(encoding="utf-8"))

    assert drawn == visible(report_picture.picture()), "run python scripts/report_picture.py"
    assert f"$ {report_picture.COMMAND}" in drawn
    assert any(re.match(r"\d+ jobs: \d+ run now, \d+ need something", line) for line in drawn)
    assert any(line.startswith("needs   kafka_receiver_wordcount.py") for line in drawn)


def test_picture_loads_nothing() -> None:
    svg = report_picture.PICTURE.read_text(encoding="utf-8")

    assert "@font-face" not in svg
    assert "url(http" not in svg
    assert "href=" not in svg
