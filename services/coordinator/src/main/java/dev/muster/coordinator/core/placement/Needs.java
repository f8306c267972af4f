package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Resources;
import dev.muster.coordinator.core.model.Shape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Shapes by what a pod of theirs needs, so that those of which a room would take one are found
 * without a look at the others.
 */
final class Needs {
    private final Map<Amounts, Need> all = new LinkedHashMap<>();

    /** By resource; each has all of them, those that need nothing of it first. */
    private final Map<String, NavigableMap<Place, Need>> byResource = new LinkedHashMap<>();

    private long met;

    /**
     * @param number no two have the same
     */
    private record Place(long amount, long number) {
        static final Comparator<Place> BY_AMOUNT =
                Comparator.comparingLong(Place::amount).thenComparingLong(Place::number);

        static Place of(Need need, String resource) {
            return new Place(Math.max(0, need.demand().get(resource)), need.number());
        }
    }

    private record Need(Amounts demand, long number, Set<Shape> shapes) {
        boolean isWithin(long[] room, Resources resources) {
            for (int i = 0; i < demand.size(); i++) {
                if (demand.amount(i) > amount(room, resources, demand.name(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    private static long amount(long[] room, Resources resources, String name) {
        int number = resources.find(name);
        return number < 0 || number >= room.length ? 0 : Math.max(0, room[number]);
    }

    void add(Shape shape) {
        for (var part : shape.parts()) {
            all.computeIfAbsent(part.demand(), this::meet).shapes().add(shape);
        }
    }

    private Need meet(Amounts demand) {
        var need = new Need(demand, met++, new LinkedHashSet<>());
        for (int i = 0; i < demand.size(); i++) {
            byResource.computeIfAbsent(demand.name(i), this::withAll);
        }
        byResource.forEach((resource, needs) -> needs.put(Place.of(need, resource), need));
        return need;
    }

    private NavigableMap<Place, Need> withAll(String resource) {
        var needs = new TreeMap<Place, Need>(Place.BY_AMOUNT);
        all.values().forEach(need -> needs.put(Place.of(need, resource), need));
        return needs;
    }

    void remove(Shape shape) {
        for (var part : shape.parts()) {
            var need = all.get(part.demand());
            if (need != null && need.shapes().remove(shape) && need.shapes().isEmpty()) {
                all.remove(part.demand());
                byResource.forEach((resource, needs) -> needs.remove(Place.of(need, resource)));
            }
        }
    }

    /**
     * Finds those of which a room with so much would take a pod, whoever is there.
     *
     * @param room by the resources' numbers
     */
    void within(long[] room, Resources resources, Set<Shape> found) {
        for (var need : fewest(room, resources)) {
            if (need.isWithin(room, resources)) {
                found.addAll(need.shapes());
            }
        }
    }

    /** Those that need no more of one resource: of that one by which the fewest are left. */
    private Collection<Need> fewest(long[] room, Resources resources) {
        var left = new ArrayList<Iterator<Need>>();
        var found = new ArrayList<List<Need>>();
        byResource.forEach((name, needs) -> {
            var most = new Place(amount(room, resources, name), Long.MAX_VALUE);
            left.add(needs.headMap(most, true).values().iterator());
            found.add(new ArrayList<>());
        });
        if (left.isEmpty()) {
            return all.values();
        }
        // All in step: the shortest ends first, and the others cost no more than that one.
        int at = 0;
        while (left.get(at).hasNext()) {
            found.get(at).add(left.get(at).next());
            at = (at + 1) % left.size();
        }
        return found.get(at);
    }
}
