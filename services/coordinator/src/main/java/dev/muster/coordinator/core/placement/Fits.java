package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Fit;
import dev.muster.coordinator.core.model.Fit.Placed;
import dev.muster.coordinator.core.model.Fit.Short;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Sums;
import dev.muster.coordinator.core.model.Topology.Policy;
import dev.muster.coordinator.core.model.WaitReason.Gist;
import dev.muster.coordinator.core.placement.Placing.Question;
import dev.muster.coordinator.core.placement.Placing.Wish;
import dev.muster.coordinator.core.placement.Shortfall.Verdict;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where gangs go in what is free, and why not. Every answer follows from the rooms alone, whatever
 * was asked before: all else that is remembered only saves time.
 */
final class Fits {
    private static final int SHAPES = 4096;

    private final Rooms rooms;
    private final Kinds kinds;
    private final Domains domains;
    private final Map<Shape, Known> shapes = new LinkedHashMap<>();

    /** The last fit that was found, which is mostly asked for again to be taken. */
    private @Nullable Found last;

    private record Found(Shape shape, long at, Placed placed) {}

    /** What was answered about a shape, and after how many changes. */
    private static final class Known {
        /**
         * Of its one part, if it has no more: looked up here, since a filter is slow to compare.
         */
        final Map<View, Kind> kinds = new EnumMap<>(View.class);

        long missedAt = -1;
        boolean gaveUp;
        long shortAt = -1;
        @Nullable Short why;
        long gistAt = -1;
        @Nullable Gist gist;
        long everAt = -1;
        boolean ever;
        boolean everGaveUp;
        boolean everPacked;
    }

    Fits(Rooms rooms) {
        this.rooms = rooms;
        this.kinds = new Kinds(rooms);
        this.domains = new Domains(rooms);
    }

    private long changed() {
        return rooms.changes(View.NOW).count();
    }

    boolean fits(Shape shape) {
        return isPlain(shape) ? hasRoomFor(View.NOW, shape) : placed(shape) != null;
    }

    /**
     * What a search came to.
     *
     * @param gaveUp nothing was found, and not everything was tried
     * @param packed it was more than a quick one
     */
    private record Search(@Nullable Placed placed, boolean gaveUp, boolean packed) {
        static Search of(Placing placing) {
            var placed = placing.place();
            return new Search(placed, placed == null && placing.gaveUp(), placing.packed());
        }
    }

    @Nullable Placed search(Shape shape, Extra extra) {
        return isHopeless(shape, extra) ? null : searched(shape, extra).placed();
    }

    /**
     * Some part of it finds no room, whatever the others take: then nothing needs to be searched,
     * and what is asked grows neither with the nodes nor with the gang.
     */
    private boolean isHopeless(Shape shape, Extra extra) {
        dropIfTooMany();
        var roomier = new LinkedHashMap<Integer, Sums>();
        extra.room()
                .forEach((node, amounts) -> {
                    var room = rooms.find(node);
                    if (room != null) {
                        var sums = new Sums(room.free);
                        sums.add(rooms.resources, amounts, 1);
                        roomier.put(room.id, sums);
                    }
                });
        return shape.parts().stream().anyMatch(part -> !hasRoomFor(part, roomier));
    }

    /**
     * @param roomier by room, what these have instead of what is free there
     */
    private boolean hasRoomFor(Shape.Part part, Map<Integer, Sums> roomier) {
        boolean apart = part.group().isAlone();
        var kind = kinds.of(View.NOW, part);
        long more = 0;
        for (var room : roomier.entrySet()) {
            if (kind.matching().accepts(room.getKey())) {
                int before = kind.slots(room.getKey());
                int now = kind.slots(room.getValue());
                more += apart ? Math.min(now, 1) - Math.min(before, 1) : now - before;
            }
        }
        return kind.hasRoomFor(part.pods() - more, apart);
    }

    /** Suspect nodes are used where there is no other fit. */
    private Search searched(Shape shape, Extra extra) {
        boolean mayBeMissed =
                shape.topology().policy() != Policy.NONE && !rooms.suspects().isEmpty();
        var trusted =
                mayBeMissed
                        ? ask(new Question(shape, View.NOW, extra, Wish.TRUST_ONLY)).place()
                        : null;
        return trusted == null
                ? Search.of(ask(now(shape, extra)))
                : new Search(trusted, false, false);
    }

    @Nullable Placed searchOn(Collection<String> nodes, Shape shape, Extra extra) {
        if (isHopeless(shape, extra)) {
            return null;
        }
        int[] ids =
                nodes.stream()
                        .map(rooms::find)
                        .flatMap(Stream::ofNullable)
                        .filter(room -> room.node != null)
                        .mapToInt(room -> room.id)
                        .toArray();
        return ask(now(shape, extra)).placeOn(ids);
    }

    boolean couldTake(String node, Shape.Part part) {
        dropIfTooMany();
        var room = rooms.find(node);
        return room != null && kinds.of(View.EMPTY, part).slots(room.id) > 0;
    }

    boolean couldEverFit(Shape shape) {
        return isPlain(shape) ? hasRoomFor(View.EMPTY, shape) : everPlaced(shape);
    }

    Fit fitEventually(Shape shape) {
        if (!couldEverFit(shape)) {
            return explain(shape);
        }
        var ever = placedEventually(shape, Extra.NONE);
        if (ever == null) {
            throw new IllegalStateException("could fit, and does not: " + shape);
        }
        return ever;
    }

    @Nullable Placed placedEventually(Shape shape, Extra extra) {
        var soon = ask(new Question(shape, View.EMPTY, extra, Wish.SOON)).place();
        return soon == null ? ask(ever(shape, extra)).place() : soon;
    }

    /** The gang fits when each pod does: whatever one takes is no other's loss. */
    private static boolean isPlain(Shape shape) {
        return !shape.isSearched();
    }

    private boolean hasRoomFor(View view, Shape shape) {
        var part = shape.parts().getFirst();
        return kind(view, shape).hasRoomFor(part.pods(), part.group().isAlone());
    }

    /** Of the one part of a shape. */
    private Kind kind(View view, Shape shape) {
        dropIfTooMany();
        return known(shape)
                .kinds
                .computeIfAbsent(view, _ -> kinds.of(view, shape.parts().getFirst()))
                .catchUp();
    }

    private void dropIfTooMany() {
        if (kinds.areTooMany()) {
            kinds.age();
            shapes.clear();
        }
    }

    /** A node for every pod; null: there is no fit. */
    @Nullable Placed placed(Shape shape) {
        if (isPlain(shape) && !hasRoomFor(View.NOW, shape)) {
            return null;
        }
        long at = changed();
        var found = last;
        if (found != null && found.at() == at && found.shape().equals(shape)) {
            return found.placed();
        }
        var known = known(shape);
        if (known.missedAt == at) {
            return null;
        }
        var placed = onOneNode(shape);
        if (placed == null) {
            var search = searched(shape, Extra.NONE);
            placed = search.placed();
            known.gaveUp = search.gaveUp();
        }
        if (placed == null) {
            known.missedAt = at;
        } else {
            last = new Found(shape, at, placed);
        }
        return placed;
    }

    /**
     * What a search finds first where all pods are alike and may lie together, without the search.
     */
    private @Nullable Placed onOneNode(Shape shape) {
        if (shape.parts().size() != 1 || shape.topology().policy() != Policy.NONE) {
            return null;
        }
        var part = shape.parts().getFirst();
        int room = part.group().isAlone() ? Kind.NOT_AT_ONCE : leastToSpare(shape, part.pods());
        return room == Kind.NOT_AT_ONCE ? null : new Placed(part.on(rooms.get(room).name));
    }

    private int leastToSpare(Shape shape, int pods) {
        var kind = kind(View.NOW, shape);
        return rooms.suspects().isEmpty()
                ? kind.leastToSpare(pods)
                : kind.leastToSpare(pods, rooms.byTrust().first());
    }

    private boolean everPlaced(Shape shape) {
        return askedForEver(shape).ever;
    }

    private Known askedForEver(Shape shape) {
        var known = known(shape);
        long at = rooms.changes(View.EMPTY).count();
        if (known.everAt != at) {
            var search = Search.of(ask(ever(shape)));
            known.ever = search.placed() != null;
            known.everGaveUp = search.gaveUp();
            known.everPacked = search.packed();
            known.everAt = at;
        }
        return known;
    }

    /** A part of it lacks room, which ends every search at once, and why is told by sums. */
    boolean isSettled(Shape shape) {
        dropIfTooMany();
        return isPlain(shape)
                || shape.isOfOneFilter()
                        && kinds.areHopeless(View.NOW, shape)
                        && isSettledForEver(shape);
    }

    /** What more than a quick search finds, or one for several filters, follows from all rooms. */
    boolean isSettledForEver(Shape shape) {
        if (isPlain(shape) || kinds.areHopeless(View.EMPTY, shape)) {
            return true;
        }
        var known = askedForEver(shape);
        return known.ever && !known.everPacked && shape.isOfOneFilter();
    }

    Short explain(Shape shape) {
        var known = known(shape);
        var why = known.why;
        if (why == null || known.shortAt != changed()) {
            why = explain(shape, Extra.NONE);
            known.why = why;
            known.shortAt = changed();
        }
        return why;
    }

    Short explain(Shape shape, Extra extra) {
        var verdict = verdict(shape, extra);
        boolean isTopology = isTopology(shape, extra, verdict.never());
        var asked = ask(isTopology && verdict.never() ? ever(shape, extra) : now(shape, extra));
        var shortfall = new Shortfall(rooms, kinds, shape, asked, verdict);
        return isTopology ? shortfall.ofTopology() : shortfall.ofRoom();
    }

    private Verdict verdict(Shape shape, Extra extra) {
        var verdict = verdictAsIs(shape, extra);
        return shape.isSplit() && fitsAs(shape.mixed(), extra, verdict.never())
                ? verdict.keptApart()
                : verdict;
    }

    /** It would fit if it were so. */
    private boolean fitsAs(Shape shape, Extra extra, boolean never) {
        return never ? couldEverFit(shape) : search(shape, extra) != null;
    }

    private Verdict verdictAsIs(Shape shape, Extra extra) {
        if (extra.company().isThere()) {
            var ever = Search.of(ask(ever(shape, extra)));
            if (ever.placed() == null) {
                return Verdict.of(true, ever.gaveUp());
            }
        } else if (!couldEverFit(shape)) {
            return Verdict.of(true, everGaveUp(shape));
        }
        return Verdict.of(false, shape.isSearched() && searched(shape, extra).gaveUp());
    }

    /** It would fit if its pods might lie anywhere. */
    private boolean isTopology(Shape shape, Extra extra, boolean never) {
        if (shape.topology().policy() != Policy.REQUIRE) {
            return false;
        }
        return fitsAs(shape.anywhere(), extra, never);
    }

    /** Of what {@link Capacity#fit} says that which makes it another reason; null: it fits. */
    @Nullable Gist gist(Shape shape) {
        if (fits(shape)) {
            return null;
        }
        var known = known(shape);
        var gist = known.gist;
        if (gist == null || known.gistAt != changed()) {
            gist = gistOfShort(shape);
            known.gist = gist;
            known.gistAt = changed();
        }
        return gist;
    }

    private Gist gistOfShort(Shape shape) {
        boolean never = shape.isSearched() && !couldEverFit(shape);
        var verdict = Verdict.of(never, never ? everGaveUp(shape) : gaveUp(shape));
        var asked = ask(now(shape, Extra.NONE));
        var shortfall = new Shortfall(rooms, kinds, shape, asked, verdict);
        return isTopology(shape, Extra.NONE, never)
                ? shortfall.gistOfTopology()
                : shortfall.gistOfRoom();
    }

    /** How the search ended that found nothing; where that is forgotten, how another ends. */
    private boolean gaveUp(Shape shape) {
        var known = known(shape);
        return known.missedAt == changed()
                ? known.gaveUp
                : shape.isSearched() && searched(shape, Extra.NONE).gaveUp();
    }

    /** The same in the empty pool. */
    private boolean everGaveUp(Shape shape) {
        return shape.isSearched() && askedForEver(shape).everGaveUp;
    }

    private Known known(Shape shape) {
        if (shapes.size() > SHAPES) {
            shapes.clear();
        }
        return shapes.computeIfAbsent(shape, _ -> new Known());
    }

    private static Question now(Shape shape, Extra extra) {
        return new Question(shape, View.NOW, extra, Wish.TRUST_FIRST);
    }

    private static Question ever(Shape shape) {
        return ever(shape, Extra.NONE);
    }

    /** Room that is somebody's is there in any case. */
    private static Question ever(Shape shape, Extra extra) {
        return new Question(
                shape, View.EMPTY, extra.with(Collections.emptySortedMap()), Wish.NOTHING);
    }

    private Placing ask(Question question) {
        dropIfTooMany();
        return new Placing(rooms, kinds, domains, question);
    }
}
