package clicks

import org.apache.spark.SparkConf
import org.apache.spark.streaming.{Seconds, StreamingContext} // expect: D101
import org.apache.spark.streaming.dstream.DStream // expect: D101
import org.apache.spark.streaming.kafka010._ // expect: D101
import org.apache.spark.sql.streaming.Trigger

object Clicks {
  val conf = new SparkConf()
    .set("spark.streaming.backpressure.enabled", "true") // expect: D702
    .set("spark.streaming.receiver.maxrate", "5") // expect: D705
    .set("spark.sql.streaming.numRecentProgressUpdates", "5")

  def make(): StreamingContext = {
    val ssc = new StreamingContext(conf, Seconds(5))
    val raw = KafkaUtils.createDirectStream[String, String]( // expect: D202
      ssc,
      LocationStrategies.PreferConsistent,
      ConsumerStrategies.Subscribe[String, String](Seq("clicks"), Map()))
    count(raw.map(_.value)).foreachRDD { rdd =>
      val ranges = rdd.asInstanceOf[HasOffsetRanges].offsetRanges
      rdd.map(identity).collect().foreach(println)
    }
    ssc.receiverStream(new Custom()).print() // expect: D207
    ssc
  }

  def count(pages: DStream[String]): DStream[(String, Long)] =
    pages.map((_, 1L)).reduceByKey(_ + _)

  def main(args: Array[String]): Unit = {
    // KafkaUtils.createStream(ssc, "zk", "group", Map())
    val ssc = StreamingContext.getOrCreate("checkpoint", make _)
    ssc.start()
    ssc.awaitTermination()
    val stream = List(1).toStream
    stream.map(_ + 1).print()
  }
}
