import signal
import threading
import time

from pyspark import SparkContext
from pyspark.streaming import StreamingContext  # expect: D101

stopped = threading.Event()
sc = SparkContext(appName="poll")
ssc = StreamingContext(sc, 0.01)
seen = []


def watch(rdd):
    global seen
    rows = rdd.take(10)  # expect: D802
    seen += rows
    if not rows:
        stopped.set()


def finish(signum, frame):
    ssc.stop(True, True)


def wait_and_stop():
    while not stopped.is_set():
        time.sleep(1)
    ssc.stop(stopSparkContext=False)


ssc.queueStream([sc.parallelize([i]) for i in range(5)], oneAtATime=True).foreachRDD(watch)
signal.signal(signal.SIGTERM, finish)
thread = threading.Thread(target=wait_and_stop)
thread.start()
ssc.start()
try:
    while not ssc.awaitTerminationOrTimeout(5):
        print("alive", len(seen))
except KeyboardInterrupt:
    ssc.stop()
thread.join()
stopped.clear()
print("seen", seen)
