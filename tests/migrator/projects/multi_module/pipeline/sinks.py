def show(counts):
    print("rows:", counts.count())  # expect: D303
    counts.pprint(20)


def save_counts(counts, folder):
    def save(time, rdd):
        if not rdd.isEmpty():  # expect: D802
            rdd.saveAsTextFile("%s/%s" % (folder, time.strftime("%H%M%S")))

    counts.foreachRDD(save)
