package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Eligibility;
import dev.muster.coordinator.core.state.Journal;
import dev.muster.coordinator.core.state.Tables;
import dev.muster.coordinator.core.turns.Sweeps.Further;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lines that are looked at beside the first ones of their queue. */
class StartableQueuesTest {
    private static final JobId TOO_LARGE = job("x", 1);
    private static final JobId SMALL = job("y", 2);

    private final Tables tables = new Tables(new Journal());
    private final Eligibility eligibility = tables.eligibility;
    private final StartableQueues lanes = new StartableQueues(tables, new ShapeFits(tables));

    @BeforeEach
    void oneQueueHasAJobThatFits() {
        var play = Play.withNodes();
        var jobs = new NamedJobs(play);
        jobs.queue("a", QueueSpecs.QUEUE);
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.submit(TOO_LARGE.name(), 1, spec("a", role("worker", 1, 2)));
        jobs.submit(SMALL.name(), 2, spec("b", role("worker", 1, 1)));
        play.allRows().forEach(tables::restore);
        tables.restore(node("node-0", 1));
    }

    @Test
    void furtherLinesFollowTheFirstOnesOfTheirQueueAlone() {
        assertThat(heads()).isEqualTo(Map.of("b", SMALL));
        lanes.show(new Further("a", small()));
        assertThat(heads()).isEqualTo(Map.of("a", SMALL, "b", SMALL));
        lanes.showNone();
        assertThat(heads()).isEqualTo(Map.of("b", SMALL));
    }

    @Test
    void lineOfWhichAllWereStartedIsLeftOut() {
        var further = new Further("a", small());
        tables.remove(tables.job(SMALL));
        assertThat(further.left()).isEmpty();
        lanes.show(further);
        assertThat(heads()).isEmpty();
    }

    private List<Line> small() {
        return eligibility.lines(tables.queue("b"));
    }

    private Map<String, JobId> heads() {
        var heads = new TreeMap<String, JobId>();
        lanes.contenders().forEach(lane -> heads.put(lane.name(), lane.head()));
        return heads;
    }
}
