package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RankPlaced;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An elastic job that saves before it stops, while one of its workers has found no room. */
class PoolSavingShortTest {
    private static final Duration JUDGED =
            FailurePolicy.PLAIN.settle().plus(FailurePolicy.PLAIN.delay().initial());

    private final Play play = Play.withNodes(2, 2);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void nobodyComesWhileItSavesThoughThereIsRoomAgain() {
        var worker = atLeast(2, after("master", Milestone.RUNNING, role("worker", 3, 1)));
        var spec = spec("default", role("master", 1, 1), worker);
        play.on(new Event.Submitted(a, byFile(ElasticJobs.elastic(2, 3, spec)), null));
        one.see("master", PodPhase.RUNNING, null);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        var node = one.rank(2).making().node();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 1)));
        one.seeNewest(2, PodPhase.FAILED, 137);
        play.passHeard(JUDGED.plusSeconds(1), 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, ""), null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 2)));
        play.takeEffects();
        one.seeNewest(0, PodPhase.RUNNING, null);
        play.restart();
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(play.take(RankPlaced.class)).isEmpty();
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        new Asking(play, a).answer(true);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Stopping.class);
    }
}
