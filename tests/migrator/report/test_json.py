"""The JSON and the text report."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from migrator.model.printable import visible
from migrator.model.report import Report
from migrator.report.text_report import Shown, show
from migrator.run.scan import scan
from tests.support.migrator.runs import Run
from tests.support.migrator.samples import hostile, mixed

Migrate = Callable[..., Run]
ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "migrator" / "report" / "report.schema.json").read_text())
EXAMPLES = ROOT / "legacy_examples"


def violations(value: Any, schema: dict[str, Any]) -> list[str]:
    """What in a value contradicts a schema."""
    jsonschema.Draft202012Validator.check_schema(schema)
    errors = jsonschema.Draft202012Validator(schema).iter_errors(value)
    return [f"{e.json_path}: {e.message}" for e in errors]


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


@pytest.mark.slow
def test_schema_describes_the_output(migrate: Migrate, tmp_path: Path, tree: Path) -> None:
    (tmp_path / "messy").mkdir()
    for path in (messy(tmp_path / "messy"), tree, EXAMPLES, tree / "data"):
        run = migrate(path, "--check", "--format", "json")
        assert run.err == ""
        assert violations(run.json, SCHEMA) == []
        assert run.json["summary"]["exit_code"] == run.code


def test_a_diff_is_in_the_report(migrate: Migrate, tmp_path: Path) -> None:
    old = b"from pyspark.streaming import DStream\r\nx = '\xe9'"
    (tmp_path / "a.py").write_bytes(b"# coding: latin-1\n" + old)
    (tmp_path / "b.py").write_text("from dstream_compat import StreamingContext\n")
    patch = migrate(tmp_path, "--diff").out
    run = migrate(tmp_path, "--diff", "--format", "json")
    assert violations(run.json, SCHEMA) == []
    files = {file["path"]: file for file in run.json["files"]}
    text = "# coding: latin-1\nfrom dstream_compat import DStream\r\nx = '\\xe9'"
    assert files["a.py"]["text"] == text
    assert files["a.py"]["diff"].startswith("--- a/a.py\n+++ b/a.py\n")
    assert patch.count("\n") == files["a.py"]["diff"].count("\n")
    assert (files["b.py"]["diff"], files["b.py"]["text"]) == (None, None)
    assert "diff" not in migrate(tmp_path, "--check", "--format", "json").json["files"][0]


@pytest.mark.slow
def test_schema_describes_suppressed_and_hostile_findings(migrate: Migrate, tmp_path: Path) -> None:
    hostile(tmp_path / "hostile")
    known = tmp_path / "known.json"
    assert migrate(mixed(tmp_path / "mixed"), "--write-baseline", known).code == 0
    for path in ("hostile", "mixed"):
        run = migrate(tmp_path / path, "--check", "--format", "json", "--baseline", known)
        assert violations(run.json, SCHEMA) == []
        suppressions = {f["suppression"]["by"] for f in run.json["findings"] if f["suppression"]}
        assert "comment" in suppressions
        assert run.out.isascii()
    assert suppressions == {"comment", "baseline"}
    assert run.json["summary"]["sites_by_migration"]["impossible"] == 1


def test_fixed_and_suppressed_findings_are_counted_apart(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(
        "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
        "ssc.fileStream('x')\nssc._jssc.x  # migrate: ignore[D601] not needed\n"
    )
    summary = migrate(tmp_path, "--check", "--format", "json").json["summary"]
    assert summary["findings"] == {"error": 1, "warning": 0, "info": 0}
    assert summary["needs_person"] == summary["findings_fixed"] == 1
    assert summary["findings_suppressed"]["comment"] == 1


@pytest.mark.parametrize("fixed", ["", "from pyspark.streaming import StreamingContext\n"])
def test_nothing_left_is_counted_as_nothing(migrate: Migrate, tmp_path: Path, fixed: str) -> None:
    (tmp_path / "job.py").write_text(f"{fixed}# pyspark.streaming\n")
    summary = migrate(tmp_path, "--check", "--format", "json").json["summary"]
    assert summary["findings"] == {"error": 0, "warning": 0, "info": 0}
    assert summary["findings_fixed"] == bool(fixed)


def test_everything_of_version_2_is_still_there(migrate: Migrate, tmp_path: Path) -> None:
    """Fields of this version, which readers may rely on."""
    found = migrate(mixed(tmp_path / "tree"), "--check", "--format", "json").json
    assert found["schema_version"] == 2
    assert set(found) == {
        *("schema_version", "tool", "summary", "jobs", "other_files", "files", "findings"),
        "sites",
    }
    assert {
        *("mode", "path", "output", "exit_code", "files_scanned", "files_with_dstreams"),
        *("files_rewritten", "files_unreadable", "findings", "findings_fixed", "needs_person"),
        *("effort_minutes", "sites", "sites_by_outcome", "sites_by_migration", "jobs"),
    } <= set(found["summary"])
    assert {
        *("code", "name", "severity", "safety", "path", "line", "column", "message", "advice"),
        *("fixed", "needs_person", "effort_minutes", "confidence", "evidence", "details", "also"),
    } <= set(found["findings"][0])
    assert {
        *("path", "line", "column", "name", "use", "receiver", "confidence", "outcome"),
        "evidence",
    } <= set(found["sites"][0])


def test_inputs_lead_to_sites(migrate: Migrate, tmp_path: Path) -> None:
    found = migrate(mixed(tmp_path / "tree"), "--check", "--format", "json").json
    places = {(s["path"], s["line"], s["column"]) for s in found["sites"]}
    inputs = [(s["path"], i["line"], i["column"]) for s in found["sites"] for i in s["inputs"]]
    assert len(inputs) == 12
    assert set(inputs) <= places


def test_the_schema_check_itself_notices() -> None:
    assert violations({}, SCHEMA) != []
    assert violations({"a": True}, {"properties": {"a": {"type": "integer"}}}) != []


def test_json_is_the_same_each_time(migrate: Migrate, tmp_path: Path) -> None:
    messy(tmp_path)
    first = migrate(tmp_path, "--check", "--format", "json").out
    assert first == migrate(tmp_path, "--check", "--format", "json").out
    paths = [f["path"] for f in json.loads(first)["findings"]]
    assert paths == sorted(paths)


def test_json_content(migrate: Migrate, tmp_path: Path) -> None:
    found = migrate(messy(tmp_path), "--check", "--notes", "--format", "json").json
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


def test_nothing_is_called_migrated_that_was_left_alone(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(
        "from pyspark.streaming import StreamingContext\nssc = StreamingContext(sc, 1)\n"
        "ssc.textFileStream('x').pprint()\nssc._jssc.x()\n"
    )
    found = migrate(tmp_path, "--check", "--format", "json").json["summary"]
    assert found["sites_by_outcome"] == {"rewritten": 1, "kept": 3, "reported": 1}
    out = migrate(tmp_path, "--check").out
    assert "5, of these 1 rewritten, 3 run as they are, 1 need a person" in out
    assert "%" not in out


def printed(report: Report, **options: bool) -> str:
    stream = io.StringIO()
    show(report, Shown(**options), color=False, stream=stream)
    return stream.getvalue()


def test_text_names_place_rule_message_and_advice(tmp_path: Path) -> None:
    text = printed(scan(messy(tmp_path), "check"), verbose=True)
    assert "a.py  to be rewritten" in text
    assert "1:31  D101 fixable `from pyspark.streaming import StreamingContext` becomes" in text
    assert "3:25  D301 error" in text
    assert "-> call it on each batch: stream.foreachRDD" in text
    assert "because StreamingContext() (line 2), textFileStream (line 3)" in text
    assert "[1] 2:1  D103" in text
    assert "c.py  could not be read" in text
    (tmp_path / "f.py").write_text("def f(s):\n    s.foreachRDD(g)\n    s.foreachRDD(h)\n")
    text = printed(scan(tmp_path, "check"), verbose=True)
    assert "2 more uses of the API without change (2 of them probable, not proven)" in text
    assert "\x1b" not in text


def test_markup_and_escapes_in_files_stay_harmless(tmp_path: Path) -> None:
    name = "[bold]a\x1b]0;x\x07[red]\n.py"
    (tmp_path / name).write_text(
        "from pyspark.streaming.kafka import KafkaUtils\n"
        "KafkaUtils.createStream(ssc, '[red]\\x1b[0m[/red] \u202e :smile:', g, {})\n"
    )
    text = printed(scan(tmp_path, "check"), verbose=True)
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
    assert "caf\\xe9.py" in migrate(tmp_path, "--check", "--verbose").out
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
    show(scan(messy(tmp_path), "check"), Shown(verbose=True), color=False, stream=stream)
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
        show(report, Shown(), color=color, stream=stream)
        return "\x1b[31m" in stream.getvalue() or "\x1b[1;31m" in stream.getvalue()

    assert codes(True)
    assert not codes(False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not codes(True)
