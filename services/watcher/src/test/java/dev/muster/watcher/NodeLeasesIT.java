package dev.muster.watcher;

import static dev.muster.watcher.ApiObjects.makeNode;
import static dev.muster.watcher.RealParts.API;
import static dev.muster.watcher.RealParts.nextNumber;
import static dev.muster.watcher.RealParts.putPool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.v1.InboxKind;
import dev.muster.watcher.RealParts.Inbox;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Nodes that renew their leases with a real API server, as kubelets do, and one that ceases to. */
class NodeLeasesIT {
    private static final String INSTALLATION = "leased";
    private static final String LEASES = "kube-node-lease";

    /** A quarter of it is what lies between two renewals. */
    private static final Duration LEASE = Duration.ofSeconds(8);

    private final int number = nextNumber();
    private final String pool = "pool-" + number;
    private final String dies = "dies-" + number;
    private final String lives = "lives-" + number;
    private final String without = "without-" + number;

    @Test
    void nodeThatRenewsNoMoreIsToldToBeSilentThoughItIsReady() throws Exception {
        makeNamespace();
        for (var node : List.of(dies, lives, without)) {
            makeNode(node, Map.of("pool", pool));
        }
        try (var kubelets = Executors.newSingleThreadScheduledExecutor();
                var watcher = Watching.here(INSTALLATION, Watching.LONG);
                var inbox = new Inbox(number)) {
            assertThat(watcher.isRunning()).isTrue();
            putPool(pool, number);
            var dying = renews(kubelets, dies);
            var living = renews(kubelets, lives);
            await().untilAsserted(() -> assertThat(told(inbox, dies)).contains(false));
            var before = renewals(dies);
            await().untilAsserted(() -> assertThat(renewals(dies)).isNotEqualTo(before));
            dying.cancel(true);
            await().untilAsserted(() -> assertThat(told(inbox, dies)).last().isEqualTo(true));
            assertThat(API.nodes().withName(dies).get().getStatus().getConditions())
                    .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
            assertThat(told(inbox, without)).doesNotContain(true);
            var again = renews(kubelets, dies);
            await().untilAsserted(() -> assertThat(told(inbox, dies)).last().isEqualTo(false));
            again.cancel(true);
            living.cancel(true);
        }
    }

    /** What the pool was told of a node, one after the other. */
    private static List<Boolean> told(Inbox inbox, String node) {
        return inbox.read().stream()
                .filter(event -> event.getKind() == InboxKind.NODE_SEEN)
                .filter(event -> event.getNodeSeen().getName().equals(node))
                .map(event -> event.getNodeSeen().getSilent())
                .toList();
    }

    private static String renewals(String node) {
        var lease = API.leases().inNamespace(LEASES).withName(node).get();
        return lease == null ? "" : lease.getMetadata().getResourceVersion();
    }

    private static ScheduledFuture<?> renews(ScheduledExecutorService kubelets, String node) {
        return kubelets.scheduleAtFixedRate(
                () -> renew(node), 0, LEASE.toMillis() / 4, TimeUnit.MILLISECONDS);
    }

    private static void renew(String node) {
        var at = ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
        var known = API.leases().inNamespace(LEASES).withName(node).get();
        if (known == null) {
            API.resource(lease(node, at)).create();
        } else {
            known.getSpec().setRenewTime(at);
            API.resource(known).update();
        }
    }

    private static Lease lease(String node, ZonedDateTime at) {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(LEASES)
                .withName(node)
                .endMetadata()
                .withNewSpec()
                .withHolderIdentity(node)
                .withLeaseDurationSeconds((int) LEASE.toSeconds())
                .withRenewTime(at)
                .endSpec()
                .build();
    }

    private static void makeNamespace() {
        // The API server makes it by itself, but not at once.
        var namespace =
                new NamespaceBuilder().withNewMetadata().withName(LEASES).endMetadata().build();
        await().ignoreExceptions()
                .until(() -> {
                    if (API.namespaces().withName(LEASES).get() == null) {
                        API.resource(namespace).create();
                    }
                    return true;
                });
    }
}
