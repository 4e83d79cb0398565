OPERATORS = {}


def operator(name):
    def register(function):
        OPERATORS[name] = function
        return function

    return register


@operator("map")
def map_step(stream, function):
    return stream.map(function)


@operator("keep")
def keep_step(stream, function):
    return stream.filter(function)


@operator("distinct")
def distinct_step(stream, function):
    return stream.distinct()  # expect: D301?
