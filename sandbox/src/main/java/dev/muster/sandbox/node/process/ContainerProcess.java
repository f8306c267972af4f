package dev.muster.sandbox.node.process;

import dev.muster.sandbox.node.process.RunFolder.Exit;
import dev.muster.sandbox.process.Executables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The process of one incarnation of a container, with all that descend from it.
 *
 * <p>It runs in a session and process group of its own, below a small shell in another session that
 * waits for it and writes its exit code to a file. So the code is known also to a node that was not
 * there when it ended.
 */
public final class ContainerProcess {
    // $0 is the folder, $@ the command. PATH and all else are the container's, so only what a shell
    // can do by itself is used. A trap makes a handler, which the command does not inherit.
    private static final String WATCH =
            """
            trap : TERM INT HUP QUIT
            read -r MUSTER_SANDBOX_STAT < /proc/$$/stat; echo "$MUSTER_SANDBOX_STAT" > "$0/watcher"
            "$@" > "$0/log" 2>&1 < /dev/null
            echo $? > "$0/exit"
            """;
    private static final String LEAD =
            """
            read -r MUSTER_SANDBOX_STAT < /proc/$$/stat; echo "$MUSTER_SANDBOX_STAT" > "$0/leader"
            exec "$@"
            """;
    private static final String SHELL = "/bin/sh";
    private static final Duration LOOK = Duration.ofMillis(200);
    // A process that was started a moment ago has not said yet which group is its own.
    private static final Duration SOON = Duration.ofMillis(20);
    private static final int STARTING = 100;

    private final RunFolder folder;
    private final CountDownLatch ended = new CountDownLatch(1);

    private ContainerProcess(RunFolder folder) {
        this.folder = folder;
    }

    /**
     * Starts a container's process.
     *
     * @param env the whole environment, but for the mark by which its processes are found
     * @param onEnd told once, on a thread of its own, when the process and its group are gone
     * @throws IOException when no process can be made
     */
    public static ContainerProcess start(
            RunFolder folder,
            List<String> argv,
            Map<String, String> env,
            Path workingDir,
            Consumer<Exit> onEnd)
            throws IOException {
        Files.createDirectories(folder.path());
        var place = folder.path().toString();
        var setsid = setsid().toString();
        var command = new ArrayList<>(List.of(setsid, SHELL, "-c", WATCH, place));
        command.addAll(List.of(setsid, SHELL, "-c", LEAD, place));
        command.addAll(argv);
        var builder = new ProcessBuilder(command).directory(workingDir.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(env);
        builder.environment().put(Signals.MARK, place + "/");
        var child = builder.start();
        var process = new ContainerProcess(folder);
        Thread.startVirtualThread(() -> process.watchChild(child, onEnd));
        return process;
    }

    /** Goes on with a process that another node started; it may have ended since. */
    public static ContainerProcess adopt(RunFolder folder, Consumer<Exit> onEnd) {
        var process = new ContainerProcess(folder);
        Thread.startVirtualThread(() -> process.watch(process::watcherLives, onEnd));
        return process;
    }

    /** Where this machine has setsid(1), which containers need. */
    public static Path setsid() throws IOException {
        return Executables.find("setsid")
                .orElseThrow(() -> new IOException("setsid (util-linux) is not on the PATH"));
    }

    /**
     * Ends the process: SIGTERM to its group now, SIGKILL at {@code killAt}, which may be now or
     * past. Asked again, the earlier time counts.
     */
    public void stop(Instant killAt) {
        Thread.startVirtualThread(() -> {
            if (killAt.isAfter(Instant.now())) {
                signal("TERM");
            }
            if (!awaitEnd(Duration.between(Instant.now(), killAt))) {
                signal("KILL");
            }
        });
    }

    /** Waits for the end. Answers whether it came. */
    public boolean awaitEnd(Duration atMost) {
        try {
            return ended.await(Math.max(0, atMost.toMillis()), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Runs a command beside the container's process, in its environment and folder.
     *
     * @return whether it ended with 0 in time
     * @throws IOException when it cannot be run, or the container's process is gone
     */
    public boolean exec(List<String> command, Duration timeout)
            throws IOException, InterruptedException {
        var leader =
                folder.leader().orElseThrow(() -> new IOException("the container is not there"));
        var there = Path.of("/proc", Long.toString(leader.pid()));
        var builder =
                new ProcessBuilder(command)
                        .directory(there.resolve("cwd").toRealPath().toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        Signals.environment(leader.pid())
                .filter(line -> line.indexOf('=') > 0)
                .map(line -> line.split("=", 2))
                .forEach(pair -> builder.environment().put(pair[0], pair[1]));
        var process = builder.start();
        if (!process.waitFor(timeout)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }

    /** To the container's group; to all that carries its mark if there is no group to be seen. */
    private void signal(String name) {
        var leader = folder.leader();
        for (int i = 0; leader.isEmpty() && i < STARTING && !awaitEnd(SOON); i++) {
            leader = folder.leader();
        }
        var living = leader.filter(ProcessStat::lives);
        if (living.isPresent()) {
            Signals.group(name, living.get().pid());
        } else if (!awaitEnd(Duration.ZERO)) {
            Signals.killMarked(folder.path());
        }
    }

    private void watchChild(Process child, Consumer<Exit> onEnd) {
        watch(() -> waitsFor(child), onEnd);
    }

    private static boolean waitsFor(Process child) {
        try {
            return !child.waitFor(Duration.ofDays(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean watcherLives() {
        boolean lives =
                folder.exit().isEmpty() && folder.watcher().filter(ProcessStat::lives).isPresent();
        return lives && !awaitEnd(LOOK);
    }

    private void watch(BooleanSupplier runs, Consumer<Exit> onEnd) {
        boolean going = true;
        while (going) {
            going = runs.getAsBoolean();
        }
        // What the first process left behind ends with it, as it would with a container.
        Signals.killMarked(folder.path());
        ended.countDown();
        onEnd.accept(folder.exit().orElseGet(() -> Exit.unseen(Instant.now())));
    }
}
