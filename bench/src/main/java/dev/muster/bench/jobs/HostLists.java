package dev.muster.bench.jobs;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.schemas.contract.LabelNames;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The host list of one launcher's job, as a watch of its config map tells it. */
public final class HostLists implements AutoCloseable {
    /**
     * @param hosts how many it had; -1: nothing is heard any more
     * @param moment of this JVM's clock at which that was heard
     */
    private record Seen(long hosts, long moment) {}

    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    private final KubernetesClient client;
    private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
    private final Watch watch;

    private HostLists(KubernetesClient client, String job) {
        this.client = client;
        this.watch =
                client.configMaps()
                        .inNamespace(Submitter.NAMESPACE)
                        .withName(job + "-hosts")
                        .watch(new Hearing());
    }

    /** Hears all that is written from now on. */
    public static HostLists open(Context context, String job) {
        var config = Config.fromKubeconfig(context.kubeconfig().toFile());
        return new HostLists(new KubernetesClientBuilder().withConfig(config).build(), job);
    }

    private final class Hearing implements Watcher<ConfigMap> {
        @Override
        public void eventReceived(Action action, ConfigMap list) {
            long moment = System.nanoTime();
            var hosts = list.getData().getOrDefault("hosts", "");
            seen.add(new Seen(hosts.lines().count(), moment));
        }

        @Override
        public void onClose(WatcherException cause) {
            seen.add(new Seen(-1, System.nanoTime()));
        }
    }

    /**
     * Waits until the list has so many hosts.
     *
     * @return the moment at which that was heard
     */
    public long await(int hosts, Duration within) {
        long end = System.nanoTime() + within.toNanos();
        try {
            while (System.nanoTime() < end) {
                var next = seen.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (next != null && next.hosts() == hosts) {
                    return next.moment();
                }
                if (next != null && next.hosts() < 0) {
                    throw CommandFailedException.failed("the watch of the host list ended", null);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw CommandFailedException.failed(
                "the list did not come to %d hosts".formatted(hosts), null);
    }

    /** Waits until no more than so many pods of the job are there. */
    public void awaitPods(String job, int most, Duration within) {
        long end = System.nanoTime() + within.toNanos();
        while (pods(job) > most) {
            if (System.nanoTime() > end) {
                throw CommandFailedException.failed(
                        "more than %d pods are left".formatted(most), null);
            }
            Moments.await(System.nanoTime() + LOOK_AGAIN.toNanos());
        }
    }

    private int pods(String job) {
        return client.pods()
                .inNamespace(Submitter.NAMESPACE)
                .withLabel(LabelNames.JOB, job)
                .list()
                .getItems()
                .size();
    }

    @Override
    public void close() {
        watch.close();
        client.close();
    }
}
