from factory import make
from unused import show

ssc = make()
lines = ssc.socketTextStream("localhost", 9999)
kept = lines.filter(lambda line: line)  # expect: D502
ssc.start()  # expect: D501
ssc.awaitTermination()
