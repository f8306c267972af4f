package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.behind;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Selector;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many jobs that come after one, or one after the other. */
class PoolLongLinesTest {
    private static final Request REQUEST = new Request("default", "r1");

    /** Of one step, as it is promised. */
    private static final int PROMISED = 500;

    private static final JobId FIRST = job("first", 1);

    private static Play crowded() {
        var play = Play.withNodes(1);
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, false, true, 10_000), null));
        return play;
    }

    @Test
    void failureGoesDownALongLineInSteps() {
        var play = crowded();
        submit(play, FIRST, workers(9, 1));
        for (int i = 0; i < 3_000; i++) {
            var before = i == 0 ? "first" : "j" + (i - 1);
            submit(play, job("j" + i, 10 + i), behind(before, true, workers(9, 1)));
        }
        play.takeEffects();
        play.on(Fixtures.cancel(FIRST, "", null));
        assertThat(play.largestStep()).isLessThanOrEqualTo(PROMISED);
        var moves = play.take(Effect.Moved.class);
        assertThat(moves).hasSize(3_001);
        assertThat(moves.getLast().to()).isEqualTo(Phase.FAILED);
        assertThat(moves.getLast().message()).isEqualTo("ml/j2998 ended FAILED");
        assertThat(play.rows.get(Row.Table.JOB)).isEmpty();
    }

    @Test
    void manyThatComeAfterOneHearOfItsEndInSteps() {
        var play = crowded();
        submit(play, FIRST, workers(9, 1));
        for (int i = 0; i < 1_000; i++) {
            submit(play, job("j" + i, 10 + i), behind("first", i % 2 == 0, workers(9, 1)));
        }
        play.takeEffects();
        var step = play.onStep(Fixtures.cancel(FIRST, "", null));
        assertThat(step.more()).isTrue();
        for (int i = 0; step.more(); i++) {
            if (i % 3 == 0) {
                play.restart();
            }
            step = play.onStep();
        }
        assertThat(play.largestStep()).isLessThanOrEqualTo(PROMISED);
        assertThat(play.rows.get(Row.Table.JOB).values())
                .hasSize(500)
                .extracting(Job.class::cast)
                .allMatch(job -> job.state().takesPart());
    }

    /** However little one step does: in none of them one that is meant fails meanwhile. */
    @ParameterizedTest(name = "steps of {0}")
    @ValueSource(ints = {1, 4, 7, 12, 400})
    void jobsThatAreCancelledWithTheirsAreCancelledToo(int most) {
        var play = Play.inSteps(most, 1);
        play.on(new Event.QueuePut("x", QueueSpecs.QUEUE, null));
        var names = List.of("a", "b", "c", "d", "e", "f");
        submit(play, job("a", 1), workers(9, 1));
        for (int i = 1; i < names.size(); i++) {
            var before = behind(names.get(i - 1), true, workers(9, 1));
            submit(play, job(names.get(i), 1 + i), before);
        }
        submit(play, job("elsewhere", 9), behind("f", true, Fixtures.spec("x", one())));
        play.takeEffects();
        var mine = new Selector("default", null, new TreeMap<>());
        play.on(new Event.BulkAsked(mine, new Change.Cancel(null, ""), REQUEST));
        var effects = play.takeEffects();
        assertThat(effects).contains(new Effect.BulkDone(REQUEST, new Bulk.Counts(6, 6)));
        for (int i = 0; i < names.size(); i++) {
            assertThat(Play.phases(effects, job(names.get(i), 1 + i)))
                    .containsExactly(Phase.CANCELLED);
        }
        assertThat(Play.phases(effects, job("elsewhere", 9))).containsExactly(Phase.FAILED);
    }

    private static JobSpec.Role one() {
        return Fixtures.role("worker", 9, 1);
    }

    private static void submit(Play play, JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }
}
