package dev.muster.watcher;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.watcher.core.Layout;
import dev.muster.watcher.core.Pools;
import dev.muster.watcher.core.Shard;
import dev.muster.watcher.core.ShardEvent;
import dev.muster.watcher.core.Term;
import dev.muster.watcher.kafka.InboxWriter;
import dev.muster.watcher.kafka.TestInbox;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class ShardLoopTest {
    private final CountDownLatch firstIsBusy = new CountDownLatch(1);
    private final CountDownLatch secondEnded = new CountDownLatch(1);
    private final AtomicBoolean secondEndedMeanwhile = new AtomicBoolean();

    @Test
    void whoStopsManyDoesNotWaitForOneBeforeItTellsTheNext() throws Exception {
        var first = loop(0, this::untilTheSecondEnded);
        var second = loop(1, (_, _) -> inVain());
        var ending = Thread.ofVirtual().start(first);
        Thread.ofVirtual()
                .start(() -> {
                    second.run();
                    secondEnded.countDown();
                });
        first.won(new Term(1, new Layout(2, 1), false, Instant.MAX));
        firstIsBusy.await();

        ShardLoop.stop(List.of(first, second));

        ending.join();
        assertThat(secondEndedMeanwhile).isTrue();
    }

    @Test
    void whoKnowsAllAndHasNoTermStandsBy() throws Exception {
        var standsBy = new Semaphore(0);
        var shard = new Shard(0, Duration.ofSeconds(1), Duration.ofSeconds(5));
        var loop =
                new ShardLoop(
                        shard,
                        InstantSource.system(),
                        (_, _) -> inVain(),
                        () -> {},
                        standsBy::release);
        loop.accept(new ShardEvent.PoolsChanged(Pools.NONE));
        loop.accept(new ShardEvent.Listed(ShardEvent.Kind.PODS));
        loop.accept(new ShardEvent.Listed(ShardEvent.Kind.NODES));
        var running = Thread.ofVirtual().start(loop);
        assertThat(standsBy.tryAcquire(100, MILLISECONDS)).isFalse();

        loop.accept(new ShardEvent.Listed(ShardEvent.Kind.QUOTAS));
        assertThat(standsBy.tryAcquire(10, SECONDS)).isTrue();

        loop.accept(new ShardEvent.Tick());
        ShardLoop.stop(List.of(loop));
        running.join();
        assertThat(standsBy.availablePermits()).isZero();
    }

    /** What was listed since counts, so nothing is listed twice. */
    @Test
    void whoForesawItsTermListsNothingAnewWhenThatBegins() throws Exception {
        var lists = new Semaphore(0);
        var opened = new Semaphore(0);
        var loop =
                new ShardLoop(
                        new Shard(0, Duration.ofSeconds(1), Duration.ofSeconds(5)),
                        InstantSource.system(),
                        (won, _) -> {
                            opened.release();
                            return TestInbox.open(new MockProducer<>(), won);
                        },
                        lists::release,
                        () -> {});
        var running = Thread.ofVirtual().start(loop);
        loop.foreseen();
        assertThat(lists.tryAcquire(10, SECONDS)).isTrue();
        loop.won(new Term(1, new Layout(1, 1), true, Instant.MAX));
        assertThat(opened.tryAcquire(10, SECONDS)).isTrue();
        loop.won(new Term(2, new Layout(1, 1), false, Instant.MAX));
        assertThat(lists.tryAcquire(10, SECONDS)).isTrue();

        ShardLoop.stop(List.of(loop));
        running.join();
        assertThat(lists.availablePermits()).isZero();
    }

    /** However long the shard's own thread is busy. */
    @Test
    void whoLosesItsTermHasEndedItsInboxOnReturn() throws Exception {
        var term = new Term(1, new Layout(1, 1), false, Instant.MAX);
        var producer = new MockProducer<String, byte[]>();
        var listing = new CountDownLatch(1);
        var listed = new CountDownLatch(1);
        var loop =
                new ShardLoop(
                        new Shard(0, Duration.ofSeconds(1), Duration.ofSeconds(5)),
                        InstantSource.system(),
                        (won, _) -> TestInbox.open(producer, won),
                        () -> {
                            listing.countDown();
                            await(listed);
                        },
                        () -> {});
        var running = Thread.ofVirtual().start(loop);
        loop.won(term);
        listing.await();

        loop.lost(new Term(2, new Layout(1, 1), false, Instant.MAX));
        assertThat(producer.closed()).isFalse();
        loop.lost(term);
        assertThat(producer.closed()).isTrue();

        listed.countDown();
        ShardLoop.stop(List.of(loop));
        running.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private InboxWriter untilTheSecondEnded(Term term, Runnable onNews) {
        firstIsBusy.countDown();
        try {
            secondEndedMeanwhile.set(secondEnded.await(5, SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return inVain();
    }

    private static InboxWriter inVain() {
        throw new KafkaException("nobody opens an inbox here");
    }

    private static ShardLoop loop(int number, ShardLoop.Inboxes inboxes) {
        var shard = new Shard(number, Duration.ofSeconds(1), Duration.ofSeconds(5));
        return new ShardLoop(shard, InstantSource.system(), inboxes, () -> {}, () -> {});
    }
}
