package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.guaranteed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.QueuePolicy;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Elastic jobs and waiting ones of other queues: whose claim to room is the stronger one. */
class PoolStrongerClaimTest {
    private static final Duration WAIT = Duration.ofMinutes(6);

    private final JobId elastic = job("e", 1);
    private final JobId head = job("head", 9);

    private Play play = Play.withNodes();

    /** Of these queues a alone is guaranteed something. */
    private void pool(Mode mode, Duration agingStep, long... cores) {
        play = Play.withNodes(cores);
        var spec =
                new PoolSpec(
                        new TreeMap<>(),
                        QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN,
                        new PoolSpec.Preemption(mode, Duration.ofHours(1), 3),
                        new PoolSpec.Priorities(new TreeMap<>(), agingStep, 1000),
                        PoolSpec.Spot.NONE,
                        PoolSpec.Backing.NONE);
        play.on(new Event.PoolPut("default", spec, null));
        play.on(new Event.QueuePut("a", guaranteed(8), null));
        play.on(new Event.QueuePut("b", QueueSpecs.QUEUE, null));
        play.on(new Event.QueuePut("c", QueueSpecs.QUEUE, null));
    }

    private void pool(long... cores) {
        pool(Mode.OFF, Duration.ZERO, cores);
    }

    /** Some of its workers may have no room. */
    private void run(JobId id, JobSpec spec) {
        play.on(new Event.Submitted(id, spec, null));
        var one = new OneJob(play, id);
        one.applied(false);
        play.ranks(id)
                .forEach(rank -> one.seeNewest(rank.id().index(), Event.PodPhase.RUNNING, null));
        play.pass(Duration.ofSeconds(1));
        assertThat(play.job(id).state()).isInstanceOf(JobState.Running.class);
    }

    private void waits(JobSpec spec) {
        play.on(new Event.Submitted(head, spec, null));
        play.takeEffects();
        assertThat(play.job(head).state()).isInstanceOf(JobState.Queued.class);
    }

    private List<String> givenBack() {
        play.passHeard(WAIT, 0);
        return play.take(Effect.Preempted.class).stream()
                .map(effect -> effect.job().name() + ": " + effect.message())
                .toList();
    }

    private void runTen(int priority) {
        run(elastic, at(priority, ElasticJobs.elastic("b", 2, 10, 10)));
    }

    private static final String SIX =
            "e: it gives back worker-9, worker-8, worker-7, worker-6, worker-5, worker-4"
                    + " for ml/head";

    @Test
    void whoBorrowsGivesBackWhatTheHeadsQueueIsGuaranteedWhateverItsPriority() {
        pool(10);
        runTen(5);
        waits(spec("a", role("worker", 6, 1)));
        assertThat(givenBack()).containsExactly(SIX);
    }

    @Test
    void whoBorrowsShrinksAndIsNotEndedThoughItMayNotBeEndedYet() {
        pool(Mode.BORROWERS, Duration.ZERO, 10);
        runTen(5);
        waits(spec("a", role("worker", 6, 1)));
        assertThat(givenBack()).containsExactly(SIX);
    }

    @Test
    void whatIsLeftIsComparedByNumberOnceNothingIsBorrowedAnyMore() {
        pool(10);
        play.on(new Event.QueuePut("b", guaranteed(6), null));
        runTen(5);
        waits(spec("a", role("worker", 4, 1)));
        assertThat(givenBack()).hasSize(1);
        pool(10);
        play.on(new Event.QueuePut("b", guaranteed(6), null));
        runTen(5);
        waits(spec("a", role("worker", 5, 1)));
        assertThat(givenBack()).isEmpty();
    }

    @Test
    void borrowersGiveBackBeforeJobsOfTheHeadsOwnQueue() {
        pool(5, 5);
        run(elastic, at(5, ElasticJobs.elastic("b", 2, 5, 5)));
        run(job("own", 2), ElasticJobs.elastic("a", 2, 5, 5));
        waits(at(1, spec("a", role("worker", 2, 1))));
        assertThat(givenBack()).containsExactly("e: it gives back worker-4, worker-3 for ml/head");
    }

    @Test
    void amongBorrowersTheNumberDecides() {
        pool(10);
        runTen(5);
        waits(at(4, spec("c", role("worker", 6, 1))));
        assertThat(givenBack()).isEmpty();
    }

    @Test
    void headBeyondItsGuaranteeBorrowsItself() {
        pool(10);
        play.on(new Event.QueuePut("a", guaranteed(5), null));
        runTen(5);
        waits(at(4, spec("a", role("worker", 6, 1))));
        assertThat(givenBack()).isEmpty();
    }

    @Test
    void withinAQueueWaitingAddsToThePriorityOfWhoWaits() {
        pool(Mode.OFF, Duration.ofMinutes(1), 10);
        runTen(5);
        waits(spec("b", role("worker", 6, 1)));
        assertThat(givenBack()).containsExactly(SIX);
    }

    @Test
    void waitingAddsNothingWhereNothingAges() {
        pool(10);
        runTen(5);
        waits(spec("b", role("worker", 6, 1)));
        assertThat(givenBack()).isEmpty();
    }

    @Test
    void whoBorrowsDoesNotGrowIntoWhatAGuaranteedHeadWaitsFor() {
        pool(10);
        run(job("long", 2), spec("c", role("worker", 1, 4)));
        run(job("short", 3), spec("c", role("worker", 1, 2)));
        run(elastic, at(5, ElasticJobs.elastic("b", 2, 10, 10)));
        assertThat(play.ranks(elastic)).hasSize(4);
        waits(spec("a", role("worker", 6, 1)));
        new OneJob(play, job("short", 3)).succeed(0);
        assertThat(play.ranks(elastic)).hasSize(4);
    }

    @Test
    void whoKeepsToAGuaranteeGrowsThoughABorrowerOfAHigherNumberWaits() {
        pool(5, 5);
        run(job("long", 2), spec("c", role("worker", 1, 3)));
        run(job("short", 3), spec("c", role("worker", 1, 2)));
        run(elastic, ElasticJobs.elastic("a", 2, 8, 8));
        assertThat(play.ranks(elastic)).hasSize(5);
        waits(at(5, spec("b", role("worker", 1, 5))));
        new OneJob(play, job("short", 3)).succeed(0);
        assertThat(play.ranks(elastic)).hasSize(7);
    }

    @Test
    void whoWouldPassItsGuaranteeLeavesTheRoomToABorrowerOfAHigherNumber() {
        pool(5, 5);
        play.on(new Event.QueuePut("a", guaranteed(5), null));
        run(job("long", 2), spec("c", role("worker", 1, 3)));
        run(job("short", 3), spec("c", role("worker", 1, 2)));
        run(elastic, ElasticJobs.elastic("a", 2, 8, 8));
        waits(at(5, spec("b", role("worker", 1, 5))));
        new OneJob(play, job("short", 3)).succeed(0);
        assertThat(play.ranks(elastic)).hasSize(5);
    }
}
