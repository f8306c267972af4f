package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Resources;
import dev.muster.coordinator.core.model.Shape;
import java.util.ArrayList;
import java.util.Arrays;
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
import java.util.stream.IntStream;

/**
 * Shapes by what a pod of theirs needs, so that those of which a room takes one, or takes more or
 * fewer than before, are found without a look at the others.
 */
final class Needs {
    /** So few are looked at one by one, and so often a pod's need is looked for in a room. */
    private static final int FEW = 32;

    /** By the names of all that is needed: what others need is no order of theirs. */
    private final Map<List<String>, Group> groups = new LinkedHashMap<>();

    private long met;
    private long looked;

    /**
     * @param number no two have the same
     */
    private record Place(long amount, long number) {
        static final Comparator<Place> BY_AMOUNT =
                Comparator.comparingLong(Place::amount).thenComparingLong(Place::number);

        static Place upTo(long amount) {
            return new Place(amount, Long.MAX_VALUE);
        }
    }

    /**
     * @param each more than 0, in the order of its group's names
     */
    private record Need(long[] each, long number, Set<Shape> shapes) {
        /** How many pods go into a room that has so much. */
        long pods(long[] room) {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < each.length; i++) {
                least = Math.min(least, room[i] / each[i]);
            }
            return least;
        }

        Place at(int resource) {
            return new Place(each[resource], number);
        }
    }

    /** Needs of the same resources. */
    private final class Group {
        private final List<String> names;
        private final Map<Amounts, Need> needs = new LinkedHashMap<>();

        /** All of them by each resource. */
        private final List<NavigableMap<Place, Need>> orders;

        Group(List<String> names) {
            this.names = names;
            orders =
                    names.stream()
                            .<NavigableMap<Place, Need>>map(_ -> new TreeMap<>(Place.BY_AMOUNT))
                            .toList();
        }

        Need meet(Amounts demand, long number) {
            var each = names.stream().mapToLong(demand::get).toArray();
            var need = new Need(each, number, new LinkedHashSet<>());
            for (int i = 0; i < each.length; i++) {
                orders.get(i).put(need.at(i), need);
            }
            return need;
        }

        void remove(Amounts demand) {
            var need = needs.remove(demand);
            for (int i = 0; need != null && i < orders.size(); i++) {
                orders.get(i).remove(need.at(i));
            }
        }

        int size() {
            return 1 + needs.size() + orders.stream().mapToInt(Map::size).sum();
        }

        /** Of what it needs: a resource that is not known yet is not there. */
        long[] of(long[] room, Resources resources) {
            var amounts = new long[names.size()];
            for (int i = 0; i < amounts.length; i++) {
                int number = resources.find(names.get(i));
                amounts[i] = number >= 0 && number < room.length ? room[number] : 0;
            }
            return amounts;
        }

        void within(long[] room, Set<Shape> found) {
            for (var need : fewest(room)) {
                looked++;
                if (need.pods(room) > 0) {
                    found.addAll(need.shapes());
                }
            }
        }

        /** Those that need no more of one resource: of that one by which the fewest are left. */
        private Collection<Need> fewest(long[] room) {
            var left = new ArrayList<Iterator<Need>>();
            var found = new ArrayList<List<Need>>();
            for (int i = 0; i < room.length; i++) {
                left.add(upTo(room[i], orders.get(i)).iterator());
                found.add(new ArrayList<>());
            }
            if (left.isEmpty()) {
                return needs.values();
            }
            // All in step: the shortest ends first, and the others cost no more than that one.
            int at = 0;
            while (left.get(at).hasNext()) {
                found.get(at).add(left.get(at).next());
                at = (at + 1) % left.size();
            }
            return found.get(at);
        }

        void otherwise(long[] before, long[] now, Set<Shape> found) {
            for (int i = 0; i < now.length; i++) {
                if (before[i] != now[i]) {
                    for (var need : between(i, before, now)) {
                        looked++;
                        if (need.pods(before) != need.pods(now)) {
                            found.addAll(need.shapes());
                        }
                    }
                }
            }
        }

        /** Those of which another number goes into the one than into the other, and few more. */
        private List<Need> between(int resource, long[] before, long[] now) {
            var order = orders.get(resource);
            long low = Math.min(before[resource], now[resource]);
            long high = Math.max(before[resource], now[resource]);
            var between = new ArrayList<Need>();
            int times = 1;
            // One more goes in where a multiple of what it needs lies between.
            while (times < FEW && order.size() > FEW && isAny(high / times, order)) {
                var from = Place.upTo(low / times);
                between.addAll(order.subMap(from, false, Place.upTo(high / times), true).values());
                times++;
            }
            // Any other that counts goes in so many times, or more: by each resource, not this
            // alone.
            between.addAll(fewest(shares(before, now, times)));
            return between;
        }

        /** Of each resource the most there was, in so many parts. */
        private static long[] shares(long[] before, long[] now, int of) {
            var shares = new long[now.length];
            Arrays.setAll(shares, i -> Math.max(before[i], now[i]) / of);
            return shares;
        }

        private static boolean isAny(long most, NavigableMap<Place, Need> order) {
            return order.firstKey().amount() <= most;
        }

        private static Collection<Need> upTo(long most, NavigableMap<Place, Need> order) {
            return order.headMap(Place.upTo(most), true).values();
        }
    }

    void add(Shape shape) {
        for (var part : shape.parts()) {
            var group = groups.computeIfAbsent(names(part.demand()), Group::new);
            group.needs
                    .computeIfAbsent(part.demand(), demand -> group.meet(demand, met++))
                    .shapes()
                    .add(shape);
        }
    }

    private static List<String> names(Amounts demand) {
        return IntStream.range(0, demand.size())
                .filter(i -> demand.amount(i) > 0)
                .mapToObj(demand::name)
                .toList();
    }

    void remove(Shape shape) {
        for (var part : shape.parts()) {
            var group = groups.get(names(part.demand()));
            var need = group == null ? null : group.needs.get(part.demand());
            if (group != null && need != null && need.shapes().remove(shape)) {
                forgetIfNobodys(need, part.demand(), group);
            }
        }
    }

    private void forgetIfNobodys(Need need, Amounts demand, Group group) {
        if (need.shapes().isEmpty()) {
            group.remove(demand);
        }
        if (group.needs.isEmpty()) {
            groups.remove(group.names);
        }
    }

    /** How many entries there are of all. */
    int size() {
        return groups.values().stream().mapToInt(Group::size).sum();
    }

    /** At how many needs was looked ever. */
    long looked() {
        return looked;
    }

    /**
     * Finds those of which a room with so much would take a pod, whoever is there.
     *
     * @param room by the resources' numbers, of each at least 0
     */
    void within(long[] room, Resources resources, Set<Shape> found) {
        groups.values().forEach(group -> group.within(group.of(room, resources), found));
    }

    /** Finds those of which a room takes more or fewer pods now than before. */
    void otherwise(long[] before, long[] now, Resources resources, Set<Shape> found) {
        groups.values()
                .forEach(group ->
                        group.otherwise(
                                group.of(before, resources), group.of(now, resources), found));
    }
}
