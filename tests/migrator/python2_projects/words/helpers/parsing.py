"""Takes lines apart; this module never names Spark."""


def parse(line):
    try:
        name, amount = line.split("=")
        return name, int(amount)
    except ValueError, error:
        if `error` is None:
            raise
        return "bad", 1


def words(lines):
    return lines.map(lambda line: line.split("=")[0].lower())


def amounts(lines):
    return lines.map(parse).filter(lambda (name, amount): amount <> 0)
