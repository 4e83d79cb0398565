// Lists folders by one call from Python. Spark's compiler of generated code, Janino, compiles this file.
package dstream_compat;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

public class FolderListing {
    /** Returns what is in a folder and was modified after one time and not after another: five texts for each,
     * with a NUL behind each text. Returns null if the path is a file. */
    public String recent(Configuration configuration, String folder, long after, long until)
            throws IOException {
        Path place = new Path(folder);
        FileSystem system = place.getFileSystem(configuration);
        FileStatus[] statuses = system.listStatus(place);
        if (statuses.length == 1 && statuses[0].isFile()
                && statuses[0].getPath().equals(system.makeQualified(place))) {
            return null;
        }
        StringBuilder text = new StringBuilder();
        for (int number = 0; number < statuses.length; number++) {
            FileStatus status = statuses[number];
            long modified = status.getModificationTime();
            if (after < modified && modified <= until) {
                text.append(status.getPath()).append('\0');
                text.append(modified).append('\0');
                text.append(status.getLen()).append('\0');
                text.append(status.isDirectory()).append('\0');
                text.append(status.getBlockSize()).append('\0');
            }
        }
        return text.toString();
    }
}
