package dev.muster.schemas.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends this process at the point that a file names: {@code point pass subject}, as in {@code
 * pod-manager.created 2 default/resnet}, the second pass about what has this text in it; {@code *}
 * is about whatever comes. With a fourth word, {@code hold}, only the thread that comes by is held,
 * for ten seconds, in which the process can be stopped right there.
 *
 * <p>It takes three things that no deployment has: a JVM flag that names the file, the file, and a
 * machine that is no pod (in every pod Kubernetes sets {@code KUBERNETES_SERVICE_HOST}).
 */
public final class Armed {
    /** The JVM's property that names the file. */
    public static final String PROPERTY = "muster.crash.file";

    /** What is appended to the file's name when its process ends there. */
    public static final String DONE = ".done";

    /** The fourth word. */
    public static final String HOLD = "hold";

    private static final int WORDS = 3;
    private static final Duration HELD = Duration.ofSeconds(10);

    /** As a shell sees a process that was killed. */
    private static final int KILLED = 137;

    static final @Nullable Armed OF_THIS_JVM =
            of(System.getProperty(PROPERTY), System.getenv("KUBERNETES_SERVICE_HOST"));

    private final Path file;
    private final Runnable end;
    private final Runnable hold;
    private final ThreadLocal<Since> since = ThreadLocal.withInitial(Since::new);
    private String line = "";
    private int passes;

    /** What a thread passed points for, and whether that was already summed up. */
    private static final class Since {
        private final Set<String> subjects = new LinkedHashSet<>();
        private boolean over;

        private String with(String subject) {
            if (subject.isEmpty()) {
                over = true;
                return String.join(" ", subjects);
            }
            if (over) {
                subjects.clear();
                over = false;
            }
            subjects.add(subject);
            return subject;
        }
    }

    /**
     * @param end what ends the process
     * @param hold what holds a thread for a while
     */
    Armed(Path file, Runnable end, Runnable hold) {
        this.file = file;
        this.end = end;
        this.hold = hold;
    }

    static @Nullable Armed of(@Nullable String file, @Nullable String serviceHostOfPod) {
        return file == null || serviceHostOfPod != null
                ? null
                : new Armed(
                        Path.of(file),
                        () -> Runtime.getRuntime().halt(KILLED),
                        () -> LockSupport.parkNanos(HELD.toNanos()));
    }

    void passed(CrashPoint point, String subject) {
        actionAt(point, since.get().with(subject)).run();
    }

    private synchronized Runnable actionAt(CrashPoint point, String about) {
        var wanted = read();
        if (!wanted.equals(line)) {
            line = wanted;
            passes = 0;
        }
        var words = List.of(wanted.split(" ", -1));
        if (words.size() < WORDS
                || !words.get(0).equals(point.id())
                || !(words.get(2).equals("*") || about.contains(words.get(2)))
                || ++passes != Integer.parseInt(words.get(1))) {
            return () -> {};
        }
        done();
        return words.getLast().equals(HOLD) ? hold : end;
    }

    private String read() {
        try {
            return Files.readString(file).strip();
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nobody dies here twice, and whoever armed it sees that it was this point. */
    private void done() {
        try {
            Files.move(
                    file,
                    file.resolveSibling(file.getFileName() + DONE),
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
