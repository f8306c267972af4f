package dev.muster.coordinator.stream;

import static dev.muster.coordinator.stream.InboxRecords.job;
import static dev.muster.coordinator.stream.InboxRecords.submitted;
import static dev.muster.coordinator.stream.InboxRecords.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.history.whatif.Alteration;
import dev.muster.coordinator.history.whatif.WhatIf.OfQueue;
import dev.muster.coordinator.history.whatif.WhatIf.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three jobs of a core on one node of one core: each runs for a minute, one after the other. */
class WhatIfTest {
    private static final Duration RUN = Duration.ofMinutes(1);
    private static final Waits ONE_BY_ONE = new Waits(3, RUN, RUN, RUN.multipliedBy(2));

    private final PlayedAgain again = new PlayedAgain();
    private final Stage stage = again.stage;

    @BeforeEach
    void play() {
        stage.with(1);
        for (int i = 1; i <= 3; i++) {
            stage.send(submitted(job("j" + i, i), workers(1)));
        }
        for (int i = 1; i <= 3; i++) {
            again.run(job("j" + i, i), RUN);
        }
        stage.send(InboxRecords.aliveWatcher());
    }

    @AfterEach
    void close() {
        again.close();
    }

    private static Alteration moreNodes(int nodes) {
        return new Alteration(
                new TreeMap<>(),
                new TreeMap<>(),
                null,
                new TreeMap<>(Map.of("n1", nodes)),
                new TreeSet<>());
    }

    @Test
    void withNothingAlteredItGoesAsItWent() {
        var result = again.tried(Alteration.none());

        assertThat(result.off()).isZero();
        assertThat(result.assumed()).isZero();
        assertThat(result.queues())
                .containsExactly(Map.entry("default", new OfQueue(ONE_BY_ONE, ONE_BY_ONE, 0, 0)));
    }

    @Test
    void oneMoreNodeStartsTwoEarlier() {
        assertThat(again.tried(moreNodes(1)).queues().get("default"))
                .isEqualTo(
                        new OfQueue(
                                ONE_BY_ONE,
                                new Waits(3, RUN.dividedBy(3), Duration.ZERO, RUN),
                                2,
                                0));
    }

    @Test
    void withoutTheNodeNothingStarts() {
        var without =
                new Alteration(
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null,
                        new TreeMap<>(),
                        new TreeSet<>(List.of("n1")));
        assertThat(again.tried(without).queues().get("default"))
                .returns(0, of -> of.after().started())
                .returns(3, OfQueue::later);
    }

    @Test
    void limitOfHalfACoreKeepsAllWaiting() {
        var limited =
                new Alteration(
                        new TreeMap<>(),
                        new TreeMap<>(Map.of("default", new TreeMap<>(Map.of("cpu", 500L)))),
                        null,
                        new TreeMap<>(),
                        new TreeSet<>());
        assertThat(again.tried(limited).queues().get("default"))
                .returns(0, of -> of.after().started());
    }

    /** Those like it are there in its place. */
    @Test
    void nodesLikeOneThatIsLeftOutAreThere() {
        var others =
                new Alteration(
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null,
                        new TreeMap<>(Map.of("n1", 2)),
                        new TreeSet<>(List.of("n1")));
        assertThat(again.tried(others).queues().get("default"))
                .isEqualTo(again.tried(moreNodes(1)).queues().get("default"));
    }

    @ParameterizedTest
    @CsvSource({"defualt, n1, queue defualt", "default, n9, node n9", "n1, n1, queue n1"})
    void nameOfNothingIsTold(String queue, String node, String unknown) {
        assertThat(again.tried(naming(queue, node)).unknown()).containsExactly(unknown);
    }

    @Test
    void nameOfAQueueIsThatOfNoNode() {
        assertThat(again.tried(naming("default", "default")).unknown())
                .containsExactly("node default");
    }

    /** Its guarantee is above its limit. */
    @Test
    void queueThatWasRefusedIsNone() {
        var refused = InboxRecords.queuePut();
        refused.getQueuePut().setName("never");
        refused.getQueuePut().getSpec().setGuaranteed(Map.of("cpu", 2L));
        refused.getQueuePut().getSpec().setLimit(Map.of("cpu", 1L));
        stage.send(refused);
        assertThat(again.tried(naming("never", "n1")).unknown()).containsExactly("queue never");
    }

    private static Alteration naming(String queue, String node) {
        return new Alteration(
                new TreeMap<>(Map.of(queue, 2)),
                new TreeMap<>(),
                null,
                new TreeMap<>(),
                new TreeSet<>(List.of(node)));
    }

    /** The first job runs already where the stretch begins; its end is as recorded. */
    @Test
    void stretchMayBeginInTheMiddle() {
        var result = again.tried(Stage.NOON.plusSeconds(1), moreNodes(1));

        assertThat(result.off()).isZero();
        assertThat(result.queues().get("default"))
                .returns(2, of -> of.before().started())
                .returns(2, of -> of.after().started())
                .returns(2, OfQueue::earlier);
    }
}
