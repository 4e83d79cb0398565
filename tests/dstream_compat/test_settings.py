"""The table of settings: what is read of a job's, what is refused, and what the page says."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dstream_compat import settings
from dstream_compat.settings import EXECUTION, OWN, PARTITIONS, REMEMBER, SPARKS, STOP_TIMEOUT, UI
from scripts import settings_table


def test_the_page_is_up_to_date() -> None:
    page = settings_table.PAGE.read_text(encoding="utf-8")
    assert settings_table.written(page) == page
    for setting in (*OWN, *SPARKS):
        assert page.count(f"`{setting.name}`") == 1


def test_nothing_else_names_a_setting_of_this_package() -> None:
    keys = re.compile(r"""["'](spark\.streaming\.compat\.[\w.]*\w)["']""")
    package = settings_table.PAGE.parents[2] / "dstream_compat"
    modules = {path for path in package.rglob("*.py") if keys.search(path.read_text("utf-8"))}
    # the command line only names one in its help
    named = {str(path.relative_to(package)) for path in modules} - {"cli/checkpoint.py"}
    assert named == {"settings.py"}


@pytest.mark.parametrize("setting", [*OWN, *SPARKS], ids=str)
def test_defaults(setting: settings.Setting[Any]) -> None:
    assert setting.read({}) == setting.read({setting.name: " "}) == setting.default


@pytest.mark.parametrize(
    ("setting", "text", "value"),
    [
        (UI, "False", False),
        (UI, " true ", True),
        (EXECUTION, " onetask ", "oneTask"),
        (PARTITIONS, "3", 3),
        (settings.MAX_RATE, "1e3", 1000.0),
        (settings.IMPORT_FROM, " /old ", "/old"),
        (REMEMBER, "60", 60.0),
        (REMEMBER, "500ms", 0.5),
        (REMEMBER, "5m", 300.0),
        (REMEMBER, " 2 h ", 7200.0),
        (REMEMBER, "1.5s", 1.5),
        (REMEMBER, "5M", 300.0),
        (REMEMBER, "1us", 1e-6),
        (STOP_TIMEOUT, "250", 0.25),
    ],
)
def test_values(setting: settings.Setting[Any], text: str, value: object) -> None:
    assert setting.read({setting.name: text}) == value


@pytest.mark.parametrize(
    ("setting", "text", "words"),
    [
        (UI, "no", "true or false"),
        (EXECUTION, "both", "one of auto, oneTask, stages"),
        (PARTITIONS, "0", "a whole number above 0"),
        (PARTITIONS, "two", "a whole number above 0"),
        (settings.MAX_RATE, "many", "a number"),
        (settings.MAX_RATE, "nan", "a number"),
        (REMEMBER, "-5s", "a duration such as 60s, 5m or 500ms"),
        (REMEMBER, "s", "a duration such as 60s, 5m or 500ms"),
        (REMEMBER, "5 parsecs", "a duration such as 60s, 5m or 500ms"),
        (REMEMBER, "1e", "a duration such as 60s, 5m or 500ms"),
    ],
)
def test_other_values(setting: settings.Setting[Any], text: str, words: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(f'{setting}={text} is not {words}')}"):
        setting.read({setting.name: text})
