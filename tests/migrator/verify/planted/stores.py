import json
import urllib.request

import psycopg2
import redis
import requests
from psycopg2.extras import execute_values
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def to_redis(pairs):
    client = redis.Redis(host="cache", port=6379)
    pipeline = client.pipeline()
    for word, count in pairs:
        pipeline.set(word, count)
        pipeline.expire(word, 60)
    pipeline.execute()


def to_postgres(pairs):
    connection = psycopg2.connect(host="db", dbname="words")
    connection.autocommit = False
    try:
        with connection.cursor() as cursor:
            execute_values(cursor, "INSERT INTO words VALUES %s", [*pairs])
        connection.commit()
    except psycopg2.Error:
        connection.rollback()
    finally:
        connection.close()


def to_web(rdd):
    for word, count in rdd.collect():
        answer = requests.post("http://web/words", json={"word": word, "count": count})
        answer.raise_for_status()
    body = json.dumps(rdd.count()).encode()
    urllib.request.urlopen("http://web/total", data=body).read()


def alone(pair):
    requests.put("http://web/word", data=pair[0])
    return 1


sc = SparkContext(appName="stores")
ssc = StreamingContext(sc, 1)
words = ssc.socketTextStream("localhost", 9999)
counts = words.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b)
counts.foreachRDD(lambda rdd: rdd.foreachPartition(to_redis))
counts.foreachRDD(lambda rdd: rdd.foreachPartition(to_postgres))
counts.foreachRDD(to_web)
words.map(lambda word: (word, 1)).foreachRDD(lambda rdd: rdd.map(alone).count())

ssc.start()
ssc.awaitTermination()
