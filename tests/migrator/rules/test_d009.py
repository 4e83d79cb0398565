"""D009: comments for migrate that do nothing."""

import pytest

from tests.support.migrator.reports import codes, report

SOURCE = "from dstream_compat import StreamingContext\n"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = 1  # migrate: ignore[D204] bridged\n", ["1:D009"]),
        (f"{SOURCE}ssc = StreamingContext(sc, 1)  # migrate: ignore[D301]\n", ["2:D009"]),
        ("x = 1  # migrate: ignore[D999] typo\n", ["1:D009"]),
        ("x = 1  # migrate: ignore\n", ["1:D009"]),
        ("x = 1  # migrate: ignore[]\n", ["1:D009"]),
        ("x = 1  # migrate: ignore[D204, D205]\n", ["1:D009", "1:D009"]),
        ("# migrate: ignore[D204] nothing follows\n", ["1:D009"]),
        ("x = 1  # noqa  # migrate: ignore[d204]\n", ["1:D009"]),
    ],
)
def test_fires(source: str, expected: list[str]) -> None:
    assert codes(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "x = '# migrate: ignore[D204]'\n",
        "text = '''\n# migrate: ignore[D204] in a string\n'''\n",
        "x = 1  # migrates: ignore[D204]\n",
        "x = 1  # migrate: ignored[D204]\n",
        "x = 1  # to migrate, ignore[D204]\n",
        f"{SOURCE}ssc = StreamingContext(sc, 1)\nx = ssc._jssc  # migrate: ignore[D601] checked\n",
        f"{SOURCE}ssc = StreamingContext(sc, 1)\n# migrate: ignore[D601] checked\nx = ssc._jssc\n",
        f"{SOURCE}ssc = StreamingContext(sc, 1)\n"
        "# migrate: ignore[D601] checked\n\n# more\nx = ssc._jssc\n",
        "x = 1\n",
        "# just migrate: it\nx = 1\n",
    ],
)
def test_silent(source: str) -> None:
    assert "D009" not in [code.partition(":")[2] for code in codes(source)]


def test_says_which_code() -> None:
    (finding,) = report("x = 1  # migrate: ignore[D2O4]\n").findings
    assert "`D2O4`" in finding.message
    assert finding.at.column == 8


def test_a_rule_that_is_gone() -> None:
    gone, known = (
        report(f"x = 1  # migrate: ignore[{code}]\n").findings[0] for code in ("D019", "D021")
    )
    assert gone.message == known.message.replace("D021", "D019")


def test_settings_file() -> None:
    text = "# migrate: ignore[D701, D703]\nspark.streaming.receiver.maxRate 5\n"
    assert codes(text, "a.conf") == ["1:D009", "2:D703"]
