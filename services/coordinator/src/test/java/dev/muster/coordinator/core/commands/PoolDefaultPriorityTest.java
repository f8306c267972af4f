package dev.muster.coordinator.core.commands;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A job that names no priority has that of its queue. */
class PoolDefaultPriorityTest {
    private final Play play = Play.withNodes(1);
    private final JobId a = job("a", 1);

    @Test
    void jobThatNamesNoneHasTheQueues() {
        put("default", 5);
        assertThat(priority(workers(1, 1))).isEqualTo(5);
    }

    @Test
    void oneThatNamesOneHasItsOwn() {
        put("default", 5);
        assertThat(priority(at(3, workers(1, 1)))).isEqualTo(3);
    }

    @Test
    void itsOwnMayBeLower() {
        put("default", 5);
        assertThat(priority(at(-1, workers(1, 1)))).isEqualTo(-1);
    }

    @Test
    void itsClassCountsMost() {
        put("default", 5);
        var classes = new TreeMap<>(Map.of("none", 0));
        play.on(
                new Event.PoolPut(
                        "default",
                        new PoolSpec(
                                new TreeMap<>(),
                                QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN,
                                PoolSpec.Preemption.OFF,
                                new PoolSpec.Priorities(classes, Duration.ZERO, 0),
                                PoolSpec.Spot.NONE,
                                PoolSpec.Backing.NONE),
                        null));
        assertThat(priority(ofClass("none", workers(1, 1)))).isZero();
    }

    @Test
    void whoeverMovesKeepsWhatItHas() {
        put("default", 5);
        put("other", 7);
        assertThat(priority(workers(1, 2))).isEqualTo(5);
        play.on(new Event.ChangeAsked(a, new Change.Move("other"), null));
        assertThat(play.job(a).spec().place())
                .returns("other", JobSpec.Place::queue)
                .returns(5, JobSpec.Place::priority);
    }

    @Test
    void itIsChangedAloneAndForThoseThatComeThen() {
        put("default", 5);
        assertThat(priority(workers(1, 2))).isEqualTo(5);
        play.on(
                new Event.QueueChange(
                        "default",
                        queue(8),
                        new TreeSet<>(List.of("defaultPriority")),
                        false,
                        null));
        play.on(new Event.Submitted(job("b", 2), workers(1, 2), null));
        assertThat(play.job(a).spec().place().priority()).isEqualTo(5);
        assertThat(play.job(job("b", 2)).spec().place().priority()).isEqualTo(8);
    }

    private static JobSpec ofClass(String name, JobSpec spec) {
        var place = spec.place();
        return spec.with(
                new JobSpec.Place(place.queue(), 0, name, false, place.after(), place.labels()));
    }

    private int priority(JobSpec spec) {
        play.on(new Event.Submitted(a, spec, null));
        return play.job(a).spec().place().priority();
    }

    private void put(String name, int defaultPriority) {
        play.on(new Event.QueuePut(name, queue(defaultPriority), null));
    }

    private static QueueSpec queue(int defaultPriority) {
        var order = QueueSpecs.QUEUE.order();
        return QueueSpecs.with(
                QueueSpecs.QUEUE,
                new QueueSpec.Order(
                        order.kind(), defaultPriority, order.backfill(), order.reserveAfter()));
    }
}
