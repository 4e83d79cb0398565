"""Names that PySpark has lost."""

from __future__ import annotations

import pytest

from tests.support.migrator.fixes import fixed_report, fixed_text
from tests.support.migrator.reports import report

CODE = "D805"
CHANGED = [
    (
        "from pyspark.sql import functions as F\nx = F.rowNumber()\n",
        "from pyspark.sql import functions as F\nx = F.row_number()\n",
    ),
    (
        "from pyspark.sql.functions import rowNumber, col\n",
        "from pyspark.sql.functions import row_number as rowNumber, col\n",
    ),
    (
        ("import pyspark.sql.functions as f\nx = f.denseRank(), f.percentRank(), f.cumeDist()\n"),
        (
            "import pyspark.sql.functions as f\n"
            "x = f.dense_rank(), f.percent_rank(), f.cume_dist()\n"
        ),
    ),
    (
        "import pyspark\nx = pyspark.sql.functions.sparkPartitionId()\n",
        "import pyspark\nx = pyspark.sql.functions.spark_partition_id()\n",
    ),
    (
        "from pyspark.sql.functions import monotonicallyIncreasingId as mid\n",
        "from pyspark.sql.functions import monotonically_increasing_id as mid\n",
    ),
    (
        "from pyspark.ml.feature import OneHotEncoderEstimator, Tokenizer\n",
        "from pyspark.ml.feature import OneHotEncoder as OneHotEncoderEstimator, Tokenizer\n",
    ),
    (
        "from pyspark import SparkContext, PickleSerializer\n",
        "from pyspark import SparkContext\nfrom pyspark.serializers import PickleSerializer\n",
    ),
    (
        "from pyspark.sql.types import to_arrow_type\n",
        "from pyspark.sql.pandas.types import to_arrow_type\n",
    ),
]
REPORTED: list[str] = [
    "from pyspark.sql.streaming import ProcessingTime\n",
    "from pyspark.ml.feature import LSHModel\n",
    "from pyspark.sql.utils import toJArray\n",
    "from pyspark import copy_func\n",
    "import pyspark\nx = pyspark.PickleSerializer()\n",
    "from pyspark.sql.functions import (\n    rowNumber,  # rank\n)\n",
]
SILENT: list[str] = [
    "from pyspark.sql import functions as F\nx = F.row_number()\n",
    (
        "from pyspark.sql import functions as F\n"
        "x = F.toDegrees(a), F.toRadians(a), F.sumDistinct(a), F.approxCountDistinct(a)\n"
    ),
    "from pyspark.sql.functions import toDegrees\n",
    "from pyspark.sql import SQLContext, HiveContext, Row\n",
    "from pyspark import StorageLevel\nx = StorageLevel.MEMORY_ONLY_SER\n",
    "from pyspark.files import SparkFiles\n",
    "from pyspark.rdd import RDD\n",
    "from pyspark.context import SparkContext\n",
    "from pyspark.broadcast import Broadcast\n",
    "from pyspark.sql.types import *\n",
    "from mine.functions import rowNumber\n",
    "from .functions import rowNumber\n",
    "import functions as F\nF.rowNumber()\n",
    "F.rowNumber()\n",
    "x.rowNumber()\n",
    "from pyspark.ml.feature import OneHotEncoder\n",
    "from pyspark.serializers import PickleSerializer\n",
    "from pyspark.mllib.clustering import KMeans\n",
    "x = 'pyspark.sql.functions.rowNumber'\n",
    "# F.rowNumber()\n",
    "def rowNumber():\n    pass\n\nrowNumber()\n",
    (
        "try:\n"
        "    from pyspark.sql.functions import rowNumber\n"
        "except ImportError:\n"
        "    from pyspark.sql.functions import row_number as rowNumber\n"
    ),
    (
        "try:\n"
        "    from pyspark.ml.feature import OneHotEncoderEstimator as E\n"
        "except ImportError:\n"
        "    from pyspark.ml.feature import OneHotEncoder as E\n"
    ),
    "from pyspark.streaming import StreamingContext\n",
    "from pyspark.sql.window import Window\n",
    "import pyspark.sql.functions as F\nF = mine\nF.rowNumber()\n",
    "from pyspark.sql.dataframe import DataFrame\n",
    "from pyspark.status import StatusTracker\n",
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
