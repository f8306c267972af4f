package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Planned.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Host lists when a command takes the place of one whose newcomers are to leave a node. */
class PoolHostsOfHeirsTest {
    private static final RankId LAUNCHER = new RankId(JobSpec.LAUNCHER, 0);
    private final Play play = Play.withNodes(3);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private final Asking asking = new Asking(play, a);

    @BeforeEach
    void newcomerIsToLeaveItsNodeOnceItsJobHasSaved() {
        play.on(new Event.Submitted(a, byFile(ElasticJobs.launched("default", 2, 2, 6)), null));
        one.applied(false);
        for (int i = 0; i < 2; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
        launcherRuns();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 1)));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 2)));
    }

    private void launcherRuns() {
        var rank = (Rank) play.rows.get(Row.Table.RANK).get(Rank.id(a, LAUNCHER));
        var mark = new Event.PodMark(LAUNCHER, 1, rank.making().incarnation(), 1, "launcher-0");
        var node = rank.making().node();
        var pod = Fixtures.pod(mark, one.nextVersion(), PodPhase.RUNNING, node);
        play.on(new Event.PodSeen(WATCHER, a, pod));
        play.pass(Jobs.PUBLISH_DELAY);
    }

    private void ask(int size, boolean atomic) {
        var terms = new Change.Terms(Duration.ZERO, atomic, Duration.ZERO, false);
        play.on(new Event.ChangeAsked(a, new Change.SetReplicas("worker", size, terms), null));
    }

    private int brings(boolean atomic) {
        ask(5, atomic);
        asking.answer(true);
        play.pass(Jobs.PUBLISH_DELAY);
        int alone = 0;
        for (int i = 2; i < 5; i++) {
            alone = one.rank(i).making().node().equals("node-1") ? i : alone;
            one.seeUnready(i);
        }
        one.seeNewest(alone, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-1", 1)));
        assertThat(one.rank(alone).isLeaving()).isTrue();
        play.pass(Jobs.PUBLISH_DELAY);
        return alone;
    }

    @Test
    void whoIsToLeaveIsListedWithThoseWithWhomHeCame() {
        brings(true);
        ask(4, true);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(RunPlan.class))
                .allSatisfy(plan -> assertThat(hosts(plan)).hasSizeLessThan(3));
        for (int i = 2; i < 5; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(play.take(RunPlan.class).getLast())).hasSize(5);
    }

    @Test
    void whoCameAloneStaysListedThoughHeIsToLeave() {
        int alone = brings(false);
        assertThat(hosts(play.take(RunPlan.class).getLast())).contains("worker-" + alone);
        ask(4, true);
        one.seeUnready(0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(hosts(play.take(RunPlan.class).getLast()))
                .contains("worker-" + alone)
                .hasSize(2);
    }
}
