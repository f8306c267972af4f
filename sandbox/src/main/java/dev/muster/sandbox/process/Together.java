package dev.muster.sandbox.process;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts that do not wait for each other. */
public final class Together {
    private Together() {}

    /**
     * Does all of it side by side and gives the results in the order of the arguments.
     *
     * @throws PartFailed the first that failed, after all have ended; the others stand in it as
     *     suppressed
     */
    @SafeVarargs
    public static <T> List<T> start(Callable<? extends T>... starts) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> running = new ArrayList<>();
            for (Callable<? extends T> start : starts) {
                running.add(threads.submit(start::call));
            }
            return results(running);
        }
    }

    private static <T> List<T> results(List<Future<T>> running) {
        var results = new ArrayList<T>();
        var failures = new ArrayList<Throwable>();
        for (var each : running) {
            try {
                results.add(each.get());
            } catch (ExecutionException e) {
                failures.add(e.getCause() == null ? e : e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failures.add(e);
            }
        }
        if (failures.isEmpty()) {
            return results;
        }
        var first = failures.removeFirst();
        var failed = first instanceof PartFailed part ? part : new PartFailed("" + first, first);
        failures.forEach(failed::addSuppressed);
        throw failed;
    }
}
