"""How a result writes what it needs of Python's library: its name is bound where it is used."""

from __future__ import annotations

import datetime
import re

import pytest

from migrator.structured.rewrite import Rewritten, rewrite

HEAD = """\
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
{imports}

{before}
sc = SparkContext(appName="Times")
ssc = StreamingContext(sc, 2)
ssc.textFileStream("in").pprint()
ssc.start()
ssc.awaitTermination()
"""
MAIN = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from datetime import datetime


def main(datetime):
    sc = SparkContext(appName="Times")
    ssc = StreamingContext(sc, 2)
    ssc.textFileStream(datetime).pprint()
    ssc.start()
    ssc.awaitTermination()


main("in")
"""

WINDOW = """{top}from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def main():
    {first}
    sc = SparkContext(appName="Times")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint("there")
    {last}
    ssc.socketTextStream("h", 1).window(3).count().pprint()
    ssc.start()
    ssc.awaitTermination()


main()
"""


def used(text: str) -> tuple[str, object]:
    """Return how a result writes the class, and what that is where the job starts."""
    found = rewrite(text)
    assert isinstance(found, Rewritten), found
    written = re.search(r"F\.lit\(([\w.]+)\.now\(\)\)", found.text)
    assert written is not None
    lines = found.text.splitlines()
    (place,) = [number for number, line in enumerate(lines) if "SparkSession.builder" in line]
    top = "\n".join(line for line in lines[:place] if "pyspark" not in line)
    if top.rstrip().endswith(":"):
        top = top.rpartition("\ndef main")[0]
    names: dict[str, object] = {}
    exec(top, names)
    return written[1], eval(written[1], names)


@pytest.mark.parametrize(
    ("imports", "before"),
    [
        ("", ""),
        ("import datetime", ""),
        ("import datetime as dt", ""),
        ("from datetime import datetime", ""),
        ("from datetime import datetime as moment", ""),
        ("", "def g(l):\n    import datetime\n    return datetime.datetime.now()"),
        ("", "def g(l):\n    from datetime import datetime as X\n    return X.now()"),
        ("", "def g(l):\n    import datetime as dt\n    return dt.datetime.now()"),
        ("", "if '--debug' in sys.argv:\n    import datetime"),
        ("", "class A:\n    import datetime"),
        ("", "def g(datetime):\n    return datetime"),
        ("import datetime", "def g(datetime):\n    return datetime"),
        ("import datetime", "try:\n    pass\nexcept OSError as datetime:\n    pass"),
        ("from datetime import datetime", "for datetime in 'ab':\n    pass"),
        ("from datetime import datetime", "del datetime"),
        ("import datetime", "match 'a':\n    case datetime:\n        pass"),
        ("", "datetime = 1\ndt = 2"),
        ("import datetime\nimport datetime as dt", "datetime = 1\ndt = 2"),
    ],
)
def test_the_class_is_found_where_it_is_used(imports: str, before: str) -> None:
    name, value = used(HEAD.format(imports=imports, before=before))
    assert value is datetime.datetime, name


def test_a_parameter_hides_an_import() -> None:
    name, value = used(MAIN)
    assert name == "dt.datetime"
    assert value is datetime.datetime


@pytest.mark.parametrize(
    ("imports", "name"),
    [
        ("import datetime", "datetime.datetime"),
        ("from datetime import datetime as moment", "moment"),
        ("import datetime as when", "when.datetime"),
        ("", "datetime"),
    ],
)
def test_an_import_at_the_top_is_used(imports: str, name: str) -> None:
    before = "def g(l):\n    return l"
    assert used(HEAD.format(imports=imports, before=before))[0] == name


def test_math_is_imported_where_a_function_imports_it() -> None:
    text = HEAD.format(imports="", before="def g(l):\n    import math\n    return math.pi")
    found = rewrite(text.replace('"in").', '"in").window(3, 2).').replace("sc, 2", "sc, 1"))
    assert isinstance(found, Rewritten), found
    assert "math." in found.text
    assert "\nimport math\n" in f"\n{found.text}"


@pytest.mark.parametrize(
    ("top", "first", "last", "written", "imports"),
    [
        ("", "pass", "pass", "uuid", ["import uuid"]),
        ("import uuid\n", "pass", "print(uuid)", "uuid", ["import uuid"]),
        ("import uuid as ids\n", "pass", "print(ids)", "ids", ["import uuid as ids"]),
        ("", "import uuid", "print(uuid)", "uuid", ["    import uuid"]),
        # the name of the function has no value yet
        ("", "pass", "import uuid", "uuid2", ["import uuid as uuid2", "    import uuid"]),
        ("", "uuid = 1", "print(uuid)", "uuid2", ["import uuid as uuid2"]),
    ],
)
def test_a_module_is_imported_once(
    top: str, first: str, last: str, written: str, imports: list[str]
) -> None:
    found = rewrite(WINDOW.format(top=top, first=first, last=last), batch_code=True)
    assert isinstance(found, Rewritten), found
    assert f'f"there/states-{{{written}.uuid4()}}"' in found.text
    assert [line for line in found.text.splitlines() if "import uuid" in line] == imports


@pytest.mark.parametrize(
    ("function", "needs"),
    [
        ("lambda time, rdd: print(rdd.count())", False),
        ("lambda time, rdd: print(time, rdd.count())", True),
    ],
)
def test_a_time_that_is_not_used_needs_no_import(function: str, needs: bool) -> None:
    text = HEAD.format(imports="", before="").replace('textFileStream("in").pprint()', "{}")
    text = text.replace("ssc.{}", f'ssc.socketTextStream("h", 1).foreachRDD({function})')
    found = rewrite(text, batch_code=True)
    assert isinstance(found, Rewritten), found
    assert ("import datetime" in found.text) == ("datetime.now()" in found.text) == needs
