"""Results in pages: their size is bounded, and the next page is of the same result."""

from __future__ import annotations

import itertools
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, TypeVar, cast

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

T = TypeVar("T")
Item = TypeVar("Item", bound=BaseModel)
MOST_CHARACTERS = 24_000
"""Of the items, or of the text, of a page."""
MOST_ITEMS = 200
_LONGEST_TEXT = 2_000
# of the last calls, so that an assistant may read several of them in turn
_KEPT = 8

Cursor = Annotated[
    str | None,
    Field(description="next_cursor of the page before; the other arguments as in that call"),
]
Limit = Annotated[int, Field(ge=1, le=MOST_ITEMS, description="the most items of a page")]


class Pages:
    """Keeps the results of the last calls."""

    def __init__(self) -> None:
        self._results: dict[str, tuple[Any, str]] = {}
        self._numbers = itertools.count(1)

    async def result(
        self, tool: str, cursor: str | None, make: Callable[[], Awaitable[T]], part: str = ""
    ) -> tuple[T, str, int]:
        """Return a result, its name in cursors, and where the page begins.

        Parameters
        ----------
        make : callable
            Makes the result, if the call asks for the first page.
        part : str
            Which part of the result the pages have: a cursor of another part is refused.

        Raises
        ------
        ToolError
            If the result of the cursor is not kept any more, or the cursor is none.
        """
        if cursor is None:
            value = await make()
            name = f"{tool}-{next(self._numbers)}"
            self._results[name] = value, part
            while len(self._results) > _KEPT:
                del self._results[next(iter(self._results))]
            return value, name, 0
        name, _, start = cursor.rpartition(":")
        value, of_part = self._results.get(name, (None, ""))
        is_kept = name.startswith(f"{tool}-") and name in self._results
        if not is_kept or of_part != part or not start.isascii() or not start.isdigit():
            raise ToolError(
                f"the cursor {cursor[:100]!r} stands for no result that is kept; call {tool} "
                "without cursor"
            )
        return cast(T, value), name, int(start)


def page_of_items(
    items: Sequence[Item], name: str, start: int, limit: int
) -> tuple[list[Item], str | None]:
    """Return the items of a page, and the cursor of the next one if there is one.

    Parameters
    ----------
    name : str
        The name of the result in cursors.
    start : int
        Where the page begins.
    limit : int
        The most items.
    """
    page: list[Item] = []
    size = 0
    for item in items[start : start + limit]:
        size += len(item.model_dump_json())
        if page and size > MOST_CHARACTERS:
            break
        page.append(item)
    end = start + len(page)
    return page, f"{name}:{end}" if end < len(items) else None


def page_of_text(text: str, name: str, start: int) -> tuple[str, str | None]:
    """Return the part of a text that a page has, and the cursor of the next page if there is one.

    Parts end with lines where these are short enough.
    """
    end = start + MOST_CHARACTERS
    if end >= len(text):
        return text[start:], None
    line_end = text.rfind("\n", start, end) + 1
    end = line_end or end
    return text[start:end], f"{name}:{end}"


def clip(text: str, most: int = _LONGEST_TEXT) -> str:
    """Return a text, or its beginning and how much of it is missing."""
    if len(text) <= most:
        return text
    return f"{text[:most]}... ({len(text) - most} more characters)"


ShortText = Annotated[str, AfterValidator(clip)]
"""A field of a result whose text is clipped."""


def first(most: int) -> AfterValidator:
    """Return what leaves the first items in a field of a result."""
    return AfterValidator(lambda items: items[:most])


class ResultPart(BaseModel):
    """A part of a result; values of a report that it has no field for are left out."""

    model_config = ConfigDict(use_attribute_docstrings=True)
