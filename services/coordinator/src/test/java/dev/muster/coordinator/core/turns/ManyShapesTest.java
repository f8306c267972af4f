package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * 3,000 jobs wait, no two of which are alike, and of all their pods it is kept how many go to each
 * node: how many rooms a round looks at.
 */
class ManyShapesTest {
    private static final int SHAPES = 3_000;
    private static final int OF_A_QUEUE = 1_000;

    /** Of cpu, in thousandths: the next one needs one more. */
    private static final long LEAST = 2_000;

    private static final List<Row> ROWS = new ArrayList<>();

    private final Tables tables = new Tables(new Journal());
    private final ShapeFits fits = new ShapeFits(tables);

    @BeforeAll
    static void jobsWaitThatAreAllDifferent() {
        var play = Play.withNodes();
        for (int i = 0; i < SHAPES; i++) {
            if (i % OF_A_QUEUE == 0) {
                play.on(new Event.QueuePut(queue(i), QueueSpecs.QUEUE, null));
            }
            play.on(new Event.Submitted(job("job-" + i, i + 1), waiting(i), null));
        }
        play.allRows().forEach(ROWS::add);
    }

    private static String queue(int job) {
        return "queue-" + job / OF_A_QUEUE;
    }

    /** Some are gangs of two roles, which are searched for. */
    private static JobSpec waiting(int i) {
        var worker = role("worker", 1, cpu(LEAST + i), NodeFilter.ANY);
        var master = role("master", 1, cpu(LEAST + i), NodeFilter.ANY);
        return i % 100 == 0 ? spec(queue(i), master, worker) : spec(queue(i), worker);
    }

    private static Amounts cpu(long milli) {
        return Amounts.of(Map.of("cpu", milli, "pods", 1L));
    }

    /** All nodes are full, but for a core each. */
    private void fill(int nodes) {
        ROWS.forEach(tables::restore);
        for (int i = 0; i < nodes; i++) {
            tables.restore(node("node-" + i, 8));
            tables.capacity.occupy("node-" + i, cpu(7_000));
        }
        for (int i = 0; i < SHAPES; i += OF_A_QUEUE) {
            var queue = tables.queue(queue(i));
            tables.backlog.lines(queue.name(), tables.eligibility.order(queue, tables.now()));
        }
        look();
        // Who is new is asked about once more.
        tables.capacity.release("node-0", cpu(1));
        look();
    }

    /** Returns at how many rooms. */
    private long look() {
        long before = tables.capacity.looked();
        fits.refresh();
        fits.judge();
        return tables.capacity.looked() - before;
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1_000})
    void newsThatIsNobodysHasAFewRoomsLookedAt(int nodes) {
        fill(nodes);
        tables.capacity.release("node-3", cpu(500));
        assertThat(look()).isLessThan(20);
        assertThat(look()).isZero();
    }

    /**
     * Of nearly all as many pods would go there as before, if none of our jobs ran. Gangs of two
     * roles are searched for.
     */
    @ParameterizedTest
    @ValueSource(ints = {10, 1_000})
    void whatOthersUseHasThoseLookedAtOfWhomAnotherNumberWouldGoThere(int nodes) {
        fill(nodes);
        tables.restore(new Others("node-3", 0, Amounts.of(Map.of("cpu", 10L)), 0));
        assertThat(look()).isBetween(SHAPES / 100L, SHAPES / 5L);
    }

    /** Of each shape one room, in what there is now, and what is told of it. */
    @ParameterizedTest
    @ValueSource(ints = {10, 1_000})
    void roomForAllHasThatOneLookedAtForEach(int nodes) {
        fill(nodes);
        tables.capacity.release("node-3", cpu(7_000));
        assertThat(look()).isBetween(SHAPES * 1L, SHAPES * 3L);
        assertThat(IntStream.of(1, 2_001, 2_999).mapToObj(ManyShapesTest::waiting))
                .allMatch(job -> fits.of(Fixtures.shape(job)).fits());
    }
}
