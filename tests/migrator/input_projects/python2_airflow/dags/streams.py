"""Starts the streams: Python 2, because the scheduler is."""
from airflow import DAG
from airflow.contrib.operators.spark_submit_operator import SparkSubmitOperator
from airflow.operators.bash_operator import BashOperator

dag = DAG("streams")
print "loaded", dag  # expect: D010=fixed
submit = SparkSubmitOperator(
    application="jobs/clicks.py",
    packages="org.apache.spark:spark-streaming-flume_2.11:2.4.8",  # expect: D901
    conf={
        "spark.streaming.blockInterval": "50ms",  # expect: D704
        "spark.sql.streaming.checkpointLocation": "/x",
    },
    dag=dag,
)
bash = BashOperator(
    task_id="bash",
    # expect(+2): D703
    bash_command="""spark-submit \
        --conf spark.streaming.kafka.maxRatePerPartition=100 \
        jobs/views.py""",
    dag=dag,
)
# what only reads or tells is no setting
if conf.get("spark.streaming.blockInterval"):
    print "see spark.streaming.blockInterval for details"  # expect: D010=fixed
