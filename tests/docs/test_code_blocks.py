"""Code of every page is what its language says: Python compiles, settings and commands parse."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
import warnings
from pathlib import Path

import pytest
import yaml

from tests.support.fenced import DOCS, README, ROOT, blocks, languages, values

# rules have examples of code that does not work
PAGES = [
    README,
    ROOT / "CONTRIBUTING.md",
    *(page for page in sorted(DOCS.rglob("*.md")) if page.parent.name != "rules"),
]
KNOWN = {"diff", "ini", "json", "python", "sh", "text", "toml", "yaml"}


def cases(language: str) -> list[object]:
    """Every block of a language, with a name that leads to it."""
    return [
        pytest.param(code, id=f"{page.relative_to(ROOT).as_posix()}-{number}")
        for page in PAGES
        for number, code in enumerate(blocks(page, language), 1)
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_languages_are_known(page: Path) -> None:
    assert languages(page) <= KNOWN


@pytest.mark.parametrize("code", cases("python"))
def test_python_compiles(code: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile(code, "page", "exec")


@pytest.mark.parametrize("code", cases("sh"))
def test_commands_parse(code: str) -> None:
    lines = code.replace("\\\n", "").splitlines()
    assert all(shlex.split(line) for line in lines if line)


def test_targets_exist() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = {
        name
        for page in PAGES
        for name in re.findall(r"^make ([\w-]+)|`make ([\w-]+)", page.read_text("utf-8"), re.M)
    }

    assert {first or second for first, second in named} <= set(
        re.findall(r"^([\w-]+):", text, re.M)
    )


def test_settings_parse() -> None:
    found = [code for page in PAGES for code in blocks(page, "toml")]
    assert [bool(tomllib.loads(code)) for code in found] == [True] * len(found) != []
    found = [line for page in PAGES for code in blocks(page, "json") for line in values(code)]
    assert [bool(json.loads(code)) for code in found] == [True] * len(found) != []
    found = [code for page in PAGES for code in blocks(page, "yaml")]
    assert [bool(yaml.safe_load(code)) for code in found] == [True] * len(found) != []


def test_the_change_of_the_readme_is_what_migrate_does() -> None:
    from tests.support.migrator.reports import rewritten

    diff, _ = blocks(README, "diff")
    before = re.sub(r"^\+.*\n", "", diff, flags=re.MULTILINE)
    after = re.sub(r"^-.*\n", "", diff, flags=re.MULTILINE)

    def strip(text: str) -> str:
        return "".join(line[1:] or "\n" for line in text.splitlines(keepends=True))

    assert rewritten(strip(before)) == strip(after)


def test_settings_named_on_pages_exist() -> None:
    """Those of this package; Spark's are in the tables of migrate."""
    source = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "dstream_compat").rglob("*.py")
    )
    named = {
        name
        for page in PAGES
        for name in re.findall(r"spark\.streaming\.compat\.[\w.]*\w", page.read_text("utf-8"))
    }

    assert named
    assert [name for name in sorted(named) if f'"{name}"' not in source] == []
