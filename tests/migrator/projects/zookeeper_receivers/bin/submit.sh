#!/bin/bash
set -e
SPARK_VERSION=2.4.8
SCALA=2.11
cd "$(dirname "$0")/.."

# the assembly has everything that the receivers need
exec spark-submit \
  --master "${MASTER:-yarn}" \
  --packages "org.apache.spark:spark-streaming-kafka-0-8-assembly_${SCALA}:${SPARK_VERSION}" \
  --conf spark.streaming.receiver.maxRate=5000 \
  job.py "${1:-10}"
# expect 10: D901
# expect 11: D703
