package dev.muster.coordinator.core;

import static dev.muster.coordinator.core.Fixtures.WATCHER;
import static dev.muster.coordinator.core.Fixtures.at;
import static dev.muster.coordinator.core.Fixtures.job;
import static dev.muster.coordinator.core.Fixtures.role;
import static dev.muster.coordinator.core.Fixtures.spec;
import static dev.muster.coordinator.core.QueueSpecs.guaranteed;
import static dev.muster.coordinator.core.QueueSpecs.limited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Event.PodPhase;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.QueueSpec;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.state.Effect;
import dev.muster.coordinator.core.state.Effect.RunPlan;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is kept of quotas for a head that has waited for long. */
class PoolReservesTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);
    private final Play play = Play.withNodes(8, 8, 8);

    @Test
    void headGetsWhatItsQueueMayUseThoughSmallJobsComeAllTheTime() {
        queue("a", limited(4));
        submit("s0", 0, spec("a", role("worker", 1, 2)));
        submit("s1", 1, spec("a", role("worker", 1, 2)));
        submit("big", 2, spec("a", role("worker", 1, 4)));
        started();
        play.passHeard(RESERVE_AFTER, 0);
        end("s0", 0);
        submit("s2", 3, spec("a", role("worker", 1, 2)));
        assertThat(started()).isEmpty();
        end("s1", 1);
        assertThat(started()).containsExactly("big");
        end("big", 2);
        assertThat(started()).containsExactly("s2");
    }

    @Test
    void nothingOfNodesIsKeptForAHeadThatItsOwnQueueKeepsBack() {
        queue("a", limited(4));
        queue("b", QueueSpecs.QUEUE);
        submit("s0", 0, spec("a", role("worker", 1, 2)));
        submit("big", 2, spec("a", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
        started();
        submit("b0", 3, spec("b", role("worker", 2, 8)));
        assertThat(started()).containsExactly("b0");
    }

    @Test
    void othersUseWhatTheHeadDoesNotNeed() {
        queue("a", limited(6));
        submit("s0", 0, spec("a", role("worker", 1, 3)));
        submit("big", 1, spec("a", role("worker", 1, 4)));
        started();
        play.passHeard(RESERVE_AFTER, 0);
        submit("s1", 2, spec("a", role("worker", 1, 1)));
        assertThat(started()).isEmpty();
        play.on(new Event.QueuePut("a", limited(8), null));
        assertThat(started()).containsExactlyInAnyOrder("big", "s1");
    }

    @Test
    void whatWasKeptIsForOthersOnceTheHeadIsGone() {
        queue("a", limited(4));
        submit("s0", 0, spec("a", role("worker", 1, 3)));
        submit("big", 1, spec("a", role("worker", 1, 4)));
        started();
        play.passHeard(RESERVE_AFTER, 0);
        submit("s1", 2, spec("a", role("worker", 1, 1)));
        assertThat(started()).isEmpty();
        play.on(Fixtures.cancel(job("big", 1), "", null));
        assertThat(started()).containsExactly("s1");
    }

    @Test
    void whatIsKeptGoesOverToAHeadOfHigherPriorityWhenThatHasWaitedAsLong() {
        queue("a", limited(4));
        submit("s0", 0, spec("a", role("worker", 1, 3)));
        submit("big", 1, spec("a", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        submit("s1", 2, spec("a", role("worker", 1, 1)));
        started();
        submit("high", 3, at(5, spec("a", role("worker", 1, 2))));
        assertThat(started()).containsExactly("s1");
        play.passHeard(RESERVE_AFTER, 0);
        end("s1", 2);
        submit("s2", 4, spec("a", role("worker", 1, 1)));
        assertThat(started()).isEmpty();
        end("s0", 0);
        assertThat(started()).containsExactly("high");
    }

    @Test
    void headThatCouldNeverStartKeepsNothing() {
        queue("a", limited(4));
        submit("s0", 0, spec("a", role("worker", 1, 3)));
        submit("huge", 1, spec("a", role("worker", 1, 5)));
        submit("wide", 2, spec("a", role("worker", 9, 8)));
        started();
        play.passHeard(RESERVE_AFTER, 0);
        submit("s1", 3, spec("a", role("worker", 1, 1)));
        assertThat(started()).containsExactly("s1");
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
        queue("a", QueueSpecs.with(QueueSpecs.QUEUE, quota));
        submit("s0", 0, spec("a", role("worker", 1, 3)));
        submit("huge", 1, spec("a", role("worker", 1, 5)));
        started();
        play.passHeard(RESERVE_AFTER, 0);
        submit("s1", 2, spec("a", role("worker", 1, 1)));
        assertThat(started()).containsExactly("s1");
    }

    @Test
    void lastPlaceOfAQueueIsKept() {
        queue("a", running(2, QueueSpecs.limited(10)));
        submit("s0", 0, spec("a", role("worker", 1, 4)));
        submit("big", 1, spec("a", role("worker", 1, 7)));
        submit("s1", 2, spec("a", role("worker", 1, 1)));
        assertThat(started()).containsExactly("s0", "s1");
        play.passHeard(RESERVE_AFTER, 0);
        end("s1", 2);
        submit("s2", 3, spec("a", role("worker", 1, 1)));
        assertThat(started()).isEmpty();
        end("s0", 0);
        assertThat(started()).containsExactlyInAnyOrder("big", "s2");
    }

    @Test
    void quotaOfANamespaceIsKeptFromAllItsQueues() {
        queue("a", QueueSpecs.QUEUE);
        queue("b", QueueSpecs.QUEUE);
        namespace(6);
        submit("s0", 0, spec("a", role("worker", 1, 2)));
        submit("big", 1, spec("a", role("worker", 1, 6)));
        started();
        play.passHeard(RESERVE_AFTER, 0);
        submit("b0", 2, spec("b", role("worker", 1, 1)));
        assertThat(started()).isEmpty();
        end("s0", 0);
        assertThat(started()).containsExactly("big");
    }

    /** Else neither could ever start. */
    @Test
    void quotaOfANamespaceIsKeptForOneHeadOnly() {
        queue("a", QueueSpecs.QUEUE);
        queue("b", QueueSpecs.QUEUE);
        namespace(6);
        submit("s0", 0, spec("a", role("worker", 1, 3)));
        submit("a0", 1, spec("a", role("worker", 1, 4)));
        play.passHeard(Duration.ofSeconds(1), 0);
        submit("b0", 2, spec("b", role("worker", 1, 4)));
        started();
        play.passHeard(RESERVE_AFTER, 0);
        end("s0", 0);
        assertThat(started()).containsExactly("a0");
        end("a0", 1);
        assertThat(started()).containsExactly("b0");
    }

    @Test
    void jobDoesNotGrowIntoWhatIsKept() {
        queue("a", limited(8));
        submit("s0", 0, spec("a", role("worker", 1, 4)));
        submit("wide", 1, spec("a", Fixtures.atLeast(1, role("worker", 6, 1))));
        submit("big", 2, spec("a", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.ranks(job("wide", 1))).hasSize(4);
        end("s0", 0);
        assertThat(play.ranks(job("wide", 1))).hasSize(4);
        assertThat(play.job(job("big", 2)).state()).isInstanceOf(JobState.Starting.class);
    }

    /** What others borrow of what neither queue was guaranteed. */
    @Test
    void headThatLacksWhatOthersBorrowHolds() {
        queue("a", guaranteed(4));
        queue("b", QueueSpecs.QUEUE);
        queue("c", QueueSpecs.QUEUE);
        submit("c0", 0, spec("c", role("worker", 3, 1)));
        submit("c1", 1, spec("c", role("worker", 3, 1)));
        submit("b0", 2, spec("b", role("worker", 22, 1)));
        started();
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.takeOne(Effect.Held.class).job().name()).isEqualTo("b0");
        end("c0", 0);
        submit("c2", 3, spec("c", role("worker", 3, 1)));
        assertThat(started()).isEmpty();
        end("c1", 1);
        assertThat(started()).containsExactly("b0");
    }

    /** Nobody knows when those end, and everything would idle meanwhile. */
    @Test
    void headThatLacksWhatOthersUseOfTheirGuaranteesDoesNotHold() {
        queue("a", guaranteed(12));
        queue("b", QueueSpecs.QUEUE);
        submit("a0", 0, spec("a", role("worker", 6, 1)));
        submit("b0", 1, spec("b", role("worker", 20, 1)));
        play.passHeard(RESERVE_AFTER, 0);
        assertThat(play.take(Effect.Held.class)).isEmpty();
        end("a0", 0);
        assertThat(play.job(job("b0", 1)).state()).isInstanceOf(JobState.Starting.class);
    }

    @Test
    void whatOthersDoNotLendIsNeverThere() {
        queue("a", unlent(guaranteed(4)));
        queue(
                "b",
                QueueSpecs.with(
                        QueueSpecs.QUEUE,
                        new QueueSpec.Order(QueueSpec.Kind.PRIORITY, 0, false, RESERVE_AFTER)));
        submit("big", 0, spec("b", role("worker", 21, 1)));
        assertThat(play.takeOne(Effect.Waits.class).reason().code())
                .isEqualTo(WaitReason.Code.EXCEEDS_MAX_QUOTA);
        submit("small", 1, spec("b", role("worker", 1, 1)));
        assertThat(started()).containsExactly("small");
    }

    private static QueueSpec unlent(QueueSpec spec) {
        var quota = spec.quota();
        return QueueSpecs.with(
                spec,
                new Quota(
                        quota.guaranteed(),
                        quota.limit(),
                        true,
                        quota.borrowLimit(),
                        new TreeMap<>(Map.of("cpu", 0L)),
                        null));
    }

    private static QueueSpec running(int most, QueueSpec spec) {
        return QueueSpecs.with(spec, new QueueSpec.Doors(false, false, 100, most, new TreeSet<>()));
    }

    private void namespace(long cores) {
        var hard = Amounts.of(Map.of("requests.cpu", cores * 1000));
        play.on(new Event.NamespaceQuotaSeen(WATCHER, "ml", hard, Amounts.NONE));
    }

    private void queue(String name, QueueSpec spec) {
        play.on(new Event.QueuePut(name, spec, null));
    }

    private void submit(String name, long offset, JobSpec spec) {
        play.on(new Event.Submitted(job(name, offset), spec, null));
    }

    private List<String> started() {
        return play.take(RunPlan.class).stream().map(plan -> plan.job().name()).toList();
    }

    private void end(String name, long offset) {
        for (var rank : List.copyOf(play.ranks(job(name, offset)))) {
            var mark =
                    Fixtures.mark(rank.id().role(), rank.id().index(), rank.making().incarnation());
            var node = rank.making().node();
            var pod = Fixtures.pod(mark, 1, PodPhase.SUCCEEDED, node, 0);
            play.on(new Event.PodSeen(WATCHER, rank.job(), pod));
        }
    }
}
