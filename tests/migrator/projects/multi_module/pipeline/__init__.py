from . import sources
from .steps import clean, count


def build(ssc, config):
    lines = sources.open_source(ssc, config)
    return count(clean(lines), config.get("window", 30))
