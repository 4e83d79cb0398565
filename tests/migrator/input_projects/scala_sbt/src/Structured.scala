package clicks

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.streaming.Trigger

/** Moved already: names like ssc, stream and DStream prove nothing. */
object Structured {
  class StreamingContext
  def main(args: Array[String]): Unit = {
    val ssc = new StreamingContext
    val spark = SparkSession.builder.getOrCreate()
    val stream = spark.readStream.format("rate").load()
    stream.writeStream.trigger(Trigger.ProcessingTime(1000)).start().awaitTermination()
  }
}
