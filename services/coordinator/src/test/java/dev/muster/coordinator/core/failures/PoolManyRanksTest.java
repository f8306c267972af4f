package dev.muster.coordinator.core.failures;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.onHost;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.Zones;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState.Running;
import dev.muster.coordinator.core.model.JobState.Stopping;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankState;
import dev.muster.coordinator.core.model.Row;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** More ranks of one job are due than are made again at once. */
class PoolManyRanksTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    /** What the verdict waits, and the first delay. */
    private static final Duration AGAIN = Duration.ofSeconds(20);

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final JobId a = job("a", 1);

    @Test
    void poolGoesOnThoughNoneOfThemFindsRoom() {
        var play = Play.withNodes(100, 105, 45);
        loses205(play);
        comesToAnEnd(play);
        var request = new Event.Request("ml/a", "r1");
        var step = play.onStep(Fixtures.cancel(a, "", request));
        assertThat(step.effects()).anyMatch(Effect.Answer.class::isInstance);
        assertThat(play.job(a).state()).isInstanceOf(Stopping.class);
    }

    @Test
    void allOfThemComeWhenRoomComes() {
        var play = Play.withNodes(100, 105, 45);
        loses205(play);
        comesToAnEnd(play);
        play.restart();
        comes(play, "new-0", 100);
        comes(play, "new-1", 105);
        assertThat(in(play, RankState.ORDERED)).hasSize(205);
        assertThat(play.take(Effect.RunPlan.class).getLast().pods()).hasSize(250);
    }

    @Test
    void asManyOfThemComeAsThereIsRoomFor() {
        var play = Play.withNodes(100, 105, 45);
        loses205(play);
        comesToAnEnd(play);
        comes(play, "new-0", 100);
        comes(play, "new-1", 103);
        assertThat(in(play, RankState.ORDERED)).hasSize(203);
        comesToAnEnd(play);
        assertThat(in(play, RankState.RETURNING)).hasSize(2);
    }

    @Test
    void jobThatLacksThemForLongGoesBackToItsQueue() {
        var play = Play.withNodes(100, 105, 45);
        loses205(play);
        comesToAnEnd(play);
        play.passHeard(TIMEOUT.minus(Duration.ofSeconds(5)), 0);
        assertThat(play.job(a).state()).isInstanceOf(Running.class);
        play.passHeard(Duration.ofSeconds(5), 0);
        assertThat(play.job(a).state()).isInstanceOf(Stopping.class);
    }

    @Test
    void thoseOnSilentNodesAreInNobodysWay() {
        var play = Play.withNodes(100, 100, 56, 1);
        var one = runs(play, failing(policy(Otherwise.POD), workers(257, 1)));
        play.on(Zones.silent("node-0", "a", 100));
        play.on(Zones.silent("node-1", "a", 100));
        play.on(Zones.silent("node-2", "a", 56));
        var lost = FailurePolicy.PLAIN.nodeLost().after().plus(AGAIN);
        play.passHeard(lost.minus(SECOND), 0);
        comesToAnEnd(play);
        assertThat(in(play, RankState.RETURNING)).hasSize(256);
        var other = only(play, RankState.RUNNING);
        one.fail(other.id().index(), 137);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(one.rank(other.id().index()).state()).isEqualTo(RankState.ORDERED);
        assertThat(in(play, RankState.RETURNING)).hasSize(256);
    }

    /** Each has a port of its own, so that of none it is known that it needs what others need. */
    @Test
    void everyOneHasHisTurnWhereNotAllAreTriedAtOnce() {
        var play = Play.withNodes(100, 100, 50, 1);
        var spec = spec("default", onHost(role("worker", 251, 1)));
        var one = runs(play, failing(policy(Otherwise.POD), spec));
        loses(play, one, "node-0", "node-1", "node-2");
        play.passHeard(AGAIN.minus(SECOND), 0);
        comesToAnEnd(play);
        var other = only(play, RankState.RUNNING);
        one.fail(other.id().index(), 137);
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(one.rank(other.id().index()).state()).isEqualTo(RankState.ORDERED);
        assertThat(in(play, RankState.RETURNING)).hasSize(250);
    }

    /** An elastic job of 250, for 205 of which there is no room any more. */
    private void loses205(Play play) {
        var one = runs(play, ElasticJobs.elastic("default", 210, 250, 250));
        loses(play, one, "node-0", "node-1");
        play.passHeard(AGAIN.minus(SECOND), 0);
    }

    private void loses(Play play, OneJob one, String... nodes) {
        for (var node : nodes) {
            play.on(new Event.NodeReleased(WATCHER, node));
        }
        for (var rank : List.copyOf(play.ranks(a))) {
            if (List.of(nodes).contains(rank.making().node())) {
                one.gone(rank.id().index());
            }
        }
    }

    private static void comes(Play play, String node, long cores) {
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node(node, cores)));
    }

    private OneJob runs(Play play, JobSpec spec) {
        play.on(new Event.PodManagerAlive("pods-0", Set.of(0)));
        var one = new OneJob(play, a);
        one.runs(spec);
        return one;
    }

    /** What is due in a second is done in one step, and is not due again at once. */
    private void comesToAnEnd(Play play) {
        var until = play.now().plus(SECOND);
        assertThat(play.onStep(new Event.TimePassed(until)).more()).isFalse();
        assertThat(play.rows(Row.Table.ALARM).values())
                .allMatch(alarm -> ((Alarm) alarm).at().isAfter(until));
        play.pass(SECOND);
    }

    private List<Rank> in(Play play, RankState state) {
        return play.ranks(a).stream().filter(rank -> rank.state() == state).toList();
    }

    private Rank only(Play play, RankState state) {
        return in(play, state).getFirst();
    }
}
