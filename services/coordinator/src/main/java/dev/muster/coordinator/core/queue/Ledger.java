package dev.muster.coordinator.core.queue;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Quota;
import dev.muster.coordinator.core.model.Use;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the jobs of each queue, group and namespace use, kept as sums. Follows from the rows. */
public final class Ledger {
    private final Marks marks;
    private final Map<String, Account> accounts = new LinkedHashMap<>();
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<String, Use> namespaces = new LinkedHashMap<>();
    private Amounts guaranteed = Amounts.NONE;
    private boolean allShared = true;
    private Amounts overflow = Amounts.NONE;
    private long changes;
    private long eased;
    private @Nullable Payer holder;
    private Use held = Use.NONE;

    public Ledger(Marks marks) {
        this.marks = marks;
        groups.put("", Group.NONE);
    }

    /** Whose quotas count what a pod uses. */
    public record Payer(String queue, String namespace) implements Comparable<Payer> {
        private static final Comparator<Payer> ORDER =
                Comparator.comparing(Payer::queue).thenComparing(Payer::namespace);

        public static Payer of(Job job) {
            return new Payer(job.spec().queue(), job.id().namespace());
        }

        @Override
        public int compareTo(Payer other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * One queue's.
     *
     * @param used by its jobs
     * @param held for its job that holds
     * @param shielded what nobody else of its group can use: what it uses or is held for it, and of
     *     its guarantee what it does not lend
     * @param secured of that, what is within its guarantee
     */
    public record Account(
            Quota quota, Amounts used, Amounts held, Amounts shielded, Amounts secured) {
        static final Account NONE = of(Quota.NONE, Amounts.NONE, Amounts.NONE);

        private static Account of(Quota quota, Amounts used, Amounts held) {
            var shielded = shielded(quota, used.plus(held));
            var secured =
                    quota.guaranteed().size() == 0
                            ? Amounts.NONE
                            : shielded.minus(shielded.beyond(quota.guaranteed()));
            return new Account(quota, used, held, shielded, secured);
        }

        Account of(Quota quota) {
            return of(quota, used, held);
        }

        Account using(Amounts used) {
            return of(quota, used, held);
        }

        Account holding(Amounts held) {
            return of(quota, used, held);
        }

        /** Of its guarantee, what nobody else ever uses. */
        public long unlent(String resource) {
            return kept(quota, resource, quota.guaranteed().get(resource));
        }

        /** Of what nobody else of its group can use, what it would leave if it held nothing. */
        public long heldAlone(String resource) {
            return shielded.get(resource) - Math.max(used.get(resource), unlent(resource));
        }

        private static Amounts unlent(Quota quota) {
            return quota.lendLimit().isEmpty() ? Amounts.NONE : shielded(quota, Amounts.NONE);
        }

        private static Amounts shielded(Quota quota, Amounts used) {
            if (quota.guaranteed().size() == 0) {
                return used;
            }
            var shielded = new TreeMap<>(used.byName());
            quota.guaranteed()
                    .byName()
                    .forEach((resource, guarantee) ->
                            shielded.merge(resource, kept(quota, resource, guarantee), Math::max));
            return Amounts.of(shielded);
        }

        /** Of its guarantee, what it does not lend. */
        private static long kept(Quota quota, String resource, long guarantee) {
            var lent = quota.lendLimit().get(resource);
            return lent == null ? 0 : Math.max(0, guarantee - lent);
        }
    }

    /** The sums over the queues that lend to each other. */
    public record Group(Amounts guaranteed, Amounts unlent, Amounts shielded, Amounts secured) {
        static final Group NONE = new Group(Amounts.NONE, Amounts.NONE, Amounts.NONE, Amounts.NONE);

        private Group plus(Account account) {
            return new Group(
                    guaranteed.plus(account.quota().guaranteed()),
                    unlent.plus(Account.unlent(account.quota())),
                    shielded.plus(account.shielded()),
                    secured.plus(account.secured()));
        }

        private Group minus(Account account) {
            return new Group(
                    guaranteed.minus(account.quota().guaranteed()),
                    unlent.minus(Account.unlent(account.quota())),
                    shielded.minus(account.shielded()),
                    secured.minus(account.secured()));
        }

        /** Of the same quota. */
        private Group changed(Account before, Account now) {
            return new Group(
                    guaranteed,
                    unlent,
                    shielded.plus(now.shielded().minus(before.shielded())),
                    now.secured().equals(before.secured())
                            ? secured
                            : secured.plus(now.secured().minus(before.secured())));
        }

        /** What it uses beyond all its guarantees. */
        Amounts overflow() {
            return shielded.beyond(guaranteed);
        }
    }

    public void put(Queue queue) {
        if (account(queue.name()).quota().equals(queue.spec().quota())) {
            return;
        }
        replace(queue.name(), account(queue.name()).of(queue.spec().quota()));
        marks.ofAll();
        eased++;
    }

    public void remove(Queue queue) {
        replace(queue.name(), account(queue.name()).of(Quota.NONE));
        marks.ofAll();
        eased++;
    }

    /** It is used from now on: a queue and its namespace pay for it. */
    public void charge(Payer payer, Use use) {
        var account = account(payer.queue());
        replace(payer.queue(), account.using(account.used().plus(use.requests())));
        charge(payer.namespace(), use);
    }

    /** It is used no more by a queue and its namespace. */
    public void release(Payer payer, Use use) {
        var account = account(payer.queue());
        replace(payer.queue(), account.using(account.used().minus(use.requests())));
        release(payer.namespace(), use);
    }

    /** A namespace alone pays for it, and no queue. */
    public void charge(String namespace, Use use) {
        set(namespace, inNamespace(namespace).plus(use));
    }

    /** It is used no more by a namespace for which no queue paid. */
    public void release(String namespace, Use use) {
        set(namespace, inNamespace(namespace).minus(use));
        eased++;
    }

    private void set(String namespace, Use sum) {
        if (sum.isNone()) {
            namespaces.remove(namespace);
        } else {
            namespaces.put(namespace, sum);
        }
    }

    /** For others of the queue, its group and its namespace, the holder's need counts as used. */
    public void hold(Payer payer, Use need) {
        eased += holder == null ? 0 : 1;
        holder = payer;
        held = need;
        replace(payer.queue(), account(payer.queue()).holding(need.requests()));
    }

    public void holdNothing() {
        if (holder != null) {
            replace(holder.queue(), account(holder.queue()).holding(Amounts.NONE));
            eased++;
        }
        holder = null;
        held = Use.NONE;
    }

    /** Who pays for what the holder is to use; null: nobody holds. */
    public @Nullable Payer holder() {
        return holder;
    }

    /** For the holder, if it is in the namespace. */
    public Use heldInNamespace(String namespace) {
        return holder != null && holder.namespace().equals(namespace) ? held : Use.NONE;
    }

    private void replace(String queue, Account next) {
        var before = account(queue);
        if (!before.secured().equals(next.secured())) {
            marks.forReserves.add(queue);
        }
        if (next.equals(Account.NONE)) {
            accounts.remove(queue);
        } else {
            accounts.put(queue, next);
        }
        if (before.quota() == next.quota() || before.quota().equals(next.quota())) {
            set(next.quota(), group(next.quota()).changed(before, next));
        } else {
            leave(before);
            join(next);
        }
        marks.ofUse(queue);
    }

    private void leave(Account account) {
        set(account.quota(), group(account.quota()).minus(account));
        guaranteed = guaranteed.minus(account.quota().guaranteed());
    }

    private void join(Account account) {
        set(account.quota(), group(account.quota()).plus(account));
        guaranteed = guaranteed.plus(account.quota().guaranteed());
        allShared = guaranteed.size() == 0;
    }

    private void set(Quota quota, Group next) {
        overflow = overflow.minus(group(quota).overflow()).plus(next.overflow());
        groups.put(name(quota), next);
        changes++;
    }

    private static String name(Quota quota) {
        return quota.group() == null ? "" : quota.group();
    }

    public Account account(String queue) {
        return accounts.getOrDefault(queue, Account.NONE);
    }

    public Group group(Quota quota) {
        return groups.getOrDefault(name(quota), Group.NONE);
    }

    /** Grows with every change of what a group uses or was guaranteed. */
    public long changes() {
        return changes;
    }

    /**
     * Grows whenever somebody may use more by what others do not use any more, or are not
     * guaranteed. To skip work by, never to decide by: it is not in the rows.
     */
    public long eased() {
        return eased;
    }

    /** By name; of the queues that name none, the empty one. */
    public Map<String, Group> groups() {
        return Collections.unmodifiableMap(groups);
    }

    public Use inNamespace(String namespace) {
        return namespaces.getOrDefault(namespace, Use.NONE);
    }

    /** The sum over all queues. */
    public Amounts guaranteed() {
        return guaranteed;
    }

    /** What groups other than this queue's use beyond their guarantees. */
    public long overflowOfOthers(Group group, String resource) {
        long own = group.shielded().get(resource) - group.guaranteed().get(resource);
        return overflow.get(resource) - Math.max(0, own);
    }

    /** No queue was guaranteed anything. */
    public boolean isAllShared() {
        return allShared;
    }

    /** No queue was guaranteed anything of it: it is shared by turns alone. */
    public boolean isShared(String resource) {
        return guaranteed.get(resource) == 0;
    }
}
