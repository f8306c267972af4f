package dev.muster.deploy;

import dev.muster.sandbox.process.PartProcess;
import dev.muster.sandbox.service.ServiceProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Has services die at one point after the other, each with a job in a situation of its own, while
 * the jobs of the other deaths go on.
 */
final class CrashRun implements AutoCloseable {
    /** So many jobs are prepared before it is their turn. */
    private static final int AHEAD = 5;

    private static final String WATCHER = "watcher";
    private static final Duration DEATH = Duration.ofMinutes(2);
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration GRACE = Duration.ofMinutes(1);

    private final JobsInSituations jobs = new JobsInSituations("crash");

    /** The job of each cell, in the order of their deaths. */
    private final Map<String, Cell> cells = new LinkedHashMap<>();

    /** The jobs of cells whose service died at its point. */
    private final Set<String> deaths = new TreeSet<>();

    private final Map<String, ServiceProcess> starting = new LinkedHashMap<>();
    private final long begun = System.nanoTime();

    /**
     * Runs the first of them, and others as long as there is time to begin them.
     *
     * @param atLeast so many are run, however long it takes
     */
    void run(List<Cell> all, int atLeast, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        int prepared = 0;
        int run = 0;
        while (run < all.size() && (run < atLeast || System.nanoTime() < end)) {
            for (; prepared < Math.min(all.size(), run + AHEAD); prepared++) {
                jobs.prepare(name(prepared), all.get(prepared).situation());
            }
            cells.put(name(run), all.get(run));
            die(all.get(run), name(run));
            jobs.tend();
            run++;
        }
        // Else a coordinator that catches up would have them start and end in one breath: in the
        // pool's time, which is that of the requests, their pods come after the end.
        starting.keySet().forEach(this::awaitReady);
        for (int unused = run; unused < prepared; unused++) {
            jobs.dismiss(name(unused));
        }
        say("%d services died, the jobs end", run);
        jobs.awaitEnds();
        say("all jobs ended");
    }

    private static String name(int number) {
        return "cell-%03d".formatted(number);
    }

    /**
     * Ends every service in good order once and starts it again: it leaves the archive of its
     * classes, with which it then starts in half the time.
     */
    void prepareForManyStarts() {
        for (var service : TheSystem.get().services().keySet()) {
            TheSystem.running(service).stop(GRACE);
            restart(service);
        }
        starting.keySet().forEach(this::awaitReady);
        say("the services are ready to be started often");
    }

    private void die(Cell cell, String name) {
        var service = cell.point().service();
        awaitReady(service);
        jobs.awaitPrepared(name);
        PartProcess victim;
        if (cell.isOfAStart()) {
            jobs.begin(name, false);
            TheSystem.kill(service);
            arm(cell, name);
            victim = restart(service);
        } else {
            victim = TheSystem.running(service);
            arm(cell, name);
            jobs.begin(name, cell.isOfHttp());
        }
        if (diesWithin(DEATH, victim)) {
            deaths.add(name);
            say("%s: %s", name, cell);
        } else {
            say("%s: %s WAS NOT REACHED", name, cell);
            disarm(service);
            victim.kill();
        }
        restart(service);
    }

    private boolean diesWithin(Duration patience, PartProcess victim) {
        long end = System.nanoTime() + patience.toNanos();
        while (!victim.awaitEnd(LOOK)) {
            if (System.nanoTime() > end) {
                return false;
            }
            jobs.tend();
        }
        return true;
    }

    /** What goes on, since it takes long. */
    private void say(String what, Object... about) {
        System.out.printf(
                "crash points, %.1f s: %s%n",
                (System.nanoTime() - begun) / 1e9, what.formatted(about));
    }

    private static void arm(Cell cell, String name) {
        var file = TheSystem.crashFile(cell.point().service());
        try {
            // Whole or not at all: the service reads it at any moment.
            var whole = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(whole, cell.point().id() + " 1 " + cell.subject(name));
            Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void disarm(String service) {
        try {
            Files.deleteIfExists(TheSystem.crashFile(service));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it; it is waited for when it is needed again. */
    private PartProcess restart(String service) {
        var known = TheSystem.get().services().get(service);
        var begun = ServiceProcess.begin(known.place(), known.spec());
        starting.put(service, begun);
        return begun.process();
    }

    private void awaitReady(String service) {
        var begun = starting.get(service);
        if (begun != null) {
            begun.awaitReady();
            if (service.equals(WATCHER)) {
                awaitItsShard(begun);
            }
        }
    }

    /**
     * A watcher is ready before it has the Lease, and comes by nothing until then; meanwhile a job
     * that is cancelled may be gone.
     */
    private static void awaitItsShard(ServiceProcess watcher) {
        watcher.process().awaitReady(() -> HeldShards.of(watcher).contains(0));
    }

    JobsInSituations jobs() {
        return jobs;
    }

    /** The cells that were tried, by job. */
    Map<String, Cell> cells() {
        return cells;
    }

    /** The jobs of cells whose service died at its point. */
    Set<String> deaths() {
        return deaths;
    }

    @Override
    public void close() {
        jobs.close();
        say("over, %d services died", deaths.size());
    }
}
