package dev.muster.coordinator.core.jobs;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fit;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Job;
import dev.muster.coordinator.core.model.JobId;
import dev.muster.coordinator.core.model.JobSpec;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Rank;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Separation;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.model.Topology.Policy;
import dev.muster.coordinator.core.placement.Extra;
import dev.muster.coordinator.core.placement.PlacedSiblings;
import dev.muster.coordinator.core.state.Tables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What later pods of a started job keep to and keep away from: those that stand of its gang. With
 * {@code require} they go where those are or nowhere, with the other policies as near to that as
 * there is room. Pods that keep apart avoid each other's nodes.
 *
 * <p>What fails is made again with the others. Only where nobody stands any more may it go to
 * another domain, with all that fail as well. A backend may have bound it outside of their domain:
 * then it comes back to wherever there is room.
 */
public record Siblings(Tables tables) {
    /** For more pods of a job. */
    public Extra of(Job job, Shape more) {
        var places = tables.gang(job).places();
        var extra = besideOwn(tables, job);
        for (var part : more.parts()) {
            var group = part.group();
            if (!group.apart().isEmpty() && !extra.taken().containsKey(group.name())) {
                extra = extra.taken(group.name(), places.of(group.apart()));
            }
        }
        return keepsTopology(job) ? extra.beside(company(job, places.staying())) : extra;
    }

    /** What keeps pods of the gang and those of other jobs apart is nothing among its own. */
    public static Extra besideOwn(Tables tables, Job job) {
        if (tables.makeup(job).repulsions().isEmpty()) {
            return Extra.NONE;
        }
        var own = Collections.unmodifiableSortedSet(new TreeSet<>(List.of(job.id())));
        var nodes = new TreeMap<String, SortedSet<JobId>>();
        tables.gang(job).all().forEach(rank -> nodes.put(rank.making().node(), own));
        return Extra.NONE.without(nodes);
    }

    /** Finds a node for every pod, or nothing. */
    public interface Search {
        @Nullable Placed of(Shape shape, Extra extra);
    }

    /**
     * Where a rank goes whose pod is made again: to the domain where it was, so that its gang lies
     * as it did, as far as that needs no suspect node; else beside the others as the topology asks.
     *
     * @param closed nodes that it may not go to
     * @param own room that is its own
     * @return null: nowhere
     */
    public @Nullable String node(
            Job job,
            Rank rank,
            Collection<String> closed,
            SortedMap<String, Amounts> own,
            Search search) {
        var extra = beside(job, rank).avoiding(rank.id().role(), closed).with(own);
        var was = whereItWas(job, rank, extra, search);
        if (was != null && isTrusted(was)) {
            return was;
        }
        var any = node(search.of(shape(job, List.of(rank)), extra));
        return was == null || any != null && isTrusted(any) ? any : was;
    }

    /** The node of its pod is where its gang has to lie: the others may have left without it. */
    public boolean isAmongOthers(Job job, Rank rank) {
        if (!keepsOneDomain(job) || isBoundAnywhere()) {
            return true;
        }
        var topology = job.spec().gang().topology();
        var home = PlacedSiblings.of(topology, others(job, rank), tables.capacity).home();
        var node = tables.capacity.node(rank.making().node());
        return home == null || node != null && home.equals(topology.domainOf(node));
    }

    private static @Nullable String node(@Nullable Placed fit) {
        return fit == null ? null : fit.pods().getFirst().node();
    }

    private boolean isTrusted(String name) {
        var node = tables.capacity.node(name);
        return node != null && node.trust() == Node.Trust.TRUSTED;
    }

    private @Nullable String whereItWas(Job job, Rank rank, Extra extra, Search search) {
        var topology = job.spec().gang().topology();
        if (!keepsTopology(job) || topology.policy() == Policy.REQUIRE) {
            return null;
        }
        var place = new TreeMap<String, Integer>();
        place.put(rank.making().node(), 1);
        var was = PlacedSiblings.of(topology, place, tables.capacity);
        if (was.home() == null) {
            return null;
        }
        var parts = shape(job, List.of(rank)).parts();
        var shape = new Shape(parts, new Topology(Policy.REQUIRE, topology.key()));
        return node(search.of(shape, extra.beside(was)));
    }

    /** Why it goes nowhere now; null: it may. */
    @Nullable Short lack(Job job, Rank rank, Collection<String> closed) {
        var extra = beside(job, rank).avoiding(rank.id().role(), closed);
        return tables.capacity.fit(shape(job, List.of(rank)), extra) instanceof Short why
                ? why
                : null;
    }

    private Extra beside(Job job, Rank again) {
        var extra = apart(job, again, besideOwn(tables, job));
        return keepsTopology(job) && !(keepsOneDomain(job) && isBoundAnywhere())
                ? extra.beside(company(job, others(job, again)))
                : extra;
    }

    /** Its backend knows nothing of the domains that room was reserved in. */
    private boolean isBoundAnywhere() {
        return tables.settings().spec().backing().choosesNodes();
    }

    private Extra apart(Job job, Rank again, Extra extra) {
        var separation = tables.makeup(job).separation();
        return separation.concerns(again.id().role())
                ? extra.taken(
                        separation.group(again.id()), tables.gang(job).places().apartFrom(again))
                : extra;
    }

    private boolean keepsTopology(Job job) {
        return job.spec().gang().topology().policy() != Policy.NONE
                && !tables.capacity.isDelegated();
    }

    private boolean keepsOneDomain(Job job) {
        return keepsTopology(job) && job.spec().gang().topology().policy() == Policy.REQUIRE;
    }

    /** Where nobody stands, those count that come back, each to the room that it had. */
    private PlacedSiblings company(Job job, SortedMap<String, Integer> standing) {
        var byNode = standing.isEmpty() ? tables.gang(job).places().returning() : standing;
        return PlacedSiblings.of(job.spec().gang().topology(), byNode, tables.capacity);
    }

    /** Those that stand beside it. */
    private SortedMap<String, Integer> others(Job job, Rank again) {
        var byNode = standing(job);
        if (!again.sight().over() && !DeadNodes.isForced(tables, job, again)) {
            leave(byNode, again);
        }
        return byNode;
    }

    /** By node; those do not stand that are forced to go from a dead node, and made again. */
    private SortedMap<String, Integer> standing(Job job) {
        var gang = tables.gang(job);
        var byNode = new TreeMap<>(gang.places().staying());
        gang.returning().all().stream()
                .filter(rank -> DeadNodes.isForced(tables, job, rank))
                .forEach(rank -> leave(byNode, rank));
        return byNode;
    }

    private static void leave(SortedMap<String, Integer> byNode, Rank rank) {
        byNode.computeIfPresent(rank.making().node(), (_, count) -> count == 1 ? null : count - 1);
    }

    /**
     * Those that are made again, and have to lie together, may do so in another domain: nobody
     * stands, and nobody else may still come back.
     */
    public boolean mayLeave(Job job) {
        return keepsOneDomain(job)
                && tables.gang(job).casualties().isEmpty()
                && standing(job).isEmpty();
    }

    /**
     * Any domain that has room for all.
     *
     * @param own room that is theirs
     * @return a node for each; empty: there is no such domain
     */
    public SortedMap<RankId, String> elsewhere(
            Job job, List<Rank> returning, SortedMap<String, Amounts> own, Search search) {
        var extra = besideOwn(tables, job).with(own);
        for (var rank : returning) {
            var closed = tables.ports.takenFrom(rank);
            extra = closed.isEmpty() ? extra : extra.avoiding(rank.id().role(), closed);
        }
        var nodes = new TreeMap<RankId, String>();
        var shape = shape(job, returning);
        var fit = search.of(shape, leavingAside(job, shape, extra));
        var pods = fit == null ? List.<Fit.Placement>of() : fit.pods();
        pods.forEach(pod -> nodes.put(pod.rank(), pod.node()));
        return nodes;
    }

    /** Pods that keep apart do so from those, too, that are being taken out. */
    private Extra leavingAside(Job job, Shape shape, Extra extra) {
        var all = extra;
        for (var part : shape.parts()) {
            if (!part.group().apart().isEmpty()) {
                all = all.taken(part.group().name(), leaving(job, part.group()));
            }
        }
        return all;
    }

    /** Where those are still that leave, and that a group keeps apart from. */
    private List<String> leaving(Job job, Separation.Group group) {
        var separation = tables.makeup(job).separation();
        return job.spec().roles().stream()
                .filter(role -> separation.concerns(role.name()))
                .flatMap(role -> tables.gang(job).leaving(role.name()).stream())
                .filter(rank -> !rank.sight().over())
                .filter(rank -> group.apart().contains(separation.group(rank.id())))
                .map(rank -> rank.making().node())
                .toList();
    }

    /** What some ranks need together, each as it is a spot pod or not. */
    Shape shape(Job job, List<Rank> ranks) {
        var parts = new ArrayList<Shape.Part>();
        for (var role : job.spec().roles()) {
            var all = ranks.stream().filter(rank -> rank.id().role().equals(role.name())).toList();
            parts.addAll(parts(job, role, indices(all, role, false), false));
            parts.addAll(parts(job, role, indices(all, role, true), true));
        }
        return new Shape(parts, job.spec().gang().topology());
    }

    private static List<Integer> indices(List<Rank> ranks, JobSpec.Role role, boolean isSpot) {
        return ranks.stream()
                .filter(rank -> rank.isSpot(role) == isSpot)
                .map(rank -> rank.id().index())
                .toList();
    }

    /** What the next pods of a role need. */
    public Shape next(Job job, JobSpec.Role role, int pods) {
        return next(job, role, pods, null);
    }

    /** What one needs that comes in the place of a member. */
    public Shape successor(Job job, Rank goes) {
        return next(job, job.spec().role(goes.id().role()), 1, goes);
    }

    private Shape next(Job job, JobSpec.Role role, int pods, @Nullable Rank goes) {
        var gang = tables.gang(job);
        var indices = gang.missing(role.name(), pods);
        int onDemand = gang.nextOnDemand(role, pods, goes);
        var parts = new ArrayList<>(parts(job, role, indices.subList(0, onDemand), false));
        parts.addAll(parts(job, role, indices.subList(onDemand, pods), true));
        return new Shape(parts, job.spec().gang().topology());
    }

    private List<Shape.Part> parts(
            Job job, JobSpec.Role role, List<Integer> indices, boolean isSpot) {
        var spot = tables.settings().spec().spot();
        var makeup = tables.makeup(job);
        return runs(indices).stream()
                .flatMap(run -> makeup.parts(role, run, isSpot, spot).stream())
                .toList();
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
