"""Contexts of jobs."""
import logging

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

logger = logging.getLogger(__name__)
SECONDS = 1


def make_context(name, seconds=SECONDS):
    """Return a context."""
    conf = SparkConf().setAppName(name)
    logger.info("starting %s", name)
    sc = SparkContext(conf=conf)
    return StreamingContext(sc, seconds)
