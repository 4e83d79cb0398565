"""Imports of a result stand where formatters have them."""

from __future__ import annotations

import pytest

from migrator.structured.rewrite import Rewritten, rewrite

JOB = """from pyspark import SparkContext
from pyspark.streaming import StreamingContext

print(sys, json, path)
sc = SparkContext(appName="Windows")
ssc = StreamingContext(sc, 10)
lines = ssc.socketTextStream("localhost", 9999)
lines.countByWindow(50, 20).pprint()
ssc.start()
ssc.awaitTermination()
"""


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        ("from __future__ import division\n", "from __future__ import division\n\nimport math\n\n"),
        ("import math\nimport sys\n", "import math\nimport sys\n\n"),
        ("import json\nfrom os import path\n", "import json\nimport math\nfrom os import path\n\n"),
        ("from os import path\n", "import math\nfrom os import path\n\n"),
        ("", "import math\n\n"),
    ],
)
def test_modules_are_imported_where_formatters_have_them(imports: str, expected: str) -> None:
    found = rewrite(imports + "\n" * bool(imports) + JOB)
    assert isinstance(found, Rewritten), found
    compile(found.text, "job", "exec")
    assert found.text.startswith(expected)
