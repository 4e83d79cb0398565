"""What jobs do with lines."""
from operator import add

MARKS = ".,!"


def parse(line):
    return line.rstrip(MARKS).split(" ")


def count_words(lines):
    # a record for each word
    words = lines.flatMap(parse).filter(is_word)
    return words.map(lambda w: (w, 1)).reduceByKey(add)


def is_word(text):
    return text != ""


def show(stream, number=5):
    stream.pprint(number)
