"""Settings are read without a copy of all of them."""

from __future__ import annotations

import re
from pathlib import Path

from pyspark import SparkContext

import dstream_compat
from dstream_compat.spark.conf import conf_of


def test_they_are_those_of_the_context(sc: SparkContext) -> None:
    assert dict(conf_of(sc).getAll()) == dict(sc.getConf().getAll())


def test_no_module_copies_them() -> None:
    root = Path(dstream_compat.__file__).parent
    copies = [
        str(path.relative_to(root))
        for path in root.rglob("*.py")
        if re.search(r"\bsc\.getConf\(\)", path.read_text())
    ]
    assert copies == []
