package dev.muster.watcher.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import dev.muster.watcher.core.Term;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Whoever hears nothing of the cluster leaves it to others to tell of it. */
class ShardLeaseIT {
    private static final ShardLease.Timing TIMING =
            new ShardLease.Timing(Duration.ofSeconds(4), Duration.ofMillis(200));

    private static final class Candidate {
        final List<Term> won = new CopyOnWriteArrayList<>();
        final List<Term> lost = new CopyOnWriteArrayList<>();
        final AtomicBoolean isDeaf = new AtomicBoolean();
        final ShardLease lease;

        Candidate(KubernetesClient client, String identity) {
            lease =
                    new ShardLease(
                            client,
                            new ShardLease.Name("kube-public", 0, 1, identity),
                            TIMING,
                            Clock.systemUTC(),
                            new ShardLease.Listener(won::add, () -> {}, lost::add),
                            isDeaf::get);
            Thread.ofPlatform().daemon().start(lease);
        }
    }

    @Test
    void whoIsDeafLetsAnotherOneTell() throws Exception {
        var config = Config.fromKubeconfig(TestParts.kubeconfig().toFile());
        try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
            var first = new Candidate(client, "first");
            await().until(() -> first.won.size() == 1);
            var second = new Candidate(client, "second");

            first.isDeaf.set(true);
            await().atMost(Duration.ofMinutes(1)).until(() -> second.won.size() == 1);
            assertThat(first.lost).isEqualTo(first.won);
            assertThat(second.won.getFirst().epoch()).isGreaterThan(first.won.getFirst().epoch());

            second.lease.close();
            await().during(Duration.ofSeconds(1)).until(() -> first.won.size() == 1);
            first.isDeaf.set(false);
            await().atMost(Duration.ofMinutes(1)).until(() -> first.won.size() == 2);
            first.lease.close();
        }
    }
}
