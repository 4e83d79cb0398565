#!/bin/sh
exec spark-submit --class clicks.Clicks \
  --conf spark.sql.streaming.metricsEnabled=true \
  target/clicks.jar  # the logger of org.apache.spark.streaming is quiet
