package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Use;
import dev.muster.coordinator.core.model.WaitReason;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.Wide;
import dev.muster.coordinator.core.state.QuotaShortage.Whose;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether a queue and a namespace may use more.
 *
 * <p>Of a resource that some queue of the pool was guaranteed, a queue may use its own guarantee,
 * what its group leaves idle of theirs (less what those do not lend), and what the pool has beyond
 * all guarantees. Of other resources, whatever there is. Its limit it never exceeds.
 */
public final class Quotas {
    private final Tables tables;
    private final Ceilings ceilings;
    private final HeldQuota held;

    Quotas(Tables tables) {
        this.tables = tables;
        this.ceilings = tables.ceilings;
        this.held = new HeldQuota(tables);
    }

    /**
     * What one more gang would use, and whose it is.
     *
     * @param ended so many jobs of its queue are taken as if they had ended
     */
    public record Claim(
            Queue queue, String namespace, Use need, By by, @Nullable JobId job, long ended) {
        public Claim(Queue queue, String namespace, Use need, By by) {
            this(queue, namespace, need, by, null, 0);
        }

        /** As if so many jobs of its queue had ended. */
        public Claim after(long ended) {
            return new Claim(queue, namespace, need, by, job, ended);
        }

        boolean isOf(JobId other) {
            return other.equals(job);
        }
    }

    private record Need(String resource, long amount) {}

    /** Who claims. */
    public enum By {
        WAITING_JOB,
        /** For whom the pool holds room already. */
        HOLDER,
        /** A job that was started wants more pods. */
        STARTED_JOB,
        /** The same, beyond what it was started for: after all who wait for it to start. */
        GROWING_JOB,
        /** A gang that failed comes back to its room, before the holder. */
        RETURNING_JOB,
        /** The same of one that gave its place up meanwhile: its nodes were not heard of. */
        LOST_JOB;

        private boolean isRunning() {
            return this == STARTED_JOB || this == GROWING_JOB || this == RETURNING_JOB;
        }

        boolean comesAfterReserves() {
            return this == WAITING_JOB || this == GROWING_JOB;
        }

        boolean comesBefore() {
            return this == HOLDER || comesBack();
        }

        /** Before the holder, whosever that is. */
        boolean comesBack() {
            return this == RETURNING_JOB || this == LOST_JOB;
        }
    }

    /** Null: it is allowed. */
    public @Nullable QuotaShortage check(Claim claim) {
        var ofQueue = ofQueue(claim);
        return ofQueue != null ? ofQueue : ofNamespace(claim);
    }

    /** All that would be passed, for whoever asks; {@link #check} ends with the first. */
    public List<QuotaShortage> all(Claim claim) {
        var needs = claim.need().requests();
        var ofResources =
                IntStream.range(0, needs.size())
                        .mapToObj(i -> new Need(needs.name(i), needs.amount(i)))
                        .flatMap(need ->
                                Stream.concat(
                                        Stream.ofNullable(ofOwn(claim, need)),
                                        Stream.ofNullable(ofGroup(claim, need))));
        return Stream.of(Stream.ofNullable(ofCount(claim)), ofResources, ofNamespaces(claim))
                .flatMap(all -> all)
                .toList();
    }

    /** Why a rank may not be made again: it would use more than it has. Null: it is allowed. */
    public @Nullable QuotaShortage ofAgain(Job job, Rank rank) {
        var queue = tables.queue(job.spec().queue());
        var pod = job.spec().role(rank.id().role()).pod();
        var had = rank.sight().released() ? null : job.spec().podOf(rank);
        var wanted = pod.at(pod.grown());
        if (queue == null || wanted.equals(had)) {
            return null;
        }
        var use = Use.of(wanted);
        var need =
                had == null
                        ? use
                        : new Use(
                                wanted.demand().beyond(had.demand()),
                                use.above().minus(Use.of(had).above()));
        return check(new Claim(queue, job.id().namespace(), need, By.RETURNING_JOB));
    }

    /**
     * After this its queue would use no more than it was guaranteed, of what it was guaranteed and
     * this needs. What is guaranteed to others alone it borrows, and that does not count beside
     * what is its own.
     */
    boolean isGuaranteed(Claim claim) {
        var needs = claim.need().requests();
        var guaranteed = claim.queue().spec().quota().guaranteed();
        boolean isOfOwn = false;
        boolean isOfOthers = false;
        for (int i = 0; i < needs.size(); i++) {
            var resource = needs.name(i);
            long own = guaranteed.get(resource);
            if (own > 0 && used(claim, resource) > own - needs.amount(i)) {
                return false;
            }
            isOfOwn |= own > 0;
            isOfOthers |= own == 0 && !tables.ledger.isShared(resource);
        }
        return isOfOwn || !isOfOthers;
    }

    /**
     * @param worth of its priority, with what waiting has added
     */
    Strength strength(Claim claim, int priority, long worth) {
        var queue = claim.queue();
        var account = tables.ledger.account(queue.name());
        var need = claim.need().requests();
        var used = account.used().plus(need);
        return Strength.of(
                queue.name(),
                priority,
                worth,
                need,
                claim.by().comesBefore() ? used : used.plus(account.held()),
                queue.spec().quota().guaranteed());
    }

    /** What others of the queue have, and its holder where that one comes before. */
    private long used(Claim claim, String resource) {
        var account = tables.ledger.account(claim.queue().name());
        return Wide.sum(account.used().get(resource), held.ofQueue(claim, resource));
    }

    /** Of what it needs, what its queue may not use as much of now. */
    SortedSet<String> shortOf(Claim claim) {
        var names = new TreeSet<String>();
        var needs = claim.need().requests();
        for (int i = 0; i < needs.size(); i++) {
            if (ofResource(claim, new Need(needs.name(i), needs.amount(i))) != null) {
                names.add(needs.name(i));
            }
        }
        return names;
    }

    /** Nothing is in the way but what other queues borrow. */
    boolean lacksOnlyWhatOthersBorrow(Claim claim) {
        if (ofCount(claim) != null || ofNamespace(claim) != null) {
            return false;
        }
        var needs = claim.need().requests();
        for (int i = 0; i < needs.size(); i++) {
            var need = new Need(needs.name(i), needs.amount(i));
            var excess = ofResource(claim, need);
            if (excess != null && !(excess.byOthers() && isBorrowed(claim.queue(), need))) {
                return false;
            }
        }
        return true;
    }

    /** Others who keep to their guarantees leave it to its group. */
    private boolean isBorrowed(Queue queue, Need need) {
        return need.amount() <= ceilings.mostBesideGuarantees(queue, need.resource());
    }

    private @Nullable QuotaShortage ofCount(Claim claim) {
        var queue = claim.queue();
        int most = queue.spec().doors().maxRunning();
        if (claim.by().isRunning() || !queue.spec().doors().limitsRunning()) {
            return null;
        }
        var kept = tables.reserves.inQueueOf(claim);
        long running = tables.counts(queue.name()).running() - claim.ended();
        long places = held.places(claim);
        var shortage = new WaitReason.Shortage(1, most - running - places - (kept == null ? 0 : 1));
        return shortage.have() > 0
                ? null
                : new QuotaShortage(
                        Code.QUOTA_EXCEEDED,
                        "maxRunning",
                        shortage,
                        new Whose(Whose.Kind.QUEUE, queue.name(), "maxRunning"),
                        most == 0,
                        QuotaShortage.Users.OF_IT,
                        held.keptFor(shortage, places, kept),
                        new QuotaShortage.Count(running, most));
    }

    private @Nullable QuotaShortage ofQueue(Claim claim) {
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

    private @Nullable QuotaShortage ofResource(Claim claim, Need need) {
        var ofOwn = ofOwn(claim, need);
        return ofOwn == null ? ofGroup(claim, need) : ofOwn;
    }

    /** What its queue may use by itself: its limit, or its guarantee and what it may borrow. */
    private @Nullable QuotaShortage ofOwn(Claim claim, Need need) {
        var quota = claim.queue().spec().quota();
        var resource = need.resource();
        var limit = quota.limit().get(resource);
        if (limit == null && tables.ledger.isShared(resource)) {
            return null;
        }
        var kept = tables.reserves.inQueueOf(claim);
        long keptOfIt = kept == null ? 0 : kept.need().requests().get(resource);
        long first = Wide.sum(used(claim, resource), keptOfIt);
        if (limit != null && first > limit - need.amount()) {
            return excess(claim, need, limit - first, "its limit", need.amount() > limit, kept);
        }
        if (tables.ledger.isShared(resource)) {
            return null;
        }
        long most = Ceilings.mostWithBorrowing(quota, resource);
        return first <= most - need.amount()
                ? null
                : excess(
                        claim,
                        need,
                        most - first,
                        quota.borrowing()
                                ? "its guarantee and what it may borrow"
                                : "its guarantee",
                        need.amount() > most,
                        kept);
    }

    /** What others leave to it of what some queue of the pool is guaranteed. */
    private @Nullable QuotaShortage ofGroup(Claim claim, Need need) {
        var resource = need.resource();
        var quota = claim.queue().spec().quota();
        var queue = claim.queue().name();
        var ledger = tables.ledger;
        if (ledger.isShared(resource)) {
            return null;
        }
        var group = ledger.group(quota);
        long others =
                group.shielded().get(resource) - ledger.account(queue).shielded().get(resource);
        long most = ceilings.mostNow(group, resource);
        long room = Wide.difference(most - others, used(claim, resource));
        if (need.amount() <= room) {
            return null; // Mostly: what is held is looked for only where something is short.
        }
        long heldOfIt = held.ofGroup(claim, resource);
        if (claim.by().comesBack()) {
            room = Wide.sum(room, heldOfIt);
            heldOfIt = 0;
            if (need.amount() <= room) {
                return null;
            }
        }
        boolean never = need.amount() > ceilings.mostOfGroup(claim.queue(), resource);
        var shortage = new WaitReason.Shortage(need.amount(), room);
        return new QuotaShortage(
                never ? Code.EXCEEDS_MAX_QUOTA : Code.QUOTA_EXCEEDED,
                resource,
                shortage,
                new Whose(Whose.Kind.QUEUE, queue, "what its group leaves idle"),
                never,
                held.usersOfGroup(claim, resource),
                never ? null : held.keptFor(shortage, heldOfIt, null));
    }

    private QuotaShortage excess(
            Claim claim,
            Need need,
            long have,
            String of,
            boolean never,
            Reserves.@Nullable Reserve kept) {
        var shortage = new WaitReason.Shortage(need.amount(), have);
        return new QuotaShortage(
                never ? Code.EXCEEDS_MAX_QUOTA : Code.QUOTA_EXCEEDED,
                need.resource(),
                shortage,
                new Whose(Whose.Kind.QUEUE, claim.queue().name(), of),
                never,
                QuotaShortage.Users.OF_IT,
                never ? null : held.keptFor(shortage, held.ofQueue(claim, need.resource()), kept));
    }

    private @Nullable QuotaShortage ofNamespace(Claim claim) {
        var quota = tables.namespace(claim.namespace());
        if (quota == null) {
            return null;
        }
        var kept = tables.reserves.inNamespaceOf(claim);
        var first = usedOfNamespace(claim, kept);
        for (var hard : quota.most().entrySet()) {
            var excess = ofHard(claim, quota, hard, first, kept);
            if (excess != null) {
                return excess;
            }
        }
        return null;
    }

    private Stream<QuotaShortage> ofNamespaces(Claim claim) {
        var quota = tables.namespace(claim.namespace());
        if (quota == null) {
            return Stream.empty();
        }
        var kept = tables.reserves.inNamespaceOf(claim);
        var first = usedOfNamespace(claim, kept);
        return quota.most().entrySet().stream()
                .flatMap(hard -> Stream.ofNullable(ofHard(claim, quota, hard, first, kept)));
    }

    private Use usedOfNamespace(Claim claim, Reserves.@Nullable Reserve kept) {
        var ours = tables.ledger.inNamespace(claim.namespace()).plus(held.ofNamespace(claim));
        return kept == null ? ours : ours.plus(kept.need());
    }

    private @Nullable QuotaShortage ofHard(
            Claim claim,
            NamespaceQuota quota,
            Map.Entry<String, Long> hard,
            Use first,
            Reserves.@Nullable Reserve kept) {
        var name = hard.getKey();
        long most = hard.getValue();
        long need = claim.need().counted(name);
        long left = Wide.difference(most - first.counted(name), quota.othersUse().get(name));
        if (need == 0 || need <= left) {
            return null;
        }
        boolean never = need > most;
        boolean byStrangers = need > quota.mostOfPool(name);
        var shortage = new WaitReason.Shortage(need, left);
        long heldOfIt = held.ofNamespace(claim).counted(name);
        return new QuotaShortage(
                never ? Code.EXCEEDS_MAX_QUOTA : Code.QUOTA_EXCEEDED,
                "namespace " + claim.namespace() + " " + name,
                shortage,
                new Whose(Whose.Kind.NAMESPACE, claim.namespace(), name),
                never,
                byStrangers ? QuotaShortage.Users.STRANGERS : QuotaShortage.Users.OF_IT,
                never ? null : held.keptFor(shortage, heldOfIt, kept));
    }
}
