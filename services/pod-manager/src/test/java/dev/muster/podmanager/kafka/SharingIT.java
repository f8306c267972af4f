package dev.muster.podmanager.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.muster.v1.InboxEvent;
import dev.muster.v1.InboxKind;
import dev.muster.v1.KeepPods;
import dev.muster.v1.PodManagerAlive;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SharingIT {
    private static final Duration SOON = Surroundings.SOON;
    private static final Surroundings AROUND = Surroundings.shared();

    @Test
    void twoInstancesShareThePartitionsAndOneTakesOverFromTheOther() {
        carriedOut("one", 1);
        try (var _ = Surroundings.podManager()) {
            await().atMost(SOON)
                    .untilAsserted(() ->
                            assertThat(served().values())
                                    .hasSize(2)
                                    .allSatisfy(p -> assertThat(p).hasSizeBetween(1, 15)));
            assertThat(served().values().stream().flatMap(List::stream).sorted().toList())
                    .isEqualTo(everyPartition());
            carriedOut("two", 1);
            for (int i = 0; i < 8; i++) {
                AROUND.publish(new Orders(Surroundings.NAMESPACE, "one" + i, "3-10").run(1, 2, 3));
            }
            for (int i = 0; i < 8; i++) {
                var name = "one" + i;
                // Version 1 may be told again by whoever took the partition over.
                await().atMost(SOON)
                        .untilAsserted(() ->
                                assertThat(AROUND.reports(name))
                                        .map(InboxEvent::getPlanApplied)
                                        .anyMatch(told ->
                                                told.getVersion() == 2
                                                        && told.getPods().size() == 3));
            }
        }
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(served().values()).anyMatch(p -> p.equals(everyPartition())));
        carriedOut("three", 1);
    }

    /** Whoever takes over tells again what is there, and makes nothing a second time. */
    @Test
    void whatWasDoneBeforeATakeOverIsOnlyToldAgain() {
        AROUND.publish(new Orders(Surroundings.NAMESPACE, "told", "3-10").run(1, 1, 2));
        AROUND.reports("told", 1);
        var before = AROUND.pods("told");
        try (var _ = Surroundings.podManager()) {
            await().atMost(SOON).until(() -> served().size() >= 2);
        }
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(served().values()).anyMatch(p -> p.equals(everyPartition())));
        assertThat(AROUND.pods("told")).isEqualTo(before);
        assertThat(AROUND.reports("told"))
                .allSatisfy(r -> assertThat(r.getPlanApplied().getPods()).hasSize(2));
    }

    @Test
    void budgetOfPodsThatStayGoesAlsoIfTheJobEndsWhileNoPodManagerRuns() {
        var job = new Orders(Surroundings.NAMESPACE, "unguarded", "3-10");
        var plan = job.run(1, 1, 2);
        plan.getRun().setLeastAvailable(2);
        AROUND.publish(plan);
        AROUND.reports("unguarded", 1);
        var budget =
                AROUND.kubernetes()
                        .policy()
                        .v1()
                        .podDisruptionBudget()
                        .inNamespace(Surroundings.NAMESPACE)
                        .withName("unguarded");
        assertThat(budget.get()).isNotNull();
        AROUND.betweenPodManagers(() -> AROUND.publish(job.stop(2, KeepPods.ALL, false)));
        await().atMost(SOON)
                .untilAsserted(() ->
                        assertThat(AROUND.reports("unguarded"))
                                .anyMatch(r -> r.getPlanApplied().getVersion() == 2));
        assertThat(budget.get()).isNull();
        assertThat(AROUND.pods("unguarded")).hasSize(2);
    }

    /** Whoever was replaced may have been about to make it, and wake up when nothing is left. */
    @Test
    void podThatIsMadeLateOfAJobThatIsGoneGoesWithoutTheNextSweep() {
        var job = new Orders(Surroundings.NAMESPACE, "waker", "3-10");
        AROUND.publish(job.run(1, 1, 1));
        AROUND.reports("waker", 1);
        var late =
                new PodBuilder(AROUND.pods("waker").getFirst())
                        .editMetadata()
                        .withUid(null)
                        .withResourceVersion(null)
                        .withOwnerReferences()
                        .endMetadata()
                        .build();
        AROUND.publish(job.stop(2, KeepPods.NONE, true));
        AROUND.reports("waker", 2);
        AROUND.publish(job.gone(3));
        AROUND.afterATakeover(() -> {
            AROUND.kubernetes().resource(late).create();
            await().atMost(SOON).untilAsserted(() -> assertThat(AROUND.pods("waker")).isEmpty());
        });
    }

    private static void carriedOut(String prefix, long version) {
        for (int i = 0; i < 8; i++) {
            AROUND.publish(
                    new Orders(Surroundings.NAMESPACE, prefix + i, "3-10").run(1, version, 2));
        }
        for (int i = 0; i < 8; i++) {
            assertThat(AROUND.reports(prefix + i, 1).getFirst().getKind())
                    .isEqualTo(InboxKind.PLAN_APPLIED);
            assertThat(AROUND.pods(prefix + i)).hasSize(2);
        }
    }

    /** The newest word of every instance that was heard lately. */
    private static Map<String, List<Integer>> served() {
        var all =
                AROUND.inbox().stream()
                        .filter(e -> e.getKind() == InboxKind.POD_MANAGER_ALIVE)
                        .toList();
        var recent = new HashMap<String, List<Integer>>();
        for (var event : all) {
            var late = all.getLast().getEnvelope().getAt().minus(Duration.ofSeconds(2));
            PodManagerAlive alive = event.getPodManagerAlive();
            if (event.getEnvelope().getAt().isAfter(late)) {
                recent.put(alive.getInstance(), alive.getPartitions());
            }
        }
        return recent;
    }

    private static List<Integer> everyPartition() {
        var all = new ArrayList<Integer>();
        for (int i = 0; i < 16; i++) {
            all.add(i);
        }
        return all;
    }
}
