import sys, string


def blocks(values):
    total = 0
    for value in values:
        if value:
	    total += value
	if value > 1:
            total += 10  # a comment
    return total


def texts():
	text = """
	a
        b"""
        return text.count(chr(9)), (1,
	2)


def names(lat, long):
    unicode_text = isinstance(u"a", basestring), isinstance("a", (str, unicode))
    return lat + long, unicode_text, sys.maxint, len(string.letters), string.uppercase[:2], unichr(65)


CALLS = ["blocks([0, 1, 2])", "texts()", "names(1, 2)"]
