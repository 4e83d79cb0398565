import sys


def printed(*values):
    for value in values:
        print "value:", value
    print >>sys.stderr, "not seen"
    print
    print ("one" + " value")
    print ()
    print ("a", "b")
    return len(values)


def caught(value):
    try:
        return 10 % value
    except ZeroDivisionError, error:
        return "zero: %s" % (len(str(error)) > 0)
    except (TypeError, ValueError), error:
        return type(error).__name__


def unpacked(first, second):
    try:
        raise IOError, (first, second)
    except IOError, (number, text):
        return [number, text]


def raised(kind):
    if kind == "text":
        raise ValueError, "a text"
    if kind == "format":
        raise KeyError, "%s: %s" % (kind, 1)
    if kind == "none":
        raise LookupError
    return kind


def numbers():
    return [0777, 10L, 0xFFL, 1 <> 2, `1, 2`, `"x"`]


def texts():
    return [ur"\d\u0041", ur"a\b", len("\u0041"), "\N{x}", r"\u0041", len(u"\u0041")]


def run(code):
    names = {"x": 5}
    exec code in names
    return names["x"]


def listed():
    return [x * 2 for x in 1, 2, 3]


CALLS = [
    "printed(1, 'a', None)", "printed()", "caught(0)", "caught(3)", "caught('a')",
    "unpacked(5, 'no')", "raised('text')", "raised('format')", "raised('none')", "raised('')",
    "numbers()", "texts()", "run('x = x + 1')", "listed()",
]
