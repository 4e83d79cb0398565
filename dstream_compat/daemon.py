"""Forks Python workers as ``pyspark.daemon`` does; they know ``pyspark.streaming`` as this package.

Spark starts it where ``spark.python.daemon.module`` says so.
"""

from pyspark import daemon

from .install import add_finder
from .storage_levels import restore_old_levels

if __name__ == "__main__":
    add_finder()
    restore_old_levels()
    daemon.manager()
