package old;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.spark.api.java.function.Function;
import scala.Tuple2;

/** What Python gets of a record. */
public class Pair implements Function<ConsumerRecord<byte[], byte[]>, Tuple2<byte[], byte[]>> {
  @Override
  public Tuple2<byte[], byte[]> call(ConsumerRecord<byte[], byte[]> record) {
    return new Tuple2<>(record.key(), record.value());
  }
}
