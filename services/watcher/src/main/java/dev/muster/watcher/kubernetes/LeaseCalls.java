package dev.muster.watcher.kubernetes;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.muster.watcher.core.Layout;
import dev.muster.watcher.core.LeaseLength;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes one shard's Lease. No answer is waited for longer than is said, since a Lease
 * does not last longer; what was asked for may be done also after it was given up.
 */
final class LeaseCalls implements AutoCloseable {
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final KubernetesClient client;
    private final ShardLease.Name name;
    private final InstantSource time;
    private final LeaseLength length;

    /**
     * @param length is told how long each took
     */
    LeaseCalls(
            KubernetesClient client, ShardLease.Name name, InstantSource time, LeaseLength length) {
        this.client = client;
        this.name = name;
        this.time = time;
        this.length = length;
    }

    /** Null: it is not there. */
    @Nullable Lease read(Duration patience) throws TimeoutException {
        return within(patience, () -> get(name.lease()));
    }

    /** One that is made is nobody's yet: it has a version now, by which a layout can be told. */
    Lease readOrMake(Duration patience) throws TimeoutException {
        var found = read(patience);
        return found == null
                ? within(patience, () -> client.resource(LeaseObjects.free(name)).create())
                : found;
    }

    /** Only over what was read: after a write in between it is a conflict. */
    Lease write(Lease lease, Duration patience) throws TimeoutException {
        var version = lease.getMetadata().getResourceVersion();
        return within(patience, () -> client.resource(lease).lockResourceVersion(version).update());
    }

    /** The layout, as the first shard's Lease says it; null: it says none. */
    @Nullable Layout layout(Duration patience) throws TimeoutException {
        var first = within(patience, () -> get(name.first()));
        return first == null ? null : Layout.of(first);
    }

    private @Nullable Lease get(String lease) {
        return client.leases().inNamespace(name.namespace()).withName(lease).get();
    }

    private <T> T within(Duration patience, Callable<T> call) throws TimeoutException {
        var asked = time.instant();
        var answer = calls.submit(call);
        try {
            return answer.get(patience.toMillis(), MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KubernetesClientException refused) {
                throw refused;
            }
            throw new IllegalStateException("the lease could not be asked for", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TimeoutException("interrupted");
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
