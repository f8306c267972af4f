package dev.muster.sandbox.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * A process that was started, by this JVM or by another.
 *
 * @param started with the id it names one process for ever: an id that was given to another process
 *     since is never touched
 * @param launch the digest of what it was started as; empty: not known
 */
public record PartProcess(String part, long pid, Instant started, Path log, String launch) {
    /**
     * How far two readings of one start may lie apart, since the kernel counts from a moved boot
     * time.
     */
    private static final Duration SAME_START = Duration.ofSeconds(2);

    private static final Duration LIMIT = Duration.ofMinutes(3);

    private static final Duration PAUSE = Duration.ofMillis(20);

    static PartProcess of(Launch launch, Process process) {
        var started = process.info().startInstant().orElseGet(Instant::now);
        return new PartProcess(
                launch.part(), process.pid(), started, launch.log(), launch.digest());
    }

    public boolean alive() {
        return handle().isPresent();
    }

    /**
     * Waits until the probe says yes.
     *
     * @throws PartFailedException when the process ends first, or is not ready after three minutes
     *     (any part takes seconds where the machine has nothing else to do) and is ended
     */
    public PartProcess awaitReady(BooleanSupplier probe) {
        return awaitReady(LIMIT, probe);
    }

    PartProcess awaitReady(Duration limit, BooleanSupplier probe) {
        long end = System.nanoTime() + limit.toNanos();
        while (!probe.getAsBoolean()) {
            if (!alive()) {
                throw new PartFailedException(part + " ended before it was ready; " + logLine());
            }
            if (System.nanoTime() > end) {
                kill();
                throw new PartFailedException(
                        part + " was not ready within " + limit.toSeconds() + " s; " + logLine());
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return this;
    }

    /** Asks the process to end, and kills it when it has not after the grace. */
    public PartProcess stop(Duration grace) {
        handle().ifPresent(ProcessHandle::destroy);
        if (!awaitEnd(grace)) {
            kill();
        }
        return this;
    }

    /** Kills the process and waits until it is gone. */
    public PartProcess kill() {
        handle().ifPresent(ProcessHandle::destroyForcibly);
        if (!awaitEnd(Duration.ofSeconds(10))) {
            throw new PartFailedException("process " + pid + " (" + part + ") does not end");
        }
        return this;
    }

    /** Waits for the process's end and says whether it came within the limit. */
    public boolean awaitEnd(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        while (alive()) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return true;
    }

    /**
     * The zombie is asked for first: its parent may fetch it at any moment, and what is then not
     * found is neither a zombie nor, asked after that, alive.
     */
    private Optional<ProcessHandle> handle() {
        return ProcessHandle.of(pid)
                .filter(handle -> !isZombie())
                .filter(ProcessHandle::isAlive)
                .filter(this::startedThen);
    }

    private boolean startedThen(ProcessHandle handle) {
        return handle.info()
                .startInstant()
                .map(at -> Duration.between(started, at).abs().compareTo(SAME_START) < 0)
                .orElse(false);
    }

    /**
     * Ended with all its threads, but not yet fetched by its parent; only Linux tells. While other
     * threads still end, the first one looks the same, and the ports are not free yet.
     */
    private boolean isZombie() {
        var folder = Path.of("/proc", Long.toString(pid));
        try (var threads = Files.list(folder.resolve("task"))) {
            var stat = Files.readString(folder.resolve("stat"));
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2) && threads.count() < 2;
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private String logLine() {
        return "see " + log;
    }
}
