import pyspark.streaming as st, pyspark.streaming.kafka as kafka

ssc = st.StreamingContext(None, 1)
kafka.KafkaUtils.createDirectStream(ssc, ["t"], {}).pprint()
