"""The tool `explain`: the page of a rule."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from migrator.mcp.pages import Cursor, ResultPart, page_of_text
from migrator.mcp.workspace import Workspace


class Explanation(ResultPart):
    """A page of what is known of a rule."""

    text: str
    """What it finds, why it matters, code before and after, and what to do, as Markdown."""
    next_cursor: str | None


async def explain(
    workspace: Workspace,
    code: Annotated[
        str,
        Field(pattern="^[A-Za-z0-9-]{1,60}$", description="the code or name of a rule: D204, mqtt"),
    ],
    cursor: Cursor = None,
) -> Explanation:
    """Explain a rule that a finding names: what it is about, why, and what to do."""

    async def page() -> str:
        result = await workspace.commands.run(["explain", "--", code], workspace.bounds.seconds)
        result.refuse_failure()
        return result.output.decode("utf-8")

    text, name, start = await workspace.pages.result("explain", cursor, page)
    part, following = page_of_text(text, name, start)
    return Explanation(text=part, next_cursor=following)
