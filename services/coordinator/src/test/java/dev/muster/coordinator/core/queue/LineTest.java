package dev.muster.coordinator.core.queue;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Clock;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Use;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineTest {
    private final Line asSubmitted = line(false, false);
    private final Line asTheyCame = line(true, true);

    @Test
    void whoWasSubmittedFirstIsTheHead() {
        assertThat(asSubmitted.isBeforeHead(waiting(5))).isTrue();
        asSubmitted.add(waiting(5));
        assertThat(asSubmitted.isBeforeHead(waiting(7))).isFalse();
        assertThat(asSubmitted.isBeforeHead(waiting(3))).isTrue();
    }

    @Test
    void whoCameInLineFirstIsTheHeadWhereTimeCountsAndOfThoseWhoWasSubmittedFirst() {
        asTheyCame.add(letIn(5, 60));
        assertThat(asTheyCame.isBeforeHead(letIn(3, 61))).isFalse();
        assertThat(asTheyCame.isBeforeHead(letIn(7, 59))).isTrue();
        assertThat(asTheyCame.isBeforeHead(letIn(3, 60))).isTrue();
        assertThat(asTheyCame.isBeforeHead(letIn(7, 60))).isFalse();
    }

    @Test
    void firstOfALineAreCountedInItsOrder() {
        for (int i = 0; i < 4; i++) {
            asSubmitted.add(waiting(i));
            asTheyCame.add(letIn(i, 60 - i));
        }
        var these = List.of(waiting(0).id(), waiting(1).id(), waiting(2).id());
        assertThat(asSubmitted.countFirst(these::contains)).isEqualTo(3);
        var last = List.of(waiting(3).id(), waiting(2).id());
        assertThat(asTheyCame.countFirst(last::contains)).isEqualTo(2);
    }

    private static Line line(boolean letIn, boolean byTime) {
        var shape = Fixtures.shape(workers(1, 1));
        return new Line(new Line.Likeness(shape, Use.NONE, 0, "ml", letIn), byTime);
    }

    private static Job waiting(long ticket) {
        return Job.submitted(
                Fixtures.job("j" + ticket, ticket), workers(1, 1), new Clock(NOON, ticket, null));
    }

    private static Job letIn(long ticket, int second) {
        var job = waiting(ticket);
        return job.with(job.past().lettingIn(NOON.plusSeconds(second)));
    }
}
