package dev.muster.coordinator.core.commands;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.Respec.labelled;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.BusyPool;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Changes of waiting jobs and of their queues, one by one and many at once, and the order that
 * follows from them.
 */
class PoolChangesTest {
    private static final Request REQUEST = new Request("ml/a", "r-1");
    private static final Duration SOON = Duration.ofSeconds(2);
    private static final TreeSet<String> PAUSED = new TreeSet<>(List.of("paused"));
    private final BusyPool pool = new BusyPool();
    private final Play play = pool.play;
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);

    private int asked;

    /** Another one each time: a repeat gets the first answer. */
    private Request request() {
        asked++;
        return new Request("ml/a", "r-" + asked);
    }

    @Test
    void jobOfHigherPriorityGoesFirst() {
        pool.fill();
        pool.submit(a, workers(5, 1));
        pool.submit(b, at(10, workers(5, 1)));
        play.takeEffects();
        pool.empty();
        assertThat(play.takeStarted()).containsExactly("b");
    }

    @Test
    void priorityIsChangedWhileItWaits() {
        pool.fill();
        pool.submit(a, workers(5, 1));
        pool.submit(b, workers(5, 1));
        pool.change(b, new Change.Prioritise(1));
        play.takeEffects();
        pool.empty();
        assertThat(play.takeStarted()).containsExactly("b");
    }

    /** It may come before admission knows of the end. */
    @Test
    void whatIsAskedOfAJobOfWhichNothingIsLeftIsAnsweredByItsEnd() {
        pool.fill();
        pool.submit(a, workers(5, 1));
        for (var outcome : List.of(Outcome.ACCEPTED, Outcome.ENDED)) {
            play.takeEffects();
            play.on(new Event.ChangeAsked(a, new Change.Cancel(null, ""), REQUEST));
            var answer = play.takeOne(Effect.Answer.class);
            assertThat(answer.outcome()).isEqualTo(outcome);
            assertThat(answer.phase()).isEqualTo(Phase.CANCELLED);
        }
    }

    @Test
    void startedJobKeepsItsPriority() {
        pool.submit(a, workers(1, 1));
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.Prioritise(1), REQUEST));
        var answer = play.takeOne(Effect.Answer.class);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message()).isEqualTo("ml/a does not wait any more: it is Starting");
    }

    @Test
    void priorityClassesAreThePools() {
        var classes = new TreeMap<>(Map.of("high", 100));
        priorities(new PoolSpec.Priorities(classes, Duration.ZERO, 0));
        pool.fill();
        pool.submit(a, workers(5, 1));
        pool.submit(b, ofClass("high", workers(5, 1)));
        play.takeEffects();
        pool.empty();
        assertThat(play.takeStarted()).containsExactly("b");
        play.on(new Event.Submitted(job("c", 3), ofClass("low", workers(1, 1)), REQUEST));
        assertThat(play.takeOne(Effect.Answer.class).message())
                .isEqualTo("the pool has no priority class low");
    }

    @Test
    void waitingAddsToThePriorityUpToTheMost() {
        priorities(new PoolSpec.Priorities(new TreeMap<>(), Duration.ofMinutes(1), 5));
        play.on(new Event.QueuePut("default", patient(), null));
        pool.fill();
        pool.submit(a, workers(5, 1));
        play.pass(Duration.ofMinutes(3));
        pool.submit(b, at(2, workers(5, 1)));
        pool.submit(job("c", 3), at(6, workers(5, 1)));
        play.pass(Duration.ofMinutes(30));
        play.takeEffects();
        pool.empty();
        assertThat(play.takeStarted()).containsExactly("c");
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("x", 2)));
        assertThat(play.takeStarted()).containsExactly("b");
    }

    @Test
    void jobMovesToAnotherQueueWithItsAge() {
        play.on(new Event.QueuePut("other", QueueSpecs.QUEUE, null));
        pool.fill();
        pool.submit(a, workers(5, 1));
        pool.submit(b, spec("other", role("worker", 5, 1)));
        pool.change(a, new Change.Move("other"));
        assertThat(play.take(Effect.Status.class).getLast().job().spec().queue())
                .isEqualTo("other");
        pool.empty();
        assertThat(play.takeStarted()).containsExactly("a");
    }

    /** Nothing else of the queues changes: neither a phase nor a reason. */
    @Test
    void countsOfBothQueuesArePublishedAfterAMove() {
        play.on(new Event.QueuePut("other", QueueSpecs.QUEUE, null));
        pool.fill();
        pool.submit(a, workers(5, 1));
        pool.submit(b, workers(5, 1));
        play.pass(SOON);
        play.takeEffects();
        pool.change(a, new Change.Move("other"));
        play.pass(SOON);
        assertThat(waitingAsPublished()).containsOnly(entry("default", 1), entry("other", 1));
        pool.all(new Change.Move("other"));
        play.pass(SOON);
        assertThat(waitingAsPublished()).containsOnly(entry("default", 0), entry("other", 2));
    }

    private Map<String, Integer> waitingAsPublished() {
        return play.take(Effect.QueueState.class).stream()
                .collect(
                        Collectors.toMap(
                                state -> state.queue().name(),
                                Effect.QueueState::waiting,
                                (_, last) -> last));
    }

    @Test
    void jobMovesOnlyWhereItIsAdmitted() {
        var doors = new QueueSpec.Doors(false, false, 10, 10, new TreeSet<>(List.of("other")));
        play.on(new Event.QueuePut("closed", QueueSpecs.with(QueueSpecs.QUEUE, doors), null));
        pool.fill();
        pool.submit(a, workers(5, 1));
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.Move("closed"), REQUEST));
        var answer = play.takeOne(Effect.Answer.class);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message()).isEqualTo("queue closed is not for namespace ml");
    }

    @Test
    void manyJobsAreChangedByOneRequestAndAnsweredOnce() {
        pool.fill();
        for (int i = 0; i < 10; i++) {
            pool.submit(
                    job("j" + i, 10 + i), labelled("team", i % 2 == 0 ? "x" : "y", workers(9, 1)));
        }
        play.takeEffects();
        play.on(
                new Event.BulkAsked(
                        new Selector("default", "ml", new TreeMap<>(Map.of("team", "x"))),
                        new Change.Cancel(null, "enough"),
                        REQUEST));
        var effects = play.takeEffects();
        assertThat(effects)
                .filteredOn(Effect.BulkDone.class::isInstance)
                .containsExactly(new Effect.BulkDone(REQUEST, new Bulk.Counts(5, 5)));
        assertThat(effects)
                .filteredOn(e -> e instanceof Effect.Moved m && m.to() == Phase.CANCELLED)
                .hasSize(5);
    }

    @Test
    void jobsOfOtherNamespacesAreNotMeant() {
        pool.fill();
        var other = new JobId("other", "b", b.uid());
        pool.submit(a, workers(9, 1));
        pool.submit(other, workers(9, 1));
        play.takeEffects();
        play.on(
                new Event.BulkAsked(
                        new Selector("default", "ml", new TreeMap<>()),
                        new Change.Cancel(null, "enough"),
                        REQUEST));
        assertThat(play.takeOne(Effect.BulkDone.class).counts()).isEqualTo(new Bulk.Counts(1, 1));
        assertThat(play.job(other).state()).isInstanceOf(JobState.Queued.class);
    }

    @Test
    void tenThousandJobsAreCancelledInBoundedSteps() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, true, true, 100_000), null));
        for (int i = 0; i < 10_000; i++) {
            pool.submit(job("j" + i, 10 + i), workers(1, 1));
        }
        play.takeEffects();
        play.on(
                new Event.BulkAsked(
                        new Selector(null, null, new TreeMap<>()),
                        new Change.Cancel(null, ""),
                        REQUEST));
        var effects = play.takeEffects();
        assertThat(effects).contains(new Effect.BulkDone(REQUEST, new Bulk.Counts(10_000, 10_000)));
        assertThat(play.largestStep()).isLessThanOrEqualTo(500);
        assertThat(play.rows.get(Row.Table.JOB)).isEmpty();
        assertThat(play.rows.get(Row.Table.BULK).values())
                .allMatch(row -> row instanceof Bulk bulk && bulk.over());
    }

    @Test
    void bulkChangeMeansTheJobsThatCameBeforeIt() {
        pool.fill();
        pool.submit(a, workers(9, 1));
        var bulk =
                new Event.BulkAsked(
                        new Selector(null, null, new TreeMap<>()), new Change.Hold(""), REQUEST);
        play.on(bulk);
        pool.submit(b, workers(9, 1));
        assertThat(((JobState.Queued) play.job(b).state()).gate())
                .isEqualTo(new JobState.Gate.Open());
        assertThat(((JobState.Queued) play.job(a).state()).gate())
                .isEqualTo(new JobState.Gate.Held("", null));
    }

    @Test
    void queueThatIsDrainedTakesNothingNewAndGoesWithItsLastJob() {
        pool.submit(a, workers(1, 1));
        play.on(new Event.QueueDelete("default", true, request()));
        assertThat(play.take(Effect.Answer.class).getLast().message())
                .isEqualTo("it is deleted once its job has ended");
        play.on(new Event.Submitted(b, workers(1, 1), REQUEST));
        assertThat(play.takeOne(Effect.Answer.class).message())
                .isEqualTo("queue default takes no new jobs");
        play.on(Fixtures.cancel(a, "", null));
        pool.gone(a, play.take(Effect.StopPlan.class).getLast().version());
        assertThat(play.take(Effect.QueueDeleted.class)).hasSize(1);
    }

    /** Its waiting jobs never start, and so never end by themselves. */
    @Test
    void queueThatIsDrainedWhileItIsPausedSaysWhatHasToBeDone() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, true, true, 10), null));
        pool.submit(a, workers(1, 1));
        pool.submit(b, workers(1, 1));
        play.on(new Event.QueueDelete("default", true, request()));
        var effects = play.takeEffects();
        assertThat(effects)
                .filteredOn(Effect.Answer.class::isInstance)
                .extracting(effect -> ((Effect.Answer) effect).message())
                .last()
                .isEqualTo(
                        "it is deleted once its 2 jobs have ended; it is paused: those that wait"
                                + " start once its paused is false, or end when they are cancelled;"
                                + " to resume it takes the deletion back, too");
        assertThat(lastReason(effects))
                .isEqualTo("the queue is paused, and is deleted once its jobs have ended");
        play.on(new Event.QueueChange("default", QueueSpecs.QUEUE, PAUSED, false, request()));
        assertThat(play.takeStarted()).containsExactly("a", "b");
    }

    private static String lastReason(List<Effect> effects) {
        var last =
                effects.stream()
                        .filter(Effect.QueueState.class::isInstance)
                        .map(effect -> ((Effect.QueueState) effect).queue().reason())
                        .reduce((_, state) -> state);
        return last.map(WaitReason::message).orElse("");
    }

    @Test
    void queueThatIsDrainedTwiceWhileItIsPausedStillSaysWhy() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, true, true, 10), null));
        pool.submit(a, workers(1, 1));
        play.on(new Event.QueueDelete("default", true, request()));
        play.on(new Event.QueueDelete("default", true, request()));
        assertThat(lastReason(play.takeEffects()))
                .isEqualTo("the queue is paused, and is deleted once its jobs have ended");
    }

    @Test
    void pausedQueueThatTookNothingNewAndIsDrainedSaysSo() {
        pool.submit(a, workers(9, 1));
        play.on(new Event.QueuePut("default", paused(true), null));
        play.on(new Event.QueueDelete("default", true, request()));
        assertThat(lastReason(play.takeEffects()))
                .isEqualTo("the queue is paused, and is deleted once its jobs have ended");
    }

    @Test
    void pausedQueueThatStaysAfterAllSaysNoMoreThatItIsDeleted() {
        play.on(new Event.QueuePut("default", paused(false), null));
        pool.submit(a, workers(1, 1));
        play.on(new Event.QueueDelete("default", true, request()));
        play.on(new Event.QueuePut("default", paused(false), request()));
        assertThat(lastReason(play.takeEffects())).isEqualTo("the queue is paused");
    }

    private static QueueSpec paused(boolean draining) {
        var doors = new QueueSpec.Doors(true, draining, 10, Integer.MAX_VALUE, new TreeSet<>());
        return QueueSpecs.with(QueueSpecs.QUEUE, doors);
    }

    private static JobSpec ofClass(String name, JobSpec spec) {
        var place = spec.place();
        return spec.with(
                new JobSpec.Place(place.queue(), 0, name, false, place.after(), place.labels()));
    }

    private static QueueSpec patient() {
        return QueueSpecs.with(
                QueueSpecs.QUEUE,
                new QueueSpec.Order(QueueSpec.Kind.PRIORITY, 0, true, Duration.ofDays(1)));
    }

    private void priorities(PoolSpec.Priorities priorities) {
        var spec =
                new PoolSpec(
                        new TreeMap<>(),
                        QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN,
                        PoolSpec.Preemption.OFF,
                        priorities,
                        PoolSpec.Spot.NONE,
                        PoolSpec.Backing.NONE);
        play.on(new Event.PoolPut("default", spec, null));
    }
}
