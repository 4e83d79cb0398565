"""
Statistics over the clicks of a web site. Every line on the socket is a JSON object with the
fields user, page and ms; a line that says "quit" ends the job.

    $ spark-submit --py-files helpers.py,pipeline.py job.py localhost 9999
"""
from __future__ import print_function

import os
import sys

import pipeline
from streaming_job import StreamingJob

HERE = os.path.dirname(os.path.abspath(__file__))


class ClickstreamJob(StreamingJob):
    name = "Clickstream"
    interval = 1
    py_files = [os.path.join(HERE, "helpers.py"), os.path.join(HERE, "pipeline.py")]
    slow_limit = 500

    def __init__(self, host, port, window_length=4):
        StreamingJob.__init__(self, {"spark.streaming.backpressure.enabled": "true"})
        self.host = host
        self.port = port
        self.window_length = window_length
        self.section_totals = {}
        self.quit = False

    def source(self):
        return self.ssc.socketTextStream(self.host, self.port)

    def define(self, stream):
        stream.cache()
        clicks = pipeline.clicks(stream)

        hits = pipeline.STEPS["hits"](clicks)
        hits.foreachRDD(self.add_to_totals)

        slow = pipeline.STEPS["slow"](clicks, self.slow_limit)
        slow.map(lambda kv: ("slow", kv[0], kv[1])).pprint(50)

        visits = pipeline.visits(clicks, self.window_length, self.interval)
        visits.map(lambda kv: ("visit", kv[0], kv[1].clicks, kv[1].ms)).pprint(50)

        stream.filter(lambda line: line.strip() == "quit").foreachRDD(self.look_for_quit)

    def add_to_totals(self, time, rdd):
        for section, hits in rdd.collect():
            self.section_totals[section] = self.section_totals.get(section, 0) + hits

    def look_for_quit(self, time, rdd):
        if not rdd.isEmpty():
            self.quit = True

    def finished(self):
        return self.quit


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        print("Usage: job.py <hostname> <port> [window seconds]", file=sys.stderr)
        sys.exit(-1)
    job = ClickstreamJob(sys.argv[1], int(sys.argv[2]), *[int(a) for a in sys.argv[3:]])
    job.run()
    for section in sorted(job.section_totals):
        print("TOTAL %s %d" % (section, job.section_totals[section]))
