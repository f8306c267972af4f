package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.behind;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.AnotherWork;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.state.Ends;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that come after others of which nothing is left. */
class PoolEndsTest {
    private static final Request REQUEST = new Request("r", "tester");
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);
    private final Play play = Play.withNodes(2);

    @Test
    void jobStartsAfterOneThatIsGone() {
        succeedAndGo(a);
        submit(b, behind("a", true, workers(1, 1)));
        assertThat(play.takePhases(b)).containsExactly(Phase.QUEUED, Phase.STARTING);
    }

    @Test
    void jobAfterTheFailureOfOneThatIsGoneFails() {
        submit(a, workers(1, 100));
        play.on(Fixtures.cancel(a, "", null));
        play.takeEffects();
        assertThat(play.rows.get(Row.Table.JOB)).isEmpty();
        submit(b, behind("a", true, workers(1, 1)));
        assertThat(play.takePhases(b)).contains(Phase.FAILED);
        submit(job("c", 3), behind("a", false, workers(1, 1)));
        assertThat(play.takePhases(job("c", 3))).contains(Phase.STARTING);
    }

    @Test
    void itIsTheNewestSubmissionThatCounts() {
        submit(a, workers(1, 100));
        play.on(Fixtures.cancel(a, "", null));
        succeedAndGo(job("a", 5));
        submit(job("b", 6), behind("a", true, workers(1, 1)));
        assertThat(play.takePhases(job("b", 6))).contains(Phase.STARTING);
    }

    /** Of the older one the pods are kept, so it is known longer than the newer one. */
    @Test
    void itIsTheNewestSubmissionThatCountsThoughMoreIsLeftOfAnOlderOne() {
        submit(a, workers(1, 1));
        play.on(
                new Event.PodSeen(
                        WATCHER,
                        a,
                        Fixtures.pod(
                                Fixtures.mark("worker", 0, 1),
                                1,
                                PodPhase.SUCCEEDED,
                                "node-0",
                                0)));
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUCCEEDED);
        submit(job("a", 5), workers(1, 100));
        play.on(Fixtures.cancel(job("a", 5), "", null));
        assertThat(play.rows.get(Row.Table.JOB)).hasSize(1);
        play.restart();
        submit(job("b", 6), behind("a", true, workers(1, 1)));
        assertThat(play.takePhases(job("b", 6))).contains(Phase.FAILED);
    }

    @Test
    void howItEndedIsKnownForADay() {
        succeedAndGo(a);
        play.restart();
        play.pass(Ends.END_RETENTION.minusSeconds(1));
        assertThat(play.rows.get(Row.Table.ENDED)).hasSize(1);
        play.pass(Duration.ofSeconds(1));
        assertThat(play.rows.get(Row.Table.ENDED)).isEmpty();
        play.takeEffects();
        play.on(new Event.Submitted(b, behind("a", true, workers(1, 1)), REQUEST));
        assertThat(play.takeOne(Effect.Answer.class).outcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void oneThatWasRefusedIsNotKnown() {
        play.on(new Event.Submitted(a, behind("nobody", true, workers(1, 1)), REQUEST));
        play.takeEffects();
        play.on(new Event.Submitted(b, behind("a", false, workers(1, 1)), REQUEST));
        assertThat(play.takeOne(Effect.Answer.class).outcome()).isEqualTo(Outcome.REFUSED);
    }

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, REQUEST));
    }

    /** Its pods are deleted as soon as it has ended. */
    private void succeedAndGo(JobId id) {
        submit(id, forgotten(workers(1, 1)));
        var mark = Fixtures.mark("worker", 0, 1);
        play.on(
                new Event.PodSeen(
                        WATCHER, id, Fixtures.pod(mark, 1, PodPhase.SUCCEEDED, "node-0", 0)));
        play.pass(Jobs.PUBLISH_DELAY);
        applied(id, false);
        play.on(new Event.PodGone(WATCHER, id, mark));
        applied(id, true);
        play.takeEffects();
        assertThat(play.rows.get(Row.Table.JOB)).isEmpty();
    }

    private void applied(JobId id, boolean confirms) {
        play.on(new Event.PlanApplied(id, play.job(id).fences().plan(), confirms, List.of()));
    }

    private static JobSpec forgotten(JobSpec spec) {
        return AnotherWork.of(spec, work -> work.ttl = Duration.ZERO);
    }
}
