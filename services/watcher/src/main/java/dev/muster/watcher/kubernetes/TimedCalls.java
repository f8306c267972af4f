package dev.muster.watcher.kubernetes;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.muster.watcher.core.LeaseLength;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;

/** Calls that are waited for so long at most, since a lease does not last longer. */
final class TimedCalls implements AutoCloseable {
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final InstantSource time;
    private final LeaseLength length;

    /**
     * @param length is told how long each took
     */
    TimedCalls(InstantSource time, LeaseLength length) {
        this.time = time;
        this.length = length;
    }

    /**
     * What was called may be done also after it was given up.
     *
     * @throws KubernetesClientException as the call did
     */
    <T> T within(Duration patience, Callable<T> call)
            throws TimeoutException, InterruptedException {
        var asked = time.instant();
        var answer = calls.submit(call);
        try {
            return answer.get(patience.toMillis(), MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KubernetesClientException refused) {
                throw refused;
            }
            throw new IllegalStateException("the lease could not be asked for", e.getCause());
        } finally {
            answer.cancel(true);
            var now = time.instant();
            length.answered(Duration.between(asked, now), now);
        }
    }

    @Override
    public void close() {
        calls.shutdownNow();
    }
}
