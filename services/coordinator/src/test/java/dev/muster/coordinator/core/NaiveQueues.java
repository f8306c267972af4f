package dev.muster.coordinator.core;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which queues could start a job now and who is next to hold, found by walking all rows each time:
 * what the pool keeps and brings up to date must come to the same.
 */
final class NaiveQueues {
    private final List<Queue> queues = new ArrayList<>();
    private final List<Job> jobs = new ArrayList<>();
    private final Map<String, Map<String, Long>> used = new TreeMap<>();
    private final Map<String, Map<String, Long>> usedInNamespace = new TreeMap<>();
    private final Map<String, NamespaceQuota> namespaces = new TreeMap<>();
    private final Map<String, Long> running = new TreeMap<>();
    private final Tables tables;
    private @Nullable Job holder;

    /** Asked of the nodes alone, which have a naive walk of their own. */
    private final Capacity capacity;

    NaiveQueues(List<Row> rows) {
        tables = new Tables(new Journal());
        rows.forEach(tables::restore);
        capacity = tables.capacity;
        var byId = new LinkedHashMap<JobId, Job>();
        for (var row : rows) {
            switch (row) {
                case Queue queue -> queues.add(queue);
                case Job job -> byId.put(job.id(), job);
                case NamespaceQuota quota -> namespaces.put(quota.namespace(), quota);
                default -> {}
            }
        }
        jobs.addAll(byId.values());
        queues.sort(Comparator.comparing(Queue::name));
        for (var row : rows) {
            if (row instanceof Rank rank && !rank.sight().released()) {
                use(byId.get(rank.job()), rank);
            } else if (row instanceof Rank rank && !rank.sight().gone()) {
                usedInNamespace
                        .computeIfAbsent(rank.job().namespace(), _ -> new TreeMap<>())
                        .merge("count/pods", 1L, Long::sum);
            }
            if (row instanceof HookRun run && run.making() != null) {
                usedInNamespace
                        .computeIfAbsent(run.job().namespace(), _ -> new TreeMap<>())
                        .merge("pods", 1L, Long::sum);
            }
            if (row instanceof Hold hold) {
                holder = byId.get(hold.job());
            }
        }
        for (var job : jobs) {
            switch (job.state()) {
                case JobState.Starting _, JobState.Running _ ->
                        running.merge(job.spec().queue(), 1L, Long::sum);
                case JobState.Restarting _, JobState.Saving _, JobState.Stopping _ ->
                        running.merge(job.spec().queue(), 1L, Long::sum);
                case JobState.Absent _, JobState.Queued _, JobState.Suspended _ -> {}
                case JobState.Lost _, JobState.Ended _ -> {}
            }
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
    private static void limit(JobSpec.Pod pod, int pods, Map<String, Long> use) {
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

    /** Each queue that could start a job, and which; only those below their guarantee, if any. */
    Map<String, JobId> startable() {
        var startable = new TreeMap<String, JobId>();
        var guaranteed = new HashSet<String>();
        for (var queue : queues) {
            var job = firstStartable(queue);
            if (job != null) {
                startable.put(queue.name(), job.id());
                if (staysGuaranteed(queue, job)) {
                    guaranteed.add(queue.name());
                }
            }
        }
        if (!guaranteed.isEmpty()) {
            startable.keySet().retainAll(guaranteed);
        }
        return startable;
    }

    private @Nullable Job firstStartable(Queue queue) {
        for (var job : heads(queue)) {
            var excess = excess(queue, job);
            var shape = tables.makeup(job).start();
            if (excess == null && capacity.fits(shape)) {
                return job;
            }
            boolean never = excess != null && excess.never() || !capacity.couldEverFit(shape);
            if (!queue.spec().order().backfill() && !never) {
                return null;
            }
        }
        return null;
    }

    /** The first job of each kind, in the queue's order; none if the queue may start nothing. */
    private List<Job> heads(Queue queue) {
        if (queue.spec().doors().paused() || capacity.nodes().isEmpty()) {
            return List.of();
        }
        var seen = new HashSet<List<Object>>();
        var oldest =
                jobs.stream()
                        .filter(job -> job.spec().queue().equals(queue.name()))
                        .filter(job -> job.state() instanceof JobState.Queued q && q.isOpen())
                        .sorted(Comparator.comparingLong(Job::ticket))
                        .filter(job -> seen.add(kind(job)))
                        .toList();
        boolean fifo = queue.spec().order().kind() == QueueSpec.Kind.FIFO;
        return oldest.stream()
                .sorted(Comparator.comparingLong(job -> fifo ? 0 : -worth(job)))
                .toList();
    }

    private List<Object> kind(Job job) {
        var makeup = tables.makeup(job);
        return List.of(
                makeup.start(),
                makeup.startUse(),
                job.spec().place().priority(),
                job.id().namespace());
    }

    private long worth(Job job) {
        var priorities = tables.settings().spec().priorities();
        return job.spec().place().priority()
                + Backlog.aged(job.times().submitted(), tables.now(), priorities);
    }

    private record Excess(boolean never, boolean byOthers) {}

    private @Nullable Excess excess(Queue queue, Job job) {
        var all = excesses(queue, job);
        return all.isEmpty() ? null : all.getFirst();
    }

    private List<Excess> excesses(Queue queue, Job job) {
        var all = new ArrayList<Excess>();
        int most = queue.spec().doors().maxRunning();
        if (running.getOrDefault(queue.name(), 0L) >= most) {
            all.add(new Excess(most == 0, false));
        }
        var needs = tables.makeup(job).startUse().requests();
        for (var need : needs.byName().entrySet()) {
            var excess = ofResource(queue, need.getKey(), need.getValue());
            if (excess != null) {
                all.add(excess);
            }
        }
        var quota = namespaces.get(job.id().namespace());
        if (quota != null) {
            var own = new TreeMap<>(needs.byName());
            tables.makeup(job)
                    .start()
                    .parts()
                    .forEach(part -> limit(job.spec().role(part.role()).pod(), part.pods(), own));
            var used = usedInNamespace.getOrDefault(job.id().namespace(), Map.of());
            for (var hard : quota.most().entrySet()) {
                long need = counted(hard.getKey(), own);
                long there = counted(hard.getKey(), used) + quota.othersUse().get(hard.getKey());
                if (need > 0 && there + need > hard.getValue()) {
                    all.add(new Excess(need > hard.getValue(), false));
                }
            }
        }
        return all;
    }

    private @Nullable Excess ofResource(Queue queue, String resource, long need) {
        var quota = queue.spec().quota();
        long inUse = taken(queue, resource);
        var limit = quota.limit().get(resource);
        if (limit != null && inUse + need > limit) {
            return new Excess(need > limit, false);
        }
        long allGuaranteed = guaranteed(queues, resource);
        if (allGuaranteed == 0) {
            return null;
        }
        long own = quota.guaranteed().get(resource);
        var borrowed = quota.borrowLimit().get(resource);
        if (!quota.borrowing() && inUse + need > own) {
            return new Excess(need > own, false);
        }
        if (quota.borrowing() && borrowed != null && inUse + need > own + borrowed) {
            return new Excess(need > own + borrowed, false);
        }
        var group = queues.stream().filter(other -> isOneGroup(queue, other)).toList();
        var others = group.stream().filter(other -> other != queue).toList();
        long idle = Math.max(0, capacity.total().get(resource) - allGuaranteed);
        long left = Math.max(0, idle - overflowOutside(queue, resource));
        long room = guaranteed(group, resource) + left - shielded(others, resource) - inUse;
        boolean never = need > guaranteed(group, resource) + idle;
        return need > room ? new Excess(never, true) : null;
    }

    /** By its jobs, or held for one. */
    private long taken(Queue queue, String resource) {
        boolean holds = holder != null && holder.spec().queue().equals(queue.name());
        return used.getOrDefault(queue.name(), Map.of()).getOrDefault(resource, 0L)
                + (holds ? tables.makeup(holder).startUse().requests().get(resource) : 0);
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
            sum += Math.max(taken(queue, resource), lent == null ? 0 : own - lent);
        }
        return sum;
    }

    private boolean staysGuaranteed(Queue queue, Job job) {
        return tables.makeup(job).startUse().requests().byName().entrySet().stream()
                .filter(need -> guaranteed(queues, need.getKey()) > 0)
                .allMatch(need ->
                        taken(queue, need.getKey()) + need.getValue()
                                <= queue.spec().quota().guaranteed().get(need.getKey()));
    }

    /** Who holds next; null: nobody has waited long enough. */
    @Nullable JobId nextHolder() {
        return candidates().stream()
                .filter(candidate -> !candidate.at().isAfter(tables.now()))
                .min(
                        Comparator.comparing((Candidate candidate) -> !candidate.guaranteed())
                                .thenComparingLong(candidate -> candidate.job().ticket()))
                .map(candidate -> candidate.job().id())
                .orElse(null);
    }

    /** When the next one will have; null: there is none. */
    @Nullable Instant nextRipe() {
        return candidates().stream()
                .map(Candidate::at)
                .filter(at -> at.isAfter(tables.now()))
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    private record Candidate(Job job, boolean guaranteed, Instant at) {}

    private List<Candidate> candidates() {
        var candidates = new ArrayList<Candidate>();
        for (var queue : queues) {
            heads(queue).stream()
                    .filter(job -> mayHold(queue, job))
                    .findFirst()
                    .ifPresent(job ->
                            candidates.add(
                                    new Candidate(
                                            job,
                                            staysGuaranteed(queue, job),
                                            job.past()
                                                    .since()
                                                    .plus(queue.spec().order().reserveAfter()))));
        }
        return candidates;
    }

    private boolean mayHold(Queue queue, Job job) {
        var all = excesses(queue, job);
        return all.stream().allMatch(Excess::byOthers)
                && (all.isEmpty() || staysGuaranteed(queue, job))
                && capacity.couldEverFit(tables.makeup(job).start());
    }
}
