"""Arguments that functions no longer take."""

from __future__ import annotations

from tests.support.migrator.fix_cases import UnsafeFixCases, messages

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
    ("x = open(y, 'rU')\n", "x = open(y, 'r')\n"),
    ('x = open(y, mode="U")  # c\n', 'x = open(y, mode="r")  # c\n'),
    (
        "import codecs, io\nx = codecs.open(y, 'rU', 'utf-8'), io.open(z, 'rtU')\n",
        "import codecs, io\nx = codecs.open(y, 'r', 'utf-8'), io.open(z, 'rt')\n",
    ),
    (
        "with open('a', 'Ur') as f:\n    pass\n",
        "with open('a', 'r') as f:\n    pass\n",
    ),
    (
        "x = sorted(y, cmp=f)\n",
        "from functools import cmp_to_key\n\nx = sorted(y, key=cmp_to_key(f))\n",
    ),
    (
        "import os\nx = sorted(y, cmp=lambda a, b: a - b, reverse=True)\n",
        (
            "from functools import cmp_to_key\n"
            "import os\n"
            "x = sorted(y, key=cmp_to_key(lambda a, b: a - b), reverse=True)\n"
        ),
    ),
    (
        "x = sorted(y, f)\n",
        "from functools import cmp_to_key\n\nx = sorted(y, key=cmp_to_key(f))\n",
    ),
    (
        "x = sorted(y, lambda a, b: a - b, reverse=True)\n",
        "from functools import cmp_to_key\n\n"
        "x = sorted(y, key=cmp_to_key(lambda a, b: a - b), reverse=True)\n",
    ),
    ("import json\nx = json.loads(y, 'utf-8')\n", "import json\nx = json.loads(y)\n"),
    (
        'from json import loads\nx = loads(y , "UTF8", strict=False)\n',
        "from json import loads\nx = loads(y, strict=False)\n",
    ),
    (
        "import pickle\nx = pickle.load(open(y))\n",
        'import pickle\nx = pickle.load(open(y, "rb"))\n',
    ),
    (
        "import pickle\nx = pickle.load(open(y, 'r'))\n",
        'import pickle\nx = pickle.load(open(y, "rb"))\n',
    ),
    (
        "import pickle as p\np.dump(x, open(y, 'w'), 2)\n",
        'import pickle as p\np.dump(x, open(y, "wb"), 2)\n',
    ),
    ("x = 'a,b'.translate(None, ',')\n", "x = 'a,b'.translate(str.maketrans(\"\", \"\", ','))\n"),
]
UNSAFE = [
    ("import json\nx = json.loads(y, encoding='latin-1')\n", "import json\nx = json.loads(y)\n"),
    ("import json\nx = json.dumps(y, encoding=e)\n", "import json\nx = json.dumps(y)\n"),
    ("import json\nx = json.loads(y, 'latin-1')\n", "import json\nx = json.loads(y)\n"),
    (
        "f = lambda s: s.translate(None, string.punctuation)\n",
        'f = lambda s: s.translate(str.maketrans("", "", string.punctuation))\n',
    ),
]
REPORTED: list[str] = [
    "x = sorted(y, cmp=f, key=g)\n",
    "x = sorted(y, cmp=f(a))\n",
    "import json\nx = json.loads(y, encoding=f(z))\n",
    "import json\nx = json.loads(y, # text\n    encoding='utf-8')\n",
    "cmp_to_key = 1\nx = sorted(y, cmp=f)\n",
    "x = open(y, 'rbU')\n",
    "x = open(y, u'rU')\n",
    "x = open(y, 'r' 'U')\n",
    "x = sorted(y, f, reverse=True, key=g)\n",
    "x = sorted(y, f(z))\n",
    "x = y.encode('hex')\n",
    "x = f(y).decode('base64')\n",
    "x = 'abc'.encode('string-escape')\n",
    "x = 'a'.translate(None,\n    ',')\n",
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
    "open('a', 'r')\n",
    "open('rU')\n",
    "open('a', mode)\n",
    "open('a', 'w', newline='U')\n",
    "open('a', 'r', -1, 'UTF-8')\n",
    "open('a', 'wU')\n",
    "from mine import open\nopen('a', 'rU')\n",
    "def open(path, mode):\n    pass\n\nopen('a', 'rU')\n",
    "import gzip\ngzip.open('a', 'U')\n",
    "x.open('a', 'rU')\n",
    "import sys\nx = open('a', 'rU' if sys.version_info[0] < 3 else 'r')\n",
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
    # by position
    "x = sorted(y, key=f, reverse=True)\n",
    "x = sorted(*y)\n",
    "def sorted(a, b):\n    return a\n\nx = sorted(y, f)\n",
    "from mine import sorted\nx = sorted(y, f)\n",
    "x = df.sort(a, b)\n",
    "import json\nx = json.loads(y, **{'strict': False})\n",
    "import simplejson\nx = simplejson.loads(y, 'utf-8')\n",
    "import json\nx = json.dumps(y, 'utf-8')\n",
    "from mine import loads\nx = loads(y, 'utf-8')\n",
    "import json\nx = json.loads(y, e)\n",
    # pickles
    "import pickle\nx = pickle.load(open(y, 'rb'))\n",
    "import pickle\nx = pickle.load(f)\n",
    "import pickle\nx = pickle.loads(y)\n",
    "import pickle\npickle.dump(x, open(y, 'wb'))\n",
    "import pickle\npickle.dump(x, open(y, mode))\n",
    "import pickle, gzip\nx = pickle.load(gzip.open(y))\n",
    "import json\nx = json.load(open(y))\n",
    "import yaml\nx = yaml.load(open(y))\n",
    "from mine import pickle\nx = pickle.load(open(y))\n",
    "import pickle\nfrom mine import open\nx = pickle.load(open(y))\n",
    # strings
    "x = y.translate(table)\n",
    "x = y.translate(str.maketrans('', '', ','))\n",
    "x = b'a'.translate(None, b',')\n",
    "x = y.translate(table, ',')\n",
    "x = y.translate(None)\n",
    "x = translate(None, ',')\n",
    "x = y.translate(None, chars=1)\n",
    "x = 'y.translate(None, 1)'\n",
    "x = y.encode('utf-8')\n",
    "x = y.decode('latin-1')\n",
    "x = y.encode(codec)\n",
    "import codecs\nx = codecs.encode(y, 'hex')\n",
    "import codecs\nx = codecs.decode(y, 'base64')\n",
    "import base64\nx = base64.b64encode(y)\n",
    "x = encode('hex')\n",
    "import sys\nx = y.encode('hex') if sys.version_info[0] < 3 else y.hex()\n",
    "x = y.encode('hexagon')\n",
    "# y.encode('hex')\n",
    "x = y.encoder('hex')\n",
    "import mine\nx = mine.encode('hex')\n",
    "import mine\nx = mine.decode('base64', y)\n",
]


class TestCases(UnsafeFixCases):
    """Those above."""


def found(source: str) -> list[str]:
    return messages(CODE, source)


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
