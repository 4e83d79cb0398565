import dstream_compat
import pyspark.sql


@dstream_compat.util.rddToFileName
def f(a=dstream_compat.DStream, *, b: dstream_compat.DStream = None) -> dstream_compat.DStream:
    return f"{dstream_compat.StreamingContext!r} {pyspark.sql.SparkSession} {a:{dstream_compat.DStream}}"


g = lambda x=dstream_compat.DStream: {dstream_compat.DStream: x, **{1: pyspark.sql}} if dstream_compat else (
    [dstream_compat.DStream for _ in [pyspark.sql]], call(b=dstream_compat.DStream, *[dstream_compat.StreamingContext])
)
