package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.fixtures.Fixtures.NOON;
import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.within;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.Nodes;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.coordinator.core.nodes.GoingNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Events that come while a step is full: they wait, and one step takes several of them. */
class PoolStepsTest {
    private static final int MOST = 12;
    private static final int CROWD = 40;
    private static final Selector ALL = new Selector(null, null, new TreeMap<>());
    private static final JobId A = job("a", 1_001);
    private static final JobId B = job("b", 1_002);

    private final Play play = Play.inSteps(MOST, 1);

    @Test
    void twoSubmissionsOfOneStepHaveATicketEach() {
        crowd();
        play.onStep(bulk(new Change.Cancel(null, ""), null));
        play.onStep(new Event.Submitted(A, workers(1, 3), null));
        play.onStep(new Event.Submitted(B, workers(1, 3), null));
        assertThat(play.rows.get(Row.Table.WAITING)).hasSize(2);
        var large = new Event.NodeSeen(WATCHER, Fixtures.node("large", 6));
        play.restart().goOn();
        assertThat(play.job(A).ticket()).isLessThan(play.job(B).ticket());
        play.on(large);
        assertThat(List.of(A, B)).allMatch(play::isUp);
    }

    @Test
    void twoBulksOfOneStepAreRememberedBoth() {
        crowd();
        play.onStep(bulk(new Change.Hold(""), null));
        play.onStep(bulk(new Change.Prioritise(3), "r1"));
        play.onStep(new Event.Submitted(A, workers(1, 3), null));
        play.onStep(bulk(new Change.Prioritise(4), "r2"));
        play.goOn();
        play.takeEffects();
        play.on(bulk(new Change.Prioritise(3), "r1"));
        play.on(bulk(new Change.Prioritise(4), "r2"));
        assertThat(play.take(Effect.BulkDone.class))
                .containsExactly(
                        new Effect.BulkDone(request("r1"), new Bulk.Counts(CROWD, CROWD)),
                        new Effect.BulkDone(request("r2"), new Bulk.Counts(CROWD + 1, CROWD + 1)));
    }

    @Test
    void whatWasSeenBeforeAListOfTheSameStepAndIsNotInItIsGone() {
        crowd();
        play.onStep(bulk(new Change.Cancel(null, ""), null));
        play.onStep(new Event.NodeSeen(WATCHER, Fixtures.node("old", 5)));
        play.onStep(new Event.SnapshotBegin(WATCHER, "second"));
        play.onStep(new Event.NodeSeen(WATCHER, Fixtures.node("node-0", 1)));
        play.onStep(new Event.SnapshotEnd(WATCHER, "second"));
        play.goOn();
        assertThat(play.rows.get(Row.Table.NODE)).containsOnlyKeys("node-0");
    }

    /** Earlier versions gave both of one step the same ticket, and only one was tried. */
    @Test
    void ofRowsWithOneTicketForTwoJobsBothAreTried() {
        play.on(new Event.Submitted(A, workers(1, 3), null));
        play.on(new Event.Submitted(B, workers(1, 3), null));
        var rows =
                play.allRows()
                        .map(row -> row instanceof Job job ? withTicketOf(A, job) : row)
                        .toList();
        var pool = Pool.restore(rows);
        var large = new Event.NodeSeen(WATCHER, Fixtures.node("large", 6));
        var changed =
                pool.on(large, play.now()).changes().stream()
                        .map(change -> change.row())
                        .filter(Job.class::isInstance)
                        .map(Job.class::cast)
                        .toList();
        assertThat(changed).extracting(Job::id).containsExactlyInAnyOrder(A, B);
        assertThat(changed)
                .allMatch(job -> job.state() instanceof JobState.Starting)
                .extracting(Job::ticket)
                .doesNotHaveDuplicates();
    }

    @Test
    void stepEndsWhereMuchIsLookedAtAndNothingFollows() {
        var small = Play.inSteps(2, 100);
        for (int i = 0; i < 30; i++) {
            new OneJob(small, job("j" + i, 10 + i)).runs(CheckpointJobs.byFile(workers(1, 2)));
        }
        small.on(new Event.NodeSeen(WATCHER, Nodes.cordoned("node-0", 100)));
        var due = small.now().plus(GoingNodes.CHECK_INTERVAL);
        var step = small.onStep(new Event.TimePassed(due));
        assertThat(step.effects()).isEmpty();
        assertThat(step.more()).isTrue();
        assertThat(small.goOn().rows(Row.Table.WAITING)).isEmpty();
    }

    /** Not all of them are lost in one step, and the list has ended when the last is. */
    @Test
    void listOfWhichMuchIsMissingEndsAfterSeveralSteps() {
        var small = Play.inSteps(MOST, 100, 100, 100);
        var wide = job("wide", 10);
        new OneJob(small, wide).runs(workers(250, 1));
        small.on(new Event.SnapshotBegin(WATCHER, "second"));
        for (int i = 0; i < 3; i++) {
            small.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-" + i, 100)));
        }
        small.onStep(new Event.SnapshotEnd(WATCHER, "second"));
        small.restart().goOn();
        assertThat(small.ranks(wide)).hasSize(250).allMatch(rank -> rank.sight().gone());
    }

    @Test
    void timeIsThatOfTheMessageOrOfTheLogWhicheverIsLater() {
        var pool = Pool.empty();
        pool.on(new Event.TimePassed(NOON), NOON.minusSeconds(5));
        assertThat(pool.now()).isEqualTo(NOON);
        pool.on(new Event.TimePassed(NOON), NOON.plusSeconds(5));
        assertThat(pool.now()).isEqualTo(NOON.plusSeconds(5));
    }

    @Test
    void poolThatComesFromItsRowsOneByOneIsTheSame() {
        play.on(new Event.Submitted(A, workers(1, 1), null));
        play.on(new Event.Submitted(B, workers(1, 3), null));
        var restoring = Pool.Restoring.begin();
        play.allRows().forEach(restoring::add);
        var pool = restoring.whole();
        assertThat(pool.name()).isEqualTo("default");
        assertThat(pool.now()).isEqualTo(play.now());
        assertThat(pool.explain(B)).isEqualTo(play.explain(B));
        assertThat(pool.queueStates()).isEqualTo(play.queueStates()).hasSize(1);
        assertThat(pool.newest(A.namespace(), A.name())).contains(A);
        assertThat(pool.newest(A.namespace(), "unknown")).isEmpty();
    }

    private Row withTicketOf(JobId other, Job job) {
        return new Job(
                job.id(),
                job.spec(),
                play.job(other).ticket(),
                job.state(),
                job.fences(),
                job.times(),
                job.seq(),
                job.due(),
                job.answered(),
                job.past());
    }

    /** Too many to be changed in one step; none of them fits. */
    private void crowd() {
        IntStream.range(0, CROWD)
                .forEach(i ->
                        play.on(new Event.Submitted(job("j" + i, 10 + i), workers(9, 1), null)));
    }

    private static Event bulk(Change change, String id) {
        return new Event.BulkAsked(ALL, change, id == null ? null : request(id));
    }

    private static Request request(String id) {
        return new Request("default", id);
    }

    /** Those of a step's moves that came of its event itself. */
    private static List<Phase> own(Step step) {
        return IntStream.range(0, step.effects().size())
                .filter(step.own()::has)
                .mapToObj(step.effects()::get)
                .flatMap(effect -> effect instanceof Effect.Moved m ? Stream.of(m.to()) : null)
                .toList();
    }

    private static Event hold() {
        return new Event.ChangeAsked(A, new Change.Hold(""), null);
    }

    @Test
    void whatAnEventDoesAtOnceIsOfIt() {
        assertThat(own(play.onStep(new Event.Submitted(A, workers(1, 1), null))))
                .containsExactly(Phase.QUEUED, Phase.STARTING);
        var cancel = new Event.ChangeAsked(A, new Change.Cancel(null, ""), null);
        assertThat(own(play.onStep(cancel))).containsExactly(Phase.STOPPING);
    }

    @Test
    void deadlineThatHadComeBeforeAnEventIsNotOfIt() {
        var minute = new JobSpec.Deadlines(Duration.ofMinutes(1), Duration.ZERO, Duration.ZERO);
        play.on(new Event.Submitted(A, within(minute, workers(1, 3)), null));
        play.later(Duration.ofMinutes(2));
        var step = play.onStep(hold());
        assertThat(step.effects()).anyMatch(effect -> effect instanceof Effect.Moved);
        assertThat(own(step)).isEmpty();
    }

    @Test
    void whatHadToWaitIsOfNoLaterEvent() {
        play.on(new Event.Submitted(A, workers(1, 3), null));
        crowd();
        play.onStep(bulk(new Change.Prioritise(3), null));
        play.onStep(new Event.ChangeAsked(A, new Change.Cancel(null, ""), null));
        assertThat(play.rows.get(Row.Table.WAITING)).hasSize(1);
        var after = hold();
        var steps = new ArrayList<>(List.of(play.onStep(after)));
        while (steps.getLast().more()) {
            steps.add(play.onStep());
        }
        assertThat(steps).allMatch(step -> own(step).isEmpty());
        assertThat(play.takePhases(A)).contains(Phase.CANCELLED);
    }
}
