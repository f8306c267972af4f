package dev.muster.watcher.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.sandbox.TestParts;
import dev.muster.watcher.LateApiServer;
import dev.muster.watcher.core.Term;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever hears nothing of the cluster leaves it to others to tell of it. */
class ShardLeaseIT {
    private static final ShardLease.Timing TIMING =
            new ShardLease.Timing(Duration.ofSeconds(4), Duration.ofMillis(200));

    private static final class Candidate {
        final List<Term> won = new CopyOnWriteArrayList<>();
        final List<Term> lost = new CopyOnWriteArrayList<>();
        final AtomicInteger foreseen = new AtomicInteger();
        final AtomicInteger heldOn = new AtomicInteger();
        final AtomicBoolean isDeaf = new AtomicBoolean();
        final AtomicBoolean tells = new AtomicBoolean();
        final AtomicReference<Duration> slept = new AtomicReference<>(Duration.ZERO);
        final ShardLease lease;

        Candidate(KubernetesClient client, String identity) {
            lease =
                    new ShardLease(
                            client,
                            new ShardLease.Name("kube-public", 0, 1, identity),
                            TIMING,
                            () -> Instant.now().plus(slept.get()),
                            new ShardLease.Listener(
                                    foreseen::incrementAndGet,
                                    won::add,
                                    heldOn::incrementAndGet,
                                    lost::add),
                            new ShardLease.Self(isDeaf::get, tells::get));
            Thread.ofPlatform().daemon().start(lease);
        }

        void close() throws InterruptedException {
            lease.end();
            lease.awaitEnd();
        }
    }

    @Test
    void whoIsDeafLetsAnotherOneTell() throws Exception {
        try (var client = client(TestParts.kubeconfig())) {
            var first = new Candidate(client, "first");
            await().until(() -> first.won.size() == 1);
            var second = new Candidate(client, "second");
            second.tells.set(true);

            first.isDeaf.set(true);
            await().atMost(Duration.ofMinutes(1)).until(() -> second.won.size() == 1);
            assertThat(first.lost).isEqualTo(first.won);
            assertThat(second.won.getFirst().isForeseen()).isFalse();
            assertThat(second.won.getFirst().epoch()).isGreaterThan(first.won.getFirst().epoch());

            second.close();
            await().during(Duration.ofSeconds(1)).until(() -> first.won.size() == 1);
            first.isDeaf.set(false);
            await().atMost(Duration.ofMinutes(1)).until(() -> first.won.size() == 2);
            first.close();
        }
    }

    /**
     * What was asked was done, so each write after it is made over another version than it says.
     */
    @Test
    void whoHearsThatHeRenewedOnceItIsTooLateHoldsOnWhereNobodyElseCame(@TempDir Path folder)
            throws Exception {
        try (var late = new LateApiServer();
                var client = client(late.kubeconfig(folder.resolve("kubeconfig")))) {
            var alone = new Candidate(client, "alone");
            await().until(() -> alone.won.size() == 1);
            var term = alone.won.getFirst();

            late.answersLeasesAfter(Duration.ofSeconds(20));
            await().atMost(Duration.ofMinutes(1)).until(() -> !term.covers(Instant.now()));
            late.answersLeasesAfter(Duration.ZERO);

            await().atMost(Duration.ofMinutes(1)).until(() -> alone.heldOn.get() == 1);
            assertThat(term.covers(Instant.now())).isTrue();
            assertThat(alone.won).hasSize(1);
            assertThat(alone.lost).isEmpty();
            alone.close();
            assertThat(alone.lost).containsExactly(term);
        }
    }

    /** Where the API server was away, the watches come back later than its answers about Leases. */
    @Test
    void whoRenewsTooLateAndDoesNotHearIsNotHeldOn(@TempDir Path folder) throws Exception {
        try (var late = new LateApiServer();
                var client = client(late.kubeconfig(folder.resolve("kubeconfig")))) {
            var alone = new Candidate(client, "unhearing");
            await().until(() -> alone.won.size() == 1);
            var term = alone.won.getFirst();

            late.answersLeasesAfter(Duration.ofSeconds(20));
            await().atMost(Duration.ofMinutes(1)).until(() -> !term.covers(Instant.now()));
            alone.isDeaf.set(true);
            late.answersLeasesAfter(Duration.ZERO);

            await().atMost(Duration.ofMinutes(1)).until(() -> alone.lost.size() == 1);
            assertThat(alone.heldOn).hasValue(0);
            alone.isDeaf.set(false);
            await().atMost(Duration.ofMinutes(1)).until(() -> alone.won.size() == 2);
            alone.close();
        }
    }

    @Test
    void whoSleptForLongBeginsAnewAlthoughNobodyElseCame() throws Exception {
        try (var client = client(TestParts.kubeconfig())) {
            var alone = new Candidate(client, "sleeper");
            await().until(() -> alone.won.size() == 1);

            alone.slept.set(Duration.ofMinutes(1));
            await().atMost(Duration.ofMinutes(1)).until(() -> alone.won.size() == 2);
            assertThat(alone.lost).containsExactly(alone.won.getFirst());
            assertThat(alone.heldOn).hasValue(0);
            alone.close();
        }
    }

    @Test
    void whoIsLateLosesItToWhoComesMeanwhile(@TempDir Path folder) throws Exception {
        try (var late = new LateApiServer();
                var slow = client(late.kubeconfig(folder.resolve("kubeconfig")));
                var client = client(TestParts.kubeconfig())) {
            var first = new Candidate(slow, "slow");
            await().until(() -> first.won.size() == 1);

            late.answersLeasesAfter(Duration.ofSeconds(20));
            var second = new Candidate(client, "quick");
            await().atMost(Duration.ofMinutes(1)).until(() -> second.won.size() == 1);
            assertThat(second.foreseen).hasPositiveValue();
            assertThat(second.won.getFirst().isForeseen()).isTrue();
            assertThat(first.won.getFirst().covers(Instant.now())).isFalse();
            late.answersLeasesAfter(Duration.ZERO);

            await().atMost(Duration.ofMinutes(1)).until(() -> first.lost.size() == 1);
            assertThat(first.heldOn).hasValue(0);
            first.close();
            second.close();
        }
    }

    /** What it knows of the Lease is older than what it has written itself. */
    @Test
    void whoEndsBeforeItsLastRenewalIsAnsweredGivesTheLeaseUpAllTheSame(@TempDir Path folder)
            throws Exception {
        try (var late = new LateApiServer();
                var slow = client(late.kubeconfig(folder.resolve("kubeconfig")));
                var client = client(TestParts.kubeconfig())) {
            var alone = new Candidate(slow, "ends");
            await().until(() -> alone.won.size() == 1);

            late.answersLeasesAfter(Duration.ofSeconds(20));
            var term = alone.won.getFirst();
            await().atMost(Duration.ofMinutes(1)).until(() -> !term.covers(Instant.now()));
            alone.lease.end();
            late.answersLeasesAfter(Duration.ZERO);

            await().atMost(Duration.ofMinutes(1)).until(() -> holder(client).isEmpty());
            assertThat(alone.lost).containsExactly(term);
        }
    }

    private static String holder(KubernetesClient client) {
        var lease = client.leases().inNamespace("kube-public").withName("muster-watcher-0").get();
        return Objects.requireNonNullElse(lease.getSpec().getHolderIdentity(), "");
    }

    private static KubernetesClient client(Path kubeconfig) {
        var config = Config.fromKubeconfig(kubeconfig.toFile());
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
