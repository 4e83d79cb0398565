import java.io.File;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;

/**
 * A key distribution center of Kerberos, until standard input ends.
 *
 * <p>Arguments: a folder, a port, a realm, and principals. The folder gets krb5.conf, and for each principal the
 * file NAME.keytab and a ticket cache, NAME.tickets, where NAME is the principal's first component.
 */
public class KeyCenter {
    public static void main(String[] args) throws Exception {
        File folder = new File(args[0]);
        SimpleKdcServer server = new SimpleKdcServer();
        server.setWorkDir(folder);
        server.setKdcHost("localhost");
        server.setKdcTcpPort(Integer.parseInt(args[1]));
        server.setKdcRealm(args[2]);
        server.setAllowUdp(false);
        server.init();
        server.start();
        for (int number = 3; number < args.length; number++) {
            String principal = args[number];
            String name = principal.split("/")[0];
            File keytab = new File(folder, name + ".keytab");
            server.createPrincipal(principal);
            server.exportPrincipal(principal, keytab);
            server.getKrbClient().storeTicket(
                server.getKrbClient().requestTgt(principal + "@" + args[2], keytab),
                new File(folder, name + ".tickets"));
        }
        System.out.println("READY");
        System.out.flush();
        while (System.in.read() >= 0) {
            // until its end
        }
        Runtime.getRuntime().halt(0);
    }
}
