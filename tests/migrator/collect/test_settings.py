"""Settings in any text, and which names stand where the key of a setting stands."""

from __future__ import annotations

import pytest

from migrator.collect.settings import is_reported, settings_in, stands_as_key, stands_as_option

NAME = "spark.streaming.my.topic"


def place(line: str) -> tuple[int, int]:
    start = line.index(NAME)
    return start, start + len(NAME)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "spark.streaming.blockInterval 200ms",
            [("spark.streaming.blockInterval", "200ms")],
        ),
        (
            "-Dspark.streaming.blockInterval=200ms",
            [("spark.streaming.blockInterval", "200ms")],
        ),
        (
            '"spark.streaming.kafka.maxRatePerPartition": "100",',
            [("spark.streaming.kafka.maxRatePerPartition", "100")],
        ),
        (
            'conf.get("spark.streaming.blockInterval")',
            [("spark.streaming.blockInterval", None)],
        ),
        ("my.spark.streaming.blockInterval=1", []),
        ("org.apache.spark.streaming.Duration", []),
    ],
)
def test_settings(text: str, found: list[tuple[str, str | None]]) -> None:
    assert [(key, value) for _, key, value in settings_in(text)] == found


@pytest.mark.parametrize(
    ("line", "is_key"),
    [
        (f"{NAME}=1", True),
        (f"{NAME}: 1", True),
        (f"{NAME} 1", True),
        (f"export {NAME}=1", True),
        (f'  "{NAME}": 1', True),
        (f'{{"a": 1, "{NAME}": 2}}', True),
        (f'.config("{NAME}", "1")', True),
        (f"--conf {NAME}=1", True),
        (f"<name>{NAME}</name><value>1</value>", True),
        (f"{NAME} == 1", False),
        (f"topic {NAME} 1", False),
        (f'read("{NAME}")', False),
        (NAME, False),
    ],
)
def test_what_stands_as_a_key(line: str, is_key: bool) -> None:
    assert stands_as_key(line, *place(line)) is is_key


@pytest.mark.parametrize(
    ("line", "is_option"),
    [
        (f"spark-submit --conf {NAME}=1", True),
        (f"spark-submit --conf={NAME}=1", True),
        (f"java -D{NAME}=1", True),
        (f"spark-submit -c '{NAME}=1'", True),
        (f"{NAME}=1", False),
        (f"spark-submit --name {NAME}=1", False),
        (f"spark-submit --conf {NAME}", False),
    ],
)
def test_what_stands_as_an_option(line: str, is_option: bool) -> None:
    assert stands_as_option(line, *place(line)) is is_option


@pytest.mark.parametrize(
    ("key", "group", "stands", "reported"),
    [
        (NAME, "unknown", False, False),
        (NAME, "unknown", True, True),
        ("spark.streaming.blockInterval", "receiver", False, True),
        ("spark.streaming.blockIntervall", "unknown", False, True),
    ],
)
def test_names_that_are_no_keys_of_spark(
    key: str, group: str, stands: bool, reported: bool
) -> None:
    assert is_reported(key, group, stands) is reported
