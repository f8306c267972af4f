package dev.muster.cli.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the logs of pods at once, while any is written or yet to come. */
final class Following {
    private final PodLog log;
    private final Pauses pauses;
    private final Predicate<String> lines;
    private final AtomicBoolean enough = new AtomicBoolean();
    private final AtomicBoolean lacking = new AtomicBoolean();
    private final AtomicReference<@Nullable KubernetesClientException> refused =
            new AtomicReference<>();
    private final Map<String, Thread> readers = new ConcurrentSkipListMap<>();

    /**
     * @param lines says whether it wants more
     */
    Following(PodLog log, Pauses pauses, Predicate<String> lines) {
        this.log = log;
        this.pauses = pauses;
        this.lines = lines;
    }

    /**
     * How long to wait before it is asked again which pods there are: a list of thousands is large.
     *
     * @param look after this it is looked whether the readers have ended
     * @param least after something began
     * @param most twice the last one, while nothing begins
     */
    record Pauses(Duration look, Duration least, Duration most) {
        static final Pauses USUAL =
                new Pauses(Duration.ofMillis(200), Duration.ofSeconds(2), Duration.ofSeconds(30));

        Duration after(Duration last, boolean hasBegun) {
            var doubled = last.multipliedBy(2);
            if (hasBegun) {
                return least;
            }
            return doubled.compareTo(most) < 0 ? doubled : most;
        }
    }

    /**
     * @param now the pods at the beginning
     * @return whether each had a log
     * @throws KubernetesClientException when the API server gave one of them, or a list, not out
     */
    boolean run(List<Pod> now, JobPods all) {
        var pods = now;
        begin(pods);
        var pause = pauses.least();
        var isGoingOn = true;
        // Those that wait for a line that may never come end with the client.
        while (isGoingOn && !isOver()) {
            pause(pause, isAwaitingAny(pods));
            // Whether it ends is said by what is there once nobody writes any more.
            boolean wasReading = isReading();
            pods = asked(wasReading ? all::lately : all::now, pods);
            boolean hasBegun = begin(pods);
            isGoingOn = wasReading || hasBegun || isAwaitingAny(pods);
            pause = pauses.after(pause, hasBegun);
        }
        var why = refused.get();
        if (why != null) {
            throw why;
        }
        return !lacking.get();
    }

    /** Whether any does that did not before. */
    private boolean begin(List<Pod> pods) {
        for (var pod : pods) {
            if (!JobPods.isPending(pod)) {
                readers.computeIfAbsent(
                        pod.getMetadata().getUid(),
                        _ -> Thread.ofVirtual().unstarted(() -> read(pod)));
            }
        }
        // All are counted before the first of them prints.
        var begun =
                readers.values().stream()
                        .filter(reader -> reader.getState() == Thread.State.NEW)
                        .toList();
        begun.forEach(Thread::start);
        return !begun.isEmpty();
    }

    private void read(Pod pod) {
        try {
            if (!log.read(pod, line -> print(JobPods.prefix(pod, readers.size()) + line))) {
                lacking.set(true);
            }
        } catch (KubernetesClientException e) {
            refused.compareAndSet(null, e);
        }
    }

    private boolean print(String line) {
        synchronized (lines) {
            if (!enough.get() && !lines.test(line)) {
                enough.set(true);
            }
            return !enough.get();
        }
    }

    /** Nobody wants more. */
    private boolean isOver() {
        return enough.get() || Thread.currentThread().isInterrupted();
    }

    private boolean isReading() {
        return readers.values().stream().anyMatch(Thread::isAlive);
    }

    /** One that is to go does not start any more, also where nobody is left who says so. */
    private boolean isAwaitingAny(List<Pod> pods) {
        return refused.get() == null
                && pods.stream()
                        .anyMatch(pod ->
                                JobPods.isPending(pod)
                                        && pod.getMetadata().getDeletionTimestamp() == null);
    }

    /** Not as long where the last reader ends. */
    private void pause(Duration pause, boolean isAwaiting) {
        boolean wasReading = isReading();
        var end = System.nanoTime() + pause.toNanos();
        while (System.nanoTime() < end
                && !isOver()
                && (isReading() || (isAwaiting && !wasReading))) {
            LockSupport.parkNanos(pauses.look().toNanos());
        }
    }

    /**
     * Asks beside, since an answer may take long and nobody read on meanwhile.
     *
     * @param before the answer where there is none while others are read, or enough is
     */
    private List<Pod> asked(Supplier<List<Pod>> list, List<Pod> before) {
        var answer = new FutureTask<>(list::get);
        Thread.ofVirtual().start(answer);
        while (!answer.isDone() && !isOver()) {
            LockSupport.parkNanos(pauses.look().toNanos());
        }
        if (isOver()) {
            return before;
        }
        try {
            return answer.get();
        } catch (ExecutionException e) {
            if (isReading()) {
                return before;
            }
            throw KubernetesClientException.launderThrowable(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KubernetesClientException.launderThrowable(e);
        }
    }
}
