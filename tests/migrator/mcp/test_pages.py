"""Results of any size come in pages that are bounded, and that belong to one result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from migrator.mcp.analysis import ResultPart
from migrator.mcp.pages import (
    MOST_CHARACTERS,
    MOST_ITEMS,
    Pages,
    clip,
    page_of_items,
    page_of_text,
)
from tests.migrator.mcp.conftest import OLD
from tests.support.migrator.assistant import Assistant, run_apart, talk

# the items of a page and what stands around them
LARGEST = 2 * MOST_CHARACTERS


class Line(ResultPart):
    """An item."""

    text: str


async def all_pages(
    assistant: Assistant, tool: str, field: str, **arguments: Any
) -> tuple[list[Any], int]:
    """Return what all pages have together, and how many pages there are."""
    items: list[Any] = []
    pages, cursor = 0, None
    while pages == 0 or cursor is not None:
        answer = await assistant.client.call_tool(tool, {**arguments, "cursor": cursor})
        result = answer.structured_content
        assert isinstance(result, dict)
        assert len(json.dumps(result)) < LARGEST
        items += result[field]
        pages, cursor = pages + 1, result["next_cursor"]
    return items, pages


@pytest.mark.slow
def test_a_huge_project_comes_in_pages(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"job_{number:03}.py").write_text(OLD)
    long = "x" * 50_000
    words = ", ".join(f"'{word}'" for word in range(10_000))
    (tmp_path / "long.py").write_text(
        OLD.replace("words = ", f"large = [{words}]\n{long} = ").replace("words.map", f"{long}.map")
    )

    async def work(assistant: Assistant) -> None:
        jobs, pages = await all_pages(assistant, "scan", "jobs", limit=MOST_ITEMS)
        assert len(jobs) == len({job["path"] for job in jobs}) == 201
        assert pages > 1
        findings, pages = await all_pages(assistant, "scan", "findings", show="findings", limit=50)
        assert len(findings) >= 201
        assert pages > 3
        files, pages = await all_pages(assistant, "preview", "files", path=".", limit=MOST_ITEMS)
        assert len(files) == 201
        assert pages > 1
        text, pages = await all_pages(
            assistant, "preview", "text", path="long.py", form="compat", show="text"
        )
        assert "".join(text) == (tmp_path / "long.py").read_text().replace(
            "pyspark.streaming", "dstream_compat"
        )
        assert pages > 5

    talk(tmp_path, work)


@pytest.mark.slow
def test_the_next_page_is_of_the_same_result(project: Path) -> None:
    for number in range(5):
        (project / "jobs" / f"copy_{number}.py").write_text(OLD)

    async def work(assistant: Assistant) -> None:
        page = await assistant.result("scan", path="jobs", limit=4)
        for path in (project / "jobs").glob("copy_*.py"):
            path.unlink()
        rest = await assistant.result("scan", limit=4, cursor=page["next_cursor"])
        paths = [job["path"] for job in [*page["jobs"], *rest["jobs"]]]
        assert paths == [*(f"jobs/copy_{n}.py" for n in range(5)), "jobs/job.py"]
        assert rest["next_cursor"] is None
        again = await assistant.result("scan", path="jobs")
        assert [job["path"] for job in again["jobs"]] == ["jobs/job.py"]
        wrong = await assistant.call("remains", cursor=page["next_cursor"])
        assert "stands for no result that is kept; call remains without cursor" in wrong.error

    talk(project, work)


def test_only_the_last_results_are_kept() -> None:
    async def work() -> None:
        pages = Pages()

        async def make() -> str:
            return "text"

        names = [(await pages.result("scan", None, make))[1] for _ in range(9)]
        with pytest.raises(ToolError, match="call scan without cursor"):
            await pages.result("scan", f"{names[0]}:5", make)
        for wrong in ("", ":", names[1], f"{names[1]}:-1", f"{names[1]}:x", f"{names[1]}:¹"):
            with pytest.raises(ToolError):
                await pages.result("scan", wrong, make)
        assert await pages.result("scan", f"{names[1]}:5", make) == ("text", names[1], 5)
        with pytest.raises(ToolError, match="call scan without cursor"):
            await pages.result("scan", f"{names[1]}:5", make, "findings")
        _, name, _ = await pages.result("scan", None, make, "findings")
        assert await pages.result("scan", f"{name}:3", make, "findings") == ("text", name, 3)

    run_apart(work)


def test_pages_of_items() -> None:
    items = [Line(text=f"{number}") for number in range(10)]
    assert page_of_items(items, "r", 0, 4) == (items[:4], "r:4")
    assert page_of_items(items, "r", 4, 100) == (items[4:], None)
    assert page_of_items(items, "r", 10, 4) == page_of_items([], "r", 0, 4) == ([], None)
    # one that is too large comes alone
    large = [Line(text="x" * (MOST_CHARACTERS + 1)) for _ in range(3)]
    assert page_of_items(large, "r", 1, 4) == (large[1:2], "r:2")


def test_pages_of_texts_end_with_lines() -> None:
    text = "".join(f"{number}\n" for number in range(MOST_CHARACTERS))
    parts, cursor = [], "r:0"
    while cursor:
        part, cursor = page_of_text(text, "r", int(cursor[2:]))  # type: ignore[assignment]
        parts.append(part)
    assert "".join(parts) == text
    assert all(part.endswith("\n") and len(part) <= MOST_CHARACTERS for part in parts)
    assert page_of_text("x" * MOST_CHARACTERS * 2, "r", 0)[1] == f"r:{MOST_CHARACTERS}"


def test_long_texts_say_how_much_is_missing() -> None:
    assert clip("abc", 3) == "abc"
    assert clip("abcd", 3) == "abc... (1 more characters)"
