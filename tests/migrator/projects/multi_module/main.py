"""Counts page views; the graph is wired from modules that know nothing of each other."""

import sys

from pipeline import build, settings
from pipeline.context import new_context
from pipeline.sinks import save_counts, show


def main(argv):
    config = settings.load(argv[1])
    ssc = new_context(config)
    views = build(ssc, config)
    show(views)
    save_counts(views, config["output"])
    ssc.start()
    ssc.awaitTermination()


if __name__ == "__main__":
    main(sys.argv)
