package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.simulation.Chance;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Elastic jobs whose node is not heard of any more. */
class PoolLostWorkersTest {
    private static final Duration LOST =
            FailurePolicy.PLAIN.nodeLost().after().plus(Duration.ofMinutes(2));

    private final JobId a = job("a", 1);

    private List<String> members(Play play) {
        return play.allRows()
                .filter(row -> row instanceof Rank rank && rank.job().equals(a))
                .filter(row -> !((Rank) row).isLeaving())
                .map(row -> ((Rank) row).id() + "@" + ((Rank) row).making().node())
                .toList();
    }

    private static void silence(Play play, String node, long cores) {
        play.on(new Event.NodeSeen(WATCHER, Chance.unready(node, cores)));
    }

    @Test
    void othersComeElsewhereInThePlaceOfWhoIsLost() {
        var play = Play.withNodes(2, 2, 4);
        var one = new OneJob(play, a);
        one.runs(ElasticJobs.elastic("default", 2, 4, 8));
        var node = one.rank(3).making().node();
        var lost = members(play).stream().filter(m -> m.endsWith(node)).toList();
        assertThat(lost).isNotEmpty().noneMatch(m -> m.startsWith("worker-0@"));
        silence(play, node, 4);
        play.passHeard(FailurePolicy.PLAIN.nodeLost().after().minusSeconds(1), 0);
        assertThat(members(play)).containsAll(lost);
        play.restart();
        play.takeEffects();
        play.passHeard(LOST, 0);
        assertThat(members(play)).hasSize(4).noneMatch(member -> member.endsWith("@" + node));
        assertThat(play.take(Effect.RunPlan.class).getLast().pods())
                .extracting(pod -> pod.rank() + "@" + pod.node())
                .containsExactlyElementsOf(members(play));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
        var left = "worker-2 leaves, and its pod is left on %s, which is not heard of (and 1 more)";
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .containsExactly(left.formatted(node));
    }

    /**
     * Two are lost: no plan is without one of them alone, or has one of the others alone. Who could
     * save is not asked before: nobody chose it, and peers of the lost may hang.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onePlanIsWithoutAllThatAreLostAndHasAllThatComeInTheirPlace(boolean saves) {
        var play = Play.withNodes(2, 2, 4);
        var one = new OneJob(play, a);
        var spec = ElasticJobs.elastic("default", 2, 4, 8);
        one.runs(saves ? CheckpointJobs.byFile(spec) : spec);
        var before = members(play);
        var node = one.rank(3).making().node();
        assertThat(before).filteredOn(member -> member.endsWith("@" + node)).hasSize(2);
        silence(play, node, 2);
        play.passHeard(LOST, 0);
        var effects = play.takeEffects();
        assertThat(effects).noneMatch(Effect.CheckpointTold.class::isInstance);
        assertThat(members(play)).hasSize(4).noneMatch(member -> member.endsWith("@" + node));
        assertThat(
                        effects.stream()
                                .filter(Effect.RunPlan.class::isInstance)
                                .map(effect -> pods((Effect.RunPlan) effect))
                                .distinct())
                .filteredOn(pods -> !pods.equals(before))
                .containsExactly(members(play));
    }

    private List<String> pods(Effect.RunPlan plan) {
        return plan.pods().stream().map(pod -> pod.rank() + "@" + pod.node()).toList();
    }

    @Test
    void whoIsBeyondTheMinimumLeavesAndTheJobGrowsAgainWhenThereIsRoom() {
        var play = Play.withNodes(2, 2);
        var one = new OneJob(play, a);
        one.runs(ElasticJobs.elastic("default", 2, 4, 8));
        var node = one.rank(3).making().node();
        silence(play, node, 2);
        play.passHeard(LOST, 0);
        assertThat(members(play)).hasSize(2).noneMatch(member -> member.endsWith("@" + node));
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::message)
                .last()
                .asString()
                .startsWith("worker has 2 of 4 that are wished: ");
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 2)));
        assertThat(members(play)).hasSize(4).contains("worker-4@node-2", "worker-5@node-2");
    }

    @Test
    void whoIsOfTheMinimumStaysUntilThereIsRoomForAnotherAndSaysSo() {
        var play = Play.withNodes(1, 1);
        var one = new OneJob(play, a);
        one.runs(ElasticJobs.elastic("default", 2, 2, 8));
        var node = one.rank(1).making().node();
        silence(play, node, 1);
        play.passHeard(LOST, 0);
        assertThat(members(play)).hasSize(2).contains("worker-1@" + node);
        var why = play.explain(a).orElseThrow().reasons().getFirst();
        assertThat(why.code()).isEqualTo(WaitReason.Code.NODE_LOST);
        assertThat(why.message())
                .startsWith("worker-1 is left on " + node + ", which is not heard of; another: ");
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 1)));
        assertThat(members(play)).hasSize(2).contains("worker-2@node-2");
    }

    @Test
    void rankZeroStaysAndSaysWhatItWaitsFor() {
        var play = Play.withNodes(1, 4);
        var one = new OneJob(play, a);
        one.runs(ElasticJobs.elastic("default", 2, 4, 8));
        var node = one.rank(0).making().node();
        silence(play, node, 4);
        play.passHeard(LOST, 0);
        assertThat(members(play)).contains("worker-0@" + node);
        assertThat(play.explain(a).orElseThrow().reasons())
                .extracting(WaitReason::code)
                .contains(WaitReason.Code.NODE_LOST);
    }

    /** Where a launcher leads nobody meets at rank 0, which is replaced like the others. */
    @Test
    void rankZeroOfALauncherIsReplacedLikeAnyOther() {
        var play = Play.withNodes(1, 1, 1);
        var one = new OneJob(play, a);
        play.on(new Event.Submitted(a, ElasticJobs.launched("default", 2, 2, 4), null));
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        one.seeNewest(1, PodPhase.RUNNING, null);
        play.pass(Jobs.PUBLISH_DELAY);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-3", 1)));
        one.see(JobSpec.LAUNCHER, PodPhase.RUNNING, null);
        var node = one.rank(0).making().node();
        silence(play, node, 1);
        play.passHeard(LOST, 0);
        assertThat(members(play))
                .filteredOn(member -> member.startsWith("worker"))
                .hasSize(2)
                .noneMatch(member -> member.startsWith("worker-0@"));
    }

    @Test
    void nodeThatIsHeardOfAgainLosesThePodsThatWereReplaced() {
        var play = Play.withNodes(2, 2, 4);
        var one = new OneJob(play, a);
        one.runs(ElasticJobs.elastic("default", 2, 4, 8));
        var node = one.rank(3).making().node();
        silence(play, node, 4);
        play.passHeard(LOST, 0);
        var members = members(play);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, 4)));
        one.see(3, PodPhase.RUNNING, null);
        play.passHeard(Duration.ofMinutes(1), 0);
        one.gone(3);
        assertThat(members(play)).isEqualTo(members);
        assertThat(one.rank(3)).isNull();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }
}
