from airflow import DAG
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator

dag = DAG("events", schedule_interval="@daily")
SparkSubmitOperator(
    dag=dag,
    task_id="events",
    application="jobs/events.py",
    packages="org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8",  # expect: D901
    jars="/opt/jars/tools_2.12-1.0.jar",  # expect: D902
    conf={
        "spark.streaming.stopGracefullyOnShutdown": "true",  # expect: D704
        "spark.streaming.kafka.maxRatePerPartition": "500",  # expect: D703
        "spark.sql.shuffle.partitions": "8",
    },
)
