import java.io.IOException;
import java.util.Arrays;

/**
 * Runs the main class that the first argument names, with the other arguments, for as long as
 * standard input is open: what a test starts ends with the test, however that ends. A byte on
 * standard input ends the process in order, as SIGTERM does.
 */
public final class Launch {
    public static void main(String[] arguments) throws Exception {
        Thread watch = new Thread(Launch::watch, "launch-watch");
        watch.setDaemon(true);
        watch.start();
        String[] others = Arrays.copyOfRange(arguments, 1, arguments.length);
        Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) others);
    }

    private static void watch() {
        try {
            if (System.in.read() >= 0) {
                System.exit(0);
            }
        } catch (IOException closed) {
            // As good as its end.
        }
        Runtime.getRuntime().halt(1);
    }
}
