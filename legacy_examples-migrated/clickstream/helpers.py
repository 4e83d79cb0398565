"""Functions of the clickstream job that run on the executors; they know nothing of streams."""
import json

REQUIRED = ("user", "page", "ms")


def parse(line):
    """The click in a line as a list of none or one: broken lines do not stop the job."""
    try:
        click = json.loads(line)
    except ValueError:
        return []
    if not isinstance(click, dict) or any(field not in click for field in REQUIRED):
        return []
    return [click]


def site_section(page):
    parts = page.strip("/").split("/")
    return parts[0] or "home"


def is_slow(click, limit):
    return click["ms"] > limit


class Visit(object):
    """What is added up for each user: clicks and milliseconds."""

    def __init__(self, clicks, ms):
        self.clicks = clicks
        self.ms = ms

    def plus(self, other):
        return Visit(self.clicks + other.clicks, self.ms + other.ms)

    def __repr__(self):
        return "Visit(%d, %d)" % (self.clicks, self.ms)
