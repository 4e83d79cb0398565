"""Modules named in strings."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.model.report import FileReport
from migrator.run.apply_fixes import apply_fixes
from migrator.select.apply import apply_filter, make_filter
from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.reports import codes, project

FIRES = [
    'import importlib\nimportlib.import_module("pyspark.streaming.kafka")\n',
    '__import__("pyspark.streaming")\n',
    'mock.patch("pyspark.streaming.StreamingContext")\n',
    'import sys\n"pyspark.streaming" in sys.modules\n',
    'import sys\nsys.modules["pyspark.streaming"]\n',
    'import pyspark\ngetattr(pyspark, "streaming")\n',
]
SILENT = [
    '"""pyspark.streaming"""\n',
    'x = "uses pyspark.streaming for this"\n',
    'import logging\nlogging.getLogger("pyspark.streaming")\n',
    'x = "pyspark.sql.streaming"\n',
    'getattr(thing, "streaming")\n# StreamingContext\n',
    "import pyspark.streaming\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D102" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D102" not in [c.partition(":")[2] for c in codes(source)]


IMPORTS = (
    "import importlib\nimport sys\nfrom unittest import mock\nfrom unittest.mock import patch\n"
)
MOVED = [
    'm = importlib.import_module("pyspark.streaming")',
    "m = importlib.import_module('pyspark.streaming.kafka').KafkaUtils",
    'm = importlib.import_module(".kafka", "pyspark.streaming")',
    'm = __import__("pyspark.streaming", globals(), locals(), ["StreamingContext"])',
    'm = __import__("pyspark.streaming.kafka", fromlist=["KafkaUtils"])',
    'with mock.patch("pyspark.streaming.StreamingContext") as fake: pass',
    'with patch("pyspark.streaming.context.StreamingContext.getOrCreate", autospec=True): pass',
    '@patch("pyspark.streaming.kafka.KafkaUtils.createStream")\ndef test(fake): pass',
    '@mock.patch("pyspark.streaming.DStream.pprint")\nclass Test: pass',
    '@patch.multiple("pyspark.streaming", StreamingContext=None, create=True)\ndef test(): pass',
    'with patch.dict(sys.modules, {"pyspark.streaming": None, "x": 1}): pass',
    'with patch.dict("sys.modules", {"pyspark.streaming.kafka": None}): pass',
    'sys.modules["pyspark.streaming"] = mock.MagicMock()',
    'del sys.modules["pyspark.streaming.kafka"]',
    'sys.modules.pop("pyspark.streaming", None)',
    'def test(mocker):\n    mocker.patch("pyspark.streaming.StreamingContext")',
    'def test(mocker):\n    mocker.patch.dict("sys.modules", {"pyspark.streaming": None})',
    'def test(monkeypatch):\n    monkeypatch.setattr("pyspark.streaming.StreamingContext", None)',
    'def test(monkeypatch):\n    monkeypatch.setitem(sys.modules, "pyspark.streaming", None)',
    'café = 1; m = importlib.import_module(u"pyspark.streaming")',
]


@pytest.mark.parametrize("body", MOVED)
def test_import_paths_move(body: str) -> None:
    source = f"{IMPORTS}{body}\n"
    assert fixed_text("test_job.py", source) == source.replace(
        "pyspark.streaming", "dstream_compat"
    )


LEFT = [
    # what dstream_compat lacks
    'importlib.import_module("pyspark.streaming.zeromq")',
    'mock.patch("pyspark.streaming.context.SparkContext")',
    'mock.patch("pyspark.streaming.StreamingContext._jssc")',
    'mock.patch("pyspark.streaming.StreamingContext.nothing")',
    'patch.multiple("pyspark.streaming", StreamingContext=None, Nothing=None)',
    'sys.modules["pyspark.streaming.zeromq"] = None',
    'm = importlib.import_module("pyspark.streaming")\nm.Nothing()',
    # it gives `pyspark`
    'm = __import__("pyspark.streaming").streaming',
    'm = __import__("pyspark.streaming", globals(), locals(), [])',
    'm = __import__("pyspark.streaming", fromlist=names)',
    'patch("pyspark.streaming")',
    # not proven to be an import path
    'CLASS = "pyspark.streaming.StreamingContext"',
    'config = {"class": "pyspark.streaming.StreamingContext"}',
    'load("pyspark.streaming.StreamingContext")',
    'thing.patch("pyspark.streaming.StreamingContext")',
    'mocker.patch("pyspark.streaming.StreamingContext")',
    'def test(mocker):\n    mocker = make()\n    mocker.patch("pyspark.streaming.DStream")',
    'def test(monkeypatch):\n    monkeypatch.setitem(table, "pyspark.streaming", None)',
    'modules = {}\nmodules["pyspark.streaming"] = None',
    'with patch.dict(table, {"pyspark.streaming": None}): pass',
    'known = "pyspark.streaming" in sys.modules',
    'def f(ssc: "pyspark.streaming.StreamingContext"): pass',
    'import pyspark\nm = getattr(pyspark, "streaming")',
    'warnings.filterwarnings("ignore", module="pyspark.streaming")',
    # shadowed
    'def patch(path): pass\npatch("pyspark.streaming.StreamingContext")',
    'class sys: modules = {}\nsys.modules["pyspark.streaming"] = None',
    'importlib = make()\nimportlib.import_module("pyspark.streaming")',
    'def f(importlib):\n    return importlib.import_module("pyspark.streaming")',
    'if x: mock = other\nmock.patch("pyspark.streaming.StreamingContext")',
    # not one literal
    'importlib.import_module("pyspark." "streaming")',
    'importlib.import_module("pyspark.streamin\\x67")',
    'importlib.import_module("""pyspark.streaming""")',
    'name = "pyspark.streaming"\nimportlib.import_module(name)',
    'importlib.import_module(f"pyspark.streaming{x}")',
    'importlib.import_module("pyspark" + ".streaming")',
    # no modules
    'import logging\nlogging.getLogger("pyspark.streaming").setLevel(20)',
    'mock.patch("job.StreamingContext")',
    'importlib.import_module("pyspark.sql.streaming")',
    '"""pyspark.streaming"""',
    'print("pyspark.streaming is old")',
]


@pytest.mark.parametrize("body", LEFT)
def test_other_strings_stay(body: str) -> None:
    source = f"{IMPORTS}{body}\n"
    assert fixed_text("test_job.py", source) == source


def test_as_many_cases_stay() -> None:
    assert len(LEFT) >= 2 * len(MOVED)


PATCH = 'from unittest.mock import patch\npatch("pyspark.streaming.StreamingContext")\n'
MODULE = 'import importlib\nimportlib.import_module("pyspark.streaming")\n'


def kept(found: FileReport) -> str:
    (finding,) = [f for f in found.findings if f.code == "D102"]
    assert found.content is None and not finding.is_fixed
    return finding.message.partition("; not rewritten: ")[2]


def test_a_patch_stays_with_an_import() -> None:
    stays = "from pyspark.streaming import StreamingContext, Unknown\n"
    found = fixed_report("test_job.py", PATCH, others={"job.py": stays})
    assert kept(found) == "`pyspark.streaming.StreamingContext` stays in job.py, line 1"
    assert fixed_report("a.py", MODULE, others={"job.py": stays}).content is not None


def test_a_patch_stays_without_the_code_it_is_for() -> None:
    found = fixed_report("test_job.py", PATCH, others={})
    assert kept(found) == "no import of pyspark.streaming moves with it"
    assert fixed_report("a.py", MODULE, others={}).content is not None


def test_a_patch_goes_with_imports_that_have_moved() -> None:
    others = {"job.py": "from dstream_compat import StreamingContext\n"}
    assert fixed_report("test_job.py", PATCH, others=others).content is not None


@pytest.mark.parametrize("ignored", ["D101", "a comment"])
def test_a_patch_stays_if_no_import_may_move(tmp_path: Path, ignored: str) -> None:
    comment = "  # migrate: ignore[D101]" if ignored != "D101" else ""
    job = f"from pyspark.streaming import StreamingContext{comment}\n"
    found = project(tmp_path, {"job.py": job, "test_job.py": PATCH})
    ignore = () if comment else ("D101",)
    apply_filter(found, tmp_path, make_filter((), ignore, None, None))
    apply_fixes(found)
    (file,) = [f for f in found.files if f.path == "test_job.py"]
    assert kept(file) == "`pyspark.streaming.StreamingContext` stays in job.py, line 1"


def test_a_notebook() -> None:
    cell = '{"cell_type": "code", "metadata": {}, "outputs": [], "source": %s}'
    text = '["import importlib\\n", "importlib.import_module(\\"pyspark.streaming\\")"]'
    book = f'{{"cells": [{cell % text}], "metadata": {{}}, "nbformat": 4, "nbformat_minor": 5}}\n'
    found = fixed_text("book.ipynb", book)
    assert found == book.replace("pyspark.streaming", "dstream_compat")
