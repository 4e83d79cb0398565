"""Forks the Python workers of the differential tests, of either engine, with libraries loaded.

PySpark's daemon forks workers that import everything themselves, and collects garbage in all of it
after every task: more than nine tenths of the workers' CPU time in small jobs.
"""

import gc

import pandas  # noqa: F401
import pyarrow  # noqa: F401
import pyspark.join
import pyspark.resultiterable
import pyspark.shuffle
import pyspark.sql.conversion
import pyspark.sql.pandas.serializers
import pyspark.streaming  # noqa: F401
from pyspark import daemon, worker  # noqa: F401

import dstream_compat.worker.setup
import dstream_compat.worker.state_processor  # noqa: F401

if __name__ == "__main__":
    gc.collect()
    gc.freeze()
    daemon.manager()
