package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.queue.Ledger;
import dev.muster.coordinator.core.queue.Line;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who keeps to what is guaranteed to the queue. */
class EligibilityTest {
    private final Tables tables = new Tables(new Journal());
    private final Eligibility eligibility = tables.eligibility;

    @BeforeEach
    void twoQueuesHaveALineEach() {
        var play = Play.withNodes();
        var jobs = new NamedJobs(play);
        jobs.queue("a", QueueSpecs.QUEUE);
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.submit("x", 1, spec("a", role("worker", 1, 1)));
        jobs.submit("y", 2, spec("b", role("worker", 1, 2)));
        play.allRows().forEach(tables::restore);
    }

    /** Of x, which needs one core, and y, which needs two. */
    @ParameterizedTest
    @CsvSource({"a, 0, false", "a, 1, true", "b, 1, false", "b, 2, true"})
    void someJobMayKeepToTheGuaranteeThatNeedsNoMoreOfIt(String name, long cores, boolean may) {
        guarantee(name, "cpu", cores * 1000);
        assertThat(eligibility.mayAnyKeepToGuarantee(tables.queue(name))).isEqualTo(may);
        var line = lines(name).getFirst();
        assertThat(eligibility.needsOfGuarantee(tables.queue(name), line))
                .isEqualTo(cores == 0 ? List.of() : List.of("cpu"));
    }

    @Test
    void nobodyKeepsToAGuaranteeOfWhichNothingIsLeft() {
        guarantee("a", "cpu", 3000);
        var payer = new Ledger.Payer("a", "ml");
        tables.ledger.charge(payer, new Use(Fixtures.cpu(2), Amounts.NONE));
        assertThat(eligibility.mayAnyKeepToGuarantee(tables.queue("a"))).isTrue();
        tables.ledger.hold(payer, new Use(Fixtures.cpu(1), Amounts.NONE));
        assertThat(eligibility.mayAnyKeepToGuarantee(tables.queue("a"))).isFalse();
    }

    /** Though it borrows nothing, either, where nobody is guaranteed what it needs. */
    @Test
    void whoNeedsNothingOfTheGuaranteeDoesNotKeepToIt() {
        guarantee("a", "nvidia.com/gpu", 8);
        var queue = tables.queue("a");
        var line = lines("a").getFirst();
        assertThat(eligibility.mayAnyKeepToGuarantee(queue)).isFalse();
        assertThat(eligibility.isGuaranteed(queue, line)).isTrue();
        assertThat(eligibility.needsOfGuarantee(queue, line)).isEmpty();
    }

    private void guarantee(String queue, String resource, long amount) {
        var quota =
                new Quota(
                        Amounts.of(Map.of(resource, amount)),
                        new TreeMap<>(),
                        true,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null);
        tables.put(Queue.of(queue, QueueSpecs.with(QueueSpecs.QUEUE, quota)));
    }

    private List<Line> lines(String queue) {
        return eligibility.lines(tables.queue(queue));
    }
}
