"""References that are not proven."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    "import pyspark.streaming\nif x:\n    pyspark = f()\npyspark.streaming.DStream\n",
    "import pyspark.streaming\npyspark.streaming.StreamingContext = Fake\n",
    "import pyspark.streaming\ndel pyspark.streaming.DStream\n",
    "import pyspark.streaming\nregister(pyspark)\n",
    "class A:\n    import pyspark.streaming\n",
    "import importlib\nimportlib.import_module('pyspark').streaming.DStream\n",
    "from pyspark.streaming import DStream\nglobals()['pyspark'].streaming.DStream\n",
]
SILENT = [
    "import pyspark.streaming\npyspark.streaming.DStream\n",
    "import pyspark.streaming\npyspark.streaming.DStream.helper = f\n",
    "try:\n    import pyspark.streaming\nexcept ImportError:\n    pyspark = None\n"
    "pyspark.streaming.DStream\n",
    "def f(pyspark):\n    return pyspark.streaming.DStream\n",
    "import pyspark\nregister(pyspark)\n",
    "import pyspark\nfrom pyspark.streaming import DStream\nregister(pyspark)\n",
    "import pyspark.streaming as st\nregister(st)\n",
    "from dstream_compat import DStream\ndef f(api):\n    return api.streaming.DStream\n",
    "import pyspark.streaming\ndef f(config):\n    return config.streaming.interval\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D105" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D105" not in [c.partition(":")[2] for c in codes(source)]
