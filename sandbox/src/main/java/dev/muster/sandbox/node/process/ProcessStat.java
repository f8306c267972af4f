package dev.muster.sandbox.node.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process as Linux shows it. The number alone may be another's tomorrow; with the time of its
 * start (in ticks since the machine started) it is one process.
 */
record ProcessStat(long pid, long startTicks, boolean zombie) {
    // Fields after the command, which may hold spaces: "pid (command) state ppid … starttime …".
    private static final int STATE = 0;
    private static final int START = 19;

    /** What a shell copied from its own /proc entry; empty while that is not whole. */
    static Optional<ProcessStat> recorded(Path file) {
        return parse(read(file));
    }

    /** The living process of that number, if there is one. */
    static Optional<ProcessStat> of(long pid) {
        return parse(read(Path.of("/proc", Long.toString(pid), "stat")));
    }

    /** Whether this very process still runs. */
    boolean lives() {
        return of(pid).filter(now -> now.startTicks == startTicks && !now.zombie).isPresent();
    }

    private static Optional<ProcessStat> parse(String line) {
        int command = line.lastIndexOf(')');
        var fields = command < 0 ? new String[0] : line.substring(command + 1).strip().split(" ");
        return fields.length <= START
                ? Optional.empty()
                : Optional.of(
                        new ProcessStat(
                                Long.parseLong(line.substring(0, line.indexOf(' '))),
                                Long.parseLong(fields[START]),
                                fields[STATE].equals("Z") || fields[STATE].equals("X")));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return "";
        }
    }
}
