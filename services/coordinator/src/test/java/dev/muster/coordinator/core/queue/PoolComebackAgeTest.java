package dev.muster.coordinator.core.queue;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What waiting gives to a job that ran and waits again. */
class PoolComebackAgeTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int MINUTES_WAITED = 20;

    private final Play play = Play.withNodes(4);
    private final JobId id = job("a", 1);
    private final OneJob one = new OneJob(play, id);

    @BeforeEach
    void waitsAndThenRunsForAnHour() {
        var priorities = new PoolSpec.Priorities(new TreeMap<>(), Duration.ofMinutes(1), 1000);
        var rules =
                new PoolSpec.Preemption(PoolSpec.Mode.LOWER_PRIORITY, Duration.ofMinutes(10), 3);
        play.on(
                new Event.PoolPut(
                        "default",
                        new PoolSpec(
                                new TreeMap<>(),
                                QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN,
                                rules,
                                priorities,
                                PoolSpec.Spot.NONE,
                                PoolSpec.Backing.NONE),
                        null));
        var filler = new OneJob(play, job("filler", 0));
        filler.runs(workers(1, 4));
        submit(id, workers(1, 4));
        play.passHeard(Duration.ofMinutes(MINUTES_WAITED), 0);
        filler.succeed(0);
        runs();
    }

    private void runs() {
        one.applied(false);
        one.seeNewest(0, PodPhase.RUNNING, null);
        assertThat(play.job(id).state()).isInstanceOf(JobState.Running.class);
        play.passHeard(HOUR, 0);
    }

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    private void ask(Change change) {
        play.on(new Event.ChangeAsked(id, change, null));
    }

    private void othersUse(long cores) {
        var use = cores == 0 ? Amounts.NONE : Amounts.of(Map.of("cpu", cores * 1000));
        play.on(new Event.OthersUse(WATCHER, "node-0", use));
    }

    private void goes() {
        play.on(new Event.PodGone(WATCHER, id, one.newest(0)));
        one.applied(false);
        one.applied(true);
    }

    /** In its queue, with what waiting has added so far. */
    private void waitsAgainWith(int minutes) {
        assertThat(play.job(id).state()).isInstanceOf(JobState.Queued.class);
        for (int priority : new int[] {minutes - 3, minutes + 3}) {
            var other = job("other" + priority, 10 + priority);
            submit(other, at(priority, workers(1, 4)));
            var own = play.explain(id).orElseThrow().place().position();
            assertThat(own < play.explain(other).orElseThrow().place().position())
                    .as("goes before " + priority)
                    .isEqualTo(priority < minutes);
        }
    }

    /** As one that is resumed when its pods are gone. */
    @Test
    void whoIsResumedWhileItStillStopsHasNothing() {
        othersUse(4);
        ask(new Change.Suspend(null, "others first"));
        ask(new Change.Resume());
        play.passHeard(Duration.ofMinutes(1), 0);
        goes();
        waitsAgainWith(0);
        play.passHeard(Duration.ofMinutes(10), 0);
        waitsAgainWith(10);
    }
}
