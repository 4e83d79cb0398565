"""Names that PySpark has lost.

## What

The program imports or uses a name of `pyspark` that PySpark 1.6 to 3.5 had and PySpark 4 lacks:
`functions.rowNumber`, `OneHotEncoderEstimator`, `pyspark.PickleSerializer`. The table is made by
comparing the packages of 2.1, 2.4, 3.2 and 3.5 with the installed one; what Spark 2.0 dropped comes
from the documentation of 1.6. What still exists is not reported, even if it is deprecated:
`SQLContext`, `HiveContext`, `toDegrees`. `pyspark.streaming` has rules of its own.

## Why it matters

The import or the call fails.

## Before

```python
from pyspark.sql import functions as F
from pyspark.sql.functions import monotonicallyIncreasingId
from pyspark.streaming import StreamingContext

rank = F.rowNumber()
```

## After

```python
from pyspark.sql import functions as F
from pyspark.sql.functions import monotonically_increasing_id as monotonicallyIncreasingId
from dstream_compat import StreamingContext

rank = F.row_number()
```

## Fix safety

Safe: only names are changed for which Spark's own deprecation or migration guide names the new one.
An import keeps the name that the program uses.

## By hand

Look the name up in Spark's migration guide for PySpark; most of the others were internal.
"""

from migrator.rules.base import removed_rule

rule = removed_rule(
    "D805", "spark-name", "spark-name", 15, "replace removed names of PySpark", other=None
)
