"""Tags and pages of visitors, whose events are JSON texts; the code tells their shape."""
import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def place(event):
    if event["user"]["country"] in ("DE", "AT", "CH"):
        return "dach"
    return event["user"]["country"].strip().replace(" ", "-")


sc = SparkContext(appName="JsonUses")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
events = lines.map(lambda line: json.loads(line))
views = events.filter(lambda event: event["type"] == "view")
# where the visitors are
views.map(lambda event: (place(event), 1)).reduceByKey(lambda a, b: a + b).pprint()
# what they look at
views.flatMap(lambda event: [tag["name"].split(":")[0] for tag in event["page"]["tags"]]).countByValue().pprint()
events.map(lambda event: event.get("referrer") or "direct").countByValue().pprint()
ssc.start()
ssc.awaitTermination()
