"""Arguments that functions no longer take."""

from __future__ import annotations

import pytest

from migrator.model.report import Safety
from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.reports import report

CODE = "D115"
CHANGED = [
    ("import json\nx = json.loads(y, encoding='utf-8')\n", "import json\nx = json.loads(y)\n"),
    (
        "import json as j\nx = j.loads(y, encoding='UTF8', strict=False)\n",
        "import json as j\nx = j.loads(y, strict=False)\n",
    ),
    (
        (
            "from json import loads, dumps\n"
            "x = loads(s=y, encoding='utf-8'), dumps(z, encoding=\"ascii\")\n"
        ),
        "from json import loads, dumps\nx = loads(s=y), dumps(z)\n",
    ),
    ("import json\nx = json.loads((y), encoding='utf-8')\n", "import json\nx = json.loads((y))\n"),
    (
        "import json\nx = json.loads(\n    y,\n    encoding='utf-8',\n)\n",
        "import json\nx = json.loads(\n    y,\n)\n",
    ),
    (
        "import json\nx = rdd.map(lambda y: json.loads(y, encoding='utf-8'))\n",
        "import json\nx = rdd.map(lambda y: json.loads(y))\n",
    ),
    ("import json\nx = json.load(f, encoding=None)\n", "import json\nx = json.load(f)\n"),
    (
        "import json\nx = json.JSONEncoder(encoding='utf-8')\n",
        "import json\nx = json.JSONEncoder()\n",
    ),
    (
        "x = sorted(y, cmp=f)\n",
        "from functools import cmp_to_key\nx = sorted(y, key=cmp_to_key(f))\n",
    ),
    (
        "import os\nx = sorted(y, cmp=lambda a, b: a - b, reverse=True)\n",
        (
            "from functools import cmp_to_key\n"
            "import os\n"
            "x = sorted(y, key=cmp_to_key(lambda a, b: a - b), reverse=True)\n"
        ),
    ),
]
UNSAFE = [
    ("import json\nx = json.loads(y, encoding='latin-1')\n", "import json\nx = json.loads(y)\n"),
    ("import json\nx = json.dumps(y, encoding=e)\n", "import json\nx = json.dumps(y)\n"),
]
REPORTED: list[str] = [
    "x = sorted(y, cmp=f, key=g)\n",
    "x = sorted(y, cmp=f(a))\n",
    "import json\nx = json.loads(y, encoding=f(z))\n",
    "import json\nx = json.loads(y, # text\n    encoding='utf-8')\n",
    "cmp_to_key = 1\nx = sorted(y, cmp=f)\n",
]
SILENT: list[str] = [
    "import json\nx = json.loads(y)\n",
    "import json\nx = json.dumps(y, indent=2)\n",
    "import simplejson as json\nx = json.loads(y, encoding='utf-8')\n",
    "import ujson\nx = ujson.loads(y, encoding='utf-8')\n",
    (
        "try:\n"
        "    import simplejson as json\n"
        "except ImportError:\n"
        "    import json\n"
        "json.loads(y, encoding='utf-8')\n"
    ),
    (
        "import json, sys\n"
        "if sys.version_info[0] < 3:\n"
        "    x = json.loads(y, encoding='utf-8')\n"
        "else:\n"
        "    x = json.loads(y)\n"
    ),
    "def loads(x, encoding):\n    pass\n\nloads(y, encoding='utf-8')\n",
    "x = self.json.loads(y, encoding='utf-8')\n",
    "open('a', encoding='utf-8')\n",
    "x = y.encode(encoding='utf-8')\n",
    "import csv\nx = csv.reader(f, encoding='utf-8')\n",
    "x = sorted(y, key=f)\n",
    "x = sorted(y)\n",
    "sorted = f\nx = sorted(y, cmp=g)\n",
    "x.sort(cmp=f)\n",
    "x = max(y, key=f)\n",
    "from mine import sorted\nx = sorted(y, cmp=g)\n",
    "from mine import json\njson.loads(y, encoding='utf-8')\n",
    "import json\njson = mine(json)\njson.loads(y, encoding='utf-8')\n",
    "x = 'json.loads(y, encoding=1)'\n",
    "# json.loads(y, encoding='utf-8')\n",
    "import json\nx = json.loads(y, **options)\n",
    "import json\nx = dict(encoding='utf-8')\n",
    "import json\nf = json.loads\n",
    "import json\nx = json.JSONDecoder(strict=False)\n",
    "import functools\nx = sorted(y, key=functools.cmp_to_key(f))\n",
    "import pandas\npandas.read_json(y, encoding='utf-8')\n",
    "PY2 = 0\nimport json\nx = json.loads(y, encoding='utf-8') if PY2 else json.loads(y)\n",
    "import yaml\nyaml.dump(y, encoding='utf-8')\n",
    "df.to_json(encoding='utf-8')\n",
]


def found(source: str) -> list[str]:
    return [f.message for f in report(source).findings if f.code == CODE]


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_changed(before: str, after: str) -> None:
    assert fixed_text("job.py", before) == after
    compile(after, "job.py", "exec")


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_changed_with_other_line_ends(before: str, after: str) -> None:
    assert fixed_text("job.py", before.replace("\n", "\r\n")) == after.replace("\n", "\r\n")


@pytest.mark.parametrize("source", REPORTED)
def test_reported(source: str) -> None:
    made = fixed_report("job.py", source)
    assert made.content is None
    assert {f.code for f in made.findings} == {CODE}
    assert all(f.is_open and f.advice for f in made.findings)


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert found(source) == []


@pytest.mark.parametrize(("before", "after"), UNSAFE)
def test_unsafe(before: str, after: str) -> None:
    assert fixed_text("job.py", before) == before
    assert fixed_text("job.py", before, unsafe=True) == after
    fixes = [f.fix for f in report(before).findings if f.code == CODE and f.fix is not None]
    assert {fix.safety for fix in fixes} == {Safety.UNSAFE}
    # the message says what differs
    assert all(";" in fix.summary for fix in fixes)


def test_records_that_are_dropped_silently() -> None:
    source = (
        "import json\n\ndef parse(x):\n    try:\n        return json.loads(x, encoding='utf-8')\n"
        "    except Exception as e:\n        return None\n"
    )
    (message,) = found(source)
    assert message.endswith("TypeError, which the `except` in line 6 hides each time")
    for other in ("ValueError", "(KeyError, ValueError)"):
        (message,) = found(source.replace("Exception as e", other))
        assert "hides" not in message
