#!/bin/sh
# spark.streaming.nothing is only a comment
exec spark-submit \
  --conf spark.streaming.receiver.writeAheadLog.enable=true \
  --conf spark.streaming.backpressure.enable=true \
  --packages com.databricks:spark-avro_2.11:4.0.0 \
  jobs/events.py "$@"
# expect 4: D701
# expect 5: D705
# expect 6: D902
