package dev.muster.coordinator.core.jobs;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Alarm;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod was on no node when it was seen last, and may be on one since: nobody has looked. */
class PoolBlindPlacesTest {
    /** Who has taken over, and has not told yet what is there. */
    private static final Event.Witness NEXT = new Event.Witness(0, 1, 200);

    private final Play play = Play.withNodes(1, 1);
    private final JobId a = job("a", 1);
    private final OneJob one = new OneJob(play, a);
    private String node = "";

    @BeforeEach
    void nobodyWatches() {
        play.on(new Event.Submitted(a, workers(1, 1), null));
        one.applied(false);
        node = one.rank(0).making().node();
        see(WATCHER, PodPhase.PENDING, null);
        play.on(new Event.WatcherAlive(NEXT));
        play.watchers = List.of(NEXT);
        play.passHeard(Alarm.RETRY_INTERVAL.multipliedBy(3), 0);
        play.restart();
        assertThat(one.rank(0).making().node()).isEqualTo(node);
    }

    @Test
    void itStaysWhereItRunsByThen() {
        listed(PodPhase.RUNNING, node);
        play.passHeard(Alarm.RETRY_INTERVAL.multipliedBy(3), 0);
        assertThat(one.rank(0).making().incarnation()).isEqualTo(1);
        assertThat(play.job(a).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void itGoesToAnotherNodeWhereItsOwnStillWouldNotHaveIt() {
        listed(PodPhase.PENDING, null);
        play.passHeard(Alarm.RETRY_INTERVAL, 0);
        assertThat(one.rank(0).making().node()).isNotEqualTo(node);
    }

    private void listed(PodPhase phase, @Nullable String seenOn) {
        play.on(new Event.SnapshotBegin(NEXT, "next"));
        for (var name : List.of("node-0", "node-1")) {
            play.on(new Event.NodeSeen(NEXT, Fixtures.node(name, 1)));
        }
        see(NEXT, phase, seenOn);
        play.on(new Event.SnapshotEnd(NEXT, "next"));
    }

    private void see(Event.Witness by, PodPhase phase, @Nullable String seenOn) {
        var pod = Fixtures.pod(OneJob.mark(0), one.nextVersion(), phase, seenOn);
        play.on(new Event.PodSeen(by, a, pod));
    }
}
