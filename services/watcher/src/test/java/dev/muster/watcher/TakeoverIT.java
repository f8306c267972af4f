package dev.muster.watcher;

import static dev.muster.v1.InboxKind.NODE_SEEN;
import static dev.muster.v1.InboxKind.OTHERS_USE;
import static dev.muster.v1.InboxKind.POD_GONE;
import static dev.muster.v1.InboxKind.POD_SEEN;
import static dev.muster.v1.InboxKind.SNAPSHOT_BEGIN;
import static dev.muster.v1.InboxKind.SNAPSHOT_END;
import static dev.muster.v1.InboxKind.WATCHER_ALIVE;
import static dev.muster.watcher.ApiObjects.deletePod;
import static dev.muster.watcher.ApiObjects.makeNode;
import static dev.muster.watcher.ApiObjects.makeRank;
import static dev.muster.watcher.RealParts.API;
import static dev.muster.watcher.RealParts.nextNumber;
import static dev.muster.watcher.RealParts.putPool;
import static dev.muster.watcher.Watching.LONG;
import static dev.muster.watcher.Watching.SHORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.watcher.RealParts.Inbox;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TakeoverIT {
    private final int number = nextNumber();
    private final String pool = "pool-" + number;
    private final Inbox inbox = new Inbox(number);

    @AfterEach
    void closeTheInbox() {
        inbox.close();
    }

    @Test
    void onlyTheHolderSpeaksAndWhenItIsKilledTheOtherTellsAll(@TempDir Path folder)
            throws Exception {
        makeNode("node-" + number, Map.of("pool", pool));
        putPool(pool, number);
        var first = Watching.elsewhere("killed", folder.resolve("first.log"));
        try {
            await().atMost(Duration.ofMinutes(2)).until(() -> !epochs().isEmpty());
            try (var second = Watching.here("killed", SHORT)) {
                var watcher = second.getBean(Watcher.class);
                await().until(watcher::isReady);
                makeRank("train-" + number, "killed", pool);
                await().untilAsserted(() -> assertThat(kinds()).contains(POD_SEEN));
                assertThat(epochs()).hasSize(1);
                assertThat(watcher.shardsHeld()).isEmpty();

                var before = kinds();
                var all = List.of(SNAPSHOT_BEGIN, OTHERS_USE, NODE_SEEN, POD_SEEN, SNAPSHOT_END);
                var together = Stream.of(before, all).flatMap(List::stream).toList();
                first.destroyForcibly().waitFor();
                await().atMost(Duration.ofSeconds(20))
                        .untilAsserted(() -> assertThat(kinds()).isEqualTo(together));
                assertThat(epochs()).hasSize(2).isSorted();
                assertThat(watcher.shardsHeld()).containsExactly(0);
            }
        } finally {
            first.destroyForcibly();
        }
    }

    @Test
    void whoWakesAfterItsLeaseRanOutHoldsNothingAndIsBelievedNoMore(@TempDir Path folder)
            throws Exception {
        makeNode("node-" + number, Map.of("pool", pool));
        putPool(pool, number);
        var paused = Watching.elsewhere("paused", folder.resolve("paused.log"));
        try {
            await().atMost(Duration.ofMinutes(2)).until(() -> !epochs().isEmpty());
            try (var other = Watching.here("paused", SHORT)) {
                await().until(other.getBean(Watcher.class)::isReady);
                signal(paused, "STOP");
                await().atMost(Duration.ofSeconds(20)).until(() -> epochs().size() == 2);
                var asleep = makeRank("asleep-" + number, "paused", pool);
                await().until(() -> podsTold().equals(List.of(asleep)));

                signal(paused, "CONT");
                var awake = makeRank("awake-" + number, "paused", pool);
                await().until(() -> podsTold().equals(List.of(asleep, awake)));
                // It has had a renewal or two to see that the Lease is another's.
                await().during(Duration.ofSeconds(2))
                        .atMost(Duration.ofSeconds(10))
                        .until(() -> other.getBean(Watcher.class).shardsHeld().equals(List.of(0)));
            }
            assertThat(paused.isAlive()).isTrue();
            assertThat(epochs()).hasSize(2).isSorted();
        } finally {
            paused.destroyForcibly();
        }
    }

    /** Nobody has told of anything meanwhile: it need not list all again, nor tell it. */
    @Test
    void whoWakesToALeaseThatNobodyTookGoesOnWhereItWas(@TempDir Path folder) throws Exception {
        makeNode("node-" + number, Map.of("pool", pool));
        putPool(pool, number);
        var alone = Watching.elsewhere("alone", folder.resolve("alone.log"));
        try {
            await().atMost(Duration.ofMinutes(2)).until(() -> kinds().contains(SNAPSHOT_END));
            signal(alone, "STOP");
            // Its Lease runs out, of which nothing can be seen: who is stopped writes nothing.
            Thread.sleep(given("alone").plusSeconds(1));
            var asleep = makeRank("asleep-" + number, "alone", pool);
            signal(alone, "CONT");

            await().atMost(Duration.ofSeconds(30)).until(() -> podsTold().equals(List.of(asleep)));
            assertThat(epochs()).hasSize(1);
            assertThat(of(SNAPSHOT_BEGIN)).hasSize(1);
            assertThat(Files.readString(folder.resolve("alone.log"))).contains("lease held on");
        } finally {
            alone.destroyForcibly();
        }
    }

    /** Its watches come back later than its Lease, and who does not hear says nothing. */
    @Test
    void whoseApiServerWasAwayTellsAllThatIsThereUnderANewEpoch(@TempDir Path folder)
            throws Exception {
        makeNode("node-" + number, Map.of("pool", pool));
        putPool(pool, number);
        var log = folder.resolve("away.log");
        try (var api = new CuttableApiServer()) {
            var kubeconfig = api.kubeconfig(folder.resolve("kubeconfig"));
            var alone = Watching.elsewhere("away", kubeconfig, log);
            try {
                await().until(() -> kinds().contains(SNAPSHOT_END));
                api.goesAway();
                var unseen = makeRank("unseen-" + number, "away", pool);
                await().until(() -> Files.readString(log).contains("cannot be listed or watched"));
                api.comesBack();

                await().until(() -> podsTold().equals(List.of(unseen)));
                assertThat(epochs()).hasSize(2).isSorted();
            } finally {
                alone.destroyForcibly();
            }
        }
    }

    private static void signal(Process process, String name) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + name, "" + process.pid());
        assertThat(kill.start().waitFor()).isZero();
    }

    /** Pods as a pool hears of them: who has been followed by another is not believed. */
    private List<String> podsTold() {
        long newest = epochs().getLast();
        return of(POD_SEEN).stream()
                .filter(event -> event.getWitness().getEpoch() == newest)
                .map(event -> event.getPodSeen().getIdentity().getPod())
                .distinct()
                .toList();
    }

    /** A watch may be behind without a word; what a list lacks is taken for gone. */
    @Test
    @Tag("only-in-profile-long")
    void whoTakesOverWithAWatchThatIsBehindTellsOfAllThatIsThere(@TempDir Path folder)
            throws Exception {
        makeNode("node-" + number, Map.of("pool", pool));
        putPool(pool, number);
        var goes = makeRank("goes-" + number, "behind", pool);
        var first = Watching.here("behind", LONG);
        await().until(() -> of(POD_SEEN).size() == 1);
        try (var late = new LateApiServer()) {
            var kubeconfig = late.kubeconfig(folder.resolve("kubeconfig"));
            var second = Watching.elsewhere("behind", kubeconfig, folder.resolve("second.log"));
            try {
                await().until(() -> late.podWatches() > 0);
                late.isLate();
                var comes = makeRank("comes-" + number, "behind", pool);
                deletePod(goes);
                await().until(() -> !of(POD_GONE).isEmpty());
                first.close();
                await().until(() -> epochs().size() == 2 && kinds().getLast() == SNAPSHOT_END);
                assertThat(podsTold()).containsExactly(comes);
            } finally {
                second.destroyForcibly();
            }
        }
    }

    @Test
    void whoEndsInPeaceGivesTheLeaseToTheNextAtOnce() throws Exception {
        putPool(pool, number);
        var first = Watching.here("ended", LONG);
        await().until(() -> !epochs().isEmpty());
        try (var second = Watching.here("ended", LONG)) {
            first.close();
            await().until(() -> epochs().size() == 2);
            assertThat(second.getBean(Watcher.class).shardsHeld()).containsExactly(0);
        }
        assertThat(epochs()).isSorted();
    }

    @Test
    void whoseLeaseWasTakenIsSilentAtOnce() throws Exception {
        putPool(pool, number);
        try (var robbed = Watching.here("robbed", SHORT)) {
            var watcher = robbed.getBean(Watcher.class);
            await().until(() -> !epochs().isEmpty());
            // The watcher may renew it in between.
            await().ignoreExceptions().until(() -> takeTheLease("robbed", "a robber") != null);
            await().until(() -> watcher.shardsHeld().isEmpty());
            makeNode("node-" + number, Map.of("pool", pool));
            await().until(() -> epochs().size() == 2);
            await().until(() -> !of(NODE_SEEN).isEmpty());
        }
        assertThat(of(NODE_SEEN))
                .extracting(event -> event.getWitness().getEpoch())
                .containsOnly(epochs().getLast());
    }

    /** For how long the Lease was asked for last: longer than configured on a busy machine. */
    private static Duration given(String installation) {
        var lease = API.leases().inNamespace(installation).withName("muster-watcher-0").get();
        return Duration.ofSeconds(lease.getSpec().getLeaseDurationSeconds());
    }

    /** As another candidate would who sees it run out; it never renews it. */
    private static Object takeTheLease(String installation, String robber) {
        return API.leases()
                .inNamespace(installation)
                .withName("muster-watcher-0")
                .edit(lease ->
                        new LeaseBuilder(lease)
                                .editSpec()
                                .withHolderIdentity(robber)
                                .endSpec()
                                .build());
    }

    private List<InboxKind> kinds() {
        return inbox.read().stream()
                .map(InboxEvent::getKind)
                .filter(kind -> kind != WATCHER_ALIVE)
                .toList();
    }

    private List<InboxEvent> of(InboxKind kind) {
        return inbox.read().stream().filter(event -> event.getKind() == kind).toList();
    }

    /** Of all that was told, in the order in which they came first. */
    private List<Long> epochs() {
        return inbox.read().stream()
                .map(event -> event.getWitness().getEpoch())
                .distinct()
                .toList();
    }
}
