import dstream_compat as st, dstream_compat.kafka as kafka

ssc = st.StreamingContext(None, 1)
kafka.KafkaUtils.createDirectStream(ssc, ["t"], {}).pprint()
