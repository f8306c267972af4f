package dev.muster.watcher;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.muster.schemas.crash.CrashPoint;
import dev.muster.watcher.core.Effect;
import dev.muster.watcher.core.Shard;
import dev.muster.watcher.core.ShardEvent;
import dev.muster.watcher.core.ShardEvent.Confirmed;
import dev.muster.watcher.core.ShardEvent.LeaseGained;
import dev.muster.watcher.core.ShardEvent.LeaseLost;
import dev.muster.watcher.core.ShardEvent.Outdated;
import dev.muster.watcher.core.ShardEvent.SendFailed;
import dev.muster.watcher.core.ShardEvent.Tick;
import dev.muster.watcher.core.Term;
import dev.muster.watcher.kafka.InboxWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries what one shard hears to its rules, one after the other, and what they answer to the
 * inboxes. Any thread may let it hear something; its own thread does the rest.
 */
final class ShardLoop implements Consumer<ShardEvent>, Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardLoop.class);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    private final Shard shard;
    private final InstantSource time;
    private final Inboxes inboxes;
    private final Runnable listAnew;
    private final Runnable standsBy;
    private final BlockingQueue<Runnable> heard = new LinkedBlockingQueue<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    private volatile @Nullable Open open;

    /** A term whose inboxes could not be opened yet, and when to try again. */
    private @Nullable Term waiting;

    private Instant retryAt = Instant.MAX;
    private volatile boolean synced;
    private volatile boolean running = true;

    /** Opens the inboxes for a term. */
    interface Inboxes {
        InboxWriter open(Term term, Runnable onNews);
    }

    private record Open(Term term, InboxWriter inbox) {}

    /**
     * @param time monotonic
     * @param listAnew has what can be listed listed from scratch, for this shard to hear
     * @param standsBy called when all is known and somebody else tells of it
     */
    ShardLoop(
            Shard shard,
            InstantSource time,
            Inboxes inboxes,
            Runnable listAnew,
            Runnable standsBy) {
        this.shard = shard;
        this.time = time;
        this.inboxes = inboxes;
        this.listAnew = listAnew;
        this.standsBy = standsBy;
    }

    @Override
    public void accept(ShardEvent event) {
        heard.add(() -> take(event));
    }

    /** The next term may begin soon, and what is listed from here on counts for it. */
    void foreseen() {
        heard.add(this::listAfresh);
    }

    void won(Term term) {
        heard.add(() -> begin(term));
    }

    /** The term covers something again: what was held back meanwhile is told. */
    void heldOn() {
        accept(new Tick());
    }

    /** From its return on nothing of that term leaves this process any more. */
    void lost(Term term) {
        var current = open;
        if (current != null && current.term() == term) {
            current.inbox().abort();
        }
        heard.add(this::silence);
    }

    boolean isSynced() {
        return synced;
    }

    boolean holds() {
        var current = open;
        return current != null && current.term().covers(time.instant());
    }

    /**
     * Has each say what is left to say, as far as that does not take long, and end. That takes as
     * long as the slowest one needs.
     */
    static void stop(List<ShardLoop> loops) throws InterruptedException {
        loops.forEach(loop -> loop.heard.add(() -> loop.running = false));
        long until = System.nanoTime() + LAST_WORDS.toNanos();
        for (var loop : loops) {
            if (!loop.ended.await(until - System.nanoTime(), NANOSECONDS)) {
                LOG.atWarn().log("a shard ends before all was told");
            }
        }
    }

    @Override
    public void run() {
        try {
            while (running) {
                next().run();
                retry();
                boolean isSynced = shard.isSynced();
                if (isSynced && !synced && open == null) {
                    standsBy.run();
                }
                synced = isSynced;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            silence();
            ended.countDown();
        }
    }

    private Runnable next() throws InterruptedException {
        var due = shard.nextDue().isBefore(retryAt) ? shard.nextDue() : retryAt;
        var longest = time.instant().plus(LONGEST_WAIT);
        var until = due.isBefore(longest) ? due : longest;
        var wait = Duration.between(time.instant(), until);
        var next = heard.poll(Math.max(0, wait.toNanos()), NANOSECONDS);
        return next == null ? () -> take(new Tick()) : next;
    }

    private void begin(Term term) {
        silence();
        if (term.hasEnded()) {
            return;
        }
        try {
            open = new Open(term, inboxes.open(term, () -> accept(new Tick())));
            CrashPoint.WATCHER_WON.pass(term);
            if (!term.isForeseen()) {
                listAfresh();
            }
            take(new LeaseGained(term.epoch()));
        } catch (KafkaException e) {
            LOG.atWarn()
                    .addKeyValue("problem", e.toString())
                    .log("the inboxes cannot be opened; trying again");
            waiting = term;
            retryAt = time.instant().plus(RETRY);
        }
    }

    private void listAfresh() {
        take(new Outdated());
        listAnew.run();
    }

    private void retry() {
        var term = waiting;
        if (term != null && !retryAt.isAfter(time.instant())) {
            begin(term);
        }
    }

    private void silence() {
        waiting = null;
        retryAt = Instant.MAX;
        var current = open;
        if (current != null) {
            open = null;
            current.inbox().close();
            shard.on(new LeaseLost(), time.instant());
        }
    }

    private void take(ShardEvent event) {
        var current = open;
        if (current != null) {
            current.inbox().goOn();
        }
        hearOfArrivals();
        CrashPoint.WATCHER_SEEN.pass(event);
        var effects = shard.on(event, time.instant());
        CrashPoint.WATCHER_DECIDED.pass(effects);
        perform(effects);
        hearOfArrivals();
    }

    private void perform(List<Effect> effects) {
        for (var effect : effects) {
            switch (effect) {
                case Effect.Publish(var pool, var report) -> {
                    var current = open;
                    if (current != null) {
                        current.inbox().tell(pool, report);
                    }
                }
                case Effect.Confirm(var pool) -> {
                    var current = open;
                    if (current != null) {
                        current.inbox().awaitArrival(pool);
                    }
                }
                case Effect.WarnOfOverlap(var taker, var other, var node) ->
                        LOG.atWarn()
                                .addKeyValue("pool", taker)
                                .addKeyValue("other", other)
                                .addKeyValue("node", node)
                                .log(
                                        "two pools have the same claim on a node; the one with the lower number has it");
            }
        }
    }

    private void hearOfArrivals() {
        var current = open;
        if (current == null) {
            return;
        }
        hearOfFailures(current);
        for (var pool = current.inbox().nextArrived();
                pool.isPresent();
                pool = current.inbox().nextArrived()) {
            perform(shard.on(new Confirmed(pool.get()), time.instant()));
            hearOfFailures(current);
        }
    }

    private void hearOfFailures(Open current) {
        for (var pool = current.inbox().nextFailed();
                pool.isPresent();
                pool = current.inbox().nextFailed()) {
            perform(shard.on(new SendFailed(pool.get()), time.instant()));
        }
    }
}
