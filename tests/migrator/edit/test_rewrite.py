"""Statements that become several, wherever they stand; comments and line ends stay."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import report

USE = "x = pyspark.SparkConf, pyspark.streaming.DStream"
MOVED = "x = pyspark.SparkConf, dstream_compat.DStream"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            f"import pyspark.streaming  # why\n{USE}\n",
            f"import pyspark  # why\nimport dstream_compat\n{MOVED}\n",
        ),
        (
            f"if 1:\r\n\timport pyspark.streaming  # why\r\n\t{USE}\r\n",
            f"if 1:\r\n\timport pyspark  # why\r\n\timport dstream_compat\r\n\t{MOVED}\r\n",
        ),
        (
            f"if 1: import pyspark.streaming; {USE}  # why\n",
            f"if 1: import pyspark; import dstream_compat; {MOVED}  # why\n",
        ),
        (
            f"y = 1; import pyspark.streaming ; # why\n{USE}\n",
            f"y = 1; import pyspark; import dstream_compat ; # why\n{MOVED}\n",
        ),
        (
            f"é = 'ä'; import os, pyspark.streaming, re\n{USE}\n",
            f"é = 'ä'; import os, pyspark, re; import dstream_compat\n{MOVED}\n",
        ),
        (
            f"if 1: \\\n  import pyspark.streaming\n{USE}\n",
            f"if 1: \\\n  import pyspark; import dstream_compat\n{MOVED}\n",
        ),
        (
            "from pyspark import (  # all\n    SparkConf,\n    streaming,\n)  # end\n",
            "from pyspark import (  # all\n    SparkConf,\n)  # end\n"
            "import dstream_compat as streaming\n",
        ),
        (
            "def f():\n    from pyspark import streaming\n",
            "def f():\n    import dstream_compat as streaming\n",
        ),
        (
            "from pyspark \\\n    import SparkConf, streaming",
            "from pyspark \\\n    import SparkConf\nimport dstream_compat as streaming",
        ),
        (
            "from pyspark . streaming \\\n  import DStream\n",
            "from dstream_compat \\\n  import DStream\n",
        ),
        (
            f"import os, pyspark . streaming as ps\n{USE[:4]}ps.DStream\n",
            f"import os, dstream_compat as ps\n{USE[:4]}ps.DStream\n",
        ),
        (
            "from pyspark import streaming, SparkConf , SparkContext\n",
            "from pyspark import SparkConf , SparkContext\nimport dstream_compat as streaming\n",
        ),
        (
            "from pyspark import SparkConf, streaming as s, SparkContext\n",
            "from pyspark import SparkConf, SparkContext\nimport dstream_compat as s\n",
        ),
        (
            "try: from pyspark.streaming import (DStream,\n StreamingContext); y\nexcept E: 0\n",
            "try: from dstream_compat import (DStream,\n StreamingContext); y\nexcept E: 0\n",
        ),
    ],
)
def test_statements(before: str, after: str) -> None:
    content = report(before.encode()).content
    assert content is not None
    assert content.decode() == after
