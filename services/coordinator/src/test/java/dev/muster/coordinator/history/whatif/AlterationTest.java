package dev.muster.coordinator.history.whatif;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Settings;
import dev.muster.coordinator.stream.RandomValues;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** As operators' own changes would be. */
class AlterationTest {
    private static final QueueSpec SPEC =
            new QueueSpec(
                    1,
                    new QueueSpec.Doors(false, false, 10, 10, new TreeSet<>()),
                    new QueueSpec.Order(QueueSpec.Kind.FIFO, 0, true, Duration.ZERO),
                    Quota.NONE);

    private static final Settings SETTINGS = new RandomValues(1).of(Settings.class);

    @Test
    void anotherPolicyBeginsWithoutCredits() {
        for (var policy : QueuePolicy.values()) {
            var credits = policy == SETTINGS.spec().policy() ? List.of(3L, -3L) : List.of(0L, 0L);
            assertThat(credits(policy)).as(policy.name()).isEqualTo(credits);
        }
    }

    @Test
    void policyThatIsNotAlteredGoesOnWithItsCredits() {
        assertThat(credits(null)).containsExactly(3L, -3L);
    }

    @Test
    void nodeStaysAsSuspectAsItIsAndThoseThatAreLikeItAreNot() {
        var suspect =
                new Node(
                        "n",
                        1,
                        new TreeMap<>(),
                        List.of(),
                        false,
                        true,
                        Amounts.NONE,
                        0,
                        Node.Notes.NONE,
                        Node.Trust.SUSPECT,
                        true);
        var more = new TreeMap<>(Map.of("n", 1));
        var alteration =
                new Alteration(new TreeMap<>(), new TreeMap<>(), null, more, new TreeSet<>());
        assertThat(alteration.rows(Stream.of(suspect)))
                .extracting(row -> ((Node) row).name(), row -> ((Node) row).trust())
                .containsExactly(
                        tuple("n", Node.Trust.SUSPECT), tuple("n-more-1", Node.Trust.TRUSTED));
        assertThat(Alteration.none().rows(Stream.of(suspect))).isEqualTo(List.of(suspect));
    }

    /** No queue may have a limit below its guarantee. */
    @Test
    void guaranteeComesDownWithItsLimit() {
        var quota =
                new Quota(
                        Amounts.of(Map.of("cpu", 8000L, "memory", 10L)),
                        new TreeMap<>(),
                        true,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null);
        var queue =
                new Queue(
                        "a",
                        new QueueSpec(1, SPEC.doors(), SPEC.order(), quota),
                        0,
                        null,
                        false,
                        null);
        var limits = new TreeMap<String, SortedMap<String, Long>>();
        limits.put("a", new TreeMap<>(Map.of("cpu", 5000L)));
        var alteration =
                new Alteration(new TreeMap<>(), limits, null, new TreeMap<>(), new TreeSet<>());
        assertThat(alteration.rows(Stream.of(queue)))
                .extracting(row -> ((Queue) row).spec().quota().guaranteed())
                .containsExactly(Amounts.of(Map.of("cpu", 5000L, "memory", 10L)));
    }

    private static List<Long> credits(@Nullable QueuePolicy policy) {
        var alteration =
                new Alteration(
                        new TreeMap<>(), new TreeMap<>(), policy, new TreeMap<>(), new TreeSet<>());
        var rows =
                Stream.<Row>of(
                        new Queue("a", SPEC, 3, null, false, null),
                        new Queue("b", SPEC, -3, null, false, null),
                        SETTINGS);
        return alteration.rows(rows).stream()
                .filter(Queue.class::isInstance)
                .map(row -> ((Queue) row).credit())
                .toList();
    }
}
