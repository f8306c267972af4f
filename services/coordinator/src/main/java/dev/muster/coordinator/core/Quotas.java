package dev.muster.coordinator.core;

import dev.muster.coordinator.core.WaitReason.Code;
import org.jspecify.annotations.Nullable;

/**
 * Whether a queue and a namespace may use more.
 *
 * <p>Of a resource that some queue of the pool was guaranteed, a queue may use its own guarantee,
 * what its group leaves idle of theirs (less what those do not lend), and what the pool has beyond
 * all guarantees. Of other resources, whatever there is. Its limit it never exceeds.
 */
final class Quotas {
    private final Tables tables;

    Quotas(Tables tables) {
        this.tables = tables;
    }

    /** What one more gang would use, and whose it is. */
    record Claim(Queue queue, String namespace, Ledger.Use need, By by) {}

    private record Need(String resource, long amount) {}

    /** Who claims. */
    enum By {
        WAITING_JOB,
        /** For whom the pool holds room already. */
        HOLDER,
        /** A job that was started wants more pods. */
        STARTED_JOB,
        /** A gang that failed comes back to its room, before the holder. */
        RETURNING_JOB;

        private boolean isRunning() {
            return this == STARTED_JOB || this == RETURNING_JOB;
        }

        private boolean comesBefore() {
            return this == HOLDER || this == RETURNING_JOB;
        }
    }

    /**
     * Why not.
     *
     * @param whose quota it is
     * @param never it would not be allowed if nothing else ran either
     * @param byOthers only the jobs of other queues are in the way
     */
    record Excess(
            Code code,
            String scope,
            WaitReason.Shortage shortage,
            Whose whose,
            boolean never,
            boolean byOthers) {
        /** One sentence, put into words only where it is told: most are found and never told. */
        String message() {
            return switch (whose.kind()) {
                case COUNT ->
                        "queue %s runs %d jobs, which is its most"
                                .formatted(whose.name(), shortage.need() - 1);
                case QUEUE ->
                        "needs %s of %s, queue %s has %s left of %s"
                                .formatted(
                                        Words.amount(scope, shortage.need()),
                                        scope,
                                        whose.name(),
                                        Words.amount(scope, shortage.have()),
                                        whose.part());
                case NAMESPACE ->
                        "needs %s of %s, the quota of namespace %s has %s left"
                                .formatted(
                                        Words.amount(whose.part(), shortage.need()),
                                        whose.part(),
                                        whose.name(),
                                        Words.amount(whose.part(), shortage.have()));
            };
        }
    }

    /**
     * The quota that would be passed.
     *
     * @param name of the queue or namespace
     * @param part what of it
     */
    record Whose(Kind kind, String name, String part) {
        enum Kind {
            COUNT,
            QUEUE,
            NAMESPACE
        }
    }

    /** Null: it is allowed. */
    @Nullable Excess check(Claim claim) {
        var ofQueue = ofQueue(claim);
        return ofQueue != null ? ofQueue : ofNamespace(claim);
    }

    /** Why a rank may not be made again: it would use more than it has. Null: it is allowed. */
    @Nullable Excess ofAgain(Job job, Rank rank) {
        var queue = tables.queue(job.spec().queue());
        var pod = job.spec().role(rank.id().role()).pod();
        var had = rank.sight().released() ? null : job.spec().podOf(rank);
        var wanted = pod.at(pod.grown());
        if (queue == null || wanted.equals(had)) {
            return null;
        }
        var use = Ledger.Use.of(wanted);
        var need =
                had == null
                        ? use
                        : new Ledger.Use(
                                wanted.demand().beyond(had.demand()),
                                use.above().minus(Ledger.Use.of(had).above()));
        return check(new Claim(queue, job.id().namespace(), need, By.RETURNING_JOB));
    }

    /** After this its queue would use no more than it was guaranteed. */
    boolean isGuaranteed(Claim claim) {
        var needs = claim.need().requests();
        for (int i = 0; i < needs.size(); i++) {
            var resource = needs.name(i);
            if (!tables.ledger.isShared(resource)
                    && used(claim, resource) + needs.amount(i)
                            > claim.queue().spec().quota().guaranteed().get(resource)) {
                return false;
            }
        }
        return true;
    }

    /** What others of the queue have, and its holder where that one comes before. */
    private long used(Claim claim, String resource) {
        var account = tables.ledger.account(claim.queue().name());
        long used = account.used().get(resource);
        return claim.by().comesBefore() ? used : used + account.held().get(resource);
    }

    /** Nothing is in the way but what other queues use of what its own was guaranteed. */
    boolean mayReclaim(Claim claim) {
        if (ofCount(claim) != null || ofNamespace(claim) != null) {
            return false;
        }
        boolean reclaims = false;
        var needs = claim.need().requests();
        for (int i = 0; i < needs.size(); i++) {
            var excess = ofResource(claim, new Need(needs.name(i), needs.amount(i)));
            if (excess != null && !excess.byOthers()) {
                return false;
            }
            reclaims |= excess != null;
        }
        return !reclaims || isGuaranteed(claim);
    }

    private @Nullable Excess ofCount(Claim claim) {
        var queue = claim.queue();
        int most = queue.spec().doors().maxRunning();
        int running = tables.counts(queue.name()).running();
        if (!claim.by().isRunning() && running >= most) {
            return new Excess(
                    Code.QUOTA_EXCEEDED,
                    "maxRunning",
                    new WaitReason.Shortage(running + 1L, most),
                    new Whose(Whose.Kind.COUNT, queue.name(), "maxRunning"),
                    most == 0,
                    false);
        }
        return null;
    }

    private @Nullable Excess ofQueue(Claim claim) {
        var ofCount = ofCount(claim);
        if (ofCount != null) {
            return ofCount;
        }
        var needs = claim.need().requests();
        for (int i = 0; i < needs.size(); i++) {
            var excess = ofResource(claim, new Need(needs.name(i), needs.amount(i)));
            if (excess != null) {
                return excess;
            }
        }
        return null;
    }

    private @Nullable Excess ofResource(Claim claim, Need need) {
        var quota = claim.queue().spec().quota();
        var resource = need.resource();
        var limit = quota.limit().get(resource);
        if (limit == null && tables.ledger.isShared(resource)) {
            return null;
        }
        long inUse = used(claim, resource);
        if (limit != null && inUse + need.amount() > limit) {
            return excess(claim, need, limit - inUse, "its limit", need.amount() > limit);
        }
        if (tables.ledger.isShared(resource)) {
            return null;
        }
        long most = mostWithBorrowing(quota, resource);
        if (inUse + need.amount() > most) {
            return excess(
                    claim,
                    need,
                    most - inUse,
                    quota.borrowing() ? "its guarantee and what it may borrow" : "its guarantee",
                    need.amount() > most);
        }
        return ofGroup(claim, inUse, need);
    }

    private static long mostWithBorrowing(Quota quota, String resource) {
        long guarantee = quota.guaranteed().get(resource);
        if (!quota.borrowing()) {
            return guarantee;
        }
        var more = quota.borrowLimit().get(resource);
        return more == null ? Long.MAX_VALUE : guarantee + more;
    }

    private @Nullable Excess ofGroup(Claim claim, long inUse, Need need) {
        var resource = need.resource();
        var quota = claim.queue().spec().quota();
        var ledger = tables.ledger;
        var group = ledger.group(quota);
        long others =
                group.shielded().get(resource)
                        - ledger.account(claim.queue().name()).shielded().get(resource);
        long beyondAll =
                Math.max(
                        0,
                        tables.capacity.total().get(resource) - ledger.guaranteed().get(resource));
        long left = Math.max(0, beyondAll - ledger.overflowOfOthers(quota, resource));
        long room = group.guaranteed().get(resource) + left - others - inUse;
        if (need.amount() <= room) {
            return null;
        }
        long alone = group.guaranteed().get(resource) + beyondAll;
        return excess(claim, need, room, "what its group leaves idle", need.amount() > alone, true);
    }

    private static Excess excess(Claim claim, Need need, long have, String of, boolean never) {
        return excess(claim, need, have, of, never, false);
    }

    private static Excess excess(
            Claim claim, Need need, long have, String of, boolean never, boolean byOthers) {
        var resource = need.resource();
        long left = Math.max(0, have);
        return new Excess(
                never ? Code.EXCEEDS_MAX_QUOTA : Code.QUOTA_EXCEEDED,
                resource,
                new WaitReason.Shortage(need.amount(), left),
                new Whose(Whose.Kind.QUEUE, claim.queue().name(), of),
                never,
                byOthers);
    }

    private @Nullable Excess ofNamespace(Claim claim) {
        var quota = tables.namespace(claim.namespace());
        if (quota == null) {
            return null;
        }
        var ours = tables.ledger.inNamespace(claim.namespace());
        for (var hard : quota.most().entrySet()) {
            long need = counted(hard.getKey(), claim.need());
            long used = counted(hard.getKey(), ours) + quota.othersUse().get(hard.getKey());
            if (need > 0 && used + need > hard.getValue()) {
                long left = Math.max(0, hard.getValue() - used);
                boolean never = need > hard.getValue();
                return new Excess(
                        never ? Code.EXCEEDS_MAX_QUOTA : Code.QUOTA_EXCEEDED,
                        "namespace " + claim.namespace() + " " + hard.getKey(),
                        new WaitReason.Shortage(need, left),
                        new Whose(Whose.Kind.NAMESPACE, claim.namespace(), hard.getKey()),
                        never,
                        false);
            }
        }
        return null;
    }

    /** What a use counts under a name of ResourceQuota, or of a resource itself. */
    static long counted(String name, Ledger.Use use) {
        if (name.equals(Ledger.OBJECTS)) {
            return use.requests().get("pods") + use.requests().get(name);
        }
        if (name.startsWith("requests.")) {
            return use.requests().get(name.substring("requests.".length()));
        }
        if (name.startsWith("limits.")) {
            var resource = name.substring("limits.".length());
            return use.requests().get(resource) + use.above().get(resource);
        }
        return use.requests().get(name);
    }
}
