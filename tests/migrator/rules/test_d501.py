"""Jobs without output."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.migrator.reports import codes, project

STREAM = (
    "from pyspark.streaming import StreamingContext, DStream\n"
    "ssc = StreamingContext(None, 1)\n"
    'lines = ssc.textFileStream("x")\n'
)
FIRES = [
    STREAM + "lines.map(f)\nssc.start()\n",
    STREAM + "def go(c):\n    c.start()\ngo(ssc)\n",
    STREAM + "import pprint\npprint.pprint(1)\nx = lines.map(f)\nssc.start()\n",
    STREAM + "print(lines)\nssc.start()\n",
    STREAM + "getattr(lines, 'map')(f)\nssc.start()\n",
    STREAM + "x = [getattr(lines, 'id', None)]\nssc.start()\n",
    STREAM + "list(map(str, [lines]))\nssc.start()\n",
]
SILENT = [
    "from pyspark.mllib.clustering import StreamingKMeans\n"
    + STREAM
    + "StreamingKMeans(k=2).trainOn(lines)\nssc.start()\n",
    STREAM + "lines.saveToCassandra('keyspace', 'table')\nssc.start()\n",
    STREAM + "lines.pprint()\nssc.start()\n",
    STREAM + "lines.foreachRDD(f)\nssc.start()\n",
    STREAM + "lines.saveAsTextFiles('x')\nssc.start()\n",
    STREAM + "lines.map(f)\n",
    STREAM + "def show(s):\n    s.pprint()\nssc.start()\n",
    STREAM + "from mylib import show\nshow(lines)\nssc.start()\n",
    STREAM + "from mylib import build\nbuild(ssc)\nssc.start()\n",
    STREAM + "from mylib import build\nbuild(**{'s': lines}, t=[lines])\nssc.start()\n",
    STREAM + "import threading\nthreading.Thread(target=f).start()\n",
    STREAM + "exec(text)\nssc.start()\n",
    STREAM + "getattr(lines, name)()\nssc.start()\n",
    STREAM + "getattr(lines, 'pprint')()\nssc.start()\n",
    STREAM + "getattr(lines.map(f), 'foreachRDD', None)(save)\nssc.start()\n",
    STREAM + "show = getattr(lines, 'pprint')\nshow()\nssc.start()\n",
    STREAM + "getattr(lines, '_jdstream').print(10)\nssc.start()\n",
    STREAM + "def getattr(x, n): return x\ngetattr(lines, 'x').pprint()\nssc.start()\n",
    STREAM + "from lib import show\nlist(map(show, [lines]))\nssc.start()\n",
    STREAM + "from lib import show\nfrom functools import partial\npartial(show, lines)()\n"
    "ssc.start()\n",
    STREAM + "globals()[name](lines)\nssc.start()\n",
    STREAM + "for f in functions:\n    f(ssc)\nssc.start()\n",
    STREAM + "from mylib import decorate\n@decorate(ssc)\ndef f(s):\n    pass\nssc.start()\n",
    STREAM + "import mylib\nmylib.stream = lines\nssc.start()\n",
    STREAM + "import mylib\nmylib.registry['s'] = lines\nssc.start()\n",
    STREAM + "from mylib import box\nbox.append(lines)\nssc.start()\n",
    STREAM + "class J(Base):\n    def go(self):\n        self.s = lines\n"
    "        ssc.start()\nJ().go()\n",
    STREAM + "lines._jdstream.print(10)\nssc.start()\n",
    "def f(ssc):\n    ssc.start()  # StreamingContext\n",
]


def test_modules_of_the_same_job(tmp_path: Path) -> None:
    """An output in a module that runs too counts, one of another job does not."""
    files = {
        "common.py": "from pyspark.streaming import StreamingContext\n"
        "def make():\n    return StreamingContext(None, 1)\n",
        "show.py": "def show(s):\n    s.pprint()\n",
        "good.py": "from common import make\nfrom show import show\nssc = make()\n"
        "show(ssc.textFileStream('x'))\nssc.start()\n",
        "bad.py": "from common import make\nssc = make()\nssc.textFileStream('x')\nssc.start()\n",
    }
    found = [f.path for f, x in project(tmp_path, files).findings() if x.code == "D501"]
    assert found == ["bad.py"]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D501" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D501" not in [c.partition(":")[2] for c in codes(source)]
