"""Counts words with functions of other files."""
import sys

from word_parts import steps
from word_parts.context import make_context

if __name__ == "__main__":
    ssc = make_context("SeveralFiles")
    lines = ssc.socketTextStream(sys.argv[1], int(sys.argv[2]))
    # of each batch
    counts = steps.count_words(lines)
    steps.show(counts)
    print(steps.parse("a b"), file=sys.stderr)
    ssc.start()
    ssc.awaitTermination()
