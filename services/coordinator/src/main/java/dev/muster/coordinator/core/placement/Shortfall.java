package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Fit.NodeLack;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Sums;
import dev.muster.coordinator.core.model.WaitReason.Code;
import dev.muster.coordinator.core.model.WaitReason.Gist;
import dev.muster.coordinator.core.model.WaitReason.Shortage;
import dev.muster.coordinator.core.model.Words;
import dev.muster.coordinator.core.placement.Matching.Grade;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why a gang does not fit: what is short, by how much, what would help, and which nodes are near.
 */
final class Shortfall {
    private final Rooms rooms;
    private final Kinds kinds;
    private final Shape shape;
    private final Placing placing;
    private final boolean never;
    private final Verdict verdict;

    /**
     * What searches came to.
     *
     * @param never nothing was found in the empty pool either
     * @param gaveUp the search of the empty pool, or else of what is free, ended before everything
     *     was tried: there may be a fit
     * @param apart it would fit if its roles might share nodes
     */
    record Verdict(boolean never, boolean gaveUp, boolean apart) {
        static Verdict of(boolean never, boolean gaveUp) {
            return new Verdict(never, gaveUp, false);
        }

        Verdict keptApart() {
            return new Verdict(never, gaveUp, true);
        }
    }

    /**
     * @param placing the search that found nothing
     */
    Shortfall(Rooms rooms, Kinds kinds, Shape shape, Placing placing, Verdict verdict) {
        this.rooms = rooms;
        this.kinds = kinds;
        this.shape = shape;
        this.placing = placing;
        this.never = verdict.never();
        this.verdict = verdict;
    }

    Short ofRoom() {
        var without = withoutNode();
        if (without != null) {
            return noNode(without);
        }
        var lacking = lacking().toList();
        if (!lacking.isEmpty()) {
            return shortOf(lacking);
        }
        var alone = roomlessAlone();
        return alone == null ? together() : scattered(alone);
    }

    /** The same in short, which costs much less. */
    Gist gistOfRoom() {
        var without = withoutNode();
        if (without != null) {
            return new Gist(Code.NO_MATCHING_NODE, without.part().role());
        }
        var lacking = lacking().findFirst();
        if (lacking.isPresent()) {
            return new Gist(Code.INSUFFICIENT_CAPACITY, lacking.get().resource());
        }
        var alone = roomlessAlone();
        return alone == null
                ? new Gist(codeOfTogether(), shape.parts().getFirst().role())
                : new Gist(Code.INSUFFICIENT_CAPACITY, alone.part().role());
    }

    /** The first part that no node accepts; null: there is none. */
    private @Nullable Seats withoutNode() {
        for (var seats : placing.parts()) {
            if (seats.kind().matching().count(Grade.ACCEPTED) == 0) {
                return seats;
            }
        }
        return null;
    }

    /**
     * A resource of which less is free than all need.
     *
     * @param have how much is free
     */
    private record Lacking(String resource, long need, long have) {
        String needs() {
            return "%s of %s, %s are free"
                    .formatted(
                            Words.amount(resource, need), resource, Words.amount(resource, have));
        }

        String more() {
            return "%s more of %s".formatted(Words.amount(resource, need - have), resource);
        }
    }

    /** By name; each is counted only when it is asked for. */
    private Stream<Lacking> lacking() {
        var need = shape.total();
        return IntStream.range(0, need.size())
                .mapToObj(i -> new Lacking(need.name(i), need.amount(i), free(need.name(i))))
                .filter(each -> each.have() < each.need());
    }

    private Short noNode(Seats seats) {
        var role = seats.part().role();
        var matching = seats.kind().matching();
        return new Short(
                Code.NO_MATCHING_NODE,
                role,
                null,
                "a node that role " + role + " accepts, ready and schedulable",
                "role %s: of %d nodes, %d have the labels it asks for, %d of those no taint that it does not tolerate, none of those takes pods"
                        .formatted(
                                role,
                                matching.count(Grade.OTHER_LABELS),
                                matching.count(Grade.TAINTED),
                                matching.count(Grade.TAKES_NO_PODS)),
                never,
                nearest(seats, rooms.nodes()));
    }

    /** On nodes that a part accepts which asks for the resource. */
    private long free(String resource) {
        int number = rooms.resources.find(resource);
        var filters =
                shape.parts().stream()
                        .filter(part -> part.demand().get(resource) > 0)
                        .map(Shape.Part::filter)
                        .distinct()
                        .toList();
        return filters.size() == 1 && placing.rooms().isUntouched()
                ? kinds.stock(filters.getFirst()).free(number)
                : freeOnAnyOf(number, filters.stream().map(kinds::matching).toList());
    }

    private long freeOnAnyOf(int resource, List<Matching> matchings) {
        var draft = placing.rooms();
        var sum = new Sums();
        for (int room : rooms.nodes()) {
            for (var matching : matchings) {
                if (matching.accepts(room)) {
                    sum.add(0, Math.max(0, draft.sums(room).get(resource)), 1);
                    break;
                }
            }
        }
        return sum.get(0);
    }

    /** Named after the first; the words are of all. */
    private Short shortOf(List<Lacking> all) {
        var first = all.getFirst();
        var seats =
                placing.parts().stream()
                        .filter(part -> part.part().demand().get(first.resource()) > 0)
                        .findFirst()
                        .orElseThrow();
        return new Short(
                Code.INSUFFICIENT_CAPACITY,
                first.resource(),
                new Shortage(first.need(), first.have()),
                never
                        ? "more nodes, or a smaller gang: " + inEmptyPool()
                        : joined(all, Lacking::more) + " free",
                "needs " + joined(all, Lacking::needs),
                never,
                nearest(seats, rooms.nodes()));
    }

    private static String joined(List<Lacking> all, Function<Lacking, String> words) {
        return all.stream().map(words).collect(Collectors.joining(", and "));
    }

    private String inEmptyPool() {
        return verdict.gaveUp()
                ? "no place was found for it in the empty pool either, though not every way was tried"
                : "it does not fit the empty pool";
    }

    /** There is enough in all, but not where one pod could use it. */
    private Short scattered(Seats seats) {
        var part = seats.part();
        long have = Math.min(seats.sumAnywhere(rooms.nodes()), part.pods());
        long taken = seats.taken(rooms.nodes());
        return new Short(
                Code.INSUFFICIENT_CAPACITY,
                part.role(),
                new Shortage(part.pods(), have),
                remedyOfScattered(part, taken),
                "enough is free in all, but spread over nodes: of %d pods of role %s, %d find a node for themselves%s"
                        .formatted(part.pods(), part.role(), have, isTaken(taken)),
                never,
                nearest(seats, rooms.nodes()));
    }

    private static String isTaken(long nodes) {
        return nodes == 0
                ? ""
                : "; %d with room %s pods that it keeps apart from"
                        .formatted(nodes, nodes == 1 ? "has" : "have");
    }

    /** The first part that would not find room for all its pods if it were alone; null: none. */
    private @Nullable Seats roomlessAlone() {
        return placing.parts().stream()
                .filter(part -> part.sumAnywhere(rooms.nodes()) < part.part().pods())
                .findFirst()
                .orElse(null);
    }

    /** Each part would find room if it were alone; all together do not, as far as was tried. */
    private Short together() {
        var seats = placing.parts().getFirst();
        return new Short(
                codeOfTogether(),
                seats.part().role(),
                null,
                remedyOfTogether(),
                "enough is free in all, and each role would find room if it were alone; "
                        + (verdict.gaveUp()
                                ? "no place was found for all together, and the search ended before every way was tried"
                                : "all together do not fit the nodes")
                        + (verdict.apart() ? ", as " + whoKeepApart() : ""),
                never,
                nearest(seats, rooms.nodes()));
    }

    private String remedyOfTogether() {
        if (never) {
            return (verdict.apart() ? "more nodes: " : "larger nodes, or smaller pods: ")
                    + inEmptyPool();
        }
        return verdict.apart()
                ? "more nodes with room"
                : "more room on nodes that several of its roles could use";
    }

    private String whoKeepApart() {
        return shape.parts().stream()
                .filter(part -> part.group().shunsOthers())
                .map(Shape.Part::role)
                .distinct()
                .collect(Collectors.joining(", ", "pods keep apart from each other: ", ""));
    }

    private Code codeOfTogether() {
        return verdict.gaveUp() ? Code.PLACEMENT_NOT_FOUND : Code.INSUFFICIENT_CAPACITY;
    }

    private String remedyOfScattered(Shape.Part part, long taken) {
        if (part.group().isAlone()) {
            return "a node of its own with room for each pod of role " + part.role();
        }
        if (taken > 0) {
            return "room on a node without pods that role %s keeps apart from"
                    .formatted(part.role());
        }
        return never
                ? "larger nodes, or smaller pods: " + inEmptyPool()
                : "room on one node for each pod of role " + part.role();
    }

    Gist gistOfTopology() {
        return new Gist(codeOfTopology(), scopeOfTopology());
    }

    private Code codeOfTopology() {
        return verdict.gaveUp() ? Code.PLACEMENT_NOT_FOUND : Code.TOPOLOGY_UNSATISFIED;
    }

    private String scopeOfTopology() {
        var key = shape.topology().key();
        return key == null ? "node" : key;
    }

    /** The gang would fit if it might lie in more than one domain. */
    Short ofTopology() {
        var most = placing.mostInOneDomain();
        long missing = shape.pods() - most.pods();
        var words = placing.company().isThere() ? besideOthers(most.pods()) : alone(most.pods());
        var message =
                verdict.gaveUp()
                        ? words.message() + ", as far as was tried: not every way was"
                        : words.message();
        return new Short(
                codeOfTopology(),
                scopeOfTopology(),
                new Shortage(shape.pods(), most.pods()),
                never ? words.ever() : "room for %d more pods %s".formatted(missing, words.where()),
                message,
                never,
                most.domain() == null
                        ? List.of()
                        : nearest(placing.parts().getFirst(), most.domain().nodes()));
    }

    /**
     * @param ever what would change it where the empty pool has no room either
     */
    private record Topologically(String where, String ever, String message) {}

    private Topologically alone(long most) {
        var key = shape.topology().key();
        var where = key == null ? "on one node" : "under one value of " + key;
        return new Topologically(
                where,
                "a larger domain, a smaller gang or another topology: " + inEmptyPool(),
                "needs room for %d pods %s, the most that one has room for is %d"
                        .formatted(shape.pods(), where, most));
    }

    private Topologically besideOthers(long most) {
        var key = shape.topology().key();
        var home = placing.company().home();
        if (home == null) {
            var where = key == null ? "on its gang's node" : "under its gang's value of " + key;
            return new Topologically(
                    where,
                    "the return of that node, or the end of the gang's other pods",
                    "needs room for %d pods %s, of which no node is left"
                            .formatted(shape.pods(), where));
        }
        var where = key == null ? "on %s".formatted(home) : "under %s=%s".formatted(key, home);
        return new Topologically(
                where,
                "more nodes %s, or larger ones".formatted(where),
                "needs room for %d pods %s, where its gang is, and there is room for %d"
                        .formatted(shape.pods(), where, most));
    }

    private List<NodeLack> nearest(Seats seats, int[] nodes) {
        var distances = kinds.distances(seats.kind().view(), seats.part());
        return new Nearest(rooms, placing.rooms(), seats, distances).of(nodes);
    }
}
