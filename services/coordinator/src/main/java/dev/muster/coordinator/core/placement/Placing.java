package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Fit.Placement;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.placement.Domains.Cut;
import dev.muster.coordinator.core.placement.Domains.Domain;
import dev.muster.coordinator.core.placement.Seats.Supply;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One search for a node for every pod of a gang.
 *
 * <p>Parts with the fewest nodes to choose from go first, and of those the largest pods; which
 * nodes they take is {@link Choice}'s matter. With more than one part that may miss a fit that
 * there is: then the whole of them are searched, in bounded steps ({@link Packing}).
 */
public final class Placing {
    /** How often a search for what is free now looks at nodes, and one of the empty pool. */
    private static final int LOOKS_NOW = 20_000;

    private static final int LOOKS_EVER = 100_000;

    /** The same of a search for one domain that need not be. */
    private static final int LOOKS_WISHED = 5_000;

    /** With more nodes, what is free now is not searched through. */
    private static final int NODES_NOW = 1024;

    private final Rooms rooms;
    private final Domains domains;
    private final Question question;
    private final Draft draft;
    private final @Nullable Draft preferred;

    /** In the order of the shape. */
    private final List<Seats> parts = new ArrayList<>();

    private final List<Seats> byChoice;

    private int looks;
    private boolean gaveUp;
    private boolean packed;

    /** What a search is after beside a node for every pod. */
    public enum Wish {
        /** Suspect nodes are used last, where the topology leaves the choice. */
        TRUST_FIRST,
        /** Suspect nodes are not used; it finds less than there is. */
        TRUST_ONLY,
        /** It waits for room that is not free yet, as little as may be. */
        SOON,
        NOTHING
    }

    public record Question(Shape shape, View view, Extra extra, Wish wish) {
        public Topology topology() {
            return shape.topology();
        }

        public boolean waits() {
            return wish == Wish.SOON;
        }
    }

    /** A domain, and how good it is: less is better. */
    private record Candidate(Domain domain, long rank) {}

    /** The most pods of the gang that one domain has room for. */
    record Most(@Nullable Domain domain, long pods) {}

    Placing(Rooms rooms, Kinds kinds, Domains domains, Question question) {
        this.rooms = rooms;
        this.domains = domains;
        this.question = question;
        draft = new Draft(rooms, question.view(), question.extra());
        preferred = question.waits() ? new Draft(rooms, View.NOW, Extra.NONE) : null;
        boolean trustedOnly = question.wish() == Wish.TRUST_ONLY;
        var closures = new Closures(rooms, kinds, question.extra(), trustedOnly);
        for (var part : question.shape().parts()) {
            parts.add(
                    new Seats(
                            part,
                            new Supply(kinds.of(question.view(), part), draft),
                            preferred == null
                                    ? null
                                    : new Supply(kinds.of(View.NOW, part), preferred),
                            closures.of(part)));
        }
        byChoice =
                parts.size() == 1
                        ? parts
                        : parts.stream()
                                .sorted(
                                        Comparator.comparingInt(Placing::choice)
                                                .thenComparingLong(part -> part.kind().sum()))
                                .toList();
        looks = question.view() == View.NOW ? LOOKS_NOW : LOOKS_EVER;
    }

    private static int choice(Seats seats) {
        return seats.kind().matching().count(Matching.Grade.ACCEPTED);
    }

    /** Nothing was found, and not everything was tried: there may be a fit. */
    boolean gaveUp() {
        return gaveUp;
    }

    /** What was found, or not, may follow from more than the rooms that take one of its pods. */
    boolean packed() {
        return packed;
    }

    /** Null: no fit was found. */
    @Nullable Placed place() {
        if (parts.stream().anyMatch(Seats::areHopeless)) {
            return null;
        }
        boolean found =
                switch (question.topology().policy()) {
                    case NONE -> anywhere();
                    case REQUIRE -> inOneDomain();
                    case PREFER -> inOneDomain() || anywhere();
                    case PACK -> isFirst() && inOneDomain() || inFewDomains() || anywhere();
                    case SPREAD -> evenly() || anywhere();
                };
        return found ? laidOut() : null;
    }

    /** The same on these nodes alone, whatever the topology. */
    @Nullable Placed placeOn(int[] nodes) {
        return packed(nodes) ? laidOut() : null;
    }

    private void clear() {
        draft.clear();
        if (preferred != null) {
            preferred.clear();
        }
        parts.forEach(Seats::clear);
    }

    private boolean anywhere() {
        boolean choosesByTrust = question.wish() == Wish.TRUST_FIRST && !rooms.suspects().isEmpty();
        return choosesByTrust && onTrustedFirst() || onAny();
    }

    private boolean onTrustedFirst() {
        clear();
        var nodes = rooms.byTrust();
        for (var part : byChoice) {
            part.fill(nodes.first(), part.left());
            part.fill(nodes.last(), part.left());
            if (part.left() > 0) {
                return false;
            }
        }
        return true;
    }

    private boolean onAny() {
        clear();
        for (var part : byChoice) {
            part.fillAnywhere(rooms.nodes());
            if (part.left() > 0) {
                boolean isSmall =
                        question.view() == View.EMPTY || rooms.nodes().length <= NODES_NOW;
                gaveUp |= !isSmall && parts.size() > 1;
                return isSmall && packed(rooms.nodes());
            }
        }
        return true;
    }

    /** What the quick search may have missed. */
    private boolean packed(int[] nodes) {
        clear();
        boolean isQuick = question.waits() || question.wish() == Wish.TRUST_ONLY;
        if (parts.size() == 1) {
            return false; // The quick search misses nothing.
        }
        boolean found = false;
        if (!isQuick && looks >= 0) {
            var packing = new Packing(byChoice, question.shape().total(), draft, looks);
            packed = true;
            found = packing.fill(nodes);
            looks = packing.looks();
        }
        gaveUp |= !found && (isQuick || looks < 0);
        return found;
    }

    /** Whether these nodes take all that is left of the gang; if not, some may be placed. */
    private boolean all(int[] nodes) {
        for (var part : byChoice) {
            part.fill(nodes, part.left());
            if (part.left() > 0) {
                return false;
            }
        }
        return true;
    }

    private Cut cut() {
        return domains.of(question.topology().key());
    }

    /** Those of the gang that stand. */
    PlacedSiblings company() {
        return question.extra().company();
    }

    /** Nobody of the gang stands yet. */
    private boolean isFirst() {
        return !company().isThere();
    }

    /** Domains one of which is to take the whole gang: with those that stand it is theirs. */
    private List<Domain> wholes() {
        return isFirst() ? cut().all() : named(company().home());
    }

    private List<Domain> named(@Nullable String name) {
        return cut().all().stream().filter(domain -> domain.name().equals(name)).toList();
    }

    /** The domain with the least to spare or, for one that waits, with the most that is free. */
    private boolean inOneDomain() {
        clear();
        var candidates = new ArrayList<Candidate>();
        for (var domain : wholes()) {
            boolean holds = true;
            long spare = 0;
            long free = 0;
            for (var part : parts) {
                long sum = part.sum(domain.nodes());
                holds &= sum >= part.left();
                spare += sum - part.left();
                free +=
                        question.waits()
                                ? Math.min(part.left(), part.preferred(domain.nodes()))
                                : 0;
            }
            if (holds) {
                candidates.add(new Candidate(domain, question.waits() ? -free : spare));
            }
        }
        candidates.sort(Comparator.comparingLong(Candidate::rank));
        for (var candidate : candidates) {
            clear();
            if (all(candidate.domain().nodes())) {
                return true;
            }
        }
        return question.topology().policy() == Topology.Policy.REQUIRE
                ? candidates.stream().anyMatch(candidate -> packed(candidate.domain().nodes()))
                : isOneFound(candidates);
    }

    /**
     * The same where one domain is wished and need not be, with looks of its own: the search of all
     * nodes has as many as ever. On one node the quick search misses nothing; a gang that waits
     * takes what comes free first.
     */
    private boolean isOneFound(List<Candidate> candidates) {
        int nodes = 0;
        int left = LOOKS_WISHED;
        for (var candidate : candidates) {
            var of = candidate.domain().nodes();
            nodes += of.length;
            boolean isMuch = left < 0 || question.view() == View.NOW && nodes > NODES_NOW;
            if (parts.size() == 1 || question.waits() || isMuch) {
                return false;
            }
            if (of.length > 1) {
                clear();
                var packing = new Packing(byChoice, question.shape().total(), draft, left);
                packed = true;
                if (packing.fill(of)) {
                    return true;
                }
                left = packing.looks();
            }
        }
        return false;
    }

    /**
     * Those where some of the gang stand, then the domain that takes the most, then the one that
     * takes the most of what is left.
     */
    private boolean inFewDomains() {
        clear();
        for (var name : company().domains()) {
            for (var domain : named(name)) {
                var _ = all(domain.nodes());
            }
        }
        boolean isEnough = parts.size() == 1 || question.waits();
        if (question.topology().key() == null && isEnough) {
            return !isFirst() && all(rooms.nodes()); // Few nodes, or what comes free first.
        }
        var all = cut().all();
        var few = new FewDomains(parts, all);
        int next = few.next();
        while (next >= 0 && !few.areTooMany()) {
            for (var part : byChoice) {
                part.fill(all.get(next).nodes(), part.left());
            }
            next = few.next();
        }
        return all(next < 0 ? cut().outside() : rooms.nodes());
    }

    /** The whole gang counts, whatever the parts. */
    private boolean evenly() {
        clear();
        var all = cut().all();
        var loads = all.stream().mapToInt(domain -> company().in(domain.name())).toArray();
        for (var part : byChoice) {
            var sums = all.stream().mapToLong(domain -> part.sum(domain.nodes())).toArray();
            var counts = Choice.evenly(loads, sums, part.left());
            for (int at = 0; at < counts.length; at++) {
                if (counts[at] > 0) {
                    part.fill(all.get(at).nodes(), counts[at]);
                }
            }
            part.fill(cut().outside(), part.left());
            if (part.left() > 0) {
                return false;
            }
        }
        return true;
    }

    /** By domain, then by node: neighbours in rank are neighbours in the topology. */
    private Placed laidOut() {
        var order = Comparator.comparing((Integer id) -> rooms.get(id).name);
        var key = question.topology().key();
        if (key != null) {
            var byDomain =
                    Comparator.comparing(
                            (Integer id) -> domains.value(id, key),
                            Comparator.nullsLast(Comparator.<String>naturalOrder()));
            order = byDomain.thenComparing(order);
        }
        var placements = new ArrayList<Placement>();
        for (var part : parts) {
            placements.addAll(part.laidOut(rooms, order));
        }
        return new Placed(placements);
    }

    /** For explanations: the parts before anything is placed, in the order of the shape. */
    List<Seats> parts() {
        clear();
        return parts;
    }

    /** For explanations: what the question counts on, before anything is placed. */
    Draft rooms() {
        clear();
        return draft;
    }

    Most mostInOneDomain() {
        var whole = wholes();
        var most = new Most(isFirst() || whole.isEmpty() ? null : whole.getFirst(), 0);
        for (var domain : whole) {
            clear();
            long pods = question.shape().pods();
            for (var part : byChoice) {
                part.fill(domain.nodes(), part.left());
                pods -= part.left();
            }
            if (pods > most.pods()) {
                most = new Most(domain, pods);
            }
        }
        return most;
    }
}
