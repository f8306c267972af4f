package dev.muster.coordinator.core.nodes;

import static dev.muster.coordinator.core.fixtures.CheckpointJobs.byFile;
import static dev.muster.coordinator.core.fixtures.ElasticJobs.elastic;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Respec;
import dev.muster.coordinator.core.fixtures.SpotPods;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.RankState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes of an elastic job are about to go while a worker that failed has no room to come back to.
 */
class PoolAwayWorkersTest {
    private static final String NOTICE = "aws-node-termination-handler/spot-itn";
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Play play = Play.withNodes(4, 4, 4, 4);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);

    @BeforeEach
    void podManagerLives() {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noMoreLeaveThanTheMinimumAllowsOfThoseThatAreThere(boolean isDeleted) {
        one.runs(apart(2, 4));
        var away = one.rank(1).making().node();
        if (isDeleted) {
            play.on(new Event.NodeReleased(WATCHER, away, false));
            one.gone(1);
        } else {
            one.fail(1, 137);
            goes(1);
        }
        play.passHeard(MINUTE, 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.RETURNING);
        play.restart();
        goes(2);
        goes(3);
        play.passHeard(MINUTE, 0);
        assertThat(members()).containsExactly(0, 1, 3);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-4", 4)));
        play.passHeard(MINUTE, 0);
        assertThat(one.rank(1).making().node()).isEqualTo("node-4");
        assertThat(members()).containsExactly(0, 1);
    }

    /** What failed is not judged, or has its delay, as the other finds a place. */
    @Test
    void oneLeavesForEachThatComes() {
        play.on(new Event.NodeReleased(WATCHER, "node-3", false));
        one.runs(apart(3, 3));
        one.fail(1, 137);
        goes(1);
        goes(2);
        play.passHeard(Duration.ofSeconds(11), 0);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-4", 4)));
        play.passHeard(Duration.ofSeconds(1), 0);
        assertThat(one.rank(1).state().hasEnded()).isTrue();
        assertThat(members()).containsExactly(0, 1, 3);
    }

    /** It comes back to its node, which is none of those. */
    @Test
    void whoHasRoomToComeBackToIsOneOfTheMinimum() {
        one.runs(apart(2, 4));
        one.fail(1, 137);
        goes(2);
        goes(3);
        assertThat(members()).containsExactly(0, 1);
        play.passHeard(MINUTE, 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.ORDERED);
        assertThat(members()).containsExactly(0, 1);
    }

    /** Nobody makes it again: those of the minimum leave for others that come, one for one. */
    @Test
    void whoIsIgnoredIsNoneOfTheMinimum() {
        var on1 = List.of(new FailurePolicy.ExitCodes(1, 1));
        var rule = new FailurePolicy.Rule(on1, List.of(), null, new Action.Ignore());
        one.runs(Fixtures.failing(Fixtures.policy(FailurePolicy.Otherwise.POD, rule), apart(2, 4)));
        for (int i = 0; i < 2; i++) {
            one.fail(i, 1);
            play.on(new Event.OthersUse(WATCHER, one.rank(i).making().node(), Fixtures.cpu(4)));
        }
        play.passHeard(MINUTE, 0);
        assertThat(one.rank(1).state()).isEqualTo(RankState.IGNORED);
        goes(2);
        goes(3);
        play.passHeard(MINUTE, 0);
        assertThat(members()).containsExactly(0, 1, 2, 3);
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-4", 4)));
        play.passHeard(MINUTE, 0);
        assertThat(members()).hasSize(4).doesNotContain(3);
    }

    /**
     * The job starts again elsewhere as a whole as soon as it may, and nobody is there beyond its
     * wish who was to come in the place of one.
     */
    @Test
    void nobodyIsBeyondTheWishWhereAllStartAgainElsewhere() {
        play.on(new Event.PoolPut("default", SpotPods.pool(PoolSpec.PLAIN), null));
        for (int i = 1; i < 4; i++) {
            play.on(new Event.NodeReleased(WATCHER, "node-" + i, false));
        }
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 2)));
        play.on(new Event.NodeSeen(WATCHER, SpotPods.node("spot", 1)));
        var worker = SpotPods.spot(1, Fixtures.atLeast(2, Fixtures.role("worker", 3, 1)));
        one.runs(byFile(ElasticJobs.elastic(2, 3, Fixtures.spec("default", worker))));
        assertThat(one.rank(2).making().node()).isEqualTo("spot");
        play.on(new Event.NodeReleased(WATCHER, "spot", false));
        one.gone(2);
        play.passHeard(MINUTE, 0);
        assertThat(one.rank(2).state()).isEqualTo(RankState.RETURNING);
        play.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 2)));
        play.passHeard(MINUTE, 0);
        assertThat(members()).containsExactly(0, 1, 2);
        play.restart();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 3)));
        play.passHeard(MINUTE, 0);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Saving.class);
        assertThat(members()).hasSize(3);
    }

    /** Each worker has a node of its own. */
    private static JobSpec apart(int min, int wished) {
        var spec = elastic("default", min, wished, 4);
        return Respec.roles(spec, role -> Respec.pods(role, role.filter(), true));
    }

    private void goes(int index) {
        var node = Nodes.tainted(one.rank(index).making().node(), 4, NOTICE);
        play.on(new Event.NodeSeen(WATCHER, node));
    }

    private List<Integer> members() {
        return play.ranks(a).stream()
                .filter(rank -> !rank.isLeaving())
                .map(rank -> rank.id().index())
                .toList();
    }
}
