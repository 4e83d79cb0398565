// Spark's own Streaming tab, REST answers and metrics, fed with the events of a job on dstream_compat.
// Spark's compiler of generated code, Janino, compiles this file in the driver: no lambdas, no generics.
package dstream_compat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.MetricsSystem;
import org.apache.spark.metrics.source.Source;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.streaming.DStreamGraph;
import org.apache.spark.streaming.Duration;
import org.apache.spark.streaming.StreamingContext;
import org.apache.spark.streaming.StreamingSource;
import org.apache.spark.streaming.Time;
import org.apache.spark.streaming.scheduler.BatchInfo;
import org.apache.spark.streaming.scheduler.OutputOperationInfo;
import org.apache.spark.streaming.scheduler.ReceiverInfo;
import org.apache.spark.streaming.scheduler.StreamInputInfo;
import org.apache.spark.streaming.scheduler.StreamingListenerBatchCompleted;
import org.apache.spark.streaming.scheduler.StreamingListenerBatchStarted;
import org.apache.spark.streaming.scheduler.StreamingListenerBatchSubmitted;
import org.apache.spark.streaming.scheduler.StreamingListenerOutputOperationCompleted;
import org.apache.spark.streaming.scheduler.StreamingListenerOutputOperationStarted;
import org.apache.spark.streaming.scheduler.StreamingListenerReceiverError;
import org.apache.spark.streaming.scheduler.StreamingListenerReceiverStarted;
import org.apache.spark.streaming.scheduler.StreamingListenerReceiverStopped;
import org.apache.spark.streaming.scheduler.StreamingListenerStreamingStarted;
import org.apache.spark.streaming.ui.StreamingJobProgressListener;
import org.apache.spark.streaming.ui.StreamingTab;
import org.apache.spark.ui.SparkUI;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.List$;
import scala.collection.immutable.Map$;

public class FedTab extends SparkListener {
    private static final String FOLDER = "spark.streaming.checkpoint.directory";
    private static final String TIME = "spark.streaming.internal.batchTime";
    private static final String OUTPUT = "spark.streaming.internal.outputOpId";

    private final ObjectMapper mapper = new ObjectMapper();
    private final Map computed = new HashMap();
    private SparkContext spark;
    private StreamingJobProgressListener progress;
    private Source source;
    private StreamingTab tab;

    /** Shows the tab; the context behind it is never started. */
    public void open(SparkContext context, long interval, String inputs, int receivers)
            throws Exception {
        spark = context;
        StreamingContext streaming = make(context, interval);
        progress = streaming.progressListener();
        // Spark sets both only when it starts the graph.
        set(streaming.graph(), "numReceivers", Integer.valueOf(receivers));
        set(streaming.graph(), "inputStreamNameAndID", names(mapper.readTree(inputs)));
        context.addSparkListener(this);
        source = new StreamingSource(streaming);
        metrics().registerSource(source);
        if (streaming.uiTab().isDefined()) {
            ((SparkUI) context.ui().get()).setStreamingJobProgressListener(progress);
            tab = (StreamingTab) streaming.uiTab().get();
            tab.attach();
        }
    }

    /** Makes a context without the folder that Spark would make for its checkpoints. */
    private static StreamingContext make(SparkContext context, long interval) {
        Option folder = context.conf().getOption(FOLDER);
        context.conf().remove(FOLDER);
        try {
            return new StreamingContext(context, new Duration(interval));
        } finally {
            if (folder.isDefined()) {
                context.conf().set(FOLDER, (String) folder.get());
            }
        }
    }

    /** Reads the field: methods of SparkEnv have types that Spark's packages do not bring along. */
    private MetricsSystem metrics() throws Exception {
        Field field = SparkEnv.class.getDeclaredField("metricsSystem");
        field.setAccessible(true);
        return (MetricsSystem) field.get(spark.env());
    }

    private static void set(DStreamGraph graph, String name, Object value) throws Exception {
        Field field = DStreamGraph.class.getDeclaredField(name);
        field.setAccessible(true);
        field.set(graph, value);
    }

    private static Object names(JsonNode inputs) {
        scala.collection.immutable.List names = List$.MODULE$.empty();
        for (int i = inputs.size() - 1; i >= 0; i--) {
            JsonNode one = at(inputs, i);
            names = names.$colon$colon(
                new Tuple2(at(one, 1).asText(), Integer.valueOf(at(one, 0).asInt())));
        }
        return names;
    }

    /** Takes events, as a JSON list of pairs: the name of a callback, and what it tells. */
    public void feed(String events) throws Exception {
        JsonNode all = mapper.readTree(events);
        Exception first = null;
        for (int i = 0; i < all.size(); i++) {
            try {
                pass(at(at(all, i), 0).asText(), at(at(all, i), 1));
            } catch (Exception error) {
                first = first == null ? error : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private void pass(String event, JsonNode what) {
        if (event.equals("onBatchSubmitted")) {
            progress.onBatchSubmitted(new StreamingListenerBatchSubmitted(batch(what)));
        } else if (event.equals("onBatchStarted")) {
            progress.onBatchStarted(new StreamingListenerBatchStarted(batch(what)));
        } else if (event.equals("onBatchCompleted")) {
            progress.onBatchCompleted(new StreamingListenerBatchCompleted(batch(what)));
        } else if (event.equals("onOutputOperationStarted")) {
            progress.onOutputOperationStarted(
                new StreamingListenerOutputOperationStarted(output(what)));
        } else if (event.equals("onOutputOperationCompleted")) {
            progress.onOutputOperationCompleted(
                new StreamingListenerOutputOperationCompleted(output(what)));
        } else if (event.equals("onReceiverStarted")) {
            progress.onReceiverStarted(new StreamingListenerReceiverStarted(receiver(what)));
        } else if (event.equals("onReceiverError")) {
            progress.onReceiverError(new StreamingListenerReceiverError(receiver(what)));
        } else if (event.equals("onReceiverStopped")) {
            progress.onReceiverStopped(new StreamingListenerReceiverStopped(receiver(what)));
        } else if (event.equals("onStreamingStarted")) {
            progress.onStreamingStarted(new StreamingListenerStreamingStarted(what.asLong()));
        } else {
            throw new IllegalArgumentException("no event is called " + event);
        }
    }

    /** Casts, because Janino may choose the method of the interface. */
    private static JsonNode at(JsonNode list, int place) {
        return (JsonNode) list.get(place);
    }

    private static BatchInfo batch(JsonNode what) {
        scala.collection.immutable.Map inputs = Map$.MODULE$.empty();
        for (int i = 0; i < at(what, 1).size(); i++) {
            JsonNode one = at(at(what, 1), i);
            Integer stream = Integer.valueOf(at(one, 0).asInt());
            Object info =
                new StreamInputInfo(stream.intValue(), at(one, 1).asLong(), metadata(at(one, 2)));
            inputs = (scala.collection.immutable.Map) inputs.updated(stream, info);
        }
        scala.collection.immutable.Map outputs = Map$.MODULE$.empty();
        for (int i = 0; i < at(what, 5).size(); i++) {
            OutputOperationInfo one = output(at(at(what, 5), i));
            outputs = (scala.collection.immutable.Map) outputs.updated(Integer.valueOf(one.id()), one);
        }
        return new BatchInfo(
            new Time(at(what, 0).asLong()),
            inputs,
            at(what, 2).asLong(),
            moment(at(what, 3)),
            moment(at(what, 4)),
            outputs);
    }

    /** Returns what Spark keeps of a batch of files: their names, as a list and as a text. */
    private static scala.collection.immutable.Map metadata(JsonNode files) {
        scala.collection.immutable.Map known = Map$.MODULE$.empty();
        if (!files.isNull()) {
            scala.collection.immutable.List names = List$.MODULE$.empty();
            StringBuilder text = new StringBuilder();
            for (int i = files.size() - 1; i >= 0; i--) {
                names = names.$colon$colon(at(files, i).asText());
            }
            for (int i = 0; i < files.size(); i++) {
                text.append(i == 0 ? "" : "\n").append(at(files, i).asText());
            }
            known = (scala.collection.immutable.Map) known.updated("files", names);
            String description = StreamInputInfo.METADATA_KEY_DESCRIPTION();
            known = (scala.collection.immutable.Map) known.updated(description, text.toString());
        }
        return known;
    }

    private static OutputOperationInfo output(JsonNode what) {
        return new OutputOperationInfo(
            new Time(at(what, 0).asLong()),
            at(what, 1).asInt(),
            at(what, 2).asText(),
            at(what, 3).asText(),
            moment(at(what, 4)),
            moment(at(what, 5)),
            Option.apply(at(what, 6).isNull() ? null : at(what, 6).asText()));
    }

    private static ReceiverInfo receiver(JsonNode what) {
        return new ReceiverInfo(
            at(what, 0).asInt(),
            at(what, 1).asText(),
            at(what, 2).asBoolean(),
            at(what, 3).asText(),
            at(what, 4).asText(),
            at(what, 5).asText(),
            at(what, 6).asText(),
            at(what, 7).asLong());
    }

    private static Option moment(JsonNode millis) {
        return Option.apply(millis.asLong() == -1 ? null : Long.valueOf(millis.asLong()));
    }

    /** Links jobs to batches: those of outputs have Spark's properties, that of a micro-batch has ours. */
    public void onJobStart(SparkListenerJobStart start) {
        Properties told = start.properties();
        String number = told == null ? null : told.getProperty("dstream_compat.batch");
        if (number != null && told.getProperty(TIME) == null && number.indexOf(' ') > 0) {
            // What follows in the same micro-batch are jobs of the user's functions of RDDs.
            String query = told.getProperty("sql.streaming.queryId");
            if (!number.equals(computed.put(query, number))) {
                Properties more = new Properties();
                more.putAll(told);
                more.setProperty(TIME, number.substring(number.indexOf(' ') + 1));
                more.setProperty(OUTPUT, "0");
                start = start.copy(start.jobId(), start.time(), start.stageInfos(), more);
            }
        }
        progress.onJobStart(start);
    }

    /** Removes the tab and the metrics. */
    public void close() throws Exception {
        spark.removeSparkListener(this);
        metrics().removeSource(source);
        if (tab != null) {
            tab.detach();
            tab.parent().clearStreamingJobProgressListener();
        }
    }
}
