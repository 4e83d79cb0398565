class Version(object):
    def __init__(self, number):
        self.number = number

    def __nonzero__(self):
        return self.number > 0


class Countdown(object):
    def __init__(self, start):
        self.left = start

    def __iter__(self):
        return self

    def next(self):
        if not self.left:
            raise StopIteration
        self.left -= 1
        return self.left


def by_second(a, b):
    return cmp(a[1], b[1])


def sorts(pairs):
    pairs = list(pairs)
    first = sorted(pairs, cmp=by_second)
    second = sorted(pairs, lambda a, b: cmp(b[0], a[0]))
    pairs.sort(by_second)
    return first, second, pairs, cmp(len(pairs) and 1, 2) if False else cmp(first, second)


def truth(number):
    return "yes" if Version(number) else "no"


def down(start):
    countdown = Countdown(start)
    return countdown.next(), list(countdown), [n for n in Countdown(2)]


def divided(words):
    half = len(words) / 2
    count = 0
    for word in words:
        count += 1
    mean = (count * 2) / 3
    count /= 2
    return half, mean, count, -7 / 2, 7.0 / 2, len(words) / 2.0


CALLS = [
    "sorts([(1, 'b'), (2, 'a'), (3, 'b')])", "sorts([])", "truth(0)", "truth(1)", "down(3)",
    "down(0)", "divided('abcde')", "divided('')",
]
