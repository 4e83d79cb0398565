# ruff: noqa: B905, C401, RUF007, UP031, UP032
"""Functions as jobs have them, whose types the tests compare with what they return."""

import json
import math
import operator
import re

NAMES = {"a": "alpha", "1": "one"}
LEVELS = ("ERROR", "WARN")
NOISE = r"[^a-z ]"
PAIR = re.compile(r"(\w+)=(\S+)?")


def number(line):
    try:
        return float(line)
    except ValueError:
        return None


def trade(line):
    parts = line.split(",")
    if len(parts) != 2:
        return None
    symbol, price = parts
    try:
        return symbol.strip(), float(price)
    except (ValueError, OverflowError):
        return symbol.strip(), None


def words(line):
    found = []
    for place, word in enumerate(line.split()):
        if word.startswith("#"):
            break
        if not word.isalpha():
            continue
        found.append((word.lower(), place, len(word)))
    return found


def fields(line):
    for name, value in PAIR.findall(line):
        if name == "end":
            return
        yield NAMES.get(name, name), value


def longest(line):
    best = ""
    for word in line.split(" "):
        if len(word) > len(best):
            best = word
    return best, len(best)


def level(line):
    for each in LEVELS:
        if each in line:
            return each
    return "OTHER"


def code(line):
    found = PAIR.search(line)
    if not found:
        return "none", None
    return found.group(1), found.group(2)


def cleaned(line):
    text = re.sub(NOISE, "", line.lower())
    while "  " in text:
        text = text.replace("  ", " ")
    return text


def share(line):
    digits = sum(1 for character in line if character.isdigit())
    return digits / len(line) if line else 0.0


def root(line):
    try:
        return math.sqrt(float(line))
    except Exception:
        return -1.0
    finally:
        line = ""


def is_large(line):
    return int(line.split(",")[0]) > 1180591620717411303424


def remainder(line):
    return int(line) % 7, len(line) // 2, -len(line)


def swapped(line):
    first, _, rest = line.partition(" ")
    return f"{rest} {first}", first == rest, line[::-1]


def checked(line):
    assert line, "empty"
    if line[0] == "!":
        raise ValueError(line)
    return line[-1]


def typed(line):
    if line.isdigit():
        return "number", bool(line.strip("0"))
    return ("word", False)


def unique(line):
    return sorted(set(line.split()))


def pairs(line):
    parts = line.split(",")
    return [(a, b) for a, b in zip(parts, parts[1:]) if a != b]


def middle(line):
    numbers = sorted(float(each) for each in line.split(","))
    return numbers[len(numbers) // 2]


def nested(line):
    key, _, value = line.partition("=")
    return key, (value, (len(value), value.upper()))


def shouted(line):
    return "%s!%5d" % (line.title(), len(line))


def retried(line):
    result = None
    for separator in (",", ";", " "):
        try:
            result = float(line.split(separator)[1])
        except (IndexError, ValueError):
            continue
        else:
            break
    return result


def renamed(line):
    found = []
    other = found
    found.append(line)
    return other


def rows(line):
    found = []
    for word in line.split(","):
        row = []
        found.append(row)
        row.append(len(word))
        row.append(word.count("a"))
    return found


def put(line):
    counts = [0, 0]
    for character in line:
        counts[character.isdigit()] = 1
    found = [line]
    found += ["x"]
    return found, counts


def letter(line):
    return chr(65 + len(line) % 26)


def scaled(line):
    return (1 if line else 1.5) * 2.0, sum(float(len(word)) for word in line.split()) / 2


def shortest(line):
    sized = [(word, len(word)) for word in line.split()]
    return [word for word, _ in sorted(sized, key=operator.itemgetter(1))]


def halves(line):
    return int(len(line) / 2), round(len(line) / 3), math.floor(len(line) / -7)


def nearest(line):
    size = len(line) // 2
    return min(line.split(","), key=lambda word: abs(len(word) - size))


def framed(line):
    width = len(line) + 2
    return f"{line:>{width}s}|", repr(line.split()), [line][0] is None


PROVEN = [
    *(number, trade, words, fields, longest, level, code, cleaned, share, root, is_large),
    *(remainder, swapped, checked, typed, unique, pairs, middle, nested, shouted, retried),
    *(renamed, rows, put, letter, scaled, shortest, halves, nearest, framed),
]
"""Functions of a text whose type is known."""

SAFE = [number, words, longest, level, code, root, swapped, typed, unique, retried]
"""Those that are known to raise nothing."""


def unknown_number(line):
    return int(line)


def mixed(line):
    return float(line) if line else 0


def sums(line):
    return sum(float(each) for each in line.split(","))


def counted(line):
    count = 0
    while line:
        count += 1
        line = line[1:]
    return count


def character(line):
    return chr(len(line))


def lone():
    return "\ud800"


def document(line):
    return json.loads(line)


def whole(line):
    return round(float(line))


def either(line):
    return True if line else 0


def in_a_set(line):
    return list(set(line))


def in_a_dict(line):
    return {line: 1}


def kept(line):
    found = []
    yield found
    found.append(line)


def mixed_rows(line):
    row = []
    found = (row, 1)
    row.append(line)
    row.append(1)
    return found


def passed_on(line, found):
    found.append(line)


def printed(line):
    print(line)
    return line


def unassigned(line):
    if line:
        found = line
    return found


def itself(line):
    return itself(line[1:]) if line else ""


def nothing(line):
    return None


def caught(line):
    try:
        made = map(float, line.split(","))
    except ValueError:
        return [0.0]
    return list(made)


def surrogate(line):
    return "%c" % len(line)


def surrogate_of_a_part(line):
    return f"{len(line):c}"


def surrogate_of_a_field(line):
    return "{:c}".format(len(line))


def format_of_a_line(line):
    return line % len(line)


def numbers_in_a_set(line):
    return sorted(set(float(each) for each in line.split(",")))


def powers(line):
    return float(line) ** 0.5


def empty(line):
    return []


UNPROVEN = {
    unknown_number: "64 bits",
    mixed: "float or the integer 0",
    sums: "the integer 0",
    counted: "64 bits",
    character: "`chr",
    document: "`json.loads",
    whole: "64 bits",
    either: "bool or int",
    in_a_set: "order of a set",
    in_a_dict: "the type of",
    kept: "given away",
    mixed_rows: "int or str",
    passed_on: "is not known",
    printed: "an effect besides the result",
    unassigned: "may not be assigned",
    itself: "calls itself",
    surrogate: "the format uses `%c`",
    surrogate_of_a_part: "the format uses `%c`",
    surrogate_of_a_field: "`format` of str",
    format_of_a_line: "not written there",
    numbers_in_a_set: "set of float",
    powers: "complex",
    empty: "list of nothing",
    caught: "an iterator gets a name",
}
"""Functions whose type is not certain, and what the refusal says."""
