import java.io.File;
import org.apache.kafka.server.util.FileLock;

/**
 * Holds a file's lock by Kafka's own class, as a broker holds the `.lock` in each of its log
 * directories, until standard input ends. The file is left, as one that was killed leaves it.
 */
public final class HoldLock {
    public static void main(String[] arguments) throws Exception {
        FileLock lock = new FileLock(new File(arguments[0]));
        System.out.println(lock.tryLock() ? "held" : "refused");
        while (System.in.read() >= 0) {
            // Nothing is expected: only the end counts.
        }
    }
}
