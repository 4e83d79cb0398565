seen = []


def noted(value):
    seen.append(value)
    return value * 2


def order(values):
    del seen[:]
    for value in map(noted, values):
        seen.append("loop")
        if value > 2:
            break
    return list(seen)


def effects(values):
    del seen[:]
    map(noted, values)
    return list(seen)


def lists(values):
    doubled = map(lambda v: v * 2, values)
    odd = filter(lambda v: v % 2, list(values))
    both = zip(doubled, odd)
    numbers = range(3)
    numbers.append(9)
    return doubled[0], odd, both[:1], numbers, len(map(str, values)), map(None, values)


def consumed(values):
    a, b = map(int, "1 2".split())
    text = ",".join(map(str, values))
    return a + b, text, sum(map(int, values)), dict(zip(values, values)).get(1), range(5)[1]


def folded(values):
    return reduce(lambda a, b: a + b, [v for v in xrange(4)], 0), 3 in xrange(5), list(xrange(2))


CALLS = [
    "order([1, 2, 3])", "effects([1, 2])", "lists([1, 2, 3])", "consumed([1, 2])", "folded([])",
    "order([])",
]
