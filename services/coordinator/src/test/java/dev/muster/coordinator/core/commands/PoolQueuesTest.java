package dev.muster.coordinator.core.commands;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.Pool;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.effects.Effect.Answer;
import dev.muster.coordinator.core.effects.Effect.RunPlan;
import dev.muster.coordinator.core.effects.Step;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.Request;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Outcome;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Row;
import dev.muster.schemas.contract.Answers;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queues of a pool: whose turn it is, and what operators may do to them. */
public class PoolQueuesTest {
    private final Play play = Play.withNodes(4, 4);
    private final JobId a = job("a", 1);
    private final JobId b = job("b", 2);

    private int asked;

    /** Another one each time: a repeat gets the first answer. */
    private Request request() {
        asked++;
        return new Request("ml/a", "r-" + asked);
    }

    @Test
    void jobThatAgedPassesNobodyWhoWouldHaveGoneLater() {
        play.on(new Event.PoolPut("default", Fixtures.aging(Duration.ofMinutes(1), 1000), null));
        play.on(new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(4)));
        play.on(new Event.OthersUse(WATCHER, "node-1", Fixtures.cpu(4)));
        play.on(new Event.Submitted(job("old", 1), workers(1, 1), null));
        play.on(new Event.Submitted(job("old2", 2), workers(1, 1), null));
        play.passHeard(Duration.ofMinutes(10), 0);
        play.on(new Event.Submitted(job("young", 3), Fixtures.at(5, workers(1, 1)), null));
        play.on(new Event.Submitted(job("best", 4), Fixtures.at(11, workers(1, 1)), null));
        play.takeEffects();
        play.on(new Event.OthersUse(WATCHER, "node-0", Amounts.NONE));
        assertThat(play.take(Effect.Started.class))
                .extracting(started -> started.job().name() + " " + started.passed())
                .containsExactly("best 0", "old 0", "old2 0", "young 0");
    }

    @Test
    void jobThatPassesOthersSaysHowMany() {
        play.on(new Event.OthersUse(WATCHER, "node-0", Fixtures.cpu(4)));
        play.on(new Event.OthersUse(WATCHER, "node-1", Fixtures.cpu(4)));
        play.on(new Event.Submitted(job("large", 1), Fixtures.at(5, workers(9, 1)), null));
        play.on(new Event.Submitted(job("older", 2), workers(9, 1), null));
        play.on(new Event.Submitted(job("small", 3), workers(1, 1), null));
        play.takeEffects();
        play.on(new Event.OthersUse(WATCHER, "node-0", Amounts.NONE));
        assertThat(play.takeOne(Effect.Started.class).passed()).isEqualTo(2);
    }

    @Test
    void jobThatWasMovedSaysWhyItWaitsThere() {
        play.on(new Event.QueuePut("a", QueueSpecs.limited(2), null));
        play.on(new Event.QueuePut("b", QueueSpecs.limited(3), null));
        play.on(new Event.Submitted(job("fill", 1), spec("a", role("worker", 2, 1)), null));
        play.on(new Event.Submitted(job("fill2", 2), spec("b", role("worker", 3, 1)), null));
        play.on(new Event.Submitted(job("big", 4), spec("a", role("worker", 9, 1)), null));
        play.on(new Event.Submitted(job("big2", 5), spec("b", role("worker", 9, 1)), null));
        play.on(new Event.Submitted(job("c", 6), spec("a", role("worker", 2, 1)), null));
        play.takeEffects();
        play.on(new Event.ChangeAsked(job("c", 6), new Change.Move("b"), null));
        assertThat(play.take(Effect.Waits.class))
                .singleElement()
                .satisfies(waits -> {
                    assertThat(waits.queue()).isEqualTo("b");
                    assertThat(waits.reason().message()).contains("queue b");
                });
    }

    @Test
    void headThatWouldNotFitTheEmptyPoolNeverBlocks() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, false, false, 10), null));
        submit(a, workers(100, 1));
        submit(b, workers(1, 1));
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(b);
    }

    @Test
    void queuesTakeTurnsByTheirWeights() {
        play.on(new Event.QueuePut("x", QueueSpecs.queue(2, true, true, 10), null));
        play.on(new Event.QueuePut("y", QueueSpecs.queue(1, true, true, 10), null));
        for (int i = 0; i < 4; i++) {
            submit(job("x" + i, 10 + i), spec("x", role("worker", 1, 1)));
            submit(job("y" + i, 20 + i), spec("y", role("worker", 1, 1)));
        }
        assertThat(play.take(RunPlan.class)).isEmpty();
        // Both are resumed before the first turn: it is due only with the second.
        play.on(new Event.NodeReleased(WATCHER, "node-0"));
        play.on(new Event.NodeReleased(WATCHER, "node-1"));
        play.on(new Event.QueuePut("x", QueueSpecs.queue(2, false, true, 10), null));
        play.on(new Event.QueuePut("y", QueueSpecs.queue(1, false, true, 10), null));
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-2", 6)));
        assertThat(play.take(RunPlan.class))
                .extracting(plan -> plan.job().name())
                .containsExactly("x0", "y0", "x1", "x2", "y1", "x3");
    }

    @Test
    void changesOfTwoOperatorsAreBothKept() {
        play.on(change(QueueSpecs.limited(6), "limit.cpu"));
        play.on(change(QueueSpecs.queue(5, true, false, 9), "weight", "paused"));
        var now = queue("default").spec();
        assertThat(now)
                .isEqualTo(
                        new QueueSpec(
                                5,
                                new QueueSpec.Doors(
                                        true,
                                        false,
                                        QueueSpecs.QUEUE.doors().maxWaiting(),
                                        QueueSpecs.QUEUE.doors().maxRunning(),
                                        new TreeSet<>()),
                                QueueSpecs.QUEUE.order(),
                                QueueSpecs.limited(6).quota()));
    }

    @Test
    void whatAChangeNamesAndDoesNotHaveIsTakenAway() {
        play.on(change(QueueSpecs.limited(6), "limit"));
        play.on(change(QueueSpecs.QUEUE, "limit.cpu", "limit.memory"));
        assertThat(queue("default").spec()).isEqualTo(QueueSpecs.QUEUE);
    }

    @Test
    void changeThatChangesNothingIsAcceptedAndPublishesNothing() {
        play.on(change(QueueSpecs.queue(5, true, false, 9), "paused"));
        play.takeEffects();
        play.on(change(QueueSpecs.queue(7, true, false, 9), "paused"));
        assertIsUnchanged();
        play.on(new Event.QueuePut("default", queue("default").spec(), request()));
        assertThat(play.takeOne(Answer.class).message()).isEqualTo(Answers.UNCHANGED);
        play.takeEffects();
        play.on(new Event.QueueChange("default", QueueSpecs.QUEUE, fields(), true, request()));
        assertIsUnchanged();
    }

    private void assertIsUnchanged() {
        assertThat(play.takeEffects())
                .singleElement()
                .isInstanceOfSatisfying(
                        Answer.class,
                        answer ->
                                assertThat(answer)
                                        .returns(Outcome.ACCEPTED, Answer::outcome)
                                        .returns(Answers.UNCHANGED, Answer::message));
    }

    /** A file names all but the switches of operators. */
    @Test
    void queueOfAFileStaysPausedAndGoesWithItsLastJob() {
        var file = new QueueSetting("default", dev.muster.v1.QueueSpec.newBuilder().build());
        var all = new TreeSet<>(file.fields());
        assertThat(all.removeAll(List.of("paused", "draining"))).isTrue();
        play.on(change(QueueSpecs.queue(1, true, true, 9), "paused"));
        submit(a, workers(1, 1));
        play.on(new Event.QueueDelete("default", true, request()));
        play.takeEffects();

        play.on(new Event.QueueChange("default", QueueSpecs.limited(6), all, true, request()));
        var left = queue("default");
        assertThat(left.leaving()).isTrue();
        assertThat(left.spec().doors().paused()).isTrue();
        assertThat(left.spec().quota().limit()).containsEntry("cpu", 6000L);
        assertThat(play.takeOne(Answer.class).message())
                .isEqualTo("it is being deleted, and goes with its last job");

        play.on(Fixtures.cancel(a, "", null));
        play.on(new Event.QueueChange("default", QueueSpecs.QUEUE, all, true, request()));
        assertThat(queue("default")).isEqualTo(Queue.of("default", QueueSpecs.QUEUE));
    }

    @Test
    void pausedQueueStartsWhenItIsResumedWithoutASecondLook() {
        play.on(change(QueueSpecs.queue(1, true, true, 9), "paused"));
        submit(a, workers(1, 1));
        assertThat(play.take(RunPlan.class)).isEmpty();
        play.on(change(QueueSpecs.QUEUE, "paused", "draining"));
        assertThat(play.take(RunPlan.class)).extracting(RunPlan::job).containsExactly(a);
    }

    @Test
    void changeMakesAQueueOnlyWhereItIsAskedTo() {
        play.on(new Event.QueueChange("new", QueueSpecs.QUEUE, fields("paused"), false, request()));
        assertThat(play.takeOne(Answer.class).outcome()).isEqualTo(Outcome.NOT_FOUND);
        play.on(new Event.QueueChange("new", QueueSpecs.limited(6), fields(), true, request()));
        assertThat(queue("new").spec()).isEqualTo(QueueSpecs.limited(6));
    }

    /** Whoever wants it there would else have it go. */
    @Test
    void changeThatMayMakeAQueueMakesOneAnewThatIsToBeDeleted() {
        submit(a, workers(1, 1));
        play.on(new Event.QueueDelete("default", true, request()));
        assertThat(queue("default").leaving()).isTrue();
        play.on(new Event.QueueChange("default", QueueSpecs.limited(6), fields(), true, request()));
        assertThat(queue("default"))
                .returns(false, Queue::leaving)
                .returns(QueueSpecs.limited(6), Queue::spec);
    }

    /** It takes no new jobs, as it says itself, and does not go. */
    @Test
    void queueThatIsMadeAnewStaysAlsoWhereItDrains() {
        submit(a, workers(1, 1));
        play.on(new Event.QueueDelete("default", true, request()));
        var drains =
                QueueSpecs.with(
                        QueueSpecs.QUEUE,
                        new QueueSpec.Doors(false, true, 10, 10, new TreeSet<>()));
        play.on(new Event.QueueChange("default", drains, fields(), true, request()));
        assertThat(queue("default")).returns(false, Queue::leaving).returns(drains, Queue::spec);
    }

    /** Whoever names fields means the queue that is there. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void changeOfAFieldLeavesTheOthersAndTheDeletion(boolean create) {
        play.on(change(QueueSpecs.guaranteed(4), "guaranteed"));
        submit(a, workers(1, 1));
        play.on(new Event.QueueDelete("default", true, request()));
        play.on(
                new Event.QueueChange(
                        "default", QueueSpecs.limited(6), fields("limit"), create, request()));
        var left = queue("default");
        assertThat(left.leaving()).isTrue();
        assertThat(left.spec().quota().guaranteed().get("cpu")).isEqualTo(4000);
        assertThat(left.spec().quota().limit()).containsEntry("cpu", 6000L);
    }

    @Test
    void changeThatDoesNotGoWithTheRestIsRefused() {
        play.on(change(QueueSpecs.limited(2), "limit"));
        play.take(Answer.class);
        play.on(change(QueueSpecs.guaranteed(4), "guaranteed.cpu"));
        assertThat(play.takeOne(Answer.class).message())
                .isEqualTo("spec.limit.cpu must be at least what is guaranteed: 4");
        play.on(change(QueueSpecs.QUEUE, "wait"));
        assertThat(play.takeOne(Answer.class).message())
                .isEqualTo("spec.wait is no field of a queue");
        assertThat(queue("default").spec()).isEqualTo(QueueSpecs.limited(2));
    }

    @Test
    void limitMayBeWhatTheQueueIsGuaranteed() {
        play.on(change(QueueSpecs.limited(4), "limit"));
        play.on(change(QueueSpecs.guaranteed(4), "guaranteed.cpu"));
        assertThat(queue("default").spec().quota().guaranteed().get("cpu")).isEqualTo(4000);
        assertThat(queue("default").spec().quota().limit()).containsEntry("cpu", 4000L);
    }

    private Event change(QueueSpec spec, String... fields) {
        return new Event.QueueChange("default", spec, fields(fields), false, request());
    }

    private static SortedSet<String> fields(String... names) {
        return new TreeSet<>(List.of(names));
    }

    private Queue queue(String name) {
        return (Queue) play.rows.get(Row.Table.QUEUE).get(name);
    }

    @Test
    void submissionToAQueueThatIsNotThereOrFullIsRefused() {
        submit(a, spec("nowhere", role("worker", 1, 1)));
        assertThat(play.takeOne(Effect.Moved.class).reason()).isEqualTo("QueueNotFound");
        play.on(new Event.QueuePut("small", QueueSpecs.queue(1, true, true, 1), null));
        submit(job("c", 8), spec("small", role("worker", 1, 1)));
        submit(b, spec("small", role("worker", 1, 1)));
        assertThat(play.take(Effect.Moved.class).getLast().reason()).isEqualTo("QueueFull");
    }

    @Test
    void queueWithJobsIsNotDeleted() {
        submit(a, workers(9, 1));
        play.takeEffects();
        play.on(new Event.QueueDelete("default", false, request()));
        assertThat(play.takeOne(Answer.class).message()).isEqualTo("queue default has 1 jobs");
        play.on(Fixtures.cancel(a, "", null));
        play.on(new Event.QueueDelete("default", false, request()));
        assertThat(play.take(Effect.QueueDeleted.class)).hasSize(1);
    }

    @Test
    void pausedQueueSaysSoOnceAndNotPerJob() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, true, true, 10), null));
        submit(a, workers(1, 1));
        submit(b, workers(1, 1));
        var effects = play.takeEffects();
        assertThat(effects).noneMatch(Effect.Waits.class::isInstance);
        assertThat(effects)
                .filteredOn(e ->
                        e instanceof Effect.QueueState(var q, _, _, _, _, _) && q.reason() != null)
                .hasSize(1);
    }

    @Test
    void tooMuchForOneStepGoesOnInTheNext() {
        play.on(new Event.QueuePut("default", QueueSpecs.queue(1, true, true, 1000), null));
        for (int i = 0; i < 300; i++) {
            submit(job("j" + i, 100 + i), workers(1, 1));
        }
        play.takeEffects();
        play.on(new Event.NodeSeen(WATCHER, Fixtures.node("large", 400)));
        var pool = Pool.restore(play.allRows().toList());
        var step = pool.on(new Event.QueuePut("default", QueueSpecs.QUEUE, request()), play.now());
        assertThat(step.effects()).hasSizeLessThanOrEqualTo(500);
        assertThat(step.more()).isTrue();
        int plans = plans(step);
        var late = pool.on(new Event.WatcherAlive(WATCHER), play.now());
        plans += plans(late);
        while (late.more()) {
            late = pool.on(new Event.TimePassed(play.now()), play.now());
            plans += plans(late);
        }
        assertThat(plans).isEqualTo(110 + 8);
    }

    private static int plans(Step step) {
        return (int) step.effects().stream().filter(RunPlan.class::isInstance).count();
    }

    private void submit(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
    }
}
