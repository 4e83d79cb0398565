import dstream_compat
import dstream_compat as st
import dstream_compat as streaming

ssc = dstream_compat.context.StreamingContext(sc, 1)
one = st.dstream.DStream
two = streaming.listener.StreamingListener
three = st.StreamingContext
name = st.util.rddToFileName("a", None, 1)
