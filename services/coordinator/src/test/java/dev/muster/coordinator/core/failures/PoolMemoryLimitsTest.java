package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.gibi;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.limited;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.remembering;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.Phase;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Memory of elastic jobs that wish as many pods as they may have in all. */
class PoolMemoryLimitsTest {
    private final Play play = Play.withNodes(3, 3);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @Test
    void itGrowsAsFarAsThoseThatAreThereMay() {
        runs(8);
        assertThat(wished()).isEqualTo(4);
        fails();
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        assertThat(one.rank(1).making().memory()).isEqualTo(gibi(3));
        assertThat(wished()).isEqualTo(2);
        play.restart();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 3)));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.ranks(a)).hasSize(2);
    }

    @Test
    void whatIsLeftForOthersStaysWished() {
        runs(9);
        fails();
        assertThat(wished()).isEqualTo(3);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 3)));
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(play.ranks(a)).hasSize(3);
    }

    @Test
    void itDoesNotGrowBeyondWhatThoseThatAreThereMay() {
        runs(4);
        fails();
        var end = play.takeOne(Effect.Moved.class);
        assertThat(end.to()).isEqualTo(Phase.FAILED);
        assertThat(end.message())
                .endsWith("resourceLimits allow 4Gi for all pods together, which leaves it 2Gi");
    }

    @Test
    void sizeThatIsAskedForJustNowIsNotTakenBack() {
        runs(8, 2);
        var terms = new Terms(Duration.ZERO, false, Duration.ZERO, false);
        play.on(new Event.ChangeAsked(a, new Change.ScaleOut("worker", 2, terms), null));
        assertThat(wished()).isEqualTo(4);
        play.takeEffects();
        fails();
        assertThat(play.takeOne(Effect.Moved.class).reason()).isEqualTo("MemoryLimitReached");
    }

    private void runs(long gibi) {
        runs(gibi, 16);
    }

    private void runs(long gibi, int wished) {
        var rule = Fixtures.rule(new Action.GrowMemory(1500, 0));
        var worker = atLeast(2, remembering(2, role("worker", wished, 1)));
        var elastic = ElasticJobs.elastic(2, 16, spec("default", worker));
        var limits = Amounts.of(Map.of("memory", gibi(gibi)));
        play.on(
                new Event.Submitted(
                        a, limited(limits, failing(policy(Otherwise.POD, rule), elastic)), null));
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        assertThat(play.ranks(a)).hasSize(2);
        play.takeEffects();
    }

    private void fails() {
        one.seeNewest(1, PodPhase.FAILED, 137);
        play.passHeard(Duration.ofSeconds(20), 0);
    }

    private int wished() {
        return play.job(a).spec().role("worker").replicas();
    }
}
