package dev.muster.coordinator.core.hold;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.failing;
import static dev.muster.coordinator.core.fixtures.Fixtures.gibi;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.policy;
import static dev.muster.coordinator.core.fixtures.Fixtures.remembering;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.Fixtures.workers;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.guaranteed;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.AnotherWork;
import dev.muster.coordinator.core.fixtures.Asking;
import dev.muster.coordinator.core.fixtures.CheckpointJobs;
import dev.muster.coordinator.core.fixtures.ElasticJobs;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.OneJob;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Change;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.FailurePolicy.Otherwise;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.PoolSpec;
import dev.muster.coordinator.core.model.PoolSpec.Mode;
import dev.muster.coordinator.core.model.QueuePolicy;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.Uid;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads that lack what their own queue or namespace uses, and who makes room for them. */
class PoolQuotaSacrificesTest {
    private static final Duration WAIT = Duration.ofMinutes(6);

    private final Play play = Play.withNodes(16, 16);
    private final NamedJobs jobs = new NamedJobs(play);
    private final JobId first = job("first", 1);
    private final JobId second = job("second", 2);
    private final JobId head = job("head", 9);

    private void preemption(Mode mode) {
        var rules = new PoolSpec.Preemption(mode, Duration.ZERO, 3);
        var spec = Fixtures.pool(QueuePolicy.SMOOTH_WEIGHTED_ROUND_ROBIN, rules);
        play.on(new Event.PoolPut("default", spec, null));
    }

    private void run(JobId id, JobSpec spec) {
        new OneJob(play, id).runs(spec);
        play.pass(Duration.ofSeconds(1));
    }

    private void headWaits(JobSpec spec) {
        play.on(new Event.Submitted(head, spec, null));
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

    private void gone(JobId id, int pods) {
        var one = new OneJob(play, id);
        one.applied(false);
        for (int i = 0; i < pods; i++) {
            one.gone(i);
        }
        one.applied(true);
    }

    private boolean isUp(JobId id) {
        return play.job(id).state() instanceof JobState.Starting;
    }

    private boolean isHeld() {
        return !play.rows.getOrDefault(Row.Table.HOLD, new TreeMap<>()).isEmpty();
    }

    @Test
    void gangOfLowerPriorityMakesRoomInItsQueuesLimit() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.queue("default", limited(8));
        run(first, workers(4, 1));
        run(second, workers(4, 1));
        headWaits(at(5, workers(4, 1)));
        assertThat(told()).containsExactly("second: it makes room for ml/head");
        play.restart();
        gone(second, 4);
        assertThat(isUp(head)).isTrue();
        assertThat(isHeld()).isFalse();
        assertThat(play.job(second).state()).isInstanceOf(JobState.Queued.class);
        assertThat(play.job(first).state()).isInstanceOf(JobState.Running.class);
    }

    /** If it succeeds while it saves, its pods stay as they are. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void nobodyElseIsEndedWhileOneThatLeavesItsPodsAtTheEndSaves(int asked) {
        preemption(Mode.LOWER_PRIORITY);
        jobs.queue("default", limited(8));
        var leaves =
                AnotherWork.of(
                        CheckpointJobs.byFile(workers(4, 1)),
                        work -> work.cleanup = JobSpec.Cleanup.NONE);
        run(first, at(1, workers(4, 1)));
        run(second, leaves);
        headWaits(at(5, workers(4, 1)));
        List.of(new Change.Suspend(null, ""), new Change.Resume()).subList(0, asked).stream()
                .map(change -> new Event.ChangeAsked(second, change, null))
                .forEach(play::on);
        assertThat(play.job(second).state()).isInstanceOf(JobState.Saving.class);
        play.restart();
        play.passHeard(Duration.ofSeconds(50), 0);
        assertThat(told()).containsExactly("second: it makes room for ml/head");
        assertThat(isHeld()).isTrue();
        assertThat(play.job(first).state()).isInstanceOf(JobState.Running.class);
    }

    /** They are deleted with the job, which keeps nothing from its end on. */
    @Test
    void nobodyElseIsEndedWhilePodsOfOneThatKeptThemAreDeleted() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.queue("default", limited(8));
        var leaves =
                AnotherWork.of(
                        workers(4, 1),
                        work -> {
                            work.cleanup = JobSpec.Cleanup.NONE;
                            work.success = new JobSpec.Success.Any();
                            work.ttl = Duration.ZERO;
                        });
        run(first, at(1, workers(4, 1)));
        run(second, leaves);
        play.on(new Event.Submitted(head, at(5, workers(4, 1)), null));
        new OneJob(play, second).succeed(0);
        assertThat(play.job(second).state()).isInstanceOf(JobState.Ended.class);
        play.passHeard(WAIT, 0);
        assertThat(told()).isEmpty();
        gone(second, 4);
        assertThat(isUp(head)).isTrue();
        assertThat(play.job(first).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void gangOfLowerPriorityMakesRoomInItsQueuesGuarantee() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.queue("default", QueueSpecs.quota(8, false, null, null));
        run(first, workers(8, 1));
        headWaits(at(5, workers(4, 1)));
        assertThat(told()).containsExactly("first: it makes room for ml/head");
    }

    @Test
    void gangOfLowerPriorityLeavesItsPlaceAmongThoseThatRun() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.queue("default", QueueSpecs.running(2, QueueSpecs.QUEUE));
        run(first, workers(1, 1));
        run(second, workers(1, 1));
        headWaits(at(5, workers(4, 1)));
        assertThat(told()).containsExactly("second: it makes room for ml/head");
        play.passHeard(Duration.ofMinutes(1), 0);
        assertThat(told()).isEmpty();
        gone(second, 1);
        assertThat(isUp(head)).isTrue();
    }

    @Test
    void gangOfLowerPriorityMakesRoomInItsNamespacesQuota() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.namespace("requests.cpu", 8000);
        run(first, workers(8, 1));
        headWaits(at(5, workers(4, 1)));
        assertThat(told()).containsExactly("first: it makes room for ml/head");
    }

    /** Its queue of before is looked at again after its queue of now. */
    @Test
    void gangMakesRoomForAHeadThatCameFromAnotherQueue() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.queue("default", limited(8));
        jobs.queue("other", limited(8));
        run(first, workers(8, 1));
        run(second, at(5, spec("other", role("worker", 8, 1))));
        play.on(new Event.Submitted(head, at(5, spec("other", role("worker", 4, 1))), null));
        play.on(new Event.ChangeAsked(head, new Change.Move("default"), null));
        play.passHeard(WAIT, 0);
        assertThat(told()).containsExactly("first: it makes room for ml/head");
    }

    /** Nodes do not idle for it, either. */
    @Test
    void nobodyIsEndedAndNothingHeldWhereNobodyMayBe() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.queue("default", limited(8));
        jobs.queue("other", QueueSpecs.QUEUE);
        run(first, at(5, workers(8, 1)));
        run(second, spec("other", role("worker", 2, 8)));
        headWaits(at(5, workers(8, 1)));
        assertThat(told()).isEmpty();
        assertThat(isHeld()).isFalse();
        play.takeStarted();
        jobs.submit("o", 10, spec("other", role("worker", 8, 1)));
        assertThat(play.takeStarted()).containsExactly("o");
    }

    @Test
    void whoeverLeavesNothingThatIsShortIsNotEnded() {
        preemption(Mode.LOWER_PRIORITY);
        var memory = new TreeMap<>(Map.of("memory", gibi(8)));
        var quota = new Quota(Amounts.NONE, memory, true, new TreeMap<>(), new TreeMap<>(), null);
        jobs.queue("default", QueueSpecs.with(QueueSpecs.QUEUE, quota));
        run(first, at(1, spec("default", remembering(8, role("worker", 1, 1)))));
        run(second, workers(4, 1));
        headWaits(at(5, spec("default", remembering(4, role("worker", 1, 1)))));
        assertThat(told()).containsExactly("first: it makes room for ml/head");
    }

    @Test
    void elasticJobGivesBackOfItsQueuesLimit() {
        jobs.queue("default", limited(16));
        run(first, ElasticJobs.elastic("default", 4, 16, 16));
        headWaits(workers(3, 2));
        assertThat(told()).hasSize(1).first().asString().startsWith("first: it gives back");
        assertThat(leaving(first)).isEqualTo(6);
        assertThat(play.job(first).state()).isInstanceOf(JobState.Running.class);
    }

    @Test
    void whatIsGivenBackIsWaitedForThoughItsGangIsMadeAnew() {
        jobs.queue("default", limited(16));
        var one = new OneJob(play, first);
        one.runs(failing(policy(Otherwise.GANG), ElasticJobs.elastic("default", 4, 16, 16)));
        headWaits(workers(3, 2));
        assertThat(leaving(first)).isEqualTo(6);
        one.fail(1, 1);
        play.passHeard(Duration.ofSeconds(50), 0);
        assertThat(play.job(first).state()).isInstanceOf(JobState.Restarting.class);
        assertThat(isHeld()).isTrue();
        for (int i = 10; i < 16; i++) {
            one.gone(i);
        }
        assertThat(isUp(head)).isTrue();
    }

    @Test
    void elasticJobOfAStrongerClaimKeepsWhatItHasOfItsQueuesLimit() {
        jobs.queue("default", limited(16));
        run(first, at(5, ElasticJobs.elastic("default", 4, 16, 16)));
        headWaits(workers(3, 2));
        assertThat(told()).isEmpty();
        assertThat(isHeld()).isFalse();
    }

    @Test
    void elasticJobOfAnotherQueueGivesBackOfItsNamespacesQuota() {
        jobs.queue("other", QueueSpecs.QUEUE);
        jobs.namespace("requests.cpu", 8000);
        run(first, ElasticJobs.elastic("other", 2, 8, 8));
        headWaits(workers(4, 1));
        assertThat(leaving(first)).isEqualTo(4);
    }

    /** Of its namespace's quota no more than of room. */
    @ParameterizedTest
    @CsvSource({"cpu, requests.cpu, 8000", "pods, pods, 8", "pods, count/pods, 8"})
    void elasticJobKeepsWhatItsQueueWasGuaranteed(String resource, String ofQuota, long hard) {
        jobs.queue("other", guaranteed(QueueSpecs.QUEUE, Map.of(resource, hard)));
        jobs.namespace(ofQuota, hard);
        run(first, ElasticJobs.elastic("other", 2, 8, 8));
        headWaits(workers(4, 1));
        assertThat(told()).isEmpty();
        assertThat(isHeld()).isFalse();
    }

    /** Whoever cannot be helped does not keep the others from it. */
    @Test
    void everyQueueIsLookedAt() {
        preemption(Mode.LOWER_PRIORITY);
        for (int i = 0; i < 30; i++) {
            var queue = "q" + i;
            jobs.queue(queue, QueueSpecs.running(1, QueueSpecs.QUEUE));
            run(job("r" + i, 100 + i), at(i == 29 ? 0 : 9, spec(queue, role("worker", 1, 1))));
            jobs.submit("w" + i, 200 + i, at(5, spec(queue, role("worker", 1, 1))));
        }
        play.passHeard(Duration.ofMinutes(7), 0);
        assertThat(told()).containsExactly("r29: it makes room for ml/w29");
    }

    /** For most of them what is short is kept for the oldest: that is no end of the looks. */
    @Test
    void everyQueueIsLookedAtBehindManyThatLackNothingOfTheirOwn() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.namespace("requests.cpu", 1000);
        jobs.queue("last", QueueSpecs.running(1, QueueSpecs.QUEUE));
        run(first, at(9, workers(1, 1)));
        run(new JobId("other", "low", new Uid(0, 50)), spec("last", role("worker", 1, 1)));
        for (int i = 0; i < 30; i++) {
            jobs.queue("q" + i, QueueSpecs.QUEUE);
            jobs.submit("w" + i, 200 + i, at(5, spec("q" + i, role("worker", 1, 1))));
        }
        var last = new JobId("other", "last", new Uid(0, 300));
        play.on(new Event.Submitted(last, at(5, spec("last", role("worker", 1, 1))), null));
        for (int i = 0; i < WAIT.toSeconds(); i++) {
            play.pass(Duration.ofSeconds(1));
        }
        assertThat(told()).containsExactly("low: it makes room for other/last");
    }

    /** What was to come never does: nodes are not kept for it in vain. */
    @Test
    void holdEndsWhereWhatItNeedsOfItsQuotaComesNoMore() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.queue("default", limited(8));
        run(first, workers(8, 1));
        headWaits(at(5, workers(4, 1)));
        assertThat(isHeld()).isTrue();
        jobs.queue("default", limited(2));
        play.passHeard(Duration.ofSeconds(11), 0);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void fewestMakeRoomInItsQueuesLimitThoughManyWouldDo() {
        preemption(Mode.LOWER_PRIORITY);
        jobs.queue("default", limited(32));
        run(first, spec("default", role("worker", 1, 3)));
        run(second, spec("default", role("worker", 1, 3)));
        for (int i = 0; i < 26; i++) {
            run(job("small" + i, 100 + i), workers(1, 1));
        }
        headWaits(at(5, workers(1, 6)));
        assertThat(told())
                .containsExactlyInAnyOrder(
                        "second: it makes room for ml/head", "first: it makes room for ml/head");
    }

    @Test
    void oneWhoLeavesAPlaceAmongThoseThatRunAndAllTheCoresGoesInsteadOfMany() {
        preemption(Mode.LOWER_PRIORITY);
        var places = QueueSpecs.running(6, QueueSpecs.QUEUE).doors();
        jobs.queue("default", QueueSpecs.with(limited(10), places));
        run(first, workers(1, 5));
        for (int i = 0; i < 5; i++) {
            run(job("small" + i, 100 + i), workers(1, 1));
        }
        headWaits(at(5, workers(1, 5)));
        assertThat(told()).containsExactly("first: it makes room for ml/head");
    }
}
