package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.at;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.guaranteed;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.quota;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.running;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.effects.Effect;
import dev.muster.coordinator.core.fixtures.Fixtures;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept of quotas for a head that has waited for long. */
class PoolReservesTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);
    private final Play play = Play.withNodes(8, 8, 8);
    private final NamedJobs jobs = new NamedJobs(play);

    @Test
    void headGetsWhatItsQueueMayUseThoughSmallJobsComeAllTheTime() {
        jobs.queue("a", limited(4));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 2)));
        jobs.submit("s1", 1, spec("a", role("worker", 1, 2)));
        jobs.submit("big", 2, spec("a", role("worker", 1, 4)));
        play.takeStarted();
        play.passHeard(RESERVE_AFTER, 0);
        jobs.end("s0", 0);
        jobs.submit("s2", 3, spec("a", role("worker", 1, 2)));
        assertThat(play.takeStarted()).isEmpty();
        jobs.end("s1", 1);
        assertThat(play.takeStarted()).containsExactly("big");
        jobs.end("big", 2);
        assertThat(play.takeStarted()).containsExactly("s2");
    }

    @Test
    void nothingOfNodesIsKeptForAHeadThatItsOwnQueueKeepsBack() {
        jobs.queue("a", limited(4));
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.submit("s0", 0, spec("a", role("worker", 1, 2)));
        jobs.submit("big", 2, spec("a", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
        play.takeStarted();
        jobs.submit("b0", 3, spec("b", role("worker", 2, 8)));
        assertThat(play.takeStarted()).containsExactly("b0");
    }

    @Test
    void othersUseWhatTheHeadDoesNotNeed() {
        jobs.queue("a", limited(6));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 3)));
        jobs.submit("big", 1, spec("a", role("worker", 1, 4)));
        play.takeStarted();
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("s1", 2, spec("a", role("worker", 1, 1)));
        assertThat(play.takeStarted()).isEmpty();
        play.on(new Event.QueuePut("a", limited(8), null));
        assertThat(play.takeStarted()).containsExactlyInAnyOrder("big", "s1");
    }

    @Test
    void whatWasKeptIsForOthersOnceTheHeadIsGone() {
        jobs.queue("a", limited(4));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 3)));
        jobs.submit("big", 1, spec("a", role("worker", 1, 4)));
        play.takeStarted();
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("s1", 2, spec("a", role("worker", 1, 1)));
        assertThat(play.takeStarted()).isEmpty();
        play.on(Fixtures.cancel(job("big", 1), "", null));
        assertThat(play.takeStarted()).containsExactly("s1");
    }

    @Test
    void whatIsKeptGoesOverToAHeadOfHigherPriorityWhenThatHasWaitedAsLong() {
        jobs.queue("a", limited(4));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 3)));
        jobs.submit("big", 1, spec("a", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("s1", 2, spec("a", role("worker", 1, 1)));
        play.takeStarted();
        jobs.submit("high", 3, at(5, spec("a", role("worker", 1, 2))));
        assertThat(play.takeStarted()).containsExactly("s1");
        play.passHeard(RESERVE_AFTER, 0);
        jobs.end("s1", 2);
        jobs.submit("s2", 4, spec("a", role("worker", 1, 1)));
        assertThat(play.takeStarted()).isEmpty();
        jobs.end("s0", 0);
        assertThat(play.takeStarted()).containsExactly("high");
    }

    @Test
    void headThatCouldNeverStartKeepsNothing() {
        jobs.queue("a", limited(4));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 3)));
        jobs.submit("huge", 1, spec("a", role("worker", 1, 5)));
        jobs.submit("wide", 2, spec("a", role("worker", 9, 8)));
        play.takeStarted();
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("s1", 3, spec("a", role("worker", 1, 1)));
        assertThat(play.takeStarted()).containsExactly("s1");
    }

    /** What is short only for a time does not hide what it could never have. */
    @Test
    void headThatCouldNeverStartKeepsNothingWhileSomethingElseIsShort() {
        var quota =
                new Quota(
                        Amounts.of(Map.of("cpu", 4000L)),
                        new TreeMap<>(Map.of("cpu", 6000L)),
                        false,
                        new TreeMap<>(),
                        new TreeMap<>(),
                        null);
        jobs.queue("a", QueueSpecs.with(QueueSpecs.QUEUE, quota));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 3)));
        jobs.submit("huge", 1, spec("a", role("worker", 1, 5)));
        play.takeStarted();
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("s1", 2, spec("a", role("worker", 1, 1)));
        assertThat(play.takeStarted()).containsExactly("s1");
    }

    @Test
    void lastPlaceOfAQueueIsKept() {
        jobs.queue("a", running(2, limited(10)));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 4)));
        jobs.submit("big", 1, spec("a", role("worker", 1, 7)));
        jobs.submit("s1", 2, spec("a", role("worker", 1, 1)));
        assertThat(play.takeStarted()).containsExactly("s0", "s1");
        play.passHeard(RESERVE_AFTER, 0);
        jobs.end("s1", 2);
        jobs.submit("s2", 3, spec("a", role("worker", 1, 1)));
        assertThat(play.takeStarted()).isEmpty();
        jobs.end("s0", 0);
        assertThat(play.takeStarted()).containsExactlyInAnyOrder("big", "s2");
    }

    @Test
    void quotaOfANamespaceIsKeptFromAllItsQueues() {
        jobs.queue("a", QueueSpecs.QUEUE);
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.namespace("requests.cpu", 6000);
        jobs.submit("s0", 0, spec("a", role("worker", 1, 2)));
        jobs.submit("big", 1, spec("a", role("worker", 1, 6)));
        play.takeStarted();
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("b0", 2, spec("b", role("worker", 1, 1)));
        assertThat(play.takeStarted()).isEmpty();
        jobs.end("s0", 0);
        assertThat(play.takeStarted()).containsExactly("big");
    }

    /** Else neither could ever start. */
    @Test
    void quotaOfANamespaceIsKeptForOneHeadOnly() {
        jobs.queue("a", QueueSpecs.QUEUE);
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.namespace("requests.cpu", 6000);
        jobs.submit("s0", 0, spec("a", role("worker", 1, 3)));
        jobs.submit("a0", 1, spec("a", role("worker", 1, 4)));
        play.passHeard(Duration.ofSeconds(1), 0);
        jobs.submit("b0", 2, spec("b", role("worker", 1, 4)));
        play.takeStarted();
        play.passHeard(RESERVE_AFTER, 0);
        jobs.end("s0", 0);
        assertThat(play.takeStarted()).containsExactly("a0");
        jobs.end("a0", 1);
        assertThat(play.takeStarted()).containsExactly("b0");
    }

    @Test
    void jobDoesNotGrowIntoWhatIsKept() {
        jobs.queue("a", limited(8));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 4)));
        jobs.submit("wide", 1, spec("a", Fixtures.atLeast(1, role("worker", 6, 1))));
        jobs.submit("big", 2, spec("a", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.ranks(job("wide", 1))).hasSize(4);
        jobs.end("s0", 0);
        assertThat(play.ranks(job("wide", 1))).hasSize(4);
        assertThat(play.job(job("big", 2)).state()).isInstanceOf(JobState.Starting.class);
    }

    /** What others borrow of what neither queue was guaranteed. */
    @Test
    void headThatLacksWhatOthersBorrowHolds() {
        jobs.queue("a", guaranteed(4));
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.queue("c", QueueSpecs.QUEUE);
        jobs.submit("c0", 0, spec("c", role("worker", 3, 1)));
        jobs.submit("c1", 1, spec("c", role("worker", 3, 1)));
        jobs.submit("b0", 2, spec("b", role("worker", 22, 1)));
        play.takeStarted();
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("b0");
        jobs.end("c0", 0);
        jobs.submit("c2", 3, spec("c", role("worker", 3, 1)));
        assertThat(play.takeStarted()).isEmpty();
        jobs.end("c1", 1);
        assertThat(play.takeStarted()).containsExactly("b0");
    }

    /** Nobody knows when those end, and everything would idle meanwhile. */
    @Test
    void headThatLacksWhatOthersUseOfTheirGuaranteesDoesNotHold() {
        jobs.queue("a", guaranteed(12));
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.submit("a0", 0, spec("a", role("worker", 6, 1)));
        jobs.submit("b0", 1, spec("b", role("worker", 20, 1)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
        jobs.end("a0", 0);
        assertThat(play.job(job("b0", 1)).state()).isInstanceOf(JobState.Starting.class);
    }

    /** It would idle for as long as those run. */
    @Test
    void nothingIsKeptForAHeadThatLacksWhatOthersUseOfTheirGuarantees() {
        jobs.queue("a", guaranteed(12));
        jobs.queue("b", limited(20));
        jobs.submit("a0", 0, spec("a", role("worker", 6, 2)));
        jobs.submit("b0", 1, spec("b", role("worker", 20, 1)));
        play.takeStarted();
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("b1", 2, spec("b", role("worker", 4, 1)));
        assertThat(play.takeStarted()).containsExactly("b1");
        jobs.end("a0", 0);
        jobs.submit("b2", 3, spec("b", role("worker", 1, 1)));
        assertThat(play.takeStarted()).isEmpty();
        jobs.end("b1", 2);
        assertThat(play.takeStarted()).containsExactly("b0");
    }

    @Test
    void whatWasKeptIsForOthersOnceSomebodyUsesHisGuarantee() {
        jobs.queue("a", guaranteed(12));
        jobs.queue("b", limited(20));
        jobs.submit("b0", 1, spec("b", role("worker", 4, 1)));
        jobs.submit("b1", 2, spec("b", role("worker", 20, 1)));
        play.passHeard(RESERVE_AFTER, 0);
        play.takeStarted();
        jobs.submit("b2", 3, spec("b", role("worker", 4, 1)));
        assertThat(play.takeStarted()).isEmpty();
        jobs.submit("a0", 4, spec("a", role("worker", 6, 2)));
        assertThat(play.takeStarted()).containsExactly("a0", "b2");
    }

    @Test
    void whatADeletedQueueWasGuaranteedIsThereAtOnce() {
        jobs.queue("a", quota(4, true, null, 0L));
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.submit("big", 0, spec("b", role("worker", 21, 1)));
        assertThat(play.takeStarted()).isEmpty();
        play.on(new Event.QueueDelete("a", false, null));
        assertThat(play.takeStarted()).containsExactly("big");
    }

    @Test
    void whatOthersDoNotLendIsNeverThere() {
        jobs.queue("a", quota(4, true, null, 0L));
        jobs.queue(
                "b",
                QueueSpecs.with(
                        QueueSpecs.QUEUE,
                        new QueueSpec.Order(QueueSpec.Kind.PRIORITY, 0, false, RESERVE_AFTER)));
        jobs.submit("big", 0, spec("b", role("worker", 21, 1)));
        assertThat(play.takeOne(Effect.Waits.class).reason().code())
                .isEqualTo(WaitReason.Code.EXCEEDS_MAX_QUOTA);
        jobs.submit("small", 1, spec("b", role("worker", 1, 1)));
        assertThat(play.takeStarted()).containsExactly("small");
    }

    @Test
    void headThatItsNamespaceCouldNeverLetStartKeepsNothing() {
        jobs.namespace("requests.cpu", 4000);
        jobs.queue("a", limited(6));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 3)));
        jobs.submit("huge", 1, spec("a", role("worker", 1, 5)));
        play.takeStarted();
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("s1", 2, spec("a", role("worker", 1, 1)));
        assertThat(play.takeStarted()).containsExactly("s1");
    }

    /** Nobody knows for how long; on nodes nothing is kept for such a head, either. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingIsKeptForAHeadThatLacksWhatPodsOfOthersUseOfItsNamespace(boolean backfill) {
        jobs.namespace("requests.cpu", 10_000, 4_000);
        jobs.queue("a", QueueSpecs.queue(1, false, backfill, 1000));
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.submit("big", 1, spec("a", role("worker", 1, 8)));
        assertThat(play.takeOne(Effect.Waits.class).reason())
                .returns(WaitReason.Code.QUOTA_EXCEEDED, WaitReason::code)
                .returns(
                        "the end of pods of others that use the quota, or a higher one",
                        WaitReason::remedy);
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("small", 2, spec("b", role("worker", 1, 1)));
        jobs.submit("behind", 3, spec("a", role("worker", 1, 1)));
        assertThat(play.takeStarted()).containsExactlyInAnyOrder("small", "behind");
        jobs.end("small", 2);
        jobs.end("behind", 3);
        jobs.namespace("requests.cpu", 10_000, 2_000);
        assertThat(play.takeStarted()).containsExactly("big");
    }

    /** A stage that was reserved with the job is no newcomer. */
    @Test
    void laterStageOfAJobThatRunsComesBeforeWhatIsKeptForAHead() {
        jobs.queue("a", limited(4));
        var data = role("data", 1, 1);
        var worker = Fixtures.after("data", JobSpec.Milestone.SUCCEEDED, role("worker", 1, 2));
        jobs.submit("s0", 0, spec("a", data, worker));
        jobs.submit("big", 1, spec("a", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        play.takeStarted();
        jobs.end("s0", 0);
        assertThat(play.ranks(job("s0", 0)))
                .extracting(rank -> rank.id().role())
                .contains("worker");
    }
}
