package dev.muster.coordinator.core;

import dev.muster.coordinator.core.Fit.Placed;
import dev.muster.coordinator.core.Fit.Short;
import dev.muster.coordinator.core.Topology.Policy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What later pods of a started job keep to and keep away from: those that stand of its gang. With
 * {@code require} they go where those are or nowhere, with the other policies as near to that as
 * there is room. Pods that keep apart avoid each other's nodes.
 *
 * <p>What fails is made again with the others. Only where nobody stands any more may it go to
 * another domain, with all that fail as well.
 */
final class Siblings {
    private final Tables tables;

    Siblings(Tables tables) {
        this.tables = tables;
    }

    /** For more pods of a job. */
    Extra of(Job job) {
        var places = tables.gang(job).places();
        var extra = Extra.NONE;
        for (var role : job.spec().roles()) {
            if (role.pod().apart()) {
                extra = extra.avoiding(role.name(), places.of(role.name()));
            }
        }
        return keepsTopology(job)
                ? extra.beside(company(job, orComing(job, places.staying())))
                : extra;
    }

    /** Finds a node for every pod, or nothing. */
    interface Search {
        @Nullable Placed of(Shape shape, Extra extra);
    }

    /**
     * Where a rank goes whose pod is made again: to the domain where it was, so that its gang lies
     * as it did; else beside the others as the topology asks.
     *
     * @param closed nodes that it may not go to
     * @param own room that is its own
     * @return null: nowhere
     */
    @Nullable String node(
            Job job,
            Rank rank,
            Collection<String> closed,
            SortedMap<String, Amounts> own,
            Search search) {
        var extra = beside(job, rank).avoiding(rank.id().role(), closed).with(own);
        var fit = keepsTopology(job) ? whereItWas(job, rank, extra, search) : null;
        fit = fit == null ? search.of(shape(job, List.of(rank)), extra) : fit;
        return fit == null ? null : fit.pods().getFirst().node();
    }

    private @Nullable Placed whereItWas(Job job, Rank rank, Extra extra, Search search) {
        var topology = job.spec().gang().topology();
        var place = new TreeMap<String, Integer>();
        place.put(rank.making().node(), 1);
        var was = Company.of(topology, place, tables.capacity);
        if (was.home() == null || topology.policy() == Policy.REQUIRE) {
            return null;
        }
        var parts = shape(job, List.of(rank)).parts();
        var shape = new Shape(parts, new Topology(Policy.REQUIRE, topology.key()));
        return search.of(shape, extra.beside(was));
    }

    /** Why it goes nowhere now; null: it may. */
    @Nullable Short lack(Job job, Rank rank, Collection<String> closed) {
        var extra = beside(job, rank).avoiding(rank.id().role(), closed);
        return tables.capacity.fit(shape(job, List.of(rank)), extra) instanceof Short why
                ? why
                : null;
    }

    private Extra beside(Job job, Rank again) {
        var places = tables.gang(job).places();
        var role = job.spec().role(again.id().role());
        var extra = Extra.NONE;
        if (role.pod().apart()) {
            var nodes = places.of(role.name());
            nodes.remove(again.making().node()); // Nobody else of the role is there.
            extra = extra.avoiding(role.name(), nodes);
        }
        return keepsTopology(job)
                ? extra.beside(company(job, orComing(job, others(job, again))))
                : extra;
    }

    private boolean keepsTopology(Job job) {
        return job.spec().gang().topology().policy() != Policy.NONE
                && !tables.capacity.isDelegated();
    }

    private Company company(Job job, SortedMap<String, Integer> byNode) {
        return Company.of(job.spec().gang().topology(), byNode, tables.capacity);
    }

    /** Those that stand beside it. */
    private SortedMap<String, Integer> others(Job job, Rank again) {
        var byNode = new TreeMap<>(tables.gang(job).places().staying());
        if (!again.sight().over()) {
            byNode.computeIfPresent(
                    again.making().node(), (_, count) -> count == 1 ? null : count - 1);
        }
        return byNode;
    }

    /** Where nobody stands, those count that come back, each to the room that it had. */
    private SortedMap<String, Integer> orComing(Job job, SortedMap<String, Integer> byNode) {
        if (!byNode.isEmpty()) {
            return byNode;
        }
        var coming = new TreeMap<String, Integer>();
        for (var rank : tables.gang(job).members()) {
            if (rank.state() == RankState.FAILED || rank.state() == RankState.RETURNING) {
                coming.merge(rank.making().node(), 1, Integer::sum);
            }
        }
        return coming;
    }

    /** The first of those that are made again, and nobody stands who would keep them together. */
    boolean mayLeadElsewhere(Job job, Rank rank) {
        return keepsTopology(job)
                && job.spec().gang().topology().policy() == Policy.REQUIRE
                && others(job, rank).isEmpty()
                && tables.gang(job).in(RankState.RETURNING).getFirst().id().equals(rank.id());
    }

    /** What some ranks need together. */
    Shape shape(Job job, List<Rank> ranks) {
        var spot = tables.settings().spec().spot();
        var byRole = new TreeMap<String, List<Integer>>();
        for (var rank : ranks) {
            byRole.computeIfAbsent(rank.id().role(), _ -> new ArrayList<>()).add(rank.id().index());
        }
        var parts = new ArrayList<Shape.Part>();
        for (var role : job.spec().roles()) {
            for (var run : runs(byRole.getOrDefault(role.name(), List.of()))) {
                parts.addAll(Makeup.parts(role, run.getFirst(), run.size(), spot));
            }
        }
        return new Shape(parts, job.spec().gang().topology());
    }

    /** What the next pods of a role need. */
    Shape next(Job job, JobSpec.Role role, int pods) {
        var spot = tables.settings().spec().spot();
        var parts = new ArrayList<Shape.Part>();
        for (var run : runs(tables.gang(job).missing(role.name(), pods))) {
            parts.addAll(Makeup.parts(role, run.getFirst(), run.size(), spot));
        }
        return new Shape(parts, job.spec().gang().topology());
    }

    /** Indices that follow each other, together. */
    private static List<List<Integer>> runs(List<Integer> indices) {
        var runs = new ArrayList<List<Integer>>();
        for (int index : indices) {
            if (runs.isEmpty() || runs.getLast().getLast() != index - 1) {
                runs.add(new ArrayList<>());
            }
            runs.getLast().add(index);
        }
        return runs;
    }
}
