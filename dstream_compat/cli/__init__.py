"""The command line: run an unchanged job, directly or through spark-submit."""
