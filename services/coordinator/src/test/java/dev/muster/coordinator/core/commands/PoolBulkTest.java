package dev.muster.coordinator.core.commands;

import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Bulk;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Phase;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Scaling;
import dev.muster.coordinator.core.model.Selector;
import dev.muster.coordinator.core.model.Then;
import dev.muster.coordinator.core.state.LastAnswers;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A change of many jobs that is asked for twice. */
class PoolBulkTest {
    private static final Selector ALL = new Selector(null, null, new TreeMap<>());

    private final Play play = Play.withNodes(1);
    private final JobId a = Fixtures.job("a", 1);
    private final JobId b = Fixtures.job("b", 2);
    private final JobId c = Fixtures.job("c", 3);

    @Test
    void aRepeatGetsTheFirstAnswerAndChangesNothing() {
        submit(a);
        play.on(cancel("r1"));
        var first = play.takeOne(Effect.BulkDone.class);
        assertThat(first.counts()).isEqualTo(new Bulk.Counts(1, 1));
        submit(b);
        play.on(cancel("r1"));
        assertThat(play.takeOne(Effect.BulkDone.class)).isEqualTo(first);
        assertThat(play.job(b).state()).isInstanceOf(JobState.Queued.class);
        play.on(cancel("r2"));
        assertThat(play.takeOne(Effect.BulkDone.class).counts()).isEqualTo(new Bulk.Counts(1, 1));
    }

    @Test
    void aRepeatOfOneThatIsUnderWayIsAnsweredWhenItIsDone() {
        for (int i = 0; i < 900; i++) {
            submit(Fixtures.job("j" + i, 10 + i));
        }
        play.takeEffects();
        assertThat(play.onStep(cancel("r1")).more()).isTrue();
        play.on(cancel("r1"));
        var done = new Effect.BulkDone(request("r1"), new Bulk.Counts(900, 900));
        assertThat(play.take(Effect.BulkDone.class)).containsExactly(done, done);
    }

    /** Admission sends it to the pool that the queue was of last, which alone knows the answer. */
    @Test
    void ofAQueueThatIsGoneOnlyARepeatIsAnsweredAsDone() {
        var other = new Selector("other", null, new TreeMap<>());
        play.on(new Event.QueuePut("other", QueueSpecs.QUEUE, null));
        play.on(new Event.BulkAsked(other, new Change.Hold(""), request("r1")));
        var first = play.takeOne(Effect.BulkDone.class);
        play.on(new Event.QueueDelete("other", false, null));
        play.on(new Event.BulkAsked(other, new Change.Hold(""), request("r1")));
        assertThat(play.takeOne(Effect.BulkDone.class)).isEqualTo(first);
        play.takeEffects();
        play.on(new Event.BulkAsked(other, new Change.Hold(""), request("r2")));
        assertThat(play.takeEffects())
                .containsExactly(
                        new Effect.Answer(
                                request("r2"),
                                Outcome.NOT_FOUND,
                                null,
                                null,
                                "no queue other",
                                null));
    }

    /** However many there are in others. */
    @Test
    void ofAQueueOnlyItsOwnJobsAreLookedAt() {
        new NamedJobs(play).queue("other", QueueSpecs.queue(1, false, true, 5000));
        for (int i = 0; i < 1500; i++) {
            play.on(
                    new Event.Submitted(
                            Fixtures.job("j" + i, 10 + i), NamedJobs.one("other"), null));
        }
        submit(a);
        submit(b);
        play.on(new Event.ChangeAsked(a, new Change.Move("other"), null));
        play.takeEffects();
        var ofDefault = new Selector("default", null, new TreeMap<>());
        var cancel = new Change.Cancel(null, "");
        var step = play.onStep(new Event.BulkAsked(ofDefault, cancel, request("r1")));
        assertThat(step.effects()).anyMatch(Effect.BulkDone.class::isInstance);
        assertThat(play.takeOne(Effect.BulkDone.class).counts()).isEqualTo(new Bulk.Counts(1, 1));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Queued.class);
    }

    @Test
    void theLastAnswersAreRemembered() {
        for (int i = 0; i <= LastAnswers.KEPT; i++) {
            play.on(cancel("r" + i));
        }
        assertThat(play.rows.get(Row.Table.BULK)).hasSize(LastAnswers.KEPT);
        submit(a);
        play.takeEffects();
        play.on(cancel("r1"));
        assertThat(play.takeOne(Effect.BulkDone.class).counts()).isEqualTo(new Bulk.Counts(0, 0));
        play.on(cancel("r0"));
        assertThat(play.takeOne(Effect.BulkDone.class).counts()).isEqualTo(new Bulk.Counts(1, 1));
    }

    @Test
    void thoseThatAreSoAlreadyAreNotCountedAsChanged() {
        submit(a);
        submit(b);
        play.on(new Event.ChangeAsked(a, new Change.Hold(""), null));
        play.on(new Event.ChangeAsked(b, new Change.Prioritise(5), null));
        assertThat(changed(new Change.Hold(""), "r1")).isEqualTo(new Bulk.Counts(2, 1));
        assertThat(changed(new Change.Prioritise(5), "r2")).isEqualTo(new Bulk.Counts(2, 1));
        assertThat(changed(new Change.Prioritise(5), "r3")).isEqualTo(new Bulk.Counts(2, 0));
        assertThat(changed(new Change.Move("default"), "r4")).isEqualTo(new Bulk.Counts(2, 0));
        assertThat(changed(new Change.Include("n"), "r5")).isEqualTo(new Bulk.Counts(2, 0));
    }

    private Bulk.Counts changed(Change change, String request) {
        return changed(play, change, request);
    }

    private static Bulk.Counts changed(Play play, Change change, String request) {
        play.on(new Event.BulkAsked(ALL, change, request(request)));
        return play.takeOne(Effect.BulkDone.class).counts();
    }

    @Test
    void commandsOfScaleHaveTheIdOfTheRequestAndADryRunChangesNothing() {
        var large = Play.withNodes(4, 4);
        for (var job : List.of(a, b)) {
            new OneJob(large, job).runs(ElasticJobs.elastic("default", 1, 2, 4));
        }
        var dry = new Change.Terms(Duration.ZERO, true, null, true);
        assertThat(changed(large, new Change.ScaleOut("worker", 1, dry), "r1"))
                .isEqualTo(new Bulk.Counts(2, 0));
        assertThat(large.job(a).past().scaling()).isNull();
        var more = new Change.ScaleOut("worker", 1, Change.Terms.PLAIN);
        assertThat(changed(large, more, "r2")).isEqualTo(new Bulk.Counts(2, 2));
        assertThat(large.job(a).past().scaling().id()).isEqualTo("r2");
        large.on(new Event.ChangeAsked(b, new Change.Withdraw("r2"), null));
        assertThat(large.job(b).past().scaling().stage()).isEqualTo(Scaling.Stage.CANCELLED);
        assertThat(large.job(a).past().scaling().isOver()).isFalse();
    }

    @Test
    void aQueueThatIsResumedLeavesSuspendedWhatUsersSuspendedThemselves() {
        submit(a);
        submit(b);
        play.on(new Event.Submitted(c, Fixtures.suspended(workers(9, 1)), null));
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, "a night off"), null));
        play.on(new Event.BulkAsked(ALL, new Change.Suspend(null, "repairs"), request("r1")));
        assertThat(play.takeOne(Effect.BulkDone.class).counts()).isEqualTo(new Bulk.Counts(3, 1));
        play.on(new Event.BulkAsked(ALL, new Change.Resume(), request("r2")));
        assertThat(play.takeOne(Effect.BulkDone.class).counts()).isEqualTo(new Bulk.Counts(3, 1));
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.SUSPENDED);
        assertThat(play.job(b).state().phase()).isEqualTo(Phase.QUEUED);
        assertThat(play.job(c).state().phase()).isEqualTo(Phase.SUSPENDED);
        play.on(new Event.ChangeAsked(a, new Change.Resume(), null));
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.QUEUED);
    }

    @Test
    void whatAUserSuspendsWhileItsQueueIsStaysSuspended() {
        submit(a);
        play.on(new Event.BulkAsked(ALL, new Change.Suspend(null, "repairs"), null));
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, "a night off"), null));
        play.on(new Event.BulkAsked(ALL, new Change.Resume(), null));
        assertThat(play.job(a).state())
                .isEqualTo(new JobState.Suspended(0, "a night off", null, true));
    }

    @Test
    void aRunningJobThatAUserSuspendsIsNotResumedWithItsQueue() {
        play.on(new Event.Submitted(a, workers(1, 1), null));
        assertThat(play.job(a).state()).isInstanceOf(JobState.Starting.class);
        play.on(new Event.ChangeAsked(a, new Change.Suspend(null, "a night off"), null));
        play.on(new Event.BulkAsked(ALL, new Change.Resume(), null));
        var grace = play.job(a).spec().grace();
        assertThat(play.job(a).state())
                .isEqualTo(
                        new JobState.Stopping(
                                new Then.Suspend(0, "a night off", true), false, grace));
        play.on(new Event.Submitted(b, workers(1, 1), null));
        play.on(new Event.BulkAsked(ALL, new Change.Suspend(null, "repairs"), null));
        play.on(new Event.BulkAsked(ALL, new Change.Resume(), null));
        assertThat(play.job(a).state().phase()).isEqualTo(Phase.STOPPING);
        assertThat(((JobState.Stopping) play.job(a).state()).then())
                .isInstanceOf(Then.Suspend.class);
    }

    @Test
    void movesThatItMakesAreOfWhoAskedAndWhatFollowsIsNot() {
        new NamedJobs(play).queue("other", QueueSpecs.QUEUE);
        play.on(new Event.Submitted(a, workers(1, 1), null));
        submit(b);
        var follows = Fixtures.behind("b", true, NamedJobs.one("other"));
        play.on(new Event.Submitted(c, follows, null));
        var ofDefault = new Selector("default", null, new TreeMap<>());
        var cancel = new Change.Cancel(null, "");
        assertThat(moves(play.onStep(new Event.BulkAsked(ofDefault, cancel, null, "alice"))))
                .containsExactly("a STOPPING alice", "b CANCELLED alice", "c FAILED null");
    }

    private static List<String> moves(Step step) {
        return IntStream.range(0, step.effects().size())
                .filter(i -> step.effects().get(i) instanceof Effect.Moved)
                .mapToObj(i -> {
                    var moved = (Effect.Moved) step.effects().get(i);
                    return "%s %s %s"
                            .formatted(moved.job().name(), moved.to(), step.askers().get(i));
                })
                .toList();
    }

    private void submit(JobId job) {
        play.on(new Event.Submitted(job, workers(9, 1), null));
    }

    private static Event.Request request(String id) {
        return new Event.Request("default", id);
    }

    private static Event.BulkAsked cancel(String id) {
        return new Event.BulkAsked(ALL, new Change.Cancel(null, ""), request(id));
    }
}
