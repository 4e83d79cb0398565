import string
import urllib
from itertools import izip  # expect: D114

import Queue  # expect: D113
from urlparse import parse_qs, urlparse  # expect: D113

try:
    text_type = unicode
except NameError:
    text_type = str

LIMITS = {"a": 1, "b": 2}


def key(record):
    page = urlparse(record["url"])
    return (string.lower(page.netloc), len(parse_qs(page.query)))  # expect: D114


def results():
    queue = Queue.Queue()
    for name, number in izip(sorted(LIMITS.iterkeys()), xrange(10)):  # expect: D111 D110
        queue.put((name, number))
    taken = [queue.get() for _ in xrange(queue.qsize())]  # expect: D110
    total = reduce(lambda a, b: a + b, LIMITS.itervalues())  # expect: D110 D111
    found = [LIMITS.has_key("a"), not LIMITS.has_key("a"), isinstance("x", basestring)]  # expect: D111 D111 D110
    query = urllib.urlencode([("q", "a b")]) + urllib.quote("/x y")  # expect: D114 D114
    words = string.join(map(string.upper, ["a", "b"]), "-")  # expect: D114 D114
    first = map(int, "3 4".split())[0]  # expect: D116
    letters = len(string.letters)  # expect: D114
    return [key({"url": "http://A/x?p=1&q=2"}), taken, total, found, query, words, first, letters]


if __name__ == "__main__":
    for result in results():
        print(result)
