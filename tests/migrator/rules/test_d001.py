"""Sources that do not parse."""

from __future__ import annotations

import ast
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import migrator.source.document
from tests.support.migrator.reports import codes, report

PYTHON2 = [
    'from pyspark.streaming import StreamingContext\nprint "x"\n',
    "from pyspark.streaming import StreamingContext\nf = lambda (k, v): v\n",
    "from pyspark.streaming import StreamingContext\ntry:\n    pass\nexcept E, e:\n    pass\n",
    "from pyspark.streaming import StreamingContext\nif x:\n\ty\n        z\n",
    "from pyspark.streaming import StreamingContext\nx = 0777 <> `y` + ur'z'\n",
]
BROKEN = [
    "from pyspark.streaming import StreamingContext\ndef f(:\n",
    'from pyspark.streaming import StreamingContext\nprint "x"\ndef f(:\n',
    "from pyspark.streaming import StreamingContext\n\tx\n y\n",
]
SILENT = [
    'print "no streams in this Python 2 file"\n',
    "from pyspark.streaming import StreamingContext\nprint('x')\n",
    "def f(:\n",
    "",
    "# StreamingContext\n",
]


@pytest.fixture
def no_fissix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrator.source.document, "can_convert", lambda: False)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("KeyedProducer(kafka, async=True)", "`async` is a keyword since Python 3.7"),
        ("from tornado.async import run", "`async` is a keyword since Python 3.7"),
        ("run(asynchronous=True))", "unmatched ')'"),
        ("x = (1 2 async)", "invalid syntax. Perhaps you forgot a comma?"),
        ("async = 1", "`async` is a keyword since Python 3.7"),
    ],
)
def test_newer_keywords(line: str, reason: str) -> None:
    found = report(f"from pyspark.streaming import StreamingContext\n{line}\n", convert=False)
    (finding,) = [f for f in found.findings if f.code == "D001"]
    assert finding.message.startswith(f"does not parse as Python 3: {reason}; ")


@pytest.mark.parametrize("source", PYTHON2)
def test_python2_that_is_not_converted(source: str) -> None:
    found = report(source, convert=False)
    finding = next(f for f in found.findings if f.code == "D001")
    assert finding.message.startswith("is Python 2 and stays it: ")
    assert "python -m fissix -w FILE" in finding.advice
    assert found.content is None


@pytest.mark.slow
def test_the_advised_command_converts(tmp_path: Path) -> None:
    source = tmp_path / "job.py"
    source.write_text(PYTHON2[0])
    kept = report(PYTHON2[0], convert=False)
    (finding,) = [f for f in kept.findings if f.code == "D001"]
    _, _, command = finding.advice.partition("pip install fissix; ")
    words = [str(source) if w == "FILE" else w for w in shlex.split(command.partition(")")[0])]
    assert words[0] == "python"
    subprocess.run([sys.executable, *words[1:]], check=True, capture_output=True)
    assert "D001" not in [f.code for f in report(source.read_bytes()).findings]


@pytest.mark.parametrize("source", PYTHON2)
def test_python2_is_converted(source: str) -> None:
    found = report(source)
    assert "D001" not in [f.code for f in found.findings]
    assert found.content is not None
    ast.parse(found.content)


UNCONVERTED = [
    ('x: int = 1\nprint "a"\n', "line 2 has an annotation"),
    ('x = f"{a}"\nprint "a"\n', "line 2 has an f-string"),
    ('def f(*, a):\n    nonlocal b\n    print "a"\n', "nonlocal"),
    ('raise E from e\nprint "a"\n', "`raise from`"),
    ('x = 1_000\nprint "a"\n', "an underscore in a number"),
]


@pytest.mark.parametrize(("source", "why"), UNCONVERTED)
def test_a_mixture_is_not_converted(source: str, why: str) -> None:
    source = f"from pyspark.streaming import StreamingContext\n{source}"
    found = report(source)
    (finding,) = [f for f in found.findings if f.code == "D001"]
    assert finding.message.startswith("is Python 2 and stays it: ")
    assert why in finding.message
    assert "D010" not in [f.code for f in found.findings]
    assert found.content is None


@pytest.mark.usefixtures("no_fissix")
@pytest.mark.parametrize("source", PYTHON2[:4])
def test_what_is_missing_is_named(source: str) -> None:
    found = report(source)
    (finding,) = found.findings
    assert "it looks like Python 2" in finding.message
    assert "dstream-compat[python2]" in finding.advice
    assert found.content is None
    assert found.status == "unreadable"


@pytest.mark.parametrize("source", BROKEN)
def test_broken_sources_are_not_called_python2(source: str) -> None:
    found = report(source)
    assert [f.code for f in found.findings] == ["D001"]
    assert "Python 2" not in found.findings[0].message
    assert found.content is None


@pytest.mark.usefixtures("no_fissix")
def test_text_of_a_broken_file_is_still_searched() -> None:
    source = (
        "from pyspark.streaming.kafka import KafkaUtils\n"
        'print "x"\n'
        'conf.set("spark.streaming.backpressure.enabled=true")\n'
        "s = KafkaUtils.createStream(ssc, zk, g, {})\n"
        "ssc._jssc\n"
        "# KafkaUtils.createStream\n"
    )
    assert codes(source) == ["2:D001", "3:D702", "4:D201", "5:D601"]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D001" not in [c.partition(":")[2] for c in codes(source)]
