package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.guaranteed;
import static dev.muster.coordinator.core.fixtures.ScaledJob.nobody;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.ScaledJob;
import dev.muster.coordinator.core.model.Change.ScaleIn;
import dev.muster.coordinator.core.model.Change.Terms;
import dev.muster.coordinator.core.model.Checkpoint.Stage;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Rank;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A holder for whom elastic jobs shrink and gangs are ended, where neither alone is enough. */
class PoolSacrificesTest {
    private static final Duration WAIT = Duration.ofMinutes(6);

    private final Play play = Play.withNodes(4, 4);
    private final JobId elastic = job("elastic", 1);
    private final JobId older = job("older", 2);
    private final JobId younger = job("younger", 3);
    private final JobId head = job("head", 4);
    private final OneJob shrinking = new OneJob(play, elastic);
    private final OneJob ending = new OneJob(play, younger);

    @BeforeEach
    void lowerPrioritiesMakeRoom() {
        preemption(Mode.LOWER_PRIORITY, Duration.ZERO);
    }

    private void preemption(Mode mode, Duration minimumRun) {
        var rules = new PoolSpec.Preemption(mode, minimumRun, 3);
        var spec = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", spec, null));
    }

    /** All eight cores are used; of them two may be given back. */
    private void poolIsFull() {
        poolIsFull(ElasticJobs.elastic("default", 2, 4, 4));
    }

    private void poolIsFull(JobSpec ofFour) {
        shrinking.runs(ofFour);
        play.pass(Duration.ofSeconds(1));
        run(older, workers(2, 1));
        run(younger, workers(2, 1));
    }

    private void run(JobId id, JobSpec spec) {
        new OneJob(play, id).runs(spec);
        play.pass(Duration.ofSeconds(1));
    }

    private void headWaits(int pods) {
        play.on(new Event.Submitted(head, at(5, workers(pods, 1)), null));
        play.passHeard(WAIT, 0);
    }

    private List<String> told() {
        return play.take(Effect.Preempted.class).stream()
                .map(effect -> effect.job().name() + ": " + effect.message())
                .toList();
    }

    private long leaving(JobId id) {
        return new Asking(play, id).ranks().stream().filter(Rank::isLeaving).count();
    }

    private void nobodyGoes() {
        assertThat(told()).isEmpty();
        assertThat(List.of(leaving(elastic), leaving(older), leaving(younger))).containsOnly(0L);
        assertThat(play.job(head).state()).isInstanceOf(JobState.Queued.class);
    }

    @Test
    void nobodyIsEndedForRoomThatACommandFrees() {
        poolIsFull();
        new ScaledJob(play, elastic).scale(new ScaleIn("worker", 2, nobody(), Terms.PLAIN));
        headWaits(2);
        assertThat(told()).isEmpty();
        shrinking.gone(2);
        shrinking.gone(3);
        assertThat(play.job(head).state()).isInstanceOf(JobState.Starting.class);
    }

    /** Another command may keep who has time yet. */
    @Test
    void whoHasTimeToLeaveByACommandFreesNothingForCertain() {
        poolIsFull();
        var terms = new Terms(Duration.ZERO, true, Duration.ofHours(1), false);
        new ScaledJob(play, elastic).scale(new ScaleIn("worker", 2, nobody(), terms));
        headWaits(2);
        assertThat(told()).containsExactly("younger: it makes room for ml/head");
    }

    @Test
    void oneGangIsEndedOnTopOfWhatIsGivenBack() {
        poolIsFull();
        headWaits(4);
        assertThat(told())
                .containsExactly(
                        "elastic: it gives back worker-3, worker-2 for ml/head",
                        "younger: it makes room for ml/head, on top of what elastic jobs give"
                                + " back");
        assertThat(play.job(elastic).state()).isInstanceOf(JobState.Running.class);
        assertThat(play.job(elastic).past().preempted()).isZero();
        assertThat(play.job(younger).past().preempted()).isEqualTo(1);
        assertThat(play.job(older).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void nobodyIsEndedWhereShrinkingAloneIsEnough() {
        poolIsFull();
        headWaits(2);
        assertThat(told()).containsExactly("elastic: it gives back worker-3, worker-2 for ml/head");
    }

    /** Who was given back goes with the others, and is not made again with them. */
    @Test
    void nobodyIsEndedWhereWhoGivesBackIsMadeAnewMeanwhile() {
        poolIsFull(failing(policy(Otherwise.GANG), ElasticJobs.elastic("default", 2, 4, 4)));
        headWaits(2);
        assertThat(told()).containsExactly("elastic: it gives back worker-3, worker-2 for ml/head");
        shrinking.fail(1, 1);
        play.passHeard(Duration.ofSeconds(20), 0);
        assertThat(play.job(elastic).state()).isInstanceOf(JobState.Restarting.class);
        play.restart();
        play.passHeard(Duration.ofSeconds(30), 0);
        assertThat(told()).isEmpty();
        leave();
        assertThat(play.job(head).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void noMoreIsGivenBackThanTheEndedGangLeavesShort() {
        run(elastic, ElasticJobs.elastic("default", 1, 4, 4));
        run(older, at(5, workers(2, 1)));
        run(younger, workers(2, 1));
        headWaits(4);
        assertThat(told())
                .hasSize(2)
                .first()
                .isEqualTo("elastic: it gives back worker-3, worker-2 for ml/head");
    }

    @Test
    void nothingIsGivenBackWhereTheEndedGangAloneIsEnough() {
        run(elastic, at(5, ElasticJobs.elastic("default", 2, 4, 4)));
        run(younger, workers(4, 1));
        headWaits(4);
        assertThat(told()).containsExactly("younger: it makes room for ml/head");
        assertThat(leaving(elastic)).isZero();
    }

    @Test
    void whatBelongsToAnEndedGangIsNotGivenBackOnItsOwn() {
        run(elastic, ElasticJobs.elastic("default", 2, 4, 4));
        run(older, at(2, workers(4, 1)));
        headWaits(4);
        assertThat(told()).containsExactly("elastic: it makes room for ml/head");
        assertThat(leaving(elastic)).isZero();
    }

    @Test
    void roomOfAnEndedGangIsNotCountedTwice() {
        run(elastic, ElasticJobs.elastic("default", 2, 3, 3));
        run(older, at(5, workers(2, 1)));
        run(younger, at(1, ElasticJobs.elastic("default", 2, 3, 3)));
        headWaits(4);
        assertThat(told())
                .containsExactly(
                        "younger: it gives back worker-2 for ml/head",
                        "elastic: it makes room for ml/head, on top of what elastic jobs give"
                                + " back");
        assertThat(leaving(younger)).isEqualTo(1);
    }

    @Test
    void nothingIsGivenBackInVainWherePreemptionIsOff() {
        preemption(Mode.OFF, Duration.ZERO);
        poolIsFull();
        headWaits(4);
        nobodyGoes();
    }

    @Test
    void nothingIsGivenBackInVainWhileNobodyMayBeEnded() {
        preemption(Mode.LOWER_PRIORITY, Duration.ofHours(1));
        poolIsFull();
        headWaits(4);
        nobodyGoes();
        play.passHeard(Duration.ofHours(1), 0);
        assertThat(told()).hasSize(2);
    }

    @Test
    void nobodyGoesWhereAllTogetherAreNotEnough() {
        run(elastic, ElasticJobs.elastic("default", 2, 3, 4));
        run(older, at(5, workers(2, 1)));
        run(younger, workers(3, 1));
        headWaits(7);
        nobodyGoes();
    }

    @Test
    void holderStartsInTheRoomOfBothAndNobodyElseGoesMeanwhile() {
        poolIsFull();
        headWaits(4);
        told();
        play.restart();
        play.passHeard(Duration.ofMinutes(10), 0);
        leave();
        play.passHeard(Duration.ofMinutes(10), 0);
        assertThat(play.job(head).state()).isInstanceOf(JobState.Queued.class);
        assertThat(new Asking(play, elastic).members()).hasSize(2);
        assertThat(told()).isEmpty();
        end();
        assertThat(play.job(head).state()).isInstanceOf(JobState.Starting.class);
        play.passHeard(Duration.ofMinutes(20), 0);
        assertThat(told()).isEmpty();
        assertThat(new Asking(play, elastic).members()).hasSize(2);
        assertThat(play.job(elastic).spec().role("worker").replicas()).isEqualTo(4);
    }

    @Test
    void whoGivesBackAndWhoIsEndedAreAskedToSaveBefore() {
        run(elastic, CheckpointJobs.byFile(ElasticJobs.elastic("default", 2, 4, 4)));
        run(older, workers(2, 1));
        run(younger, CheckpointJobs.byFile(workers(2, 1)));
        play.on(new Event.Submitted(head, at(5, workers(4, 1)), null));
        play.passHeard(Duration.ofMinutes(5).plusSeconds(5), 0);
        var first = new Asking(play, elastic);
        var second = new Asking(play, younger);
        first.isAsked("it gives back worker-3, worker-2 for ml/head");
        second.isAsked("it makes room for ml/head, on top of what elastic jobs give back");
        play.restart();
        play.passHeard(Duration.ofMinutes(1), 0);
        first.answer(true);
        leave();
        assertThat(play.job(head).state()).isInstanceOf(JobState.Queued.class);
        second.answer(true);
        second.endedAs(Stage.SAVED);
        end();
        assertThat(play.job(head).state()).isInstanceOf(JobState.Starting.class);
        assertThat(told()).hasSize(2);
    }

    @Test
    void queueThatBorrowsGivesBackAndEndsAsFewGangs() {
        preemption(Mode.BORROWERS, Duration.ZERO);
        play.on(new Event.QueuePut("a", guaranteed(4), null));
        play.on(new Event.QueuePut("b", guaranteed(4), null));
        run(elastic, ElasticJobs.elastic("a", 2, 3, 4));
        run(older, spec("a", role("worker", 2, 1)));
        run(younger, spec("a", role("worker", 3, 1)));
        play.on(new Event.Submitted(head, spec("b", role("worker", 4, 1)), null));
        play.passHeard(WAIT, 0);
        assertThat(told())
                .containsExactly(
                        "elastic: it gives back worker-2 for ml/head",
                        "younger: it makes room for ml/head, on top of what elastic jobs give"
                                + " back");
    }

    /**
     * Were the two given back, the queue would be within its guarantee, and the gang would stay.
     */
    @Test
    void queueThatWouldBorrowNoMoreEndsAGangInPlaceOfGivingBack() {
        preemption(Mode.BORROWERS, Duration.ZERO);
        play.on(new Event.QueuePut("a", guaranteed(6), null));
        play.on(new Event.QueuePut("b", guaranteed(4), null));
        run(elastic, ElasticJobs.elastic("a", 2, 4, 4));
        run(younger, spec("a", role("worker", 4, 1)));
        play.on(new Event.Submitted(head, spec("b", role("worker", 4, 1)), null));
        play.passHeard(WAIT, 0);
        assertThat(told()).containsExactly("younger: it makes room for ml/head");
    }

    @Test
    void manyJobsGiveBackInPiecesBeforeAnyGangIsEnded() {
        for (int i = 2; i < 5; i++) {
            play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-" + i, 100)));
        }
        for (int i = 0; i < 150; i++) {
            run(job("e" + i, 100 + i), ElasticJobs.elastic("default", 1, 2, 2));
        }
        run(older, at(5, workers(4, 1)));
        run(younger, workers(4, 1));
        play.takeEffects();
        play.on(new Event.Submitted(head, at(5, workers(154, 1)), null));
        play.passHeard(WAIT, 0);
        var told = told();
        assertThat(told).hasSize(151).last().asString().startsWith("younger: it makes room");
        assertThat(play.largestStep()).isLessThanOrEqualTo(500);
    }

    @Test
    void manyJobsGiveBackAndManyGangsEndInPieces() {
        for (int i = 2; i < 4; i++) {
            play.on(new Event.NodeSeen(WATCHER, Fixtures.node("node-" + i, 96)));
        }
        for (int i = 0; i < 50; i++) {
            run(job("e" + i, 100 + i), at(5, ElasticJobs.elastic("default", 2, 3, 3)));
            run(job("g" + i, 200 + i), workers(1, 1));
        }
        play.takeEffects();
        play.on(new Event.Submitted(head, at(5, workers(100, 1)), null));
        play.passHeard(WAIT, 0);
        assertThat(told())
                .hasSize(100)
                .filteredOn(words -> words.contains("it makes room"))
                .hasSize(50);
        assertThat(play.largestStep()).isLessThanOrEqualTo(500);
    }

    /** What is given back goes. */
    private void leave() {
        shrinking.gone(3);
        shrinking.gone(2);
    }

    /** The gang that was ended is gone. */
    private void end() {
        ending.applied(false);
        ending.gone(0);
        ending.gone(1);
        ending.applied(true);
        assertThat(play.job(younger).state()).isInstanceOf(JobState.Queued.class);
    }

    /** What it gives back is counted once, though it is ended in the end. */
    @Test
    void whoeverCouldGiveBackAndIsEndedLeavesNoMoreThanItHas() {
        run(elastic, ElasticJobs.elastic("default", 2, 4, 4));
        run(older, workers(4, 1));
        headWaits(8);
        assertThat(told())
                .containsExactlyInAnyOrder(
                        "elastic: it makes room for ml/head", "older: it makes room for ml/head");
    }
}
