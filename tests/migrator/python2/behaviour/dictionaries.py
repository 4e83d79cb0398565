def removed(d):
    for key in d.keys():
        if key.startswith("a"):
            del d[key]
    return sorted(d.items())


def grown(d):
    for key, value in d.items():
        d[key + "2"] = value
    return len(d)


def first(d):
    return d.keys()[0]


def ordered(d):
    keys = d.keys()
    keys.sort()
    return keys


def tested(d, key):
    found = []
    if d.has_key(key):
        found.append("is")
    if not d.has_key(key):
        found.append("is not")
    if d.has_key(key + "b") and not d.has_key(key or "z"):
        found.append("other")
    return found, d.has_key(key) == True, [d.has_key("a" if key else "b")]


def summed(d):
    total = 0
    for value in d.itervalues():
        total += value
    return total, sorted(d.iterkeys()), [k + str(v) for k, v in sorted(d.iteritems())]


def kept():
    counts = {}
    counts["a"] = 1
    names = counts.keys()
    counts["b"] = 2
    return names, counts.iteritems().next()[0] in counts, counts.values() + [5]


CALLS = [
    "removed({'ab': 1, 'b': 2, 'ac': 3})", "grown({'a': 1, 'b': 2})", "first({'x': 1})",
    "ordered({'b': 1, 'a': 2})", "tested({'a': 1, 'ab': 2}, 'a')", "tested({}, 'a')",
    "summed({'a': 1, 'b': 2})", "summed({})",
]
