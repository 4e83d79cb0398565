"""The text report: groups, excerpts, effort, totals; plain when piped."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.report import progress
from migrator.report.progress import Bar
from migrator.report.text_report import Shown, render, show
from migrator.report.wording import duration
from migrator.run.scan import scan
from tests.support.migrator.runs import Run
from tests.support.migrator.samples import CONF, hostile, mixed, reported

Migrate = Callable[..., Run]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_excerpt_advice_and_effort(tmp_path: Path) -> None:
    text = render(reported(mixed(tmp_path / "tree")), verbose=True)
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if " D203 " in line)
    assert lines[at].startswith("     7:21  D203 error   ")
    assert lines[at].endswith(" (120 min)")
    assert lines[at + 1].strip() == '7 | events = FlumeUtils.createStream(ssc, "localhost", 4141)'
    assert lines[at + 1].index("createStream") == lines[at + 2].index("^")
    assert lines[at + 3].strip().startswith("-> ")


def test_totals(tmp_path: Path) -> None:
    report = reported(mixed(tmp_path / "tree"))
    text = render(report, verbose=True)
    lines = text[text.index("files: ") :].splitlines()
    totals = dict(line.split(": ", 1) for line in lines if ": " in line)
    assert totals["files"].startswith("5 scanned, 4 with DStream code, ")
    assert totals["uses of the API"].endswith(" need a person")
    assert "1 ignored by comments" in totals["findings"]
    assert "1 bug of the jobs' own (30 min)" in totals["findings"]
    assert report.effort() > 120
    assert text.endswith(f" need manual work, about {duration(report.effort())}.\n")
    assert "1 finding that does not count" in text
    assert "D601" not in text


def test_by_rule(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text(CONF)
    (tmp_path / "b.conf").write_text(CONF)
    text = render(reported(tmp_path), "rule")
    first = text.index("D703 rate-limit  2 findings to do by hand, about 20 minutes")
    second = text.index("D704 streaming-setting")
    assert first < text.index("  a.conf") < text.index("  b.conf") < second
    assert text.count("D703 warning") == 2


def test_long_lines_are_cut_around_the_place(tmp_path: Path) -> None:
    start = "x = 1; " * 60
    (tmp_path / "a.py").write_text(
        f"from dstream_compat import StreamingContext\n{start}"
        f"StreamingContext(sc, 1)._jssc; {start}\n"
    )
    lines = render(reported(tmp_path), verbose=True).splitlines()
    at = next(i for i, line in enumerate(lines) if line.lstrip().startswith("2 | "))
    assert len(lines[at]) <= 120
    assert lines[at].index("_jssc") == lines[at + 1].index("^")


def test_tabs_do_not_move_the_mark(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "from dstream_compat import StreamingContext\n"
        "if 1:\n\tx\t=\tStreamingContext(sc, 1)._jssc\n"
    )
    lines = render(reported(tmp_path), verbose=True).splitlines()
    at = next(i for i, line in enumerate(lines) if line.lstrip().startswith("3 | "))
    assert lines[at].index("_jssc") == lines[at + 1].index("^")


def test_no_escapes_unless_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    report = reported(mixed(tmp_path / "tree"))
    piped, terminal = io.StringIO(), Terminal()
    show(report, Shown(), color=True, stream=piped)
    show(report, Shown(), color=True, stream=terminal)
    assert "\x1b" not in piped.getvalue()
    assert "\x1b[1;31m" in terminal.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("group_by", ["file", "rule"])
def test_hostile_files_cannot_act_on_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group_by: str
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    report = reported(hostile(tmp_path / "tree"))
    stream = Terminal()
    show(report, Shown(verbose=True, group_by=group_by), color=False, stream=stream)
    # with colours off, rich sends styles such as bold only
    escapes = {part.split("m", 1)[0] for part in stream.getvalue().split("\x1b")[1:]}
    assert escapes <= {"[0", "[1", "[2", "[1;2"}
    assert "\x9b" not in stream.getvalue()
    assert "\u202e" not in stream.getvalue()
    plain = render(report, group_by, verbose=True)
    assert "\x1b" not in plain
    assert "[red]rich[/red] [link=https://evil.example]x[/link] :smile:" in plain
    assert "newline\\x0aname.py" in plain


def followed(folder: Path, wanted: bool) -> int:
    """The number of files read while a bar was there."""
    for name in ("a.py", "z[red]b\x1b[31m.py"):
        (folder / name).write_text("import pyspark.streaming\n")
    with Bar(wanted) as bar:
        return scan(folder, "check", progress=bar).scanned


def test_progress_is_not_shown_for_short_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert 0.5 <= progress._DELAY_SECONDS <= 2
    monkeypatch.setattr(progress, "_DELAY_SECONDS", 3600)
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert followed(tmp_path, True) == 2
    assert terminal.getvalue() == ""


def test_progress_of_long_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_DELAY_SECONDS", -1)
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert followed(tmp_path, False) == 2
    assert terminal.getvalue() == ""
    assert followed(tmp_path, True) == 2
    assert "1/2" in terminal.getvalue()
    assert "z[red]b\\x1b[31m.py" in terminal.getvalue()
    assert "\x1b[?25h" in terminal.getvalue()
    assert capsys.readouterr().out == ""


def test_the_bar_goes_when_the_work_is_broken_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress, "_DELAY_SECONDS", -1)
    monkeypatch.setenv("TERM", "xterm-256color")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with pytest.raises(KeyboardInterrupt), Bar(True) as bar:
        bar("a" * 500, 0, 2)
        raise KeyboardInterrupt
    assert terminal.getvalue().endswith("\x1b[?25h\r\x1b[1A\x1b[2K")
    assert "a" * 100 not in terminal.getvalue()
