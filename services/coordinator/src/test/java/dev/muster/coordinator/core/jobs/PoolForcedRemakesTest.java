package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Effect.StopPlan;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.ExitCodes;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.FailurePolicy.Rule;
import dev.muster.coordinator.core.model.ForcedPods;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A rank was made again on a living node, its pod on the dead one is to be forced, and pod-manager
 * has not carried that out when another plan takes the place of the one that says it.
 */
class PoolForcedRemakesTest {
    private static final Duration AFTER = Duration.ofMinutes(1);

    /** In which a verdict has settled, and its delay is over. */
    private static final Duration JUDGED = Duration.ofMinutes(1);

    private static final RankId LOST = new RankId("worker", 1);
    private static final Rule ANEW =
            new Rule(List.of(new ExitCodes(7, 7)), List.of(), null, new Action.RestartGang());

    private final Play play = Play.withNodes(1, 1, 1);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void podManagerLives() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
    }

    @ParameterizedTest
    @MethodSource
    void whatIsLeftOnTheDeadNodeIsForcedAsTheJobStopsAndTheNewPodIsNot(Change change) {
        isMadeAgain(true);
        play.on(new Event.ChangeAsked(a, change, null));
        assertThat(stops()).containsExactly(earlier());
        listed();
        play.restart();
        play.passHeard(Jobs.REPAIR_INTERVAL, 0);
        assertThat(stops()).containsExactly(earlier());
    }

    static Stream<Change> whatIsLeftOnTheDeadNodeIsForcedAsTheJobStopsAndTheNewPodIsNot() {
        return Stream.of(new Change.Cancel(null, ""), new Change.Suspend(null, ""));
    }

    @Test
    void andAsItsGangStartsAnew() {
        isMadeAgain(true);
        one.fail(0, 7);
        play.passHeard(JUDGED, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Restarting.class);
        assertThat(stops()).containsExactly(earlier());
    }

    @Test
    void andAsItsRankLeaves() {
        isMadeAgain(true);
        assertThat(runs().forced()).isEmpty(); // The rank's pod says it itself.
        var terms = new Change.Terms(Duration.ZERO, true, Duration.ZERO, false);
        var named = new TreeSet<>(Set.of(LOST.toString()));
        play.on(new Event.ChangeAsked(a, new Change.ScaleIn("worker", 0, named, terms), null));
        assertThat(runs().forced()).containsExactly(earlier());
    }

    @Test
    void soIsWhatSomebodyGaveHisWordFor() {
        isMadeAgain(false);
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        assertThat(stops()).containsExactly(earlier());
    }

    /** Nobody knows whether its first pod has gone, since none of its second was seen. */
    @Test
    void whoIsMadeAgainOnTheLivingNodeIsNotForcedFromThereButFromTheFirst() {
        isMadeAgain(true);
        var bound = earlier();
        var living = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(living, 1)));
        play.passHeard(AFTER.plus(JUDGED), 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(living, 1)));
        play.passHeard(JUDGED, 0);
        assertThat(one.rank(1).making().forces()).isFalse();
        assertThat(one.rank(1).making().incarnation()).isGreaterThan(bound.before());
        assertThat(runs().forced()).containsExactly(bound);
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        assertThat(stops()).containsExactly(bound);
    }

    @Test
    void wordForItsSecondNodeTakesNothingFromWhatIsForcedOffTheFirst() {
        isMadeAgain(true);
        var bound = earlier();
        var living = one.rank(1).making().node();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(living, 1)));
        play.passHeard(AFTER.plus(JUDGED), 0);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(living, 1)));
        play.passHeard(JUDGED, 0);
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(living, 1)));
        play.pass(Jobs.PUBLISH_DELAY);
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
        assertThat(one.rank(1).givenUp()).isTrue();
        one.fail(0, 137);
        play.passHeard(JUDGED, 0);
        assertThat(runs().forced()).containsExactly(bound);
    }

    @Test
    void whoIsForcedFromASecondDeadNodeIsForcedFromBoth() {
        isMadeAgain(true);
        var second = one.rank(1).making().incarnation();
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).making().node(), 1)));
        play.passHeard(AFTER.plus(JUDGED), 0);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 1)));
        play.passHeard(JUDGED, 0);
        assertThat(one.rank(1).making().forces()).isTrue();
        assertThat(one.rank(1).making().incarnation()).isGreaterThan(second);
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        assertThat(stops()).containsExactly(earlier());
    }

    /** All pods of a rank have one name. */
    @Test
    void nothingIsForcedOnceThePodThatWasMadeAgainIsSeen() {
        isMadeAgain(true);
        one.seeNewest(1, PodPhase.PENDING, null);
        play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), null));
        assertThat(stops()).isEmpty();
    }

    private void isMadeAgain(boolean byPolicy) {
        var policy = Fixtures.losing(AFTER, byPolicy, Fixtures.policy(Otherwise.POD, ANEW));
        one.runs(failing(policy, ElasticJobs.elastic("default", 1, 2, 2)));
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(one.rank(1).making().node(), 1)));
        if (!byPolicy) {
            play.on(new Event.ChangeAsked(a, new Change.ForceDelete(), null));
        }
        play.passHeard(AFTER.plus(JUDGED), 0);
        assertThat(one.rank(1).making().forces()).isTrue();
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
    }

    /** The last list shows its first pod, which is on its way out. */
    private void listed() {
        var pod = new Event.ListedPod(a.uid(), OneJob.mark(1), true);
        var plan = play.job(a).fences().plan();
        play.on(new Event.PlanApplied(a, plan, false, List.of(pod)));
    }

    private ForcedPods earlier() {
        return new ForcedPods(LOST, one.rank(1).making().incarnation());
    }

    private RunPlan runs() {
        play.pass(Jobs.PUBLISH_DELAY);
        return play.take(RunPlan.class).getLast();
    }

    private List<ForcedPods> stops() {
        return play.take(StopPlan.class).getLast().stop().forced();
    }
}
