"""The tool `explain`."""

from __future__ import annotations

import pytest

from migrator.rules.docs import page
from migrator.rules.registry import rules
from tests.support.migrator.assistant import Connection

pytestmark = pytest.mark.slow


def test_a_rule_by_its_code_and_its_name(server: Connection) -> None:
    by_code = server.call("explain", code="D204").result
    assert by_code["text"] == page(rules()["D204"])
    assert by_code["next_cursor"] is None
    assert server.call("explain", code="mqtt").result["text"] == by_code["text"]
