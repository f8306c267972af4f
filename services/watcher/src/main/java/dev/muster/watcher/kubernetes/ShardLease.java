package dev.muster.watcher.kubernetes;

import static java.net.HttpURLConnection.HTTP_CONFLICT;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;
import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.muster.watcher.core.LeaseRules;
import dev.muster.watcher.core.Term;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Competes for one shard's Lease, and says when it is won and when it is lost. It counts as lost
 * once it was not renewed for {@link Timing#patience}, which is before anybody else may take it,
 * also while the API server cannot be reached.
 */
public final class ShardLease implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardLease.class);

    private final KubernetesClient client;
    private final Name name;
    private final Timing timing;
    private final InstantSource time;
    private final Listener listener;
    private final LeaseRules rules;
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    private @Nullable Term term;

    /** The Lease as it was last read or written by us. */
    private @Nullable Lease known;

    /** Which Lease, and who wants it. */
    public record Name(String namespace, String lease, String identity) {}

    /**
     * How long a Lease lasts.
     *
     * @param duration how long the Lease is given for, in whole seconds
     * @param every how often it is renewed, and tried for
     */
    public record Timing(Duration duration, Duration every) {
        /** How long its holder trusts a write. */
        Duration patience() {
            return duration.minus(every);
        }
    }

    /** Whom it concerns. */
    public record Listener(Consumer<Term> won, Consumer<Term> lost) {}

    ShardLease(
            KubernetesClient client,
            Name name,
            Timing timing,
            InstantSource time,
            Listener listener) {
        this.client = client;
        this.name = name;
        this.timing = timing;
        this.time = time;
        this.listener = listener;
        this.rules = new LeaseRules(name.identity(), timing.duration());
    }

    /** Competes until {@link #close}, then gives the Lease up so that another has it at once. */
    @Override
    public void run() {
        do {
            turn();
        } while (!isClosingWithin(timing.every()));
        if (term != null) {
            lose("closing");
            giveUp();
        }
        calls.shutdownNow();
        closed.countDown();
    }

    /** Returns when the Lease is given up. */
    public void close() throws InterruptedException {
        closing.countDown();
        if (!closed.await(timing.duration().toMillis(), MILLISECONDS)) {
            LOG.atWarn().addKeyValue("lease", name.lease()).log("the lease is left to run out");
        }
    }

    private void turn() {
        var current = term;
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
        if (current != null && !current.covers(time.instant())) {
            lose("not renewed in time");
        }
    }

    private void tryToWin() throws TimeoutException {
        var patience = timing.patience();
        var found = within(patience, () -> lease().get());
        if (found == null) {
            var sent = time.instant();
            won(sent, within(patience, () -> client.resource(inOurName(named())).create()));
        } else if (rules.mayTake(found, time.instant())) {
            var sent = time.instant();
            won(sent, within(patience, () -> write(inOurName(found))));
        }
    }

    private void won(Instant sent, Lease lease) {
        var epoch = Long.parseLong(lease.getMetadata().getResourceVersion());
        var gained = new Term(epoch, sent.plus(timing.patience()));
        known = lease;
        term = gained;
        LOG.atInfo()
                .addKeyValue("lease", name.lease())
                .addKeyValue("epoch", epoch)
                .log("lease won");
        listener.won().accept(gained);
    }

    private void renew(Term current) throws TimeoutException {
        var sent = time.instant();
        var left = Duration.between(sent, current.until());
        try {
            known = within(left, () -> write(inOurName(known)));
            current.extendTo(sent.plus(timing.patience()));
        } catch (KubernetesClientException e) {
            if (isConflict(e) || e.getCode() == HTTP_NOT_FOUND) {
                seeWhoWrote(left);
            } else {
                throw e;
            }
        }
    }

    /** Somebody else wrote to the Lease: took it, deleted it, or only put a label on it. */
    private void seeWhoWrote(Duration patience) throws TimeoutException {
        var found = within(patience, () -> lease().get());
        if (found == null
                || found.getSpec() == null
                || !name.identity().equals(found.getSpec().getHolderIdentity())) {
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
        var free = new LeaseBuilder(known).editSpec().withHolderIdentity("").endSpec().build();
        try {
            within(timing.every(), () -> write(free));
        } catch (TimeoutException | KubernetesClientException e) {
            LOG.atInfo()
                    .addKeyValue("lease", name.lease())
                    .addKeyValue("problem", e.toString())
                    .log("the lease is not given up; it will run out");
        }
    }

    private Resource<Lease> lease() {
        return client.leases().inNamespace(name.namespace()).withName(name.lease());
    }

    /** Only over what was read: after a write in between it is a conflict. */
    private Lease write(Lease lease) {
        return client.resource(lease)
                .lockResourceVersion(lease.getMetadata().getResourceVersion())
                .update();
    }

    private Lease named() {
        return new LeaseBuilder()
                .withNewMetadata()
                .withNamespace(name.namespace())
                .withName(name.lease())
                .endMetadata()
                .build();
    }

    /** The times are for people who read the Lease; nothing is decided by them. */
    private Lease inOurName(@Nullable Lease lease) {
        var now = ZonedDateTime.now(ZoneOffset.UTC);
        var ours = new LeaseBuilder(lease).editOrNewSpec();
        if (!name.identity().equals(ours.getHolderIdentity())) {
            var before = ours.getLeaseTransitions();
            ours.withHolderIdentity(name.identity())
                    .withAcquireTime(now)
                    .withLeaseTransitions(before == null ? 0 : before + 1);
        }
        return ours.withLeaseDurationSeconds((int) timing.duration().toSeconds())
                .withRenewTime(now)
                .endSpec()
                .build();
    }

    private static boolean isConflict(Exception problem) {
        return problem instanceof KubernetesClientException refused
                && refused.getCode() == HTTP_CONFLICT;
    }

    private <T> T within(Duration patience, Callable<T> call) throws TimeoutException {
        var answer = calls.submit(call);
        try {
            return answer.get(patience.toMillis(), MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KubernetesClientException refused) {
                throw refused;
            }
            throw new IllegalStateException("the lease could not be asked for", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closing.countDown();
            throw new TimeoutException("interrupted");
        } finally {
            answer.cancel(true);
        }
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
