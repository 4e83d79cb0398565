package views;

import org.apache.spark.SparkConf;
import org.apache.spark.streaming.Durations; // expect: D101
import org.apache.spark.streaming.api.java.JavaDStream; // expect: D101
import org.apache.spark.streaming.api.java.JavaStreamingContext; // expect: D101
import org.apache.spark.streaming.flume.*; // expect: D101

public class Views {
    private static JavaStreamingContext context;

    public static void main(String[] args) throws Exception {
        SparkConf conf = new SparkConf();
        conf.set("spark.streaming.receiver.writeAheadLog.enable", "true"); // expect: D701
        conf.get("spark.streaming.receiver.maxRate");
        context = new JavaStreamingContext(conf, Durations.seconds(1));
        JavaDStream<String> events = FlumeUtils.createStream(context, "h", 1).map(e -> "x"); // expect: D203
        events.foreachRDD(rdd -> { rdd.count(); });
        Thread stream = new Thread();
        stream.start();
        context.start();
        context.awaitTermination();
    }
}
