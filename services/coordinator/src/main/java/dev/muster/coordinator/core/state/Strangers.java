package dev.muster.coordinator.core.state;

import dev.muster.coordinator.core.model.AntiAffinityTerm;
import dev.muster.coordinator.core.model.AntiAffinityTerm.Anchor;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.Repulsion;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Which jobs of a pool may not share nodes, by the anti-affinity terms of all jobs that are known.
 * While none has one, none is looked at; from the first term on jobs are found by what their labels
 * have in common with a term.
 */
final class Strangers {
    private final Supplier<Stream<Job>> known;

    /** How many roles have it. */
    private final Map<AntiAffinityTerm, Integer> terms = new LinkedHashMap<>();

    private final Map<Anchor, Set<AntiAffinityTerm>> termsByAnchor = new LinkedHashMap<>();
    private final Map<Anchor, SortedSet<JobId>> jobsByAnchor = new LinkedHashMap<>();

    /** All jobs are in it; once they are, they stay. */
    private boolean indexed;

    /** They may have to do with a term that came or went. */
    private final SortedSet<JobId> concerned = new TreeSet<>();

    /**
     * @param known the newest of every job
     */
    Strangers(Supplier<Stream<Job>> known) {
        this.known = known;
    }

    /** One that is known from now on. */
    void add(Job job) {
        var own = termsOf(job).toList();
        if (!indexed && !own.isEmpty()) {
            indexed = true;
            known.get().forEach(this::index);
        }
        if (indexed) {
            index(job);
        }
        own.forEach(this::add);
    }

    /** One that is not known any more. */
    void remove(Job job) {
        termsOf(job).forEach(this::remove);
        if (indexed) {
            for (var anchor : anchorsOf(job)) {
                jobsByAnchor.computeIfPresent(
                        anchor,
                        (_, jobs) -> {
                            jobs.remove(job.id());
                            return jobs.isEmpty() ? null : jobs;
                        });
            }
        }
        concerned.remove(job.id());
    }

    private static Stream<AntiAffinityTerm> termsOf(Job job) {
        var shuns = job.spec().place().neighbours().shuns();
        return shuns.isEmpty() ? Stream.empty() : shuns.values().stream().flatMap(List::stream);
    }

    private static List<Anchor> anchorsOf(Job job) {
        return AntiAffinityTerm.anchorsOf(job.id(), job.spec());
    }

    private void index(Job job) {
        for (var anchor : anchorsOf(job)) {
            jobsByAnchor.computeIfAbsent(anchor, _ -> new TreeSet<>()).add(job.id());
        }
    }

    private void add(AntiAffinityTerm term) {
        if (terms.merge(term, 1, Integer::sum) == 1) {
            for (var anchor : term.anchors()) {
                termsByAnchor.computeIfAbsent(anchor, _ -> new LinkedHashSet<>()).add(term);
                concern(anchor);
            }
        }
    }

    private void remove(AntiAffinityTerm term) {
        if (terms.merge(term, -1, Integer::sum) == 0) {
            terms.remove(term);
            for (var anchor : term.anchors()) {
                termsByAnchor.computeIfPresent(
                        anchor,
                        (_, of) -> {
                            of.remove(term);
                            return of.isEmpty() ? null : of;
                        });
                concern(anchor);
            }
        }
    }

    private void concern(Anchor anchor) {
        concerned.addAll(jobsByAnchor.getOrDefault(anchor, Collections.emptySortedSet()));
    }

    /** Those whose {@link #repulsions} may be others since this was last asked, in order. */
    List<JobId> takeConcerned() {
        if (concerned.isEmpty()) {
            return List.of();
        }
        var all = List.copyOf(concerned);
        concerned.clear();
        return all;
    }

    /** Of roles that keep apart from others, or others from them. */
    SortedMap<String, Repulsion> repulsions(Job job) {
        if (terms.isEmpty()) {
            return Collections.emptySortedMap();
        }
        var near = new LinkedHashSet<AntiAffinityTerm>();
        for (var anchor : anchorsOf(job)) {
            near.addAll(termsByAnchor.getOrDefault(anchor, Collections.emptySet()));
        }
        var byRole = new TreeMap<String, Repulsion>();
        for (var role : job.spec().roles()) {
            var repulsion = repulsion(job, role.name(), near);
            if (!repulsion.isNone()) {
                byRole.put(role.name(), repulsion);
            }
        }
        return Collections.unmodifiableSortedMap(byRole);
    }

    private static Repulsion repulsion(Job job, String role, Set<AntiAffinityTerm> near) {
        var own = job.spec().place().neighbours().shuns().getOrDefault(role, List.of());
        var by = new LinkedHashSet<AntiAffinityTerm>();
        if (!near.isEmpty()) {
            var labels = AntiAffinityTerm.labels(job.id(), job.spec(), role);
            near.stream()
                    .filter(term -> term.selects(job.id().namespace(), labels))
                    .forEach(by::add);
        }
        return own.isEmpty() && by.isEmpty()
                ? Repulsion.NONE
                : new Repulsion(new LinkedHashSet<>(own), by);
    }
}
