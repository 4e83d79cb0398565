import pyspark.streaming
import pyspark.sql


@pyspark.streaming.util.rddToFileName
def f(a=pyspark.streaming.DStream, *, b: pyspark.streaming.DStream = None) -> pyspark.streaming.DStream:
    return f"{pyspark.streaming.StreamingContext!r} {pyspark.sql.SparkSession} {a:{pyspark.streaming.DStream}}"


g = lambda x=pyspark.streaming.DStream: {pyspark.streaming.DStream: x, **{1: pyspark.sql}} if pyspark.streaming else (
    [pyspark.streaming.DStream for _ in [pyspark.sql]], call(b=pyspark.streaming.DStream, *[pyspark.streaming.StreamingContext])
)
