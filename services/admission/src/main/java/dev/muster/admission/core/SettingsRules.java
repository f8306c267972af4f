package dev.muster.admission.core;

import dev.muster.admission.core.SettingsRequest.Bulk;
import dev.muster.admission.core.SettingsRequest.ChangePool;
import dev.muster.admission.core.SettingsRequest.ChangeQueue;
import dev.muster.admission.core.SettingsRequest.DeleteQueue;
import dev.muster.admission.core.SettingsRequest.PutPool;
import dev.muster.admission.core.SettingsRequest.PutQueue;
import dev.muster.admission.core.SettingsVerdict.Answer;
import dev.muster.admission.core.SettingsVerdict.Forward;
import dev.muster.admission.core.SettingsVerdict.Wait;
import dev.muster.schemas.contract.Limits;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Which pool a queue belongs to and which number a pool has: neither ever changes. */
public final class SettingsRules {
    private SettingsRules() {}

    /**
     * What admission itself sent on about a queue, which it may see in the queues' topic only
     * later.
     *
     * @param deleted the last thing sent was its deletion
     * @param drained with which its jobs may end before
     */
    public record Sent(String pool, boolean deleted, boolean drained) {
        /** One that a queue with jobs refuses, or none. */
        public Sent(String pool, boolean deleted) {
            this(pool, deleted, false);
        }
    }

    /**
     * What is known when one request is decided.
     *
     * @param sent about this queue
     * @param shownPool the pool of this queue in the queues' topic; null: it is not there
     * @param leaving whether it goes with its last job, as the queues' topic has it
     * @param pools the number of every pool
     * @param destination the pool of the queue that jobs are to move to; null: they are not, or it
     *     is not known
     */
    public record Known(
            @Nullable Sent sent,
            @Nullable String shownPool,
            boolean leaving,
            Map<String, Integer> pools,
            @Nullable String destination) {
        public Known {
            pools = Ordered.copy(pools);
        }

        private @Nullable String pool() {
            if (shownPool != null) {
                return shownPool;
            }
            return sent == null || sent.deleted() ? null : sent.pool();
        }

        /**
         * It is deleted once its last job has ended, and made anew if it is put before. It has to
         * be shown so: it may have been made anew before it was shown gone. And it must not have
         * been resumed since.
         */
        private boolean leaves() {
            return leaving && isToLeave();
        }

        /** Its deletion was sent, and not taken back. */
        private boolean isToLeave() {
            return shownPool != null && sent != null && sent.drained();
        }

        /** The one that remembers what was answered last; null: nothing was ever sent. */
        private @Nullable String lastPool() {
            var pool = pool();
            return pool != null || sent == null ? pool : sent.pool();
        }
    }

    /** Decides what becomes of one request; {@code now} as for {@link Directory#decide}. */
    public static SettingsVerdict decide(Known known, SettingsRequest request, Instant now) {
        return switch (request) {
            case PutQueue put -> putQueue(known, put, now);
            case ChangeQueue change -> changeQueue(known, change, now);
            case DeleteQueue delete -> deleteQueue(known, delete, now);
            case PutPool put -> putPool(Ordered.copy(known.pools()), put);
            case ChangePool change -> changePool(Ordered.copy(known.pools()), change);
            case Bulk bulk -> bulk(known, bulk, now);
        };
    }

    /**
     * What later requests are to know of one that is sent on about a queue.
     *
     * @param pool to which it is sent
     * @return null: no more than before
     */
    public static @Nullable Sent remembered(Known known, SettingsRequest request, String pool) {
        return switch (request) {
            case PutQueue put -> put.reopens() || !known.isToLeave() ? new Sent(pool, false) : null;
            case ChangeQueue change when known.isToLeave() ->
                    change.reopens() ? reopened(change, pool) : null;
            case ChangeQueue change -> change.create() ? new Sent(pool, false) : null;
            // As long as it drains it is shown, and so known.
            case DeleteQueue delete -> {
                // Who asks once more, without that, takes nothing back.
                var before = known.sent();
                boolean drained = delete.drain() || before != null && before.drained();
                yield new Sent(pool, true, drained);
            }
            case PutPool _, ChangePool _, Bulk _ -> null;
        };
    }

    /**
     * It may be gone by now: who only changes it does not make it, so that it is as it is shown.
     */
    private static Sent reopened(ChangeQueue change, String pool) {
        return new Sent(pool, !change.create());
    }

    private static SettingsVerdict putQueue(Known known, PutQueue put, Instant now) {
        return setQueue(known, put, put.settings().pool(), now);
    }

    /** How the named fields go with the others only the pool knows. */
    private static SettingsVerdict changeQueue(Known known, ChangeQueue change, Instant now) {
        var pool = known.pool();
        var asked =
                new PutQueue(
                        change.name(), change.settings(), change.reopens(), change.waitsUntil());
        if (pool == null && !change.create()) {
            var last = known.lastPool();
            return last == null
                    ? noQueue(change.name())
                    : setQueue(known, asked, last, now); // Who asks again gets the first answer.
        }
        boolean isMadeAnew =
                change.create() && change.named() == ChangeQueue.Named.NOTHING && known.leaves();
        return pool == null || change.named() == ChangeQueue.Named.POOL || isMadeAnew
                ? putQueue(known, asked, now)
                : setQueue(known, asked, pool, now);
    }

    private static SettingsVerdict setQueue(Known known, PutQueue put, String inPool, Instant now) {
        var problems = new Problems();
        checkName(put.name(), problems);
        put.settings().check(problems);
        if (!problems.all().isEmpty()) {
            return refused(problems.all());
        }
        var pool = known.pool();
        if (pool != null && !pool.equals(inPool)) {
            var words =
                    known.leaves()
                            ? "queue %s is in pool %s until its last job has ended; ask again then, or use another name"
                            : "queue %s belongs to pool %s and cannot move; delete it first, or use another name";
            return conflict(words.formatted(put.name(), pool));
        }
        return toPool(known, inPool, put.waitsUntil(), now);
    }

    private static SettingsVerdict noQueue(String name) {
        return new Answer(Outcome.NOT_FOUND, List.of(), "no queue " + name + " is known");
    }

    /** Of one that is gone its pool says so, or gives who asks again the first answer. */
    private static SettingsVerdict deleteQueue(Known known, DeleteQueue delete, Instant now) {
        var pool = known.lastPool();
        return pool == null
                ? noQueue(delete.name())
                : toPool(known, pool, delete.waitsUntil(), now);
    }

    private static SettingsVerdict toPool(
            Known known, String pool, Instant waitsUntil, Instant now) {
        var number = known.pools().get(pool);
        if (number != null) {
            return new Forward(pool, number);
        }
        return now.isBefore(waitsUntil)
                ? new Wait("pool " + pool + " is not there yet")
                : refused(
                        List.of(
                                new Problem(
                                        "spec.pool",
                                        pool,
                                        "must be a pool that exists; there is none of this name")));
    }

    private static SettingsVerdict putPool(SortedMap<String, Integer> pools, PutPool put) {
        var problems = new Problems();
        put.settings().checkTogether(problems);
        return setPool(pools, put.name(), put.settings(), put.settings().number(), problems);
    }

    /** How the named fields go with the others only the pool knows, unless it is made of them. */
    private static SettingsVerdict changePool(SortedMap<String, Integer> pools, ChangePool change) {
        if (pools.containsKey(change.name())) {
            var settings = change.settings();
            var number = change.namesNumber() ? settings.number() : null;
            return setPool(pools, change.name(), settings, number, new Problems());
        }
        return change.create()
                ? putPool(pools, new PutPool(change.name(), change.settings()))
                : new Answer(
                        Outcome.NOT_FOUND, List.of(), "no pool " + change.name() + " is known");
    }

    private static SettingsVerdict setPool(
            SortedMap<String, Integer> pools,
            String name,
            PoolSettings settings,
            @Nullable Integer number,
            Problems problems) {
        checkName(name, problems);
        settings.check(problems);
        if (!problems.all().isEmpty()) {
            return refused(problems.all());
        }
        var own = pools.get(name);
        if (own != null) {
            return number == null || number.equals(own)
                    ? new Forward(name, own)
                    : conflict("pool %s has number %d for ever".formatted(name, own));
        }
        if (number == null) {
            return IntStream.range(0, Limits.POOLS)
                    .filter(free -> !pools.containsValue(free))
                    .mapToObj(free -> (SettingsVerdict) new Forward(name, free))
                    .findFirst()
                    .orElseGet(() -> conflict("all %d numbers are given".formatted(Limits.POOLS)));
        }
        return pools.containsValue(number)
                ? conflict("number %d belongs to another pool for ever".formatted(number))
                : new Forward(name, number);
    }

    /** Where the queue is gone, who asks again still gets the first answer, of its last pool. */
    private static SettingsVerdict bulk(Known known, Bulk bulk, Instant now) {
        var problems = new Problems();
        checkName(bulk.name(), problems);
        Names.checkLabels("labels", bulk.labels(), problems);
        var namespace = bulk.namespace() == null ? "" : bulk.namespace();
        problems.unless(
                bulk.namespace() == null || Names.isDnsLabel(namespace),
                "namespace",
                namespace,
                Names.DNS_LABEL);
        bulk.change().problems("change").forEach(problems::add);
        if (!problems.all().isEmpty()) {
            return refused(problems.all());
        }
        var pool = bulk.wholePool() ? bulk.name() : known.lastPool();
        var number = pool == null ? null : known.pools().get(pool);
        if (pool == null || number == null) {
            var missing = (bulk.wholePool() ? "pool " : "queue ") + bulk.name();
            return now.isBefore(bulk.waitsUntil())
                    ? new Wait(missing + " is not there yet")
                    : new Answer(Outcome.NOT_FOUND, List.of(), "no " + missing + " is known");
        }
        var elsewhere = bulk.change().leaves(pool, known.destination(), "change");
        return elsewhere == null ? new Forward(pool, number) : refused(List.of(elsewhere));
    }

    private static void checkName(String name, Problems problems) {
        problems.unless(Names.isDnsLabel(name), "name", name, Names.DNS_LABEL);
    }

    private static Answer conflict(String message) {
        return new Answer(Outcome.CONFLICT, List.of(), message);
    }

    private static Answer refused(List<Problem> problems) {
        return new Answer(Outcome.REFUSED, problems, Problems.number(problems));
    }
}
