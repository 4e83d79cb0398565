#!/bin/sh
# Starts a job of this folder: ./submit.sh direct_kafka_wordcount.py broker:9092 sentences
set -e

here=$(cd "$(dirname "$0")" && pwd)
if [ $# -lt 1 ]; then
    echo "Usage: submit.sh <job.py> [arguments]" >&2
    exit 1
fi
job=$1
shift

exec "${SPARK_HOME:?SPARK_HOME is not set}/bin/spark-submit" \
    --properties-file "$here/conf/spark-defaults.conf" \
    --packages org.apache.spark:spark-sql-kafka-0-10_2.13:4.3.0 \
    --conf spark.streaming.blockInterval=100ms \
    --conf "spark.streaming.concurrentJobs=1" \
    "$here/$job" "$@"
