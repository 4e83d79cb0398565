from pyspark.sql import SparkSession


def get_session():
    if "session" not in globals():
        globals()["session"] = (  # expect: D801
            SparkSession.builder.enableHiveSupport().getOrCreate()
        )
    return globals()["session"]


def report(session, batch):
    session.sql("select * from words").show()
    for row in batch.collect():  # expect: D802
        print(row)
