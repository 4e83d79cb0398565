"""Lets tasks read through the JVM of their executor, which Python has no other way into.

Decision 0125: Executors read Hadoop's files, each task through a server in its own JVM.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from pyspark import RDD, SparkContext
from pyspark.serializers import UTF8Deserializer
from pyspark.sql import DataFrame
from pyspark.sql.functions import call_udf

from ..spark.java import java_array, java_class
from ..spark.java_code import shipped_class

_FUNCTION: Final = "dstream_compat_task_server"


class TaskServers:
    """Starts a server in the executor for each task of a query: ``TaskServer.java``.

    It reads with the Hadoop configuration that the SparkContext has now, as the user and with the
    delegation tokens of the executor.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    """

    def __init__(self, sc: SparkContext) -> None:
        self._sc = sc
        self._java: Any = sc._jsc
        configuration = java_class(sc, "org.apache.spark.util.SerializableConfiguration")
        broadcast = self._java.broadcast(configuration(self._java.hadoopConfiguration()))
        (constructor,) = shipped_class(sc, __package__, "TaskServer").getConstructors()
        arguments = java_array(sc, "java.lang.Object", broadcast)
        self._server = constructor.newInstance(arguments)

    def offer(self, folder: str) -> str:
        """Let tasks read a folder of the driver; returns its address.

        Spark's own file server has it, behind the port, the authentication and the encryption of
        Spark's RPC, by a name that nobody can guess.
        """
        return str(self._server.offer(f"/{secrets.token_urlsafe()}", folder))

    def one_task(self) -> RDD[str]:
        """Return an RDD of one partition with the address of the server of its task."""
        numbers = java_class(self._sc, "java.util.ArrayList")()
        numbers.add(0)
        addresses = self._java.parallelize(numbers, 1).map(self._server)
        return RDD(addresses, self._sc, UTF8Deserializer())  # type: ignore[no-untyped-call]

    def with_addresses(self, rows: DataFrame) -> DataFrame:
        """Return rows of one column with the address of the server of their task beside it."""
        java: Any = rows.sparkSession._jsparkSession
        text = java_class(self._sc, "org.apache.spark.sql.types.DataTypes").StringType
        java.udf().register(_FUNCTION, self._server, text)
        (column,) = rows.columns
        return rows.select(column, call_udf(_FUNCTION, rows[column]).alias("address"))
