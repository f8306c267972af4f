package dev.muster.watcher.kubernetes;

import static java.net.HttpURLConnection.HTTP_CONFLICT;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.muster.watcher.core.Hearing;
import dev.muster.watcher.core.Layout;
import dev.muster.watcher.core.LeaseLength;
import dev.muster.watcher.core.LeaseRules;
import dev.muster.watcher.core.Term;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Competes for one shard's Lease, and says when it is won and when it is lost. One that was not
 * renewed in time covers nothing from then on, which is before anybody else may take it, also while
 * the API server cannot be reached. It is held on where it can be renewed later, since then nobody
 * had it in between, and the cluster is heard of; it is lost once somebody else has it, once that
 * takes too long, and once the {@link Layout} is another one.
 */
public final class ShardLease implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardLease.class);

    /** What is held back for longer is worth no more than a snapshot. */
    private static final Duration LONGEST_LAPSE = Duration.ofSeconds(30);

    /** An answer that takes longer is not waited for at the end: the Lease may as well run out. */
    private static final Duration LAST_ANSWER = Duration.ofSeconds(5);

    private final Name name;
    private final Timing timing;
    private final InstantSource time;
    private final Listener listener;
    private final Self self;
    private final Hearing hearing = new Hearing();
    private final LeaseRules rules;
    private final LeaseLength length;
    private final LeaseCalls calls;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private @Nullable Term term;

    /** Of the term, that it covers nothing until it is renewed. */
    private boolean saidThatItLapsed;

    /** The Lease as it was last read or written by us. */
    private @Nullable Lease known;

    /**
     * Which Lease, and who wants it.
     *
     * @param shard whose Lease it is
     * @param shards how many there are, as the candidate counts
     */
    public record Name(String namespace, int shard, int shards, String identity) {
        private static final int FIRST = 0;

        String lease() {
            return lease(shard);
        }

        boolean isFirst() {
            return shard == FIRST;
        }

        String first() {
            return lease(FIRST);
        }

        private static String lease(int shard) {
            return "muster-watcher-" + shard;
        }
    }

    /**
     * How long a Lease lasts.
     *
     * @param duration how long the Lease is given for at least, in whole seconds
     * @param every how often it is renewed, and tried for
     */
    public record Timing(Duration duration, Duration every) {}

    /**
     * Whom it concerns.
     *
     * @param foreseen the Lease may soon be won: unless its holder renews it, that tells nothing
     *     any more
     * @param heldOn the term that was won last covers something again
     */
    public record Listener(
            Runnable foreseen, Consumer<Term> won, Runnable heldOn, Consumer<Term> lost) {}

    /**
     * What the process is about.
     *
     * @param isDeaf what the shard tells of is not heard of: who is does not compete, and gives the
     *     Lease up, since nothing is told where nothing is heard
     * @param tells it has another shard, of which all is told anew when all is listed anew: it
     *     foresees nothing, which may be for nothing
     */
    public record Self(BooleanSupplier isDeaf, BooleanSupplier tells) {}

    ShardLease(
            KubernetesClient client,
            Name name,
            Timing timing,
            InstantSource time,
            Listener listener,
            Self self) {
        this.name = name;
        this.timing = timing;
        this.time = time;
        this.listener = listener;
        this.self = self;
        this.rules = new LeaseRules(name.identity(), timing.duration());
        this.length = new LeaseLength(timing.duration(), timing.every());
        this.calls = new LeaseCalls(client, name, time, length);
    }

    /** Competes until {@link #end}, then gives the Lease up so that another has it at once. */
    @Override
    public void run() {
        do {
            turn();
        } while (!isClosingWithin(pause()));
        if (term != null) {
            lose("closing");
            giveUp();
        }
        calls.close();
        closed.countDown();
    }

    /** Has the Lease given up; {@link #awaitEnd} returns when it is. */
    public void end() {
        closing.countDown();
    }

    /** Returns when the Lease is given up, or the API server is too slow for that. */
    public void awaitEnd() throws InterruptedException {
        if (!closed.await(LAST_ANSWER.multipliedBy(2).toMillis(), MILLISECONDS)) {
            LOG.atWarn().addKeyValue("lease", name.lease()).log("the lease is left to run out");
        }
    }

    private void turn() {
        var current = term;
        if (isDeafForLong()) {
            if (current != null) {
                lose("the cluster cannot be listed or watched");
                giveUp();
            }
            return;
        }
        try {
            if (current == null) {
                tryToWin();
            } else {
                renew(current);
            }
        } catch (TimeoutException | RuntimeException e) {
            if (current != null || !isConflict(e)) {
                LOG.atWarn()
                        .addKeyValue("lease", name.lease())
                        .addKeyValue("namespace", name.namespace())
                        .addKeyValue("problem", e.toString())
                        .log(current == null ? "the lease cannot be had" : "lease not renewed");
            }
        }
        if (term != null) {
            seeWhetherItLapses(term);
        }
    }

    private void seeWhetherItLapses(Term current) {
        var now = time.instant();
        if (current.covers(now)) {
            return;
        }
        if (isOverdue(current, now)) {
            lose("not renewed for too long");
        } else if (!saidThatItLapsed) {
            saidThatItLapsed = true;
            LOG.atWarn()
                    .addKeyValue("lease", name.lease())
                    .addKeyValue("epoch", current.epoch())
                    .log("lease not renewed in time; silent until it is");
        }
    }

    private static boolean isOverdue(Term current, Instant now) {
        return !current.until().plus(LONGEST_LAPSE).isAfter(now);
    }

    private boolean isDeafForLong() {
        var now = time.instant();
        hearing.found(self.isDeaf().getAsBoolean(), now);
        return term == null ? hearing.isDeaf() : hearing.isDeafForLong(now);
    }

    private Duration pause() {
        return term == null ? rules.nextLook(time.instant(), timing.every()) : timing.every();
    }

    private void tryToWin() throws TimeoutException {
        var stated = name.isFirst() ? null : calls.layout(length.patience());
        if (name.isFirst() || (stated != null && stated.shards() == name.shards())) {
            var found = calls.readOrMake(length.patience());
            var now = time.instant();
            if (rules.mayTake(found, now)) {
                take(found, stated == null ? Layout.onTaking(found, name.shards()) : stated);
            } else if (!self.tells().getAsBoolean() && rules.fallsSilent(now, timing.every())) {
                listener.foreseen().run();
            }
        }
    }

    /** What is read before the write: a layout that changes in between is noticed at a renewal. */
    private void take(Lease found, Layout layout) throws TimeoutException {
        var sent = time.instant();
        var given = length.given();
        var lease =
                calls.write(
                        LeaseObjects.held(name, layout.saidBy(found), given), length.patience());
        var epoch = Long.parseLong(lease.getMetadata().getResourceVersion());
        // Under another layout others told of some of the shard's namespaces, and may still.
        boolean foreseen = rules.wasSilent() && layout.equals(Layout.of(found));
        var gained = new Term(epoch, layout, foreseen, trusted(sent, given));
        known = lease;
        term = gained;
        saidThatItLapsed = false;
        LOG.atInfo()
                .addKeyValue("lease", name.lease())
                .addKeyValue("epoch", epoch)
                .addKeyValue("shards", layout.shards())
                .addKeyValue("since", layout.since())
                .log("lease won");
        listener.won().accept(gained);
    }

    private void renew(Term current) throws TimeoutException {
        if (!name.isFirst() && !current.layout().equals(calls.layout(left(current)))) {
            lose("the shards are counted anew");
            giveUp();
            return;
        }
        try {
            var sent = time.instant();
            var given = length.given();
            // It may be written and not answered.
            current.endBy(trusted(sent, given));
            known = calls.write(LeaseObjects.held(name, known, given), left(current));
            extend(current, trusted(sent, given));
        } catch (KubernetesClientException e) {
            if (isConflict(e) || e.getCode() == HTTP_NOT_FOUND) {
                seeWhoWrote(current, left(current));
            } else {
                throw e;
            }
        }
    }

    /** How long an answer is worth waiting for. */
    private Duration left(Term current) {
        var now = time.instant();
        return current.covers(now) ? Duration.between(now, current.until()) : length.patience();
    }

    private void extend(Term current, Instant until) {
        var now = time.instant();
        if (current.covers(now)) {
            current.extendTo(until);
        } else if (isOverdue(current, now)) {
            lose("not renewed for too long");
        } else if (until.isAfter(now)) {
            // Where the API server was away, the watches come back later than its answers.
            hearing.found(self.isDeaf().getAsBoolean(), now);
            if (hearing.isSure(now)) {
                holdOn(current, until);
            }
        }
    }

    private void holdOn(Term current, Instant until) {
        current.extendTo(until);
        saidThatItLapsed = false;
        LOG.atInfo()
                .addKeyValue("lease", name.lease())
                .addKeyValue("epoch", current.epoch())
                .log("lease held on: nobody had it in between");
        listener.heldOn().run();
    }

    /** Others may take the Lease a whole renewal after that at the earliest. */
    private Instant trusted(Instant sent, Duration given) {
        return sent.plus(given).minus(timing.every());
    }

    /** Somebody else wrote to the Lease: took it, deleted it, or only put a label on it. */
    private void seeWhoWrote(Term current, Duration patience) throws TimeoutException {
        var found = calls.read(patience);
        if (found == null || !isOurs(found) || !current.layout().equals(Layout.of(found))) {
            lose("taken away");
        } else {
            known = found;
        }
    }

    private void lose(String why) {
        var ended = term;
        if (ended != null) {
            term = null;
            ended.end();
            LOG.atInfo()
                    .addKeyValue("lease", name.lease())
                    .addKeyValue("epoch", ended.epoch())
                    .addKeyValue("why", why)
                    .log("lease lost");
            listener.lost().accept(ended);
        }
    }

    private void giveUp() {
        try {
            try {
                calls.write(LeaseObjects.free(known), LAST_ANSWER);
            } catch (KubernetesClientException e) {
                giveUpWhatWasNotAnswered(e);
            }
        } catch (TimeoutException | KubernetesClientException e) {
            LOG.atInfo()
                    .addKeyValue("lease", name.lease())
                    .addKeyValue("problem", e.toString())
                    .log("the lease is not given up; it will run out");
        }
    }

    /** The last renewal may have been written, and not been answered in time. */
    private void giveUpWhatWasNotAnswered(KubernetesClientException problem)
            throws TimeoutException {
        var found = isConflict(problem) ? calls.read(LAST_ANSWER) : null;
        if (found == null || !isOurs(found)) {
            throw problem;
        }
        calls.write(LeaseObjects.free(found), LAST_ANSWER);
    }

    private boolean isOurs(Lease lease) {
        return lease.getSpec() != null
                && name.identity().equals(lease.getSpec().getHolderIdentity());
    }

    private static boolean isConflict(Exception problem) {
        return problem instanceof KubernetesClientException refused
                && refused.getCode() == HTTP_CONFLICT;
    }

    private boolean isClosingWithin(Duration pause) {
        try {
            return closing.await(pause.toMillis(), MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
