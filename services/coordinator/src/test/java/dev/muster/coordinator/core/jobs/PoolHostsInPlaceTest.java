package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Planned.hosts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action.RestartInPlace;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.HostList;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hosts whose container started again in its pod: what was started there before is gone. */
class PoolHostsInPlaceTest {
    private static final RankId LAUNCHER = new RankId("launcher", 0);
    private static final JobSpec SPEC = ElasticJobs.launched("default", 2, 3, 6);
    private static final Rule ON_42 =
            new Rule(List.of(new ExitCodes(42, 42)), List.of(), null, new RestartInPlace());

    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    private HostList runs(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        for (int i = 0; i < 3; i++) {
            one.seeNewest(i, PodPhase.RUNNING, null);
        }
        play.pass(Jobs.PUBLISH_DELAY);
        var launcher = (Rank) play.rows.get(Row.Table.RANK).get(Rank.id(a, LAUNCHER));
        var mark = new Event.PodMark(LAUNCHER, 1, launcher.making().incarnation(), 1, "launcher");
        var node = launcher.making().node();
        var pod = Fixtures.pod(mark, one.nextVersion(), PodPhase.RUNNING, node);
        play.on(new Event.PodSeen(Fixtures.WATCHER, a, pod));
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
        return play.job(a).hosts();
    }

    private RunPlan lastPlan() {
        return play.take(RunPlan.class).getLast();
    }

    @Test
    void whomItsKubeletStartedAgainIsAnotherOneUnderItsName() {
        var before = runs(SPEC);
        one.seeAgain(1, 1, 137);
        play.pass(Jobs.PUBLISH_DELAY);
        var plan = lastPlan();
        assertThat(hosts(plan)).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(plan.hosts()).isGreaterThan(before.version());
        one.seeAgain(1, 1, 137);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(play.take(RunPlan.class)).isEmpty();
    }

    @Test
    void whoIsToStartAgainByARuleIsOutUntilItsTimeAndThenAnotherOne() {
        var policy = Fixtures.policy(FailurePolicy.Otherwise.POD, ON_42);
        var before = runs(Fixtures.failing(policy, SPEC));
        one.seeAgain(1, 1, 42);
        play.pass(Jobs.PUBLISH_DELAY);
        var without = lastPlan();
        assertThat(hosts(without)).containsExactly("worker-0", "worker-2");
        assertThat(without.hosts()).isGreaterThan(before.version());
        play.passHeard(policy.settle().plus(policy.delay().initial()), 0);
        play.pass(Jobs.PUBLISH_DELAY);
        assertThat(one.rank(1).making().inPlace()).isPositive();
        var again = lastPlan();
        assertThat(hosts(again)).containsExactly("worker-0", "worker-1", "worker-2");
        assertThat(again.hosts()).isGreaterThan(without.hosts());
        assertThat(play.job(a).hosts().digest()).isNotEqualTo(before.digest());
    }
}
