// Lets the Python worker of a task read through the JVM of its executor: files of Hadoop's file systems, and
// those that the driver offers to executors. Janino compiles this file in the driver: no lambdas, no generics.
package dstream_compat;

import java.io.Closeable;
import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.PrivilegedExceptionAction;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;

/** A function of Spark's rows and RDDs: starts a server for the task that calls it, whatever the argument. */
public class TaskServer implements UDF1, Function {
    private final Broadcast configuration;

    public TaskServer(Broadcast configuration) {
        this.configuration = configuration;
    }

    /** Returns "host port token". The server ends with the task. */
    public Object call(Object any) throws Exception {
        Serving serving =
                new Serving(((SerializableConfiguration) configuration.value()).value());
        TaskContext.get().addTaskCompletionListener((TaskCompletionListener) serving);
        serving.start();
        return serving.address();
    }

    /** Offers a folder of the driver to executors, at the port of Spark's RPC; returns its address. */
    public String offer(String name, String folder) throws IOException {
        return rpc().fileServer().addDirectory(name, new File(folder));
    }

    /** Returns SparkEnv.get().rpcEnv(). To compile that, or to call it by py4j, looks at all methods of
     * SparkEnv, and some need classes that no jar has. */
    private static RpcEnv rpc() throws IOException {
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Object env = lookup.findStatic(
                    SparkEnv.class, "get", MethodType.methodType(SparkEnv.class))
                    .invokeWithArguments(new Object[0]);
            return (RpcEnv) lookup.findVirtual(
                    SparkEnv.class, "rpcEnv", MethodType.methodType(RpcEnv.class))
                    .invokeWithArguments(new Object[] {env});
        } catch (Throwable unknown) {
            throw new IOException(unknown);
        }
    }

    /** Accepts connections. Whoever connects and does not know the token keeps nobody else from it. */
    private static class Serving extends Thread implements TaskCompletionListener {
        private static final int TOKEN = 32;
        private static final int STRANGERS = 64;

        private final Configuration configuration;
        private final UserGroupInformation user;
        private final ServerSocket server;
        private final byte[] token = new byte[TOKEN];
        private final Set peers = ConcurrentHashMap.newKeySet();
        /** Peers that have not shown the token yet, the oldest first; a lock of itself. */
        private final Set strangers = new LinkedHashSet();

        Serving(Configuration configuration) throws IOException {
            super("dstream-compat-files");
            this.configuration = configuration;
            this.user = UserGroupInformation.getCurrentUser();
            this.server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
            new SecureRandom().nextBytes(token);
            setDaemon(true);
        }

        String address() {
            return server.getInetAddress().getHostAddress() + " " + server.getLocalPort() + " "
                    + HexFormat.of().formatHex(token);
        }

        public void onTaskCompletion(TaskContext context) {
            close(server);
            for (Object peer : peers) {
                close((Socket) peer);
            }
        }

        public void run() {
            try {
                while (true) {
                    Socket peer = server.accept();
                    peers.add(peer);
                    limit(peer);
                    try {
                        new Connection(this, peer).start();
                    } catch (Throwable lacking) { // no more threads for now
                        forget(peer);
                    }
                }
            } catch (IOException ended) {
                // the task has ended
            } finally {
                onTaskCompletion(null);
            }
        }

        private void limit(Socket peer) {
            Socket oldest = null;
            synchronized (strangers) {
                strangers.add(peer);
                if (strangers.size() > STRANGERS) {
                    oldest = (Socket) strangers.iterator().next();
                    strangers.remove(oldest);
                }
            }
            close(oldest);
        }

        private void welcome(Socket peer) {
            synchronized (strangers) {
                strangers.remove(peer);
            }
        }

        private void forget(Socket peer) {
            close(peer);
            welcome(peer);
            peers.remove(peer);
        }
    }

    /** Answers one who knows the token. */
    private static class Connection extends Thread {
        private static final int TOKEN_MILLISECONDS = 10000;
        private static final int HEAD = 4;
        private static final int BLOCK = 1 << 20;
        private static final int FURTHER = 1 << 16;

        private final Serving serving;
        private final Socket peer;
        private byte[] block;

        Connection(Serving serving, Socket peer) {
            super("dstream-compat-file");
            this.serving = serving;
            this.peer = peer;
            setDaemon(true);
        }

        public void run() {
            final Connection connection = this;
            try {
                // Java 24 and later do not hand the user of a thread on to those that it starts
                serving.user.doAs(new PrivilegedExceptionAction() {
                    public Object run() throws IOException {
                        connection.answer(
                                new DataInputStream(connection.peer.getInputStream()),
                                connection.peer.getOutputStream());
                        return null;
                    }
                });
            } catch (Exception gone) {
                // the task wants no more of it, or has ended
            } finally {
                serving.forget(peer);
            }
        }

        private void answer(DataInputStream requests, OutputStream answers) throws IOException {
            peer.setTcpNoDelay(true);
            peer.setSoTimeout(TOKEN_MILLISECONDS);
            if (!MessageDigest.isEqual(requests.readNBytes(Serving.TOKEN), serving.token)) {
                return;
            }
            serving.welcome(peer);
            // a task asks for its next file when what follows has taken the last one, however late
            peer.setSoTimeout(0);
            while (true) {
                long start = requests.readLong();
                long most = requests.readLong();
                boolean lines = requests.readBoolean();
                byte[] path = new byte[requests.readUnsignedShort()];
                requests.readFully(path);
                send(new String(path, StandardCharsets.UTF_8), start, most, lines, answers);
            }
        }

        /** Sends a part of a file as blocks, each behind its size; 0 ends it, less than 0 is an error's text. */
        private void send(String path, long start, long most, boolean lines, OutputStream answers)
                throws IOException {
            if (block == null) {
                block = new byte[HEAD + BLOCK];
            }
            long left = most;
            InputStream stream = null;
            try {
                int size = 1;
                while (size > 0) {
                    int wanted = (int) Math.min(BLOCK, left > 0 ? left : lines ? FURTHER : 0);
                    try {
                        if (stream == null) {
                            stream = open(path, start);
                        }
                        size = stream.readNBytes(block, HEAD, wanted);
                    } catch (Exception error) {
                        fail(error, answers);
                        return;
                    } catch (LinkageError error) {
                        fail(error, answers);
                        return;
                    }
                    lines = lines && (left > 0 || !endsLine(size));
                    left -= size;
                    ByteBuffer.wrap(block).putInt(size);
                    answers.write(block, 0, HEAD + size);
                }
            } finally {
                close(stream);
            }
        }

        private static void fail(Throwable error, OutputStream answers) throws IOException {
            byte[] text = error.toString().getBytes(StandardCharsets.UTF_8);
            answers.write(ByteBuffer.allocate(HEAD).putInt(-text.length).array());
            answers.write(text);
        }

        /** Returns whether the block has the end of a line; a carriage return counts with what follows. */
        private boolean endsLine(int size) {
            for (int at = HEAD; at < HEAD + size; at++) {
                if (block[at] == '\n' || block[at] == '\r' && at + 1 < HEAD + size) {
                    return true;
                }
            }
            return false;
        }

        private InputStream open(String path, long start) throws IOException {
            if (path.startsWith("spark://")) {
                return Channels.newInputStream(rpc().openChannel(path));
            }
            Path place = new Path(path);
            FSDataInputStream stream = place.getFileSystem(serving.configuration).open(place);
            if (start > 0) {
                stream.seek(start);
            }
            return stream;
        }
    }

    private static void close(Closeable closeable) {
        try {
            if (closeable != null) {
                closeable.close();
            }
        } catch (IOException late) {
            // nothing more is asked of it
        }
    }
}
