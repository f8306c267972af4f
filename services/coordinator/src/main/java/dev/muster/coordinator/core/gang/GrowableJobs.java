package dev.muster.coordinator.core.gang;

import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec.Milestone;
import dev.muster.coordinator.core.model.JobSpec.Role;
import dev.muster.coordinator.core.model.JobSpec.Success;
import dev.muster.coordinator.core.model.JobSpec.Work;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.ResourceLimits;
import dev.muster.coordinator.core.model.Tally;
import dev.muster.coordinator.core.model.Topology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Started jobs that may have more pods: those with a stage to be placed, and those that have less
 * than all of a role. The latter stand in one line with all that want the same, of which only the
 * oldest needs to be tried.
 */
public final class GrowableJobs {
    /** Those with a stage to be placed. */
    public final StagedJobs staged = new StagedJobs();

    private final SortedSet<JobId> large = new TreeSet<>();
    private final Map<Need, Line> lines = new LinkedHashMap<>();
    private final TreeSet<Line> inOrder =
            new TreeSet<>(
                    Comparator.comparingLong(Line::ticket)
                            .thenComparingInt(line -> line.need.place()));
    private final Map<JobId, List<Need>> wanted = new LinkedHashMap<>();

    /**
     * What the next pod of a role needs, and whose it is.
     *
     * @param priority of its job
     * @param place of the role in its job
     * @param yields it leaves the room to others who wait
     * @param onDemand how many of the next pods are no spot pods
     * @param alone the job, where it matters to its next pods where the others are, or whose pods
     *     keep apart from those of other jobs
     * @param pods that come together or not at all
     */
    public record Need(
            String queue,
            String namespace,
            int priority,
            int place,
            Role role,
            boolean yields,
            Topology topology,
            int onDemand,
            @Nullable JobId alone,
            int pods) {}

    /** Jobs whose next pods need the same, the oldest first. */
    public static final class Line {
        private final Need need;
        private final SortedMap<Long, JobId> jobs = new TreeMap<>();

        private Line(Need need) {
            this.need = need;
        }

        private long ticket() {
            return jobs.firstKey();
        }

        public JobId head() {
            return Objects.requireNonNull(jobs.get(jobs.firstKey()));
        }

        public Role role() {
            return need.role();
        }

        public boolean yields() {
            return need.yields();
        }

        public int pods() {
            return need.pods();
        }
    }

    /**
     * Who has his turn after a success has it by the end of a rank; what is lacking comes alone or
     * together by what came by which command; and who leaves may have to be gone before.
     */
    public static boolean mayChange(@Nullable Rank before, Rank rank, GangRequirements makeup) {
        return before == null
                || before.isLeaving() != rank.isLeaving()
                || Gang.drains(before) != Gang.drains(rank)
                || before.tenure().joined() != rank.tenure().joined()
                || before.state() != rank.state() && !makeup.later().isEmpty();
    }

    /**
     * @param gang null: it has no ranks
     */
    public void put(Job job, GangRequirements makeup, @Nullable Gang gang) {
        leave(job);
        if (gang == null || !job.state().grows()) {
            staged.remove(job);
            return;
        }
        var needs = new ArrayList<Need>();
        if (isLarge(job, gang)) {
            large.add(job.id());
        }
        var roles = job.spec().roles();
        for (int i = 0; i < roles.size(); i++) {
            var role = roles.get(i);
            int placed = gang.count(role.name());
            // What was wished before limits bounded wishes may be more.
            int most = ResourceLimits.most(job.spec().work(), role);
            boolean isLater = makeup.later().contains(role.name());
            boolean isOn = !isLater || placed > 0;
            boolean together = ScaleOutRanks.isTogether(job, gang, role.name());
            boolean fits =
                    ResourceLimits.allow(
                            job.spec().work(),
                            role,
                            together ? most : placed + 1,
                            gang.draining(role.name()));
            if (isOn && placed < most && fits && !isEnding(job, gang, role.name())) {
                needs.add(need(job, makeup, gang, i, together ? most - placed : 1));
            }
        }
        staged.put(job, stage(job, makeup, gang));
        if (!needs.isEmpty()) {
            wanted.put(job.id(), needs);
            needs.forEach(need -> enter(job, need));
        }
    }

    private static StagedJobs.@Nullable Need stage(Job job, GangRequirements makeup, Gang gang) {
        var due = makeup.due(job.past().opened(), gang);
        if (due.isEmpty()) {
            return null;
        }
        var roles = job.spec().roles().stream().filter(role -> due.contains(role.name())).toList();
        boolean alone = roles.stream().anyMatch(role -> isAlone(job, makeup, role));
        return new StagedJobs.Need(
                job.spec().queue(),
                job.id().namespace(),
                job.spec().gang().topology(),
                roles,
                roles.stream().map(role -> makeup.minimum(role.name())).toList(),
                alone ? job.id() : null);
    }

    /**
     * What is elastic has its work done when the first of it has, where the job's success awaits
     * all of it.
     */
    public static boolean isEnding(Job job, Gang gang, String role) {
        return gang.tally().byRole().get(role) instanceof Tally.OfRole tally
                && tally.succeeded() > 0
                && mayEnd(job.spec().work(), role);
    }

    /** Where a launcher leads, its word is the work's end and not that of an agent. */
    private static boolean mayEnd(Work work, String role) {
        boolean isAwaited =
                switch (work.success()) {
                    case Success.All _ -> true;
                    case Success.Any _ -> false;
                    case Success.OfRole(var name) ->
                            name.equals(role) || awaits(work, name, role, new TreeSet<>());
                };
        return isAwaited && !work.hostList() && work.isElastic(role);
    }

    /** The one starts only once the other has succeeded, be it that others stand between them. */
    private static boolean awaits(Work work, String waiting, String role, Set<String> seen) {
        return seen.add(waiting)
                && work.role(waiting).dependsOn().stream()
                        .anyMatch(dependency ->
                                dependency.role().equals(role)
                                        ? dependency.until() == Milestone.SUCCEEDED
                                        : awaits(work, dependency.role(), role, seen));
    }

    /** What of its members has ended for good counts: whoever looks closer finds less. */
    private static boolean isLarge(Job job, Gang gang) {
        var elastic = job.spec().work().elastic();
        return elastic != null && gang.count(elastic.role()) > elastic.min();
    }

    private static Need need(Job job, GangRequirements makeup, Gang gang, int place, int pods) {
        var role = job.spec().roles().get(place);
        return new Need(
                job.spec().queue(),
                job.id().namespace(),
                job.spec().place().priority(),
                place,
                role,
                job.spec().work().isElastic(role.name()),
                job.spec().gang().topology(),
                gang.nextOnDemand(role, pods, null),
                isAlone(job, makeup, role) ? job.id() : null,
                pods);
    }

    /** Where its next pods may go depends on which pods there are its own. */
    private static boolean isAlone(Job job, GangRequirements makeup, Role role) {
        var policy = job.spec().gang().topology().policy();
        return makeup.separation().concerns(role.name())
                || !makeup.repulsion(role.name()).isNone()
                || policy == Topology.Policy.REQUIRE;
    }

    private void enter(Job job, Need need) {
        var line = lines.computeIfAbsent(need, Line::new);
        if (!line.jobs.isEmpty()) {
            inOrder.remove(line);
        }
        line.jobs.put(job.ticket(), job.id());
        inOrder.add(line);
    }

    public void remove(Job job) {
        leave(job);
        staged.remove(job);
    }

    private void leave(Job job) {
        large.remove(job.id());
        var needs = wanted.remove(job.id());
        if (needs != null) {
            needs.forEach(need -> leave(job, need));
        }
    }

    private void leave(Job job, Need need) {
        var line = lines.get(need);
        if (line == null) {
            return;
        }
        inOrder.remove(line);
        line.jobs.remove(job.ticket());
        if (line.jobs.isEmpty()) {
            lines.remove(need);
        } else {
            inOrder.add(line);
        }
    }

    /** Elastic jobs that have, or had before some ended for good, more than their least size. */
    public SortedSet<JobId> large() {
        return Collections.unmodifiableSortedSet(large);
    }

    /** What a job lacks of the first role of which not all is placed; null: it lacks nothing. */
    public @Nullable Need lacking(Job job) {
        var needs = wanted.get(job.id());
        return needs == null ? null : needs.getFirst();
    }

    public boolean isAny() {
        return !inOrder.isEmpty();
    }

    /** By the age of their heads. */
    public Iterable<Line> lines() {
        return inOrder;
    }
}
