"""Names that PySpark has lost."""

from __future__ import annotations

from tests.support.migrator.fix_cases import FixCases

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


class TestCases(FixCases):
    """Those above."""
