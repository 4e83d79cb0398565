"""The Streaming tab of both engines: tab.py FOLDER; one line of JSON for each thing that it did.

The same scene runs on Spark's DStreams and on ours, in one SparkContext; then ours once more with
the tab switched off, and once more until a line comes from stdin, for a browser.
"""

from __future__ import annotations

import json
import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pyspark.streaming as real
from pyspark import SparkConf, SparkContext

import dstream_compat as ours
from tests.support.streaming.events import Engine, LineServer
from tests.support.streaming.inputs import input_of

PROMETHEUS = "spark.metrics.conf.*.sink.prometheusServlet"
FOLDER = "spark.streaming.checkpoint.directory"
DEADLINE = 100.0
BATCHES = 3


def fetch(url: str) -> str:
    with urllib.request.urlopen(url, timeout=DEADLINE) as answer:
        return str(answer.read().decode())


def until(condition: Any) -> Any:
    """Wait until it is true; returns what it is."""
    end = time.monotonic() + DEADLINE
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError("what the tab shows does not come")
        time.sleep(0.02)
    return found


def count(rdd: Any) -> None:
    rdd.map(str).count()


def fail(at: Any, rdd: Any) -> None:
    if at.timestamp() == 2:
        raise ValueError("the second batch fails")


class Scene:
    """A socket, a folder and a queue; four outputs, of which one fails once."""

    def __init__(self, sc: SparkContext, module: Any, folder: Path) -> None:
        self.server = LineServer()
        self.engine = Engine(sc, module)
        ssc = self.engine.ssc
        self.lines = ssc.socketTextStream("127.0.0.1", self.server.port)
        self.lines.foreachRDD(count)
        ssc.textFileStream(str(folder)).foreachRDD(count)
        ssc.queueStream([["1"], ["2"], ["3"]]).foreachRDD(fail)
        self.lines.window(2, 2).foreachRDD(count)
        self.started = False

    def start(self) -> None:
        self.engine.ssc.start()
        self.started = True
        self.server.accept()

    def received(self) -> bool:
        """Whether a line waits for the next batch."""
        if self.engine.real:
            tracker = self.engine.ssc._jssc.ssc().scheduler().receiverTracker()
            return bool(tracker.hasUnallocatedBlocks())
        return bool(input_of(self.lines).count_waiting(self.engine.now() + 1000))

    def run(self) -> None:
        for number in range(1, BATCHES + 1):
            self.server.send("a line\n")
            until(self.received)
            self.engine.advance()
            self.engine.log.wait("BatchCompleted", number)

    def stop(self) -> None:
        self.engine.stop()
        self.server.close()


def rest(sc: SparkContext) -> dict[str, Any]:
    """What the REST API says of streaming, the gauges, and Prometheus' text."""
    base = f"{sc.uiWebUrl}/api/v1/applications/{sc.applicationId}/streaming"

    def get(path: str) -> Any:
        return json.loads(fetch(f"{base}/{path}"))

    until(lambda: get("statistics")["numTotalCompletedBatches"] == BATCHES)
    batches = get("batches")
    operations = {one["batchId"]: get(f"batches/{one['batchId']}/operations") for one in batches}
    # the bus that brings jobs is another one
    until(lambda: all(get(f"batches/{at}/operations/0")["jobIds"] for at in operations))
    return {
        "statistics": get("statistics"),
        "batches": batches,
        "batch": get("batches/1000"),
        "operations": {at: get(f"batches/{at}/operations") for at in operations},
        "receivers": get("receivers"),
        "receiver": get("receivers/0"),
        "gauges": {
            name.rpartition(".streaming.")[2]: gauge["value"]
            for name, gauge in json.loads(fetch(f"{sc.uiWebUrl}/metrics/json/"))["gauges"].items()
            if ".StreamingMetrics." in name
        },
        "prometheus": fetch(f"{sc.uiWebUrl}/metrics/prometheus/"),
    }


def shown(sc: SparkContext) -> dict[str, Any]:
    """Whether the tab and its answers are there."""
    try:
        fetch(f"{sc.uiWebUrl}/api/v1/applications/{sc.applicationId}/streaming/statistics")
        answer = 200
    except urllib.error.HTTPError as error:
        answer = error.code
    return {
        "tab": 'href="/streaming/"' in fetch(f"{sc.uiWebUrl}/jobs/"),
        "rest": answer,
        "gauges": "StreamingMetrics" in fetch(f"{sc.uiWebUrl}/metrics/json/"),
    }


def tell(**what: Any) -> None:
    print(json.dumps(what), flush=True)


def main(folder: Path) -> None:
    conf = (
        SparkConf()
        .setMaster("local[3]")
        .setAppName("tab")
        .set("spark.ui.port", "0")
        .set("spark.ui.showConsoleProgress", "false")
        .set("spark.driver.bindAddress", "127.0.0.1")
        .set("spark.driver.host", "127.0.0.1")
        .set("spark.streaming.clock", "org.apache.spark.util.ManualClock")
        .set(f"{PROMETHEUS}.class", "org.apache.spark.metrics.sink.PrometheusServlet")
        .set(f"{PROMETHEUS}.path", "/metrics/prometheus")
    )
    sc = SparkContext(conf=conf)
    sc.pythonExec = sys.executable
    sc.setLogLevel("OFF")
    watched = folder / "watched"
    watched.mkdir()
    (watched / "a").write_text("1\n2\n")
    os.utime(watched / "a", (0.5, 0.5))

    for name, module in (("dstreams", real), ("ours", ours)):
        scene = Scene(sc, module, watched)
        scene.start()
        scene.run()
        tell(step=name, **rest(sc), shown=shown(sc))
        scene.stop()
        tell(step=f"{name} ended", shown=shown(sc), made=(folder / "not-made").exists())
        if module is real:
            # a context of the JVM makes this folder, which ours does not use
            sc._jsc.sc().conf().set(FOLDER, str(folder / "not-made"))

    sc._conf.set("spark.streaming.compat.ui", "false")
    scene = Scene(sc, ours, watched)
    scene.start()
    scene.run()
    tell(step="off", shown=shown(sc))
    scene.stop()

    sc._conf.set("spark.streaming.compat.ui", "true")
    scene = Scene(sc, ours, watched)
    scene.start()
    scene.run()
    rest(sc)
    tell(step="running", url=sc.uiWebUrl)
    sys.stdin.readline()
    scene.stop()
    sc.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
