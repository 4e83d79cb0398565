"""The steps of the clickstream job, each from streams to streams."""
import helpers
from helpers import Visit


def clicks(lines):
    return lines.flatMap(helpers.parse)


def hits_per_section(stream):
    return stream.map(lambda click: (helpers.site_section(click["page"]), 1)) \
                 .reduceByKey(lambda a, b: a + b)


def slow_pages(stream, limit):
    return stream.filter(lambda click: helpers.is_slow(click, limit)) \
                 .map(lambda click: click["page"]) \
                 .countByValue()


def visits(stream, length, slide):
    """Clicks and milliseconds of each user in the last `length` seconds."""
    recent = stream.map(lambda click: (click["user"], Visit(1, click["ms"]))) \
                   .window(length, slide)
    return recent.reduceByKey(lambda a, b: a.plus(b))


STEPS = {"hits": hits_per_section, "slow": slow_pages, "visits": visits}
