"""Reads SARIF, Markdown and GitHub annotations as those who take them do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
from markdown_it import MarkdownIt
from markdown_it.token import Token

# from https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/
SCHEMAS = Path(__file__).parents[2] / "migrator" / "schemas"
SCHEMA = json.loads((SCHEMAS / "sarif-schema-2.1.0.json").read_text("utf-8"))
CHECKER = jsonschema.Draft4Validator(
    SCHEMA, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER
)
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
COMMAND = re.compile(r"::(error|warning|notice) ((?:[a-z]+=[^,:\r\n]*,?)+)::(.*)")


def tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for token in READER.parse(text):
        found.append(token)
        found += token.children or []
    return found


def harmless(text: str) -> None:
    """Nothing but code holds what could be a link, a mention, or markup."""
    for token in tokens(text):
        assert token.type not in {"link_open", "image", "html_inline", "em_open", "s_open"}
        if token.type == "html_block":
            assert re.fullmatch(
                r"(?:<!-- report of migrate -->|</?details>|<summary>\d+ rewrites?</summary>|\s)*",
                token.content,
            )
        if token.type == "text":
            assert not re.search(r"://|www\.|@|#\d", token.content), token.content


def commands(text: str) -> list[tuple[str, dict[str, str], str]]:
    """Every line that is a command, read as the runner does."""
    found = []
    for line in text.splitlines():
        if line.startswith("::") and line not in ("::group::migrate", "::endgroup::"):
            match = COMMAND.fullmatch(line)
            assert match is not None, line
            properties = dict(part.split("=", 1) for part in match[2].split(","))
            found.append((match[1], properties, match[3]))
    return found
