"""Write-ahead log."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes

KEY = "spark.streaming.receiver.writeAheadLog.enable"
FIRES = [
    f'conf.set("{KEY}", "true")\n',
    f'SparkConf().setAll([("{KEY}", True)])\n',
    f'conf = {{"{KEY}": "true"}}\n',
    f'builder.config("{KEY}", True)\n',
    f'builder.config(key="{KEY}", value="true")\n',
    f'settings["{KEY}"] = "true"\n',
    f'args = "--conf {KEY}=true"\n',
    'conf.set("spark.streaming.driver.writeAheadLog.allowBatching", "true")\n',
]
SILENT = [
    f'"""{KEY}"""\n',
    f"# {KEY}\n",
    f'print("set {KEY} to keep data")\n',
    f'conf.get("{KEY}")\n',
    f'x = settings["{KEY}"]\n',
    f'"my.{KEY}"\n',
]


def test_switched_off_asks_for_nothing() -> None:
    from tests.migrator.helpers import report

    assert report(f'conf.set("{KEY}", "true")\n').findings[0].severity == "warning"
    assert report(f'conf.set("{KEY}", "false")\n').findings[0].severity == "info"
    assert report(f'conf.set("{KEY}", value)\n').findings[0].severity == "warning"


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D701" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D701" not in [c.partition(":")[2] for c in codes(source)]
