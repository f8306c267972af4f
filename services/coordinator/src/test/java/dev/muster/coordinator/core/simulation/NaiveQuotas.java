package dev.muster.coordinator.core.simulation;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Hold;
import dev.muster.coordinator.core.model.HookRun;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobState;
import dev.muster.coordinator.core.model.NamespaceQuota;
import dev.muster.coordinator.core.model.PodSpec;
import dev.muster.coordinator.core.model.Queue;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.Row;
import dev.muster.coordinator.core.placement.Capacity;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What queues and namespaces may use, added up from all rows each time. */
final class NaiveQuotas {
    private final Tables tables;
    private final List<Queue> queues;
    private final @Nullable Job holder;
    private final Map<String, Map<String, Long>> used = new TreeMap<>();
    private final Map<String, Map<String, Long>> usedInNamespace = new TreeMap<>();
    private final Map<String, NamespaceQuota> namespaces = new TreeMap<>();
    private final Map<String, Long> running = new TreeMap<>();

    /** Asked of the nodes alone, which have a naive walk of their own. */
    private final Capacity capacity;

    NaiveQuotas(Tables tables, List<Queue> queues, Map<JobId, Job> jobs, List<Row> rows) {
        this.tables = tables;
        this.queues = queues;
        capacity = tables.capacity;
        Job holds = null;
        for (var row : rows) {
            switch (row) {
                case NamespaceQuota quota -> namespaces.put(quota.namespace(), quota);
                case Rank rank when !rank.sight().released() -> use(jobs.get(rank.job()), rank);
                case Rank rank when !rank.sight().gone() ->
                        usedInNamespace
                                .computeIfAbsent(rank.job().namespace(), _ -> new TreeMap<>())
                                .merge("count/pods", 1L, Long::sum);
                case HookRun run when run.making() != null ->
                        usedInNamespace
                                .computeIfAbsent(run.job().namespace(), _ -> new TreeMap<>())
                                .merge("pods", 1L, Long::sum);
                case Hold hold -> holds = jobs.get(hold.job());
                default -> {}
            }
        }
        holder = holds;
        for (var job : jobs.values()) {
            switch (job.state()) {
                case JobState.Starting _, JobState.Running _ ->
                        running.merge(job.spec().queue(), 1L, Long::sum);
                case JobState.Leaving again when again.wasLost() -> {}
                case JobState.Restarting _, JobState.Saving _, JobState.Stopping _ ->
                        running.merge(job.spec().queue(), 1L, Long::sum);
                case JobState.Absent _, JobState.Queued _, JobState.Suspended _ -> {}
                case JobState.Lost _, JobState.Ended _ -> {}
            }
        }
    }

    /** Who holds; null: nobody. */
    @Nullable Job holder() {
        return holder;
    }

    /**
     * @param never whatever of the pool ends
     * @param borrowed by other queues, all that it is short of
     * @param own the queue's limit, most running jobs, or most borrowing
     * @param ofNamespace a quota of its namespace
     */
    record Excess(boolean never, boolean borrowed, boolean own, boolean ofNamespace) {
        Excess(boolean never, boolean borrowed, boolean own) {
            this(never, borrowed, own, false);
        }
    }

    private void use(Job job, Rank rank) {
        var demand = job.spec().podOf(rank).demand();
        var ofQueue = used.computeIfAbsent(job.spec().queue(), _ -> new TreeMap<>());
        var ofNamespace =
                usedInNamespace.computeIfAbsent(job.id().namespace(), _ -> new TreeMap<>());
        demand.byName()
                .forEach((name, amount) -> {
                    ofQueue.merge(name, amount, Long::sum);
                    ofNamespace.merge(name, amount, Long::sum);
                });
        limit(job.spec().podOf(rank), 1, ofNamespace);
    }

    /** Who has no limits, or lower ones, counts what he requests. */
    private static void limit(PodSpec pod, int pods, Map<String, Long> use) {
        var most = new TreeMap<>(pod.demand().byName());
        pod.limits().byName().forEach((name, amount) -> most.merge(name, amount, Math::max));
        most.forEach((name, amount) -> use.merge("limits." + name, pods * amount, Long::sum));
    }

    /** Under a name of ResourceQuota. */
    private static long counted(String name, Map<String, Long> use) {
        if (name.equals("count/pods")) {
            return use.getOrDefault("pods", 0L) + use.getOrDefault(name, 0L);
        }
        var key = name.startsWith("limits.") ? name : name.replaceFirst("^requests\\.", "");
        return use.getOrDefault(key, 0L);
    }

    /**
     * @param ofQueue for whom the queue's own quotas are kept beside
     * @param ofNamespace for whom that of its namespace is
     */
    List<Excess> excesses(Queue queue, Job job, List<Job> ofQueue, List<Job> ofNamespace) {
        var all = new ArrayList<Excess>();
        int most = queue.spec().doors().maxRunning();
        long ahead = ofQueue.size() + (holds(queue) ? 1 : 0);
        if (running.getOrDefault(queue.name(), 0L) + ahead >= most) {
            all.add(new Excess(most == 0, false, true));
        }
        var needs = tables.makeup(job).startUse().requests();
        for (var need : needs.byName().entrySet()) {
            long kept = ofQueue.stream().mapToLong(first -> needs(first).get(need.getKey())).sum();
            all.addAll(ofResource(queue, need.getKey(), need.getValue(), kept));
        }
        var quota = namespaces.get(job.id().namespace());
        if (quota != null) {
            var own = inNamespace(job);
            var used = usedInNamespace.getOrDefault(job.id().namespace(), Map.of());
            var earlier = new ArrayList<>(ofNamespace);
            if (holder != null && holder.id().namespace().equals(job.id().namespace())) {
                earlier.add(holder);
            }
            for (var hard : quota.most().entrySet()) {
                long need = counted(hard.getKey(), own);
                long ofOthers = quota.othersUse().get(hard.getKey());
                long there = counted(hard.getKey(), used) + ofOthers;
                for (var first : earlier) {
                    there += counted(hard.getKey(), inNamespace(first));
                }
                if (need > 0 && there + need > hard.getValue()) {
                    all.add(new Excess(need + ofOthers > hard.getValue(), false, false, true));
                }
            }
        }
        return all;
    }

    /** Others who keep to their guarantees use it. */
    boolean lacksWhatOthersWereGuaranteed(Queue queue, Job job) {
        return needs(job).byName().entrySet().stream()
                .filter(need -> guaranteed(queues, need.getKey()) > 0)
                .anyMatch(need -> need.getValue() > mostBesideGuarantees(queue, need.getKey()));
    }

    /** If all the others kept to their guarantees. */
    private long mostBesideGuarantees(Queue queue, String resource) {
        long most = Math.max(0, capacity.total().get(resource) - guaranteed(queues, resource));
        for (var other : queues) {
            if (isOneGroup(queue, other)) {
                long own = other.spec().quota().guaranteed().get(resource);
                boolean isIts = other == queue;
                most += isIts ? own : own - Math.min(own, shielded(List.of(other), resource));
            }
        }
        return most;
    }

    /** Something that both need is short in their namespace for the first of them. */
    boolean isShortOfWhatItNeeds(Job first, Job other) {
        var quota = namespaces.get(first.id().namespace());
        if (quota == null) {
            return false;
        }
        var need = inNamespace(first);
        var needOfOther = inNamespace(other);
        var used = usedInNamespace.getOrDefault(first.id().namespace(), Map.of());
        return quota.most().entrySet().stream()
                .filter(hard -> counted(hard.getKey(), need) > 0)
                .filter(hard -> counted(hard.getKey(), needOfOther) > 0)
                .anyMatch(hard ->
                        counted(hard.getKey(), used)
                                        + quota.othersUse().get(hard.getKey())
                                        + counted(hard.getKey(), need)
                                > hard.getValue());
    }

    /** Something that both need, of which the queue uses too much by itself for the first. */
    boolean isShortOfItsQueues(Queue queue, Job first, Job other) {
        long ahead = running.getOrDefault(queue.name(), 0L) + (holds(queue) ? 1 : 0);
        return ahead >= queue.spec().doors().maxRunning()
                || needs(first).byName().entrySet().stream()
                        .filter(need -> needs(other).get(need.getKey()) > 0)
                        .flatMap(need ->
                                ofResource(queue, need.getKey(), need.getValue(), 0).stream())
                        .anyMatch(Excess::own);
    }

    /** What it counts there. */
    private Map<String, Long> inNamespace(Job job) {
        var use = new TreeMap<>(needs(job).byName());
        tables.makeup(job)
                .start()
                .parts()
                .forEach(part -> limit(job.spec().role(part.role()).pod(), part.pods(), use));
        return use;
    }

    private Amounts needs(Job job) {
        return tables.makeup(job).startUse().requests();
    }

    private boolean holds(Queue queue) {
        return holder != null && holder.spec().queue().equals(queue.name());
    }

    private List<Excess> ofResource(Queue queue, String resource, long need, long kept) {
        var all = new ArrayList<Excess>();
        var quota = queue.spec().quota();
        long inUse = taken(queue, resource);
        var limit = quota.limit().get(resource);
        if (limit != null && inUse + kept + need > limit) {
            all.add(new Excess(need > limit, false, true));
        }
        long allGuaranteed = guaranteed(queues, resource);
        if (allGuaranteed == 0) {
            return all;
        }
        long own = quota.guaranteed().get(resource);
        var borrowed = quota.borrowLimit().get(resource);
        if (!quota.borrowing() && inUse + kept + need > own) {
            all.add(new Excess(need > own, false, true));
        }
        if (quota.borrowing() && borrowed != null && inUse + kept + need > own + borrowed) {
            all.add(new Excess(need > own + borrowed, false, true));
        }
        var group = queues.stream().filter(other -> isOneGroup(queue, other)).toList();
        var others = group.stream().filter(other -> other != queue).toList();
        long idle = Math.max(0, capacity.total().get(resource) - allGuaranteed);
        long left = Math.max(0, idle - overflowOutside(queue, resource));
        long room = guaranteed(group, resource) + left - shielded(others, resource) - inUse;
        boolean never = need > own + idle + others.stream().mapToLong(q -> lent(q, resource)).sum();
        if (need > room) {
            all.add(new Excess(never, need <= mostBesideGuarantees(queue, resource), false));
        }
        return all;
    }

    private static long lent(Queue queue, String resource) {
        long guaranteed = queue.spec().quota().guaranteed().get(resource);
        return Math.min(
                guaranteed, queue.spec().quota().lendLimit().getOrDefault(resource, guaranteed));
    }

    /** By its jobs, or held for one. */
    private long taken(Queue queue, String resource) {
        return used.getOrDefault(queue.name(), Map.of()).getOrDefault(resource, 0L)
                + (holds(queue) ? needs(holder).get(resource) : 0);
    }

    private long overflowOutside(Queue queue, String resource) {
        var groups = new TreeMap<String, List<Queue>>();
        for (var other : queues) {
            if (!isOneGroup(queue, other)) {
                groups.computeIfAbsent(
                                String.valueOf(other.spec().quota().group()),
                                _ -> new ArrayList<>())
                        .add(other);
            }
        }
        return groups.values().stream()
                .mapToLong(group ->
                        Math.max(0, shielded(group, resource) - guaranteed(group, resource)))
                .sum();
    }

    private static boolean isOneGroup(Queue a, Queue b) {
        return Objects.equals(a.spec().quota().group(), b.spec().quota().group());
    }

    private static long guaranteed(List<Queue> queues, String resource) {
        return queues.stream().mapToLong(q -> q.spec().quota().guaranteed().get(resource)).sum();
    }

    /** What nobody else can have: what is taken, and what is not lent. */
    private long shielded(List<Queue> queues, String resource) {
        long sum = 0;
        for (var queue : queues) {
            var lent = queue.spec().quota().lendLimit().get(resource);
            long own = queue.spec().quota().guaranteed().get(resource);
            sum += Math.max(taken(queue, resource), lent == null ? 0 : Math.max(0, own - lent));
        }
        return sum;
    }

    SortedSet<String> needsOfGuarantee(Queue queue, Job job) {
        var needs = new TreeSet<>(needs(job).byName().keySet());
        needs.retainAll(queue.spec().quota().guaranteed().byName().keySet());
        return needs;
    }

    /** Of what it needs and is guaranteed; where that is nothing, nobody else is guaranteed it. */
    boolean staysGuaranteed(Queue queue, Job job) {
        var needs = needs(job).byName();
        var own = new TreeMap<>(queue.spec().quota().guaranteed().byName());
        own.keySet().retainAll(needs.keySet());
        return own.isEmpty()
                ? needs.keySet().stream().allMatch(name -> guaranteed(queues, name) == 0)
                : own.entrySet().stream()
                        .allMatch(of ->
                                taken(queue, of.getKey()) + needs.get(of.getKey())
                                        <= of.getValue());
    }
}
