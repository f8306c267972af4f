package dev.muster.coordinator.core.gang;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.atLeast;
import static dev.muster.coordinator.core.fixtures.Fixtures.cpu;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.Zones.ZONE;
import static dev.muster.coordinator.core.fixtures.Zones.apart;
import static dev.muster.coordinator.core.fixtures.Zones.lying;
import static dev.muster.coordinator.core.fixtures.Zones.together;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Topology.Policy;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Shortage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pods that come after a gang's start keep to those that stand, and apart from them. */
class PoolTopologyTest {
    private final Play play = Play.withNodes();
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    private void node(String name, String zone, long cores) {
        play.on(Zones.node(name, zone, cores));
    }

    private void gone(String node) {
        play.on(new Event.NodeReleased(WATCHER, node));
    }

    private String where(int index) {
        return where("worker", index);
    }

    private String where(String role, int index) {
        var rank = (Rank) play.rows.get(Row.Table.RANK).get(Rank.id(a, new RankId(role, index)));
        return rank == null ? "nowhere" : rank.making().node();
    }

    /** Ranks that fail are made again alone, a minute later where there is room. */
    private JobSpec pair() {
        return together(failing(policy(Otherwise.POD), workers(2, 2)));
    }

    /** Each as there is room. */
    private void scaleTo(int replicas) {
        var terms = new Change.Terms(Duration.ZERO, false, Duration.ZERO, false);
        play.on(new Event.ChangeAsked(a, new Change.SetReplicas("worker", replicas, terms), null));
    }

    private void passDelay() {
        play.passHeard(Duration.ofMinutes(1), 0);
    }

    private WaitReason reason() {
        return play.explain(a).orElseThrow().reasons().getFirst();
    }

    @Test
    void rankThatIsMadeAgainStaysInItsGangsDomain() {
        node("a1", "a", 2);
        node("a2", "a", 2);
        node("b1", "b", 8);
        one.runs(pair());
        assertThat(where(1)).isEqualTo("a2");
        gone("a2");
        one.gone(1);
        passDelay();
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(reason().code()).isEqualTo(Code.TOPOLOGY_UNSATISFIED);
        assertThat(reason().scope()).isEqualTo(ZONE);
        assertThat(reason().shortage()).isEqualTo(new Shortage(1, 0));
        assertThat(reason().message())
                .isEqualTo(
                        "worker-1 is to be made again: needs room for 1 pods under zone=a, where its gang is, and there is room for 0");
        assertThat(play.take(Effect.Status.class).getLast().word().reason())
                .isEqualTo("TopologyUnsatisfied");
        play.restart();
        node("a3", "a", 2);
        assertThat(where(1)).isEqualTo("a3");
    }

    @Test
    void rankThatIsPlacedAgainSinceItsNodeWouldNotHaveItStaysInItsGangsDomain() {
        node("a1", "a", 2);
        node("a2", "a", 2);
        node("b1", "b", 8);
        play.on(new Event.Submitted(a, pair(), null));
        one.applied(false);
        var pending = Fixtures.pod(OneJob.mark(1), 50, PodPhase.PENDING, null, null);
        play.on(new Event.PodSeen(WATCHER, a, pending));
        play.passHeard(Duration.ofSeconds(20), 0);
        assertThat(where(1)).isEqualTo("a2");
        node("a3", "a", 2);
        play.passHeard(Duration.ofSeconds(20), 0);
        assertThat(where(1)).isEqualTo("a3");
    }

    @Test
    void ranksThatKeepApartDoSoWhenTheyAreMadeAgain() {
        node("n1", "a", 8);
        node("n2", "a", 8);
        one.runs(failing(policy(Otherwise.POD), spec("default", apart(role("worker", 2, 2)))));
        gone("n2");
        one.gone(1);
        passDelay();
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(reason().code()).isEqualTo(Code.INSUFFICIENT_CAPACITY);
        node("n3", "a", 2);
        assertThat(where(1)).isEqualTo("n3");
    }

    @Test
    void elasticGangGrowsInItsDomainAndSaysWhyItDoesNot() {
        node("a1", "a", 2);
        node("b1", "b", 8);
        one.runs(together(ElasticJobs.elastic("default", 1, 1, 5)));
        assertThat(where(0)).isEqualTo("a1");
        scaleTo(4);
        assertThat(where(1)).isEqualTo("a1");
        assertThat(where(2)).isEqualTo("nowhere");
        assertThat(reason().code()).isEqualTo(Code.TOPOLOGY_UNSATISFIED);
        assertThat(reason().message())
                .isEqualTo(
                        "worker has 2 of 4 that are wished: needs room for 1 pods under zone=a, where its gang is, and there is room for 0");
        play.restart();
        node("a2", "a", 1);
        assertThat(where(2)).isEqualTo("a2");
        assertThat(where(3)).isEqualTo("nowhere");
    }

    @Test
    void whatIsBeyondTheMinimumFollowsIntoTheDomain() {
        node("a1", "a", 2);
        node("b1", "b", 8);
        play.on(
                new Event.Submitted(
                        a, together(spec("default", atLeast(2, role("worker", 4, 1)))), null));
        assertThat(List.of(where(0), where(1), where(2))).containsExactly("a1", "a1", "nowhere");
        node("a2", "a", 4);
        assertThat(List.of(where(2), where(3))).containsExactly("a2", "a2");
    }

    @Test
    void oneGangThatFindsNoRoomInItsDomainDoesNotKeepAnotherFromGrowing() {
        node("a1", "a", 1);
        node("b1", "b", 3);
        var growing = together(spec("default", atLeast(1, role("worker", 2, 1))));
        var b = job("b", 2);
        play.on(new Event.Submitted(a, growing, null));
        play.on(new Event.OthersUse(WATCHER, "b1", cpu(2)));
        play.on(new Event.Submitted(b, growing, null));
        assertThat(List.of(where(0), where(1))).containsExactly("a1", "nowhere");
        play.on(new Event.OthersUse(WATCHER, "b1", cpu(0)));
        assertThat(where(1)).isEqualTo("nowhere");
        var second = Rank.id(b, new RankId("worker", 1));
        assertThat(play.rows.get(Row.Table.RANK)).containsKey(second);
    }

    @Test
    void laterStageKeepsToThoseThatStillStand() {
        node("a1", "a", 3);
        node("b1", "b", 8);
        var after = JobSpec.Milestone.SUCCEEDED;
        var spec =
                spec(
                        "default",
                        role("worker", 1, 1),
                        role("data", 1, 1),
                        Fixtures.after("data", after, role("eval", 1, 3)));
        play.on(new Event.Submitted(a, together(spec), null));
        one.applied(false);
        see("worker", 1, PodPhase.RUNNING, null);
        see("data", 2, PodPhase.RUNNING, null);
        see("data", 2, PodPhase.SUCCEEDED, 0);
        assertThat(where("eval", 0)).isEqualTo("nowhere");
        assertThat(reason().code()).isEqualTo(Code.TOPOLOGY_UNSATISFIED);
        assertThat(reason().message()).startsWith("eval waits: needs room for 1 pods under zone=a");
        node("a2", "a", 3);
        assertThat(where("eval", 0)).isEqualTo("a2");
    }

    @Test
    void laterStageIsFreeWhereNobodyStandsAnyMore() {
        node("a1", "a", 3);
        node("b1", "b", 8);
        var after = JobSpec.Milestone.SUCCEEDED;
        var eval = Fixtures.after("worker", after, role("eval", 1, 4));
        play.on(
                new Event.Submitted(
                        a, together(spec("default", role("worker", 1, 1), eval)), null));
        one.applied(false);
        see("worker", 1, PodPhase.RUNNING, null);
        see("worker", 1, PodPhase.SUCCEEDED, 0);
        assertThat(where("eval", 0)).isEqualTo("b1");
    }

    private void see(String role, int incarnation, PodPhase phase, @Nullable Integer exit) {
        var mark = Fixtures.mark(role, 0, incarnation);
        var pod = Fixtures.pod(mark, one.nextVersion(), phase, where(role, 0), exit);
        play.on(new Event.PodSeen(WATCHER, a, pod));
    }

    @ParameterizedTest
    @EnumSource(
            value = Policy.class,
            names = {"PREFER", "PACK"})
    void whatComesLaterIsWithTheOthersWhileThereIsRoom(Policy policy) {
        node("a1", "a", 5);
        node("b1", "b", 3);
        play.on(new Event.OthersUse(WATCHER, "a1", cpu(3)));
        play.on(
                new Event.Submitted(
                        a,
                        lying(policy, ZONE, spec("default", atLeast(2, role("worker", 4, 1)))),
                        null));
        assertThat(List.of(where(0), where(1), where(2))).containsExactly("a1", "a1", "b1");
        play.on(new Event.OthersUse(WATCHER, "a1", cpu(2)));
        assertThat(where(3)).isEqualTo("b1");
    }

    @ParameterizedTest
    @EnumSource(
            value = Policy.class,
            names = {"PREFER", "PACK"})
    void growthPrefersTheDomainOfTheGang(Policy policy) {
        node("a1", "a", 2);
        node("b1", "b", 9);
        one.runs(lying(policy, ZONE, ElasticJobs.elastic("default", 2, 2, 5)));
        assertThat(List.of(where(0), where(1))).containsExactly("a1", "a1");
        node("a2", "a", 8);
        node("c1", "c", 1);
        scaleTo(4);
        assertThat(List.of(where(2), where(3))).containsExactly("a2", "a2");
    }

    @Test
    void growthIsSpreadLikeTheRest() {
        node("a1", "a", 8);
        node("b1", "b", 8);
        node("c1", "c", 8);
        one.runs(lying(Policy.SPREAD, ZONE, ElasticJobs.elastic("default", 2, 2, 8)));
        scaleTo(6);
        assertThat(List.of(where(0), where(1), where(2), where(3), where(4), where(5)))
                .containsExactly("a1", "b1", "c1", "a1", "b1", "c1");
    }

    @Test
    void rankOfASpreadGangIsMadeAgainWhereItWas() {
        node("a1", "a", 8);
        node("b1", "b", 4);
        node("b2", "b", 4);
        node("c1", "c", 8);
        one.runs(lying(Policy.SPREAD, ZONE, failing(policy(Otherwise.POD), workers(2, 2))));
        assertThat(where(1)).isEqualTo("b1");
        play.on(Zones.cordoned("b1", "b", 4));
        one.fail(1, 137);
        passDelay();
        assertThat(where(1)).isEqualTo("b2");
    }

    @Test
    void gangOfOneNodeStaysOnIt() {
        node("n1", "a", 2);
        node("n2", "a", 8);
        one.runs(lying(Policy.REQUIRE, null, failing(policy(Otherwise.POD), workers(2, 1))));
        play.on(Zones.cordoned("n1", "a", 2));
        one.fail(1, 137);
        passDelay();
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(reason().scope()).isEqualTo("node");
        assertThat(reason().message()).contains("on n1, where its gang is");
        node("n1", "a", 2);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
    }

    @Test
    void ranksThatLostTheirWholeDomainGoToAnotherTogetherOrNotAtAll() {
        node("a1", "a", 2);
        node("a2", "a", 2);
        one.runs(pair());
        node("b1", "b", 2);
        gone("a1");
        gone("a2");
        one.gone(0);
        one.gone(1);
        passDelay();
        assertThat(one.rank(0).state()).isEqualTo(RankState.RETURNING);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        assertThat(reason().message())
                .contains("under its gang's value of zone, of which no node is left");
        play.restart();
        node("b2", "b", 2);
        assertThat(List.of(where(0), where(1))).containsExactly("b1", "b2");
    }

    @Test
    void gangThatRestartsAsAWholeGoesWhereThereIsRoomForAll() {
        node("a1", "a", 2);
        node("a2", "a", 2);
        node("b1", "b", 8);
        one.runs(together(workers(2, 2)));
        gone("a1");
        gone("a2");
        one.gone(0);
        one.gone(1);
        one.applied(false);
        one.applied(true);
        passDelay();
        assertThat(List.of(where(0), where(1))).containsExactly("b1", "b1");
    }
}
