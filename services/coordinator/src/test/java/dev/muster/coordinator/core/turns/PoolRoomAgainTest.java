package dev.muster.coordinator.core.turns;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.rule;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.FailurePolicy;
import dev.muster.coordinator.core.model.FailurePolicy.Action;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.NodeFilter;
import dev.muster.coordinator.core.model.Rank;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Room that comes is first that of pods which running gangs have lost, of all that fit. */
class PoolRoomAgainTest {
    private static final FailurePolicy ALONE = policy(Otherwise.POD, rule(new Action.RestartPod()));

    @Test
    void rankThatFitsIsMadeAgainThoughAnotherOfItsJobDoesNot() {
        var play = Play.withNodes(9);
        var a = job("a", 1);
        runs(play, a, spec("default", role("master", 1, 8), role("worker", 1, 1)));
        loses(play, "node-0");
        submit(play, job("b", 2), workers(1, 1));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 1)));
        assertThat(nodes(play, a)).containsExactly("node-0", "node-1");
        assertThat(play.ranks(job("b", 2))).isEmpty();
    }

    @Test
    void allThatHaveLostPodsAreTried() {
        var play = Play.withNodes(40);
        var jobs = IntStream.range(0, 40).mapToObj(i -> job("j%02d".formatted(i), i + 1)).toList();
        for (int i = 0; i < 40; i++) {
            // All but the last need what never comes.
            var needs = i == 39 ? Fixtures.cpu(1) : Fixtures.cpu(1).with("memory", 1L + i);
            runs(play, jobs.get(i), spec("default", role("worker", 1, needs, NodeFilter.ANY)));
        }
        loses(play, "node-0");
        submit(play, job("waits", 99), workers(1, 1));
        var bare = Fixtures.node("node-1", 1);
        play.on(
                new Event.NodeSeen(
                        WATCHER,
                        new Node(
                                "node-1",
                                1,
                                bare.labels(),
                                List.of(),
                                false,
                                true,
                                Fixtures.cpu(1),
                                0)));
        assertThat(nodes(play, jobs.getLast())).containsExactly("node-1");
        assertThat(play.ranks(job("waits", 99))).isEmpty();
    }

    @Test
    void oldestJobIsFirstWhateverItsName() {
        var play = Play.withNodes(4);
        runs(play, job("z", 1), workers(1, 1));
        runs(play, job("a", 2), workers(1, 1));
        loses(play, "node-0");
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-1", 1)));
        assertThat(nodes(play, job("z", 1))).containsExactly("node-1");
        assertThat(nodes(play, job("a", 2))).containsExactly("node-0");
    }

    private static void submit(Play play, JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    private static void runs(Play play, JobId id, JobSpec spec) {
        submit(play, id, failing(ALONE, spec));
        for (var rank : List.copyOf(play.ranks(id))) {
            var pod = Fixtures.pod(mark(id, rank), 9, PodPhase.RUNNING, rank.making().node());
            play.on(new Event.PodSeen(WATCHER, id, pod));
        }
        assertThat(play.job(id).state()).isInstanceOf(JobState.Running.class);
    }

    /** With all its pods; the delays of all are over. */
    private static void loses(Play play, String node) {
        play.on(new Event.NodeReleased(WATCHER, node));
        for (var job : play.jobs()) {
            for (var rank : List.copyOf(play.ranks(job))) {
                play.on(new Event.PodGone(WATCHER, job, mark(job, rank)));
            }
        }
        play.passHeard(Duration.ofSeconds(61), 0);
    }

    private static Event.PodMark mark(JobId job, Rank rank) {
        int incarnation = rank.making().incarnation();
        var uid = "pod-" + job.name() + rank.id();
        return new Event.PodMark(rank.id(), 1, incarnation, 1, uid);
    }

    private static List<String> nodes(Play play, JobId id) {
        return play.ranks(id).stream().map(rank -> rank.making().node()).toList();
    }
}
