"""The JSON and the text report."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from migrator.model import Report
from migrator.report.safe import visible
from migrator.report.text_report import show
from migrator.scan import scan
from tests.migrator.conftest import Run

Migrate = Callable[..., Run]
ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "migrator" / "schema" / "report.schema.json").read_text())
EXAMPLES = ROOT / "legacy_examples"


def violations(value: Any, schema: dict[str, Any], where: str = "$") -> list[str]:
    """What in a value contradicts a schema; knows the keywords that ours uses."""
    known = {"$schema", "title", "description", "type", "required", "additionalProperties"}
    known |= {"properties", "items", "enum", "const", "minimum", "maximum", "pattern"}
    assert set(schema) <= known
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    found = []
    if "type" in schema:
        names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        fits = any(
            isinstance(value, int | float) and not isinstance(value, bool)
            if name == "number"
            else type(value) is int
            if name == "integer"
            else isinstance(value, types[name])
            for name in names
        )
        if not fits:
            return [f"{where}: {value!r} is not {names}"]
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{where}: {value!r} is not one of {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        found.append(f"{where}: {value!r} is not {schema['const']!r}")
    if isinstance(value, int | float) and value < schema.get("minimum", value):
        found.append(f"{where}: {value} is too small")
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        found += [
            f"{where}: {key} is missing" for key in schema.get("required", []) if key not in value
        ]
        found += [f"{where}: {key} is not described" for key in value if key not in properties]
        for key in value.keys() & properties.keys():
            found += violations(value[key], properties[key], f"{where}.{key}")
    if isinstance(value, list):
        for index, item in enumerate(value):
            found += violations(item, schema.get("items", {}), f"{where}[{index}]")
    return found


def messy(root: Path) -> Path:
    """A tree with something of everything."""
    (root / "a.py").write_text(
        "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
        "ssc.textFileStream('x').toDF()\nimport pyspark.streaming as s\ns._x\n"
    )
    (root / "b.conf").write_text("spark.streaming.receiver.maxRate 5\n")
    (root / "c.py").write_bytes(b"# \xe9 pyspark.streaming\n")
    (root / "d.py").write_text("import pyspark.streaming\nprint('x'\n")
    cell = {"cell_type": "code", "source": ["import pyspark.streaming as st\n", "st.Foo"]}
    (root / "e.ipynb").write_text(json.dumps({"cells": [cell]}))
    return root


def test_schema_describes_the_output(migrate: Migrate, tmp_path: Path, tree: Path) -> None:
    (tmp_path / "messy").mkdir()
    for path in (messy(tmp_path / "messy"), tree, EXAMPLES, tree / "data"):
        run = migrate(path, "--check", "--format", "json")
        assert run.err == ""
        assert violations(run.json, SCHEMA) == []
        assert run.json["summary"]["exit_code"] == run.code


def test_the_schema_check_itself_notices() -> None:
    assert violations({}, SCHEMA) != []
    assert violations({"a": 1.5}, {"properties": {"a": {"type": "integer"}}}) != []
    assert violations({"a": True}, {"properties": {"a": {"type": "integer"}}}) != []


def test_json_is_the_same_each_time(migrate: Migrate, tmp_path: Path) -> None:
    messy(tmp_path)
    first = migrate(tmp_path, "--check", "--format", "json").out
    assert first == migrate(tmp_path, "--check", "--format", "json").out
    paths = [f["path"] for f in json.loads(first)["findings"]]
    assert paths == sorted(paths)


def test_json_content(migrate: Migrate, tmp_path: Path) -> None:
    found = migrate(messy(tmp_path), "--check", "--format", "json").json
    assert [(f["path"], f["status"]) for f in found["files"]] == [
        ("a.py", "rewritten"),
        ("b.conf", "unchanged"),
        ("c.py", "unreadable"),
        ("d.py", "unreadable"),
        ("e.ipynb", "unchanged"),
    ]
    cells = {(f["code"], f["cell"], f["line"]) for f in found["findings"] if "cell" in f}
    assert cells == {("D101", 1, 1), ("D103", 1, 2)}
    sites = {(s["name"], s["receiver"], s["outcome"]) for s in found["sites"]}
    assert ("toDF", "DStream", "reported") in sites
    assert ("textFileStream", "StreamingContext", "kept") in sites
    assert ("pyspark.streaming.StreamingContext", "module", "rewritten") in sites
    summary = found["summary"]
    assert summary["sites"] == len(found["sites"])
    assert summary["files_unreadable"] == 2
    assert summary["needs_person"] == sum(f["needs_person"] for f in found["findings"])


def test_share_is_none_without_sites(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("spark.streaming.blockInterval 5\n")
    run = migrate(tmp_path, "--check", "--format", "json")
    assert run.json["summary"]["migrated_percent"] is None


def printed(report: Report, **options: bool) -> str:
    stream = io.StringIO()
    show(report, color=False, quiet=options.get("quiet", False), stream=stream)
    return stream.getvalue()


def test_text_names_place_rule_message_and_advice(tmp_path: Path) -> None:
    text = printed(scan(messy(tmp_path), "check"))
    assert "a.py  rewritten" in text
    assert "1:31  D101 fixable  `from pyspark.streaming import StreamingContext` becomes" in text
    assert "3:25  D301 error" in text
    assert "-> call it on each batch: stream.foreachRDD" in text
    assert "because StreamingContext() (line 2), textFileStream (line 3)" in text
    assert "[1] 2:1  D103" in text
    assert "c.py  could not be read" in text
    assert "migrated" in text
    (tmp_path / "f.py").write_text("def f(s):\n    s.foreachRDD(g)\n    s.foreachRDD(h)\n")
    text = printed(scan(tmp_path, "check"))
    assert "2 more uses of the API without change (2 of them probable, not proven)" in text
    assert "\x1b" not in text


def test_markup_and_escapes_in_files_stay_harmless(tmp_path: Path) -> None:
    name = "[bold]a\x1b]0;x\x07[red]\n.py"
    (tmp_path / name).write_text(
        "from pyspark.streaming.kafka import KafkaUtils\n"
        "KafkaUtils.createStream(ssc, '[red]\\x1b[0m[/red] \u202e :smile:', g, {})\n"
    )
    text = printed(scan(tmp_path, "check"))
    assert "[bold]a\\x1b]0;x\\x07[red]\\x0a.py" in text
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "[red]" in text
    assert ":smile:" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb", "a\\x09b"),
        ("\x9b1m", "\\x9b1m"),
        ("\udce9", "\\xe9"),
        ("\ud800", "\\ud800"),
        ("\u2028", "\\u2028"),
        ("ünï 日本", "ünï 日本"),
    ],
)
def test_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_paths_that_are_not_utf8(migrate: Migrate, tmp_path: Path) -> None:
    path = tmp_path / "caf\udce9.py"
    path.write_text("import pyspark.streaming\n")
    run = migrate(tmp_path, "--check", "--format", "json")
    assert run.json["files"][0]["path"] == "caf\\xe9.py"
    assert "caf\\xe9.py" in migrate(tmp_path, "--check").out
    assert migrate(tmp_path, "--diff").code == 0
    assert migrate(tmp_path, "--in-place").code == 0
    assert path.read_text() == "import dstream_compat\n"


def test_a_narrow_terminal_wraps_with_an_indent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    show(scan(messy(tmp_path), "check"), color=False, quiet=False, stream=stream)
    findings = re.sub("\x1b\\[[0-9;]*m", "", stream.getvalue()).split("rule ")[0]
    assert [line for line in findings.splitlines() if len(line.rstrip()) > 70] == []


def test_no_color(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    report = scan(messy(tmp_path), "check")

    def codes(color: bool) -> bool:
        stream = Terminal()
        show(report, color=color, quiet=False, stream=stream)
        return "\x1b[31m" in stream.getvalue() or "\x1b[1;31m" in stream.getvalue()

    assert codes(True)
    assert not codes(False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not codes(True)
