"""Functions of `foreachRDD`, which get a batch as an RDD, as functions that get a DataFrame."""
