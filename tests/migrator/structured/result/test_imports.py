"""Imports of a result stand where formatters have them."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite
from tests.support.structured.texts import without_head

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
    assert without_head(found.text).startswith(expected)


STREAM = """\
sc = SparkContext(appName="Imports")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
lines.map(lambda line: (line, len(line))).reduceByKey(max).pprint()
ssc.start()
"""
OLD = "from pyspark import SparkContext\nfrom pyspark.streaming import StreamingContext\n"
NEW = "from pyspark.sql import SparkSession\nfrom pyspark.sql import functions as F\n"


def inside(head: str, text: str) -> str:
    return head + "".join(f"    {line}\n" for line in text.splitlines())


def result(text: str) -> str:
    found = rewrite(text)
    assert isinstance(found, Rewritten), found
    compile(found.text, "job", "exec")
    return found.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        # where the old ones are, if that is before their use
        ("print(1)\n" + OLD, "print(1)\n" + NEW),
        (inside("try:\n", OLD) + "finally:\n    pass\n", inside("try:\n", NEW)),
        (inside("if True:\n", OLD), inside("if True:\n", NEW)),
        ("import os\n\nif os.name:\n    " + OLD.replace("\n", "\n    ", 1), None),
    ],
)
def test_new_imports_stand_where_the_old_ones_do(before: str, after: str | None) -> None:
    text = result(before + STREAM)
    assert (after or inside("if os.name:\n", NEW)) in text
    assert text.count("import SparkSession") == 1


def test_a_block_without_its_imports_passes() -> None:
    text = OLD + inside("try:\n", "from pyspark.streaming.kafka import KafkaUtils\n")
    text += "except ImportError:\n    print('no Kafka')\n" + STREAM
    assert "try:\n    pass\nexcept ImportError:\n" in result(text)


@pytest.mark.parametrize(
    "text",
    [
        inside("try:\n", OLD)
        + inside("except ImportError:\n", "import findspark\n\nfindspark.init()\n" + OLD),
        inside("if True:\n", OLD) + inside("else:\n", OLD),
        OLD + inside("if print(1):\n", "from own.streaming import StreamingContext\n"),
    ],
)
def test_alternatives_are_refused(text: str) -> None:
    found = rewrite(text + STREAM)
    # the third one is not seen as a job
    assert found is None or (isinstance(found, Reason) and found.code == "IMPORT")


def test_imports_of_functions_that_nobody_else_needs_stay_there() -> None:
    text = result(
        inside("def main():\n", OLD + STREAM.replace(".reduceByKey(max)", "")) + "main()\n"
    )
    assert "def main():\n    from pyspark.sql import SparkSession\n" in text


def test_imports_of_functions_that_others_need_stand_at_the_top() -> None:
    text = result(inside("def main():\n", OLD + STREAM) + "main()\n")
    assert without_head(text).startswith(NEW)
    assert text.index("def process_batch") < text.index("def main():\n    spark = ")


@pytest.mark.parametrize(
    ("late", "head"),
    [
        ("import json\n", "from datetime import datetime\n\n"),
        ("from pyspark.sql import Row\n", "from datetime import datetime\n\n"),
        ("import datetime\n", "import datetime as dt\n\n"),
        ("from datetime import datetime\n", "import datetime as dt\n\n"),
    ],
)
def test_late_imports_stay(late: str, head: str) -> None:
    job = STREAM.replace('socketTextStream("localhost", 9999)', 'textFileStream("in")')
    job = job.replace("ssc.start()", f"{late}print({late.split()[-1]})\nssc.start()")
    text = result(OLD + job)
    assert late in text.partition("max")[2]
    assert without_head(text).startswith(head + NEW)


def test_a_late_import_of_the_job_is_gone() -> None:
    first, second = OLD.splitlines(keepends=True)
    text = result(first + STREAM.replace("ssc = ", f"# for streams\n{second}ssc = "))
    assert text.count("import") == 2
    assert without_head(text).startswith(f"# for streams\n{NEW}")


def test_imports_of_other_functions_stay() -> None:
    other = "def session():\n    from pyspark.sql import SparkSession\n\n    return SparkSession\n"
    text = result(OLD + f"\n\n{other}\n\n" + STREAM)
    assert without_head(text).startswith(NEW)
    assert other in text
