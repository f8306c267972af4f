package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.after;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.Zones.ZONE;
import static dev.muster.coordinator.core.fixtures.Zones.apart;
import static dev.muster.coordinator.core.fixtures.Zones.lying;
import static dev.muster.coordinator.core.fixtures.Zones.node;
import static dev.muster.coordinator.core.fixtures.Zones.together;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Topology.Policy;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Where pods go that are made again when their nodes, or all nodes of their domain, have failed.
 */
class PoolTopologyAgainTest {
    private static final JobSpec.Role MASTER = role("master", 1, 1);

    private final Play play = Play.withNodes();
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    private String where(String role, int index) {
        var rank = (Rank) play.rows.get(Row.Table.RANK).get(Rank.id(a, new RankId(role, index)));
        return rank == null ? "nowhere" : rank.making().node();
    }

    private List<String> where(int count) {
        return Stream.iterate(0, i -> i + 1).limit(count).map(i -> where("worker", i)).toList();
    }

    private void nodes(Event... seen) {
        Stream.of(seen).forEach(play::on);
    }

    /** The node and all pods that were on it. */
    private void lose(String name, int... ranks) {
        play.on(new Event.NodeReleased(WATCHER, name));
        for (int rank : ranks) {
            one.gone(rank);
        }
    }

    private void passDelay() {
        play.passHeard(Duration.ofMinutes(1), 0);
    }

    private WaitReason reason() {
        return play.explain(a).orElseThrow().reasons().getFirst();
    }

    private static JobSpec again(JobSpec spec) {
        return failing(policy(Otherwise.POD), spec);
    }

    @Test
    void trustedNodesComeBeforeTheDomainWhereItWas() {
        nodes(node("a1", "a", 4), node("b1", "b", 4), node("c1", "c", 4));
        one.runs(lying(Policy.SPREAD, ZONE, again(workers(2, 1))));
        assertThat(where(2)).containsExactly("a1", "b1");
        one.gone(1);
        passDelay();
        assertThat(where(2)).containsExactly("a1", "c1");
    }

    @Test
    void suspectNodeOfItsDomainComesBeforeSuspectNodesElsewhere() {
        nodes(node("a1", "a", 4), node("b1", "b", 4));
        one.runs(lying(Policy.SPREAD, ZONE, again(workers(2, 1))));
        one.gone(0);
        one.gone(1);
        passDelay();
        assertThat(where(2)).containsExactly("a1", "b1");
    }

    @Test
    void nodeIsKeptForWhoeverIsMadeAgainThereAndKeepsApart() {
        nodes(node("n1", "a", 4), node("n2", "a", 4), node("n3", "a", 1));
        runs(again(spec("default", atLeast(2, apart(role("worker", 3, 2))))), 2);
        assertThat(where(3)).containsExactly("n1", "n2", "nowhere");
        one.fail(1, 137);
        play.restart();
        play.on(node("n4", "a", 1));
        assertThat(where(3)).containsExactly("n1", "n2", "nowhere");
        passDelay();
        assertThat(where(3)).containsExactly("n1", "n2", "nowhere");
        play.on(node("n5", "a", 2));
        assertThat(where(3)).containsExactly("n1", "n2", "n5");
    }

    @Test
    void ranksThatLoseTheirDomainGoWhereTheyFitTogetherAndNotEachWhereItIsBest() {
        nodes(node("a1", "a", 4), node("a2", "a", 2));
        var spec = spec("default", role("ps", 2, 1), apart(role("worker", 2, 2)));
        runs(together(again(spec)), 2);
        seen("ps", 0, PodPhase.RUNNING);
        seen("ps", 1, PodPhase.RUNNING);
        nodes(node("b1", "b", 2), node("b2", "b", 4));
        lose("a1");
        lose("a2");
        for (var role : spec.roles()) {
            gone(role.name(), 0);
            gone(role.name(), 1);
        }
        passDelay();
        assertThat(where(2)).containsExactly("b1", "b2");
        assertThat(List.of(where("ps", 0), where("ps", 1))).containsExactly("b2", "b2");
    }

    private void seen(String role, int index, PodPhase phase) {
        var pod = Fixtures.pod(mark(role, index), one.nextVersion(), phase, where(role, index));
        play.on(new Event.PodSeen(WATCHER, a, pod));
    }

    private void gone(String role, int index) {
        play.on(new Event.PodGone(WATCHER, a, mark(role, index)));
    }

    private Event.PodMark mark(String role, int index) {
        var key = Rank.id(a, new RankId(role, index));
        var rank = (Rank) play.rows.get(Row.Table.RANK).get(key);
        return Fixtures.mark(role, index, rank.making().incarnation());
    }

    /** So many workers of it run, the others have no room. */
    private void runs(JobSpec spec, int workers) {
        play.on(new Event.Submitted(a, spec, null));
        one.applied(false);
        for (int i = 0; i < workers; i++) {
            seen("worker", i, PodPhase.RUNNING);
        }
    }

    @Test
    void nobodyLeavesItsDomainWhileAnotherMayComeBackToIt() {
        nodes(node("a1", "a", 2), node("a2", "a", 2), node("b1", "b", 2));
        one.runs(together(again(workers(2, 2))));
        lose("a1", 0);
        play.passHeard(Duration.ofSeconds(15), 0);
        lose("a2", 1);
        play.passHeard(Duration.ofSeconds(8), 0);
        assertThat(where(2)).containsExactly("a1", "a2");
        passDelay();
        assertThat(where(2)).containsExactly("a1", "a2");
        play.on(node("b2", "b", 2));
        assertThat(where(2)).containsExactly("b1", "b2");
    }

    @Test
    void podsThatAreForcedFromDeadNodesDoNotKeepTheirGangThere() {
        nodes(node("a1", "a", 2), node("a2", "a", 2));
        one.runs(together(losing(true, workers(2, 2))));
        nodes(node("b1", "b", 4));
        nodes(Zones.silent("a1", "a", 2), Zones.silent("a2", "a", 2));
        play.passHeard(Duration.ofMinutes(3), 0);
        assertThat(where(2)).containsExactly("b1", "b1");
    }

    @Test
    void podThatIsLeftOnADeadNodeKeepsItsGangThereAndIsWaitedFor() {
        nodes(node("a1", "a", 2), node("a2", "a", 2));
        one.runs(together(losing(false, workers(2, 2))));
        nodes(node("b1", "b", 4));
        lose("a1", 0);
        nodes(Zones.silent("a2", "a", 2));
        play.passHeard(Duration.ofMinutes(3), 0);
        assertThat(where(2)).containsExactly("a1", "a2");
        assertThat(reason().code()).isEqualTo(Code.TOPOLOGY_UNSATISFIED);
        nodes(node("a3", "a", 2));
        assertThat(where(2)).containsExactly("a3", "a2");
        assertThat(reason().code()).isEqualTo(Code.NODE_LOST);
        assertThat(reason().scope()).isEqualTo("a2");
        assertThat(reason().message()).startsWith("worker-1 is to be made again: its pod is left");
    }

    /** Its stage was not ordered yet: room is all that it has. */
    @Test
    void roomOfALaterStageGoesWithThoseThatLeaveItsDomain() {
        nodes(node("a1", "a", 4));
        var worker = after("master", Milestone.RUNNING, role("worker", 1, 1));
        play.on(new Event.Submitted(a, together(losing(true, MASTER, worker)), null));
        one.applied(false);
        nodes(node("b1", "b", 2), Zones.silent("a1", "a", 4));
        play.passHeard(Duration.ofMinutes(3), 0);
        assertThat(where("master", 0)).isEqualTo("b1");
        assertThat(where(1)).containsExactly("b1");
        nodes(node("a1", "a", 4));
        seen("master", 0, PodPhase.RUNNING);
        assertThat(where(1)).containsExactly("b1");
    }

    /** Its node is heard of again, and so its pod may run there still. */
    @Test
    void podOfALaterStageIsMadeAgainWhereTheOthersHaveGone() {
        nodes(node("a1", "a", 4));
        var worker = after("master", Milestone.RUNNING, role("worker", 1, 1));
        play.on(new Event.Submitted(a, together(losing(true, MASTER, worker)), null));
        one.applied(false);
        seen("master", 0, PodPhase.RUNNING);
        one.applied(false);
        seen("worker", 0, PodPhase.RUNNING);
        nodes(node("b1", "b", 2), Zones.silent("a1", "a", 4));
        play.passHeard(Duration.ofMinutes(3), 0);
        assertThat(where("master", 0)).isEqualTo("b1");
        nodes(node("a1", "a", 4));
        seen("master", 0, PodPhase.RUNNING);
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(where(1)).containsExactly("b1");
    }

    private static JobSpec losing(boolean force, JobSpec.Role... roles) {
        return losing(force, spec("default", roles));
    }

    private static JobSpec losing(boolean force, JobSpec spec) {
        var policy = Fixtures.losing(Duration.ofMinutes(1), force, policy(Otherwise.POD));
        return failing(policy, spec);
    }

    @Test
    void portsOfOthersAreLeftAloneInAnotherDomain() {
        var onHost = together(again(spec("default", Fixtures.onHost(role("worker", 1, 1)))));
        nodes(node("a1", "a", 1));
        one.runs(onHost);
        nodes(node("b1", "b", 4));
        var other = job("b", 1); // Of the same uid, and so with the same port.
        play.on(new Event.Submitted(other, onHost, null));
        lose("a1", 0);
        passDelay();
        assertThat(where(1)).containsExactly("a1");
        nodes(node("c1", "c", 1));
        assertThat(where(1)).containsExactly("c1");
    }

    @Test
    void elasticGangAtItsMinimumLeavesACordonedNodeAsAWholeWhereItsDomainHasNoRoom() {
        nodes(node("a1", "a", 1), node("a2", "a", 1));
        runs(together(byFile(ElasticJobs.elastic("default", 2, 3, 3))), 2);
        nodes(node("b1", "b", 4), Zones.cordoned("a2", "a", 1));
        passDelay();
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
    }

    @Test
    void growthThatItsQuotaForbidsSaysSo() {
        nodes(node("a1", "a", 2));
        play.on(new Event.QueuePut("default", QueueSpecs.limited(2), null));
        one.runs(together(ElasticJobs.elastic("default", 1, 1, 5)));
        var terms = new Change.Terms(Duration.ZERO, false, Duration.ZERO, false);
        play.on(new Event.ChangeAsked(a, new Change.SetReplicas("worker", 3, terms), null));
        assertThat(where(3)).containsExactly("a1", "a1", "nowhere");
        assertThat(reason().code()).isEqualTo(Code.QUOTA_EXCEEDED);
        assertThat(reason().message()).startsWith("worker has 2 of 3 that are wished: ");
    }
}
