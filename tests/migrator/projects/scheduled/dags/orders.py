from airflow import DAG
from airflow.operators.bash_operator import BashOperator

dag = DAG("orders", schedule_interval=None)
BashOperator(
    task_id="orders",
    dag=dag,
    bash_command="""
        spark-submit --master yarn \
            --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8,org.postgresql:postgresql:42.2.5 \
            jobs/orders.py config.json
    """,
)
# expect 10: D901
