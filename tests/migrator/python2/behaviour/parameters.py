class Record(object):
    def __init__(self, k, v):
        self.k, self.v = k, v

    def with_pair(self, (k, v), scale=2):
        """Has a docstring."""

        # and a comment
        return self.k + k, self.v * v * scale


def swap((word, count)):
    return count, word


def nested((a, (b, c)), d=(1, 2)): return a + b + c + d[0]


def alone((x)):
    return x


def parts((a,)):
    return a


pairs = [("a", 1), ("b", 2), ("c", 3)]
simple = lambda (k, v): (v, k)
attributes = lambda (k, v): Record(k=k, v=v).k
second = lambda total, (k, v): total + v
deep = lambda ((a, b), c), d=1: a + b + c + d
shadowed = lambda (x, y): [(lambda x: x * y)(x) for x in range(y)]
inner = lambda (x, y): map(lambda (a, b): a + b + x, [(y, y)])
covered = lambda (x, y): (lambda (y, z): (x, y, z))((y, 9))
collected = lambda (x, y): [x for x in y]
one = lambda (x): x + 1

CALLS = [
    "swap(('a', 1))", "nested((1, (2, 3)))", "alone(4)", "parts([5])", "list(map(simple, pairs))",
    "attributes(('k', 'v'))", "second(1, ('a', 2))", "deep(((1, 2), 3))", "shadowed((2, 3))",
    "list(inner((1, 2)))", "covered((1, 2))", "collected((1, [7, 8]))", "one(1)",
    "Record(1, 2).with_pair((3, 4))", "swap((1, 2, 3))", "nested((1, 2))",
]
