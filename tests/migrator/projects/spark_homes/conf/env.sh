export SPARK_HOME=/usr/local/spark-1.6.0
export PYTHONPATH=$SPARK_HOME/python:$SPARK_HOME/python/lib/py4j-0.9-src.zip:$PYTHONPATH
/usr/local/spark-1.6.0/bin/spark-submit wordcount.py
# expect 1: D908
# expect 2: D908
# expect 3: D908
