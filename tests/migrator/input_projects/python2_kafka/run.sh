#!/bin/bash
# --conf spark.streaming.receiver.maxRate=1 in a comment
SCALA=2.11
PREFIX=spark.streaming
export PYSPARK_PYTHON=/usr/bin/python2.7  # expect: D906
# expect(+3): D901
# expect(+3): D705
spark-submit --master yarn \
  --packages org.apache.spark:spark-streaming-kafka-0-8_$SCALA:2.4.8 \
  --conf "$PREFIX.receiver.maxrate=500" \
  --py-files lib.zip jobs/clicks.py
