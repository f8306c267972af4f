package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.queue.Line;
import dev.muster.coordinator.core.state.Eligibility.Further;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lines that are looked at beside the first ones of their queue. */
class EligibilityTest {
    private final Tables tables = new Tables(new Journal());
    private final Eligibility eligibility = new Eligibility(tables);

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

    @Test
    void furtherLinesFollowTheFirstOnesOfTheirQueueAlone() {
        var other = lines("b").getFirst();
        eligibility.show(new Further("a", List.of(other)));
        assertThat(heads("a")).containsExactly(job("x", 1), job("y", 2));
        assertThat(heads("b")).containsExactly(job("y", 2));
        eligibility.show(null);
        assertThat(heads("a")).containsExactly(job("x", 1));
    }

    @Test
    void lineOfWhichAllWereStartedIsLeftOut() {
        var other = lines("b").getFirst();
        var further = new Further("a", List.of(other));
        eligibility.show(further);
        tables.remove(tables.job(job("y", 2)));
        assertThat(further.left()).isEmpty();
        assertThat(heads("a")).containsExactly(job("x", 1));
    }

    private List<Line> lines(String queue) {
        return eligibility.lines(tables.queue(queue));
    }

    private List<JobId> heads(String queue) {
        return lines(queue).stream().map(Line::head).toList();
    }
}
