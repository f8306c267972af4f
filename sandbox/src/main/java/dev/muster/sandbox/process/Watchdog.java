package dev.muster.sandbox.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Ends the processes of this JVM after its own end, {@code kill -9} included.
 *
 * <p>It is a shell that reads a pipe from this JVM: the pipe's end is the JVM's end. A process is
 * killed only if it started when the one that was named did, so a reused id harms nobody; with it
 * goes the group that it leads.
 */
public final class Watchdog {
    private static final String SCRIPT =
            """
            trap '' HUP INT TERM
            started() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20; }
            [ -r /proc/self/stat ] || started() { ps -o lstart= -p "$1"; }
            kept=
            while read -r word what; do
              case $word in
                kill) kept="$kept $what@$(started "$what" | tr ' ' _)" ;;
                forget) now=; for k in $kept; do [ "${k%@*}" = "$what" ] || now="$now $k"; done; kept=$now ;;
                remove) set -- "$@" "$what" ;;
              esac
            done
            for k in $kept; do
              [ "$(started "${k%@*}" | tr ' ' _)" = "${k#*@}" ] || continue
              kill -9 "-${k%@*}" || kill -9 "${k%@*}"
            done
            for folder; do rm -rf "$folder" || { sleep 1; rm -rf "$folder"; }; done
            """;

    private static Optional<Watchdog> ofThisJvm = Optional.empty();

    private final OutputStream pipe;

    private Watchdog(OutputStream pipe) {
        this.pipe = pipe;
    }

    /** The one of this JVM, started at the first call. */
    public static synchronized Watchdog get() {
        var watchdog = ofThisJvm.orElseGet(Watchdog::start);
        ofThisJvm = Optional.of(watchdog);
        return watchdog;
    }

    private static Watchdog start() {
        var shell = Executables.apart(List.of("sh", "-c", SCRIPT, "watchdog"));
        try {
            var process =
                    new ProcessBuilder(shell)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            return new Watchdog(process.getOutputStream());
        } catch (IOException e) {
            throw new PartFailedException("cannot start sh: " + e.getMessage(), e);
        }
    }

    /** Kills this process when the JVM has ended. */
    public void killAfterwards(long pid) {
        say("kill " + pid);
    }

    /** The process has ended already. */
    public void forget(long pid) {
        say("forget " + pid);
    }

    /** Removes the folder, with all in it, when the JVM has ended. */
    public void removeAfterwards(Path folder) {
        say("remove " + folder.toAbsolutePath());
    }

    private synchronized void say(String line) {
        try {
            pipe.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            pipe.flush();
        } catch (IOException e) {
            throw new PartFailedException("the watchdog of this JVM is gone: " + e.getMessage(), e);
        }
    }
}
