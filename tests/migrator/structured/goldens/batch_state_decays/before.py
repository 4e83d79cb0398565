"""Lets the scores of players fall in each second, with goals or without."""
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext


class Score(object):
    def __init__(self, points, goals):
        self.points = points
        self.goals = goals


def fall(new, score):
    score = score or Score(0, [])
    points = score.points * 0.5 + sum(new)
    if points < 1:
        return None
    return Score(points, score.goals + [list(new)])


def process_batch(rdd):
    for player, score in sorted(rdd.mapValues(vars).collect(), key=lambda pair: pair[0]):
        print(player, sorted(score.items()))


if __name__ == "__main__":
    sc = SparkContext(appName="BatchStateDecays")
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(sys.argv[2])
    goals = ssc.textFileStream(sys.argv[1]).map(lambda line: (line[:1], len(line)))
    goals.updateStateByKey(fall, 3).foreachRDD(process_batch)
    ssc.start()
    ssc.awaitTermination()
