import java.io.BufferedReader;
import java.io.File;
import java.io.FileWriter;
import java.io.InputStreamReader;
import java.io.Writer;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ToolRunner;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * One or two NameNodes, a DataNode, a ResourceManager and NodeManagers, until standard input ends.
 *
 * <p>Arguments: a folder for data, a folder for the settings of clients, the number of NodeManagers
 * (without one there is no YARN), the memory of each in MB, the variables of this JVM's environment that
 * containers get, too, and the number of NameNodes. Of two, the first is active; clients know both by the
 * name of a service. What core-site.xml, hdfs-site.xml and yarn-site.xml in the class path say counts for
 * all.
 *
 * <p>Each line of standard input is a command; its answer is a line that begins with DONE or FAILED.
 */
public class MiniCluster {
    private static final String LOOPBACK = "127.0.0.1";
    private static final String SERVICE = "jobs";

    private static final String[] FOR_CLIENTS = new String[] {
        YarnConfiguration.RM_ADDRESS,
        YarnConfiguration.RM_SCHEDULER_ADDRESS,
        YarnConfiguration.RM_ADMIN_ADDRESS,
        YarnConfiguration.RM_WEBAPP_ADDRESS,
    };

    public static void main(String[] args) throws Exception {
        int code = 1;
        try {
            serve(args);
            code = 0;
        } catch (Throwable error) {
            error.printStackTrace();
        }
        endContainers();
        // what servers do to end in good order takes half a minute, and waits for their jobs
        Runtime.getRuntime().halt(code);
    }

    private static void endContainers() throws Exception {
        // the compiler of Spark calls no static method of an interface
        ProcessHandle own = (ProcessHandle) ProcessHandle.class.getMethod("current").invoke(null);
        Iterator processes = own.descendants().iterator();
        while (processes.hasNext()) {
            ((ProcessHandle) processes.next()).destroyForcibly();
        }
    }

    private static void serve(String[] args) throws Exception {
        String data = args[0];
        String conf = args[1];
        Configuration settings = new YarnConfiguration();
        settings.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, data + "/dfs");
        settings.set("hadoop.tmp.dir", data + "/tmp");
        settings.setInt("dfs.replication", 1);
        // what is written below counts, not what this JVM's user may do on its disks
        settings.setBoolean("dfs.permissions.enabled", true);
        if (UserGroupInformation.isSecurityEnabled()) {
            // the servers of YARN do not log in themselves in such a cluster
            UserGroupInformation.loginUserFromKeytab(
                settings.get("yarn.resourcemanager.principal"),
                settings.get("yarn.resourcemanager.keytab"));
        }
        boolean pair = Integer.parseInt(args[5]) == 2;
        settings.setInt("dfs.ha.tail-edits.period", 1);
        MiniDFSNNTopology names =
            pair ? MiniDFSNNTopology.simpleHATopology() : MiniDFSNNTopology.simpleSingleNN(0, 0);
        MiniDFSCluster dfs = new MiniDFSCluster.Builder(settings)
            .nnTopology(names).numDataNodes(1).checkDataNodeHostConfig(false).build();
        Configuration hdfs = given("hdfs-site.xml");
        hdfs.set("dfs.replication", "1");
        if (pair) {
            dfs.transitionToActive(0);
            HATestUtil.setFailoverConfigurations(dfs, hdfs, SERVICE);
        } else {
            hdfs.set(FileSystem.FS_DEFAULT_NAME_KEY, "hdfs://" + LOOPBACK + ":" + dfs.getNameNodePort());
        }
        dfs.waitActive();
        Iterator known = hdfs.iterator();
        while (known.hasNext()) {
            Map.Entry one = (Map.Entry) known.next();
            settings.set((String) one.getKey(), (String) one.getValue());
        }
        String uri = hdfs.get(FileSystem.FS_DEFAULT_NAME_KEY);

        Configuration core = given("core-site.xml");
        core.set(FileSystem.FS_DEFAULT_NAME_KEY, uri);
        write(core, new File(conf, "core-site.xml"));
        write(hdfs, new File(conf, "hdfs-site.xml"));
        int nodes = Integer.parseInt(args[2]);
        MiniYARNCluster yarn = nodes == 0 ? null : startYarn(settings, nodes, args[3], args[4], conf);
        answer("READY " + uri);

        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = commands.readLine()) != null) {
            try {
                run(line.split(" "), settings, dfs, yarn);
                answer("DONE " + line);
            } catch (Throwable error) {
                error.printStackTrace();
                answer("FAILED " + line + ": " + error);
            }
        }
    }

    private static MiniYARNCluster startYarn(
            Configuration settings, int nodes, String megabytes, String variables, String conf)
            throws Exception {
        int memory = Integer.parseInt(megabytes);
        settings.setInt(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, memory);
        settings.setInt(YarnConfiguration.NM_PMEM_MB, memory);
        settings.setInt(YarnConfiguration.NM_VCORES, 8);
        settings.setBoolean(YarnConfiguration.YARN_MINICLUSTER_CONTROL_RESOURCE_MONITORING, false);
        settings.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
        settings.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
        settings.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 128);
        settings.setInt(YarnConfiguration.RM_AM_MAX_ATTEMPTS, 4);
        settings.setInt(YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS, 10000);
        settings.setInt(YarnConfiguration.DEBUG_NM_DELETE_DELAY_SEC, 3600);
        settings.set(YarnConfiguration.NM_ENV_WHITELIST, variables);
        settings.set("yarn.scheduler.capacity.root.queues", "default");
        settings.set("yarn.scheduler.capacity.root.default.capacity", "100");
        settings.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.9");
        // a nearly full disk makes nodes unhealthy
        settings.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
        MiniYARNCluster yarn = new MiniYARNCluster("jobs", 1, nodes, 1, 1);
        yarn.init(settings);
        yarn.start();
        if (!yarn.waitForNodeManagersToConnect(60000)) {
            throw new IllegalStateException("the NodeManagers did not connect");
        }
        Configuration site = given("yarn-site.xml");
        for (String key : FOR_CLIENTS) {
            String address = yarn.getConfig().get(key);
            site.set(key, LOOPBACK + address.substring(address.lastIndexOf(':')));
        }
        site.set(YarnConfiguration.RM_HOSTNAME, LOOPBACK);
        site.setInt(YarnConfiguration.RM_AM_MAX_ATTEMPTS, 4);
        write(site, new File(conf, "yarn-site.xml"));
        return yarn;
    }

    private static void run(
            String[] words, Configuration settings, MiniDFSCluster dfs, MiniYARNCluster yarn)
            throws Exception {
        String[] rest = (String[]) Arrays.copyOfRange(words, 1, words.length);
        int code = 0;
        if ("fs".equals(words[0])) {
            code = ToolRunner.run(settings, new FsShell(), rest);
        } else if ("dfsadmin".equals(words[0])) {
            code = ToolRunner.run(settings, new DFSAdmin(), rest);
        } else if ("stop-name-node".equals(words[0])) {
            dfs.shutdownNameNode(0);
        } else if ("start-name-node".equals(words[0])) {
            boolean alone = dfs.getNumNameNodes() == 1;
            dfs.restartNameNode(0, alone);
            // beside an active one it is in safe mode until it has read which blocks were deleted meanwhile, and
            // it reads no file of edits that the other one still writes, which begins no new one by itself here
            while (!alone && dfs.getNameNode(0).isInSafeMode()) {
                dfs.getNameNodeRpc(1).rollEditLog();
                Thread.sleep(500);
            }
        } else if ("to-standby".equals(words[0])) {
            dfs.transitionToStandby(Integer.parseInt(words[1]));
        } else if ("to-active".equals(words[0])) {
            dfs.transitionToActive(Integer.parseInt(words[1]));
        } else if ("stop-node".equals(words[0])) {
            yarn.getNodeManager(Integer.parseInt(words[1])).stop();
        } else {
            throw new IllegalArgumentException("no such command");
        }
        if (code != 0) {
            throw new IllegalStateException("exit code " + code);
        }
    }

    private static Configuration given(String name) {
        Configuration settings = new Configuration(false);
        settings.addResource(name);
        return settings;
    }

    private static void write(Configuration settings, File file) throws Exception {
        Writer writer = new FileWriter(file);
        try {
            settings.writeXml(writer);
        } finally {
            writer.close();
        }
    }

    private static void answer(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
