package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.at;
import static dev.muster.coordinator.core.Fixtures.behind;
import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Fixtures.role;
import static dev.muster.coordinator.core.Fixtures.spec;
import static dev.muster.coordinator.core.Fixtures.suspended;
import static dev.muster.coordinator.core.Fixtures.workers;
import static dev.muster.coordinator.core.Respec.labelled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.life.LeavingRules;
import dev.muster.coordinator.core.model.Amounts;
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
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.state.Effect;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Changes of waiting jobs, one by one and many at once, and the order that follows from them. */
class PoolChangesTest {
    private static final Request REQUEST = new Request("ml/a", "r-1");
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);

    @Test
    void heldJobStartsOnlyWhenItIsReleased() {
        fill();
        submit(a, workers(1, 1));
        change(a, new Change.Hold("until Monday"));
        assertThat(play.take(Effect.Status.class).getLast().job().state())
                .isInstanceOf(JobState.Queued.class);
        empty();
        assertThat(started()).isEmpty();
        change(a, new Change.Release());
        assertThat(started()).containsExactly("a");
    }

    @Test
    void jobThatIsHeldWhileSuspendedStaysHeldWhenItIsResumed() {
        submit(a, suspended(workers(1, 1)));
        change(a, new Change.Hold("until Monday"));
        change(a, new Change.Resume());
        assertThat(started()).isEmpty();
        var state = (JobState.Queued) play.job(a).state();
        assertThat(state.reason().message()).isEqualTo("until Monday");
        change(a, new Change.Release());
        assertThat(started()).containsExactly("a");
    }

    @Test
    void jobThatIsReleasedWhileSuspendedStartsWhenItIsResumed() {
        submit(a, suspended(workers(1, 1)));
        change(a, new Change.Hold(""));
        change(a, new Change.Release());
        assertThat(started()).isEmpty();
        change(a, new Change.Resume());
        assertThat(started()).containsExactly("a");
    }

    @Test
    void heldJobsAreHeldAfterTheirQueueWasSuspendedAndResumed() {
        fill();
        submit(a, workers(1, 1));
        submit(b, workers(1, 1));
        change(a, new Change.Hold("until Monday"));
        play.restart();
        all(new Change.Suspend(null, ""));
        all(new Change.Resume());
        empty();
        assertThat(started()).containsExactly("b");
    }

    @Test
    void jobThatBacksOffDoesSoAfterItWasHeldOrSuspended() {
        submit(a, workers(1, 1));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(10), 0);
        gone(a, play.take(Effect.StopPlan.class).getLast().version());
        change(a, new Change.Hold(""));
        change(a, new Change.Suspend(null, ""));
        change(a, new Change.Resume());
        change(a, new Change.Release());
        assertThat(started()).isEmpty();
        var state = (JobState.Queued) play.job(a).state();
        assertThat(state.reason().code()).isEqualTo(Code.BACKING_OFF);
        play.passHeard(LeavingRules.BACKOFF, 0);
        assertThat(started()).containsExactly("a");
    }

    /** Why it waits then is said of the queue alone. */
    @Test
    void jobThatBackedOffSaysSoNoMoreWhereItsQueueIsShut() {
        submit(a, workers(1, 1));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(10), 0);
        gone(a, play.take(Effect.StopPlan.class).getLast().version());
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, true, true, 100), null));
        play.passHeard(LeavingRules.BACKOFF, 0);
        assertThat(((JobState.Queued) play.job(a).state()).isOpen()).isTrue();
        assertThat(play.take(Effect.Status.class).getLast().word().reason()).isEmpty();
        assertThat(((JobState.Queued) play.job(a).state()).reason()).isNull();
    }

    @Test
    void jobThatBackedOffLongEnoughWhileItWasHeldStartsWhenItIsReleased() {
        submit(a, workers(1, 1));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(10), 0);
        gone(a, play.take(Effect.StopPlan.class).getLast().version());
        change(a, new Change.Hold(""));
        play.passHeard(LeavingRules.BACKOFF, 0);
        assertThat(started()).isEmpty();
        change(a, new Change.Release());
        assertThat(started()).containsExactly("a");
    }

    @Test
    void heldJobSaysSo() {
        fill();
        submit(a, workers(1, 1));
        play.takeEffects();
        change(a, new Change.Hold("until Monday"));
        var state = (JobState.Queued) play.job(a).state();
        assertThat(state.reason().code()).isEqualTo(Code.HELD);
        assertThat(state.reason().message()).isEqualTo("until Monday");
    }

    @Test
    void jobOfHigherPriorityGoesFirst() {
        fill();
        submit(a, workers(5, 1));
        submit(b, at(10, workers(5, 1)));
        play.takeEffects();
        empty();
        assertThat(started()).containsExactly("b");
    }

    @Test
    void priorityIsChangedWhileItWaits() {
        fill();
        submit(a, workers(5, 1));
        submit(b, workers(5, 1));
        change(b, new Change.Prioritise(1));
        play.takeEffects();
        empty();
        assertThat(started()).containsExactly("b");
    }

    @Test
    void startedJobKeepsItsPriority() {
        submit(a, workers(1, 1));
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.Prioritise(1), REQUEST));
        var answer = play.takeOne(Effect.Answer.class);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message()).isEqualTo("ml/a does not wait any more: it is Starting");
    }

    @Test
    void priorityClassesAreThePools() {
        var classes = new TreeMap<>(Map.of("high", 100));
        pool(new PoolSpec.Priorities(classes, Duration.ZERO, 0));
        fill();
        submit(a, workers(5, 1));
        submit(b, ofClass("high", workers(5, 1)));
        play.takeEffects();
        empty();
        assertThat(started()).containsExactly("b");
        play.on(new Event.Submitted(job("c", 3), ofClass("low", workers(1, 1)), REQUEST));
        assertThat(play.takeOne(Effect.Answer.class).message())
                .isEqualTo("the pool has no priority class low");
    }

    @Test
    void waitingAddsToThePriorityUpToTheMost() {
        pool(new PoolSpec.Priorities(new TreeMap<>(), Duration.ofMinutes(1), 5));
        play.on(new Event.QueuePut("default", patient(), null));
        fill();
        submit(a, workers(5, 1));
        play.pass(Duration.ofMinutes(3));
        submit(b, at(2, workers(5, 1)));
        submit(job("c", 3), at(6, workers(5, 1)));
        play.pass(Duration.ofMinutes(30));
        play.takeEffects();
        empty();
        assertThat(started()).containsExactly("c");
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("x", 2)));
        assertThat(started()).containsExactly("b");
    }

    @Test
    void jobMovesToAnotherQueueWithItsAge() {
        play.on(new Event.QueuePut("other", QueueSpecs.QUEUE, null));
        fill();
        submit(a, workers(5, 1));
        submit(b, spec("other", role("worker", 5, 1)));
        change(a, new Change.Move("other"));
        assertThat(play.take(Effect.Status.class).getLast().job().spec().queue())
                .isEqualTo("other");
        empty();
        assertThat(started()).containsExactly("a");
    }

    @Test
    void jobMovesOnlyWhereItIsAdmitted() {
        var doors = new QueueSpec.Doors(false, false, 10, 10, new TreeSet<>(List.of("other")));
        play.on(new Event.QueuePut("closed", QueueSpecs.with(QueueSpecs.QUEUE, doors), null));
        fill();
        submit(a, workers(5, 1));
        play.takeEffects();
        play.on(new Event.ChangeAsked(a, new Change.Move("closed"), REQUEST));
        var answer = play.takeOne(Effect.Answer.class);
        assertThat(answer.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(answer.message()).isEqualTo("queue closed is not for namespace ml");
    }

    @Test
    void jobSubmittedSuspendedHasNoPodUntilItIsResumed() {
        submit(a, suspended(workers(1, 1)));
        var effects = play.takeEffects();
        assertThat(Play.phases(effects, a)).containsExactly(Phase.SUSPENDED);
        assertThat(effects).noneMatch(Effect.Plan.class::isInstance);
        change(a, new Change.Resume());
        assertThat(started()).containsExactly("a");
    }

    @Test
    void runningJobIsSuspendedAndStartsAnewWhenItIsResumed() {
        submit(a, workers(1, 1));
        play.takeEffects();
        change(a, new Change.Suspend(null, "not now"));
        var stop = play.takeOne(Effect.StopPlan.class);
        gone(a, stop.version());
        assertThat(play.takePhases(a)).containsExactly(Phase.SUSPENDED);
        change(a, new Change.Resume());
        var plan = play.takeOne(RunPlan.class);
        assertThat(plan.attempt()).isEqualTo(2);
    }

    @Test
    void resumedJobStartsByItselfOnceItsWholeGangFits() {
        submit(a, suspended(workers(8, 1)));
        fill();
        change(a, new Change.Resume());
        play.passHeard(Duration.ofHours(1), 0);
        assertThat(started()).isEmpty();
        empty();
        assertThat(started()).containsExactly("a");
    }

    @Test
    void jobResumedWhileItStopsGoesBackToItsQueue() {
        submit(a, workers(1, 1));
        play.takeEffects();
        change(a, new Change.Suspend(null, "not now"));
        var stop = play.takeOne(Effect.StopPlan.class);
        change(a, new Change.Resume());
        gone(a, stop.version());
        assertThat(play.takePhases(a)).containsExactly(Phase.QUEUED, Phase.STARTING);
    }

    @Test
    void suspendedJobStillWaitsForOthersWhenItIsResumed() {
        submit(a, workers(1, 1));
        submit(b, suspended(behind("a", true, workers(1, 1))));
        play.takeEffects();
        change(b, new Change.Resume());
        assertThat(play.takePhases(b)).containsExactly(Phase.QUEUED);
    }

    @Test
    void manyJobsAreChangedByOneRequestAndAnsweredOnce() {
        fill();
        for (int i = 0; i < 10; i++) {
            submit(job("j" + i, 10 + i), labelled("team", i % 2 == 0 ? "x" : "y", workers(9, 1)));
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
    void tenThousandJobsAreCancelledInBoundedSteps() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, true, true, 100_000), null));
        for (int i = 0; i < 10_000; i++) {
            submit(job("j" + i, 10 + i), workers(1, 1));
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
        fill();
        submit(a, workers(9, 1));
        var bulk =
                new Event.BulkAsked(
                        new Selector(null, null, new TreeMap<>()), new Change.Hold(""), REQUEST);
        play.on(bulk);
        submit(b, workers(9, 1));
        assertThat(((JobState.Queued) play.job(b).state()).gate())
                .isEqualTo(new JobState.Gate.Open());
        assertThat(((JobState.Queued) play.job(a).state()).gate())
                .isEqualTo(new JobState.Gate.Held(""));
    }

    @Test
    void queueThatIsDrainedTakesNothingNewAndGoesWithItsLastJob() {
        submit(a, workers(1, 1));
        play.on(new Event.QueueDelete("default", true, REQUEST));
        assertThat(play.take(Effect.Answer.class).getLast().message())
                .isEqualTo("it is deleted once its 1 jobs have ended");
        play.on(new Event.Submitted(b, workers(1, 1), REQUEST));
        assertThat(play.takeOne(Effect.Answer.class).message())
                .isEqualTo("queue default takes no new jobs");
        play.on(Fixtures.cancel(a, "", null));
        gone(a, play.take(Effect.StopPlan.class).getLast().version());
        assertThat(play.take(Effect.QueueDeleted.class)).hasSize(1);
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

    private void pool(PoolSpec.Priorities priorities) {
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

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }

    private void change(JobId id, Change change) {
        play.on(new Event.ChangeAsked(id, change, null));
    }

    private void all(Change change) {
        play.on(new Event.BulkAsked(new Selector(null, null, new TreeMap<>()), change, null));
    }

    /** The whole pool is used by others. */
    private void fill() {
        others(4);
    }

    private void empty() {
        others(0);
    }

    private void others(long cores) {
        var use = cores == 0 ? Amounts.NONE : Amounts.of(Map.of("cpu", cores * 1000));
        play.on(new Event.OthersUse(WATCHER, "node-0", use));
        play.on(new Event.OthersUse(WATCHER, "node-1", use));
    }

    private void gone(JobId id, long version) {
        play.on(new Event.PlanApplied(id, version, false, List.of()));
        play.on(new Event.PlanApplied(id, play.job(id).fences().plan(), true, List.of()));
    }

    private List<String> started() {
        return play.take(RunPlan.class).stream().map(plan -> plan.job().name()).toList();
    }
}
