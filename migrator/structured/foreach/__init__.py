"""Functions of `foreachRDD` as functions of `foreachBatch`."""
