package dev.muster.coordinator.core.state;

import static dev.muster.coordinator.core.fixtures.Fixtures.WATCHER;
import static dev.muster.coordinator.core.fixtures.Fixtures.cancel;
import static dev.muster.coordinator.core.fixtures.Fixtures.job;
import static dev.muster.coordinator.core.fixtures.Fixtures.node;
import static dev.muster.coordinator.core.fixtures.Fixtures.role;
import static dev.muster.coordinator.core.fixtures.Fixtures.spec;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.guaranteed;
import static dev.muster.coordinator.core.fixtures.QueueSpecs.limited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.coordinator.core.Play;
import dev.muster.coordinator.core.fixtures.NamedJobs;
import dev.muster.coordinator.core.fixtures.QueueSpecs;
import dev.muster.coordinator.core.model.Event;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.model.WaitReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is kept of quotas once something else changes than the queue for whose head it is. */
class PoolReservesChangesTest {
    private static final Duration RESERVE_AFTER = Duration.ofMinutes(5);
    private final Play play = Play.withNodes(8, 8);
    private final NamedJobs jobs = new NamedJobs(play);
    private int rounds;

    private void nodeSeen(String name, long cores) {
        play.on(new Event.NodeSeen(WATCHER, node(name, cores)));
    }

    /** A node without cores: all that was marked is looked at, and marked no more. */
    private void roundIsOver() {
        nodeSeen("empty-" + rounds++, 0);
    }

    @Test
    void whatWasKeptIsForOthersOnceNoNodeCouldTakeTheHead() {
        nodeSeen("node-2", 10);
        jobs.queue("a", limited(10));
        jobs.submit("s0", 0, spec("a", role("worker", 1, 1)));
        jobs.submit("big", 1, spec("a", role("worker", 1, 10)));
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("s1", 2, spec("a", role("worker", 1, 2)));
        assertThat(play.takeStarted()).containsExactly("s0");
        nodeSeen("node-2", 9);
        assertThat(play.takeStarted()).containsExactly("s1");
    }

    /**
     * Who lacked only room before lacks what is kept, too, and so nobody of the queue may start.
     */
    @Test
    void queueIsShutByItsLimitOnceItsHeadHasWaitedForLong() {
        jobs.queue("a", limited(10));
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.submit("s0", 0, spec("a", role("worker", 1, 8)));
        jobs.submit("b0", 1, spec("b", role("worker", 1, 8)));
        jobs.submit("big", 2, spec("a", role("worker", 1, 8)));
        jobs.submit("holder", 3, spec("b", role("worker", 1, 8)));
        jobs.submit("s1", 4, spec("a", role("worker", 1, 1)));
        roundIsOver();
        assertThat(whyShut("a")).isNull();
        play.passHeard(RESERVE_AFTER, 0);
        roundIsOver();
        assertThat(whyShut("a")).isEqualTo(WaitReason.Code.QUOTA_EXCEEDED);
    }

    private WaitReason.@Nullable Code whyShut(String queue) {
        var reason = ((Queue) play.rows(Row.Table.QUEUE).get(queue)).reason();
        return reason == null ? null : reason.code();
    }

    @Test
    void whatWasKeptIsForOthersOfItsQueueOnceSomebodyUsesHisGuarantee() {
        jobs.queue("a", guaranteed(8));
        jobs.queue("b", limited(14));
        jobs.submit("b0", 0, spec("b", role("worker", 1, 2)));
        jobs.submit("big", 1, spec("b", role("worker", 13, 1)));
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("b1", 2, spec("b", role("worker", 1, 1)));
        assertThat(play.takeStarted()).containsExactly("b0");
        roundIsOver();
        assertThat(play.takeStarted()).isEmpty();
        jobs.submit("a0", 3, spec("a", role("worker", 1, 8)));
        assertThat(play.takeStarted()).containsExactly("a0", "b1");
    }

    @Test
    void whatWasKeptOfANamespaceIsForOtherQueuesOnceTheHeadIsGone() {
        jobs.queue("a", QueueSpecs.QUEUE);
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.namespace("requests.cpu", 6000);
        jobs.submit("s0", 0, spec("a", role("worker", 1, 2)));
        jobs.submit("big", 1, spec("a", role("worker", 1, 6)));
        play.passHeard(RESERVE_AFTER, 0);
        jobs.submit("b0", 2, spec("b", role("worker", 1, 1)));
        assertThat(play.takeStarted()).containsExactly("s0");
        roundIsOver();
        assertThat(play.takeStarted()).isEmpty();
        play.on(cancel(job("big", 1), "", null));
        assertThat(play.takeStarted()).containsExactly("b0");
    }

    @Test
    void quotaOfANamespaceIsKeptForTheNextHeadOnceTheFirstIsGone() {
        jobs.queue("a", QueueSpecs.QUEUE);
        jobs.queue("b", QueueSpecs.QUEUE);
        jobs.namespace("requests.cpu", 6000);
        jobs.submit("s0", 0, spec("a", role("worker", 1, 3)));
        jobs.submit("a0", 1, spec("a", role("worker", 1, 4)));
        jobs.submit("b0", 2, spec("b", role("worker", 1, 4)));
        play.passHeard(RESERVE_AFTER, 0);
        play.takeStarted();
        play.on(cancel(job("a0", 1), "", null));
        jobs.submit("a1", 3, spec("a", role("worker", 1, 1)));
        assertThat(play.takeStarted()).isEmpty();
        jobs.end("s0", 0);
        assertThat(play.takeStarted()).containsExactlyInAnyOrder("b0", "a1");
    }
}
