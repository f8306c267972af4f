package dev.muster.sandbox.process;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Starts that do not wait for each other; closing waits for all of them. */
public final class Together implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> starts = new ArrayList<>();

    /** Begins a start. Its result is there once this is closed. */
    public <T> Future<T> begin(Callable<T> start) {
        var begun = threads.submit(start);
        starts.add(begun);
        return begun;
    }

    /**
     * Waits until all have ended.
     *
     * @throws PartFailedException the first that failed, in the order of their beginning; the
     *     others stand in it as suppressed
     */
    @Override
    public void close() {
        threads.close();
        var failures =
                starts.stream()
                        .filter(start -> start.state() != Future.State.SUCCESS)
                        .map(Together::failure)
                        .toList();
        if (!failures.isEmpty()) {
            var first = failures.getFirst();
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }

    private static PartFailedException failure(Future<?> start) {
        if (start.state() == Future.State.CANCELLED) {
            return new PartFailedException("interrupted while starting");
        }
        var failure = start.exceptionNow();
        return failure instanceof PartFailedException part
                ? part
                : new PartFailedException("" + failure, failure);
    }
}
