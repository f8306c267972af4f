package dev.muster.coordinator.core.placement;

import dev.muster.coordinator.core.model.Amounts;
import dev.muster.coordinator.core.model.Fit.Placement;
import dev.muster.coordinator.core.model.Node;
import dev.muster.coordinator.core.model.Others;
import dev.muster.coordinator.core.model.RankId;
import dev.muster.coordinator.core.model.Shape;
import dev.muster.coordinator.core.model.Topology;
import dev.muster.coordinator.core.placement.Placing.Question;
import dev.muster.coordinator.core.placement.Placing.Wish;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Says what {@code Capacity} is to say, written as plainly as can be: all is counted anew. */
final class NaiveCapacity {
    final SortedMap<String, Node> nodes = new TreeMap<>();
    final SortedMap<String, Others> others = new TreeMap<>();
    final List<Repulsions.Held> held = new ArrayList<>();
    SortedMap<String, Amounts> hold = new TreeMap<>();

    @Nullable List<Placement> place(Shape shape, Extra extra) {
        boolean isScattered = shape.topology().policy() == Topology.Policy.NONE;
        var trusted = isScattered ? null : placeNow(shape, extra, Wish.TRUST_ONLY);
        return trusted == null ? placeNow(shape, extra, Wish.TRUST_FIRST) : trusted;
    }

    private @Nullable List<Placement> placeNow(Shape shape, Extra extra, Wish wish) {
        return new Search(new Question(shape, View.NOW, extra, wish)).place();
    }

    @Nullable List<Placement> placeEver(Shape shape, boolean waits) {
        var wish = waits ? Wish.SOON : Wish.NOTHING;
        return new Search(new Question(shape, View.EMPTY, Extra.NONE, wish)).place();
    }

    boolean isRepelled(Shape.Part part, String node, Extra extra) {
        var gone = extra.gone().getOrDefault(node, new TreeSet<>());
        return held.stream().anyMatch(one -> one.repels(part.repulsion(), node, gone));
    }

    Amounts room(Node node, View view) {
        var room = node.allocatable();
        for (var use : others.values()) {
            room = use.node().equals(node.name()) ? room.minus(use.used()) : room;
        }
        if (view == View.NOW) {
            for (var one : held) {
                room = one.node().equals(node.name()) ? room.minus(one.demand()) : room;
            }
            room = room.minus(hold.getOrDefault(node.name(), Amounts.NONE));
        }
        return room;
    }

    Amounts total() {
        var total = new TreeMap<String, Long>();
        for (var node : nodes.values()) {
            if (node.takesPods()) {
                room(node, View.EMPTY)
                        .byName()
                        .forEach((name, v) -> total.merge(name, Math.max(0, v), Long::sum));
            }
        }
        return Amounts.of(total);
    }

    private final class Search {
        private final Question question;
        private Map<String, Amounts> taken = new LinkedHashMap<>();
        private Map<Shape.Part, SortedMap<String, Integer>> pods = new IdentityHashMap<>();

        Search(Question question) {
            this.question = question;
        }

        @Nullable List<Placement> place() {
            var found =
                    switch (question.topology().policy()) {
                        case NONE -> anywhere();
                        case REQUIRE -> inOneDomain();
                        case PREFER -> inOneDomain() || anywhere();
                        case PACK -> inOneDomain() || inFewDomains() || anywhere();
                        case SPREAD -> evenly() || anywhere();
                    };
            return found ? laidOut() : null;
        }

        private List<Shape.Part> parts() {
            return question.shape().parts();
        }

        private List<Shape.Part> byChoice() {
            return parts().stream()
                    .sorted(
                            Comparator.<Shape.Part>comparingLong(part -> acceptedBy(part).count())
                                    .thenComparingLong(this::sum))
                    .toList();
        }

        private long sum(Shape.Part part) {
            var now = view() == View.NOW ? held : List.<Repulsions.Held>of();
            return acceptedBy(part)
                    .filter(n -> !Repulsions.areKeptOff(now, part, n.name(), Extra.NONE))
                    .mapToLong(n -> part.demand().timesIn(room(n, view())))
                    .sum();
        }

        private Stream<Node> acceptedBy(Shape.Part part) {
            return nodes.values().stream().filter(n -> n.takesPods() && part.filter().accepts(n));
        }

        private void clear() {
            taken = new LinkedHashMap<>();
            pods = new IdentityHashMap<>();
            parts().forEach(part -> pods.put(part, new TreeMap<>()));
        }

        private int left(Shape.Part part) {
            return part.pods() - pods.get(part).values().stream().mapToInt(n -> n).sum();
        }

        private long slots(Shape.Part part, String name, View view) {
            var node = nodes.get(name);
            var extra = question.extra();
            var group = part.group().name();
            boolean closed =
                    extra.avoided().getOrDefault(part.role(), new TreeSet<>()).contains(name)
                            || extra.taken().getOrDefault(group, new TreeSet<>()).contains(name)
                            || question.wish() == Wish.TRUST_ONLY
                                    && node.trust() == Node.Trust.SUSPECT
                            || view == View.NOW && Repulsions.areKeptOff(held, part, name, extra);
            var apart = part.group().apart();
            boolean used =
                    pods.entrySet().stream()
                            .anyMatch(e ->
                                    apart.contains(e.getKey().group().name())
                                            && e.getValue().containsKey(name));
            if (closed || used || !node.takesPods() || !part.filter().accepts(node)) {
                return 0;
            }
            var room =
                    room(node, view)
                            .plus(question.extra().room().getOrDefault(name, Amounts.NONE))
                            .minus(taken.getOrDefault(name, Amounts.NONE));
            return Math.min(
                    part.demand().timesIn(room), part.group().isAlone() ? 1 : Integer.MAX_VALUE);
        }

        private long slots(Shape.Part part, List<String> names, View view) {
            return names.stream().mapToLong(name -> slots(part, name, view)).sum();
        }

        private void take(Shape.Part part, String name, long count) {
            if (count > 0) {
                pods.get(part).merge(name, (int) count, Integer::sum);
                taken.merge(name, part.demand().times(count), Amounts::plus);
            }
        }

        private void fill(Shape.Part part, List<String> names, int most) {
            if (question.waits()) {
                fillFreestFirst(part, names, most);
                return;
            }
            long left = Math.min(most, left(part));
            while (left > 0) {
                long wanted = left;
                var bySlots = Comparator.<String>comparingLong(n -> slots(part, n, view()));
                var holdsAll =
                        names.stream()
                                .filter(name -> slots(part, name, view()) >= wanted)
                                .min(bySlots.thenComparing(name -> name));
                var room =
                        holdsAll.or(() ->
                                names.stream()
                                        .filter(name -> slots(part, name, view()) > 0)
                                        .min(bySlots.reversed().thenComparing(name -> name)));
                if (room.isEmpty()) {
                    return;
                }
                long count = Math.min(left, slots(part, room.get(), view()));
                take(part, room.get(), count);
                left -= count;
            }
        }

        private void fillFreestFirst(Shape.Part part, List<String> names, int most) {
            long left = Math.min(most, left(part));
            var slots = new TreeMap<String, Long>();
            var free = new TreeMap<String, Long>();
            for (var name : names) {
                slots.put(name, slots(part, name, view()));
                long now = Math.min(slots.get(name), slots(part, name, View.NOW));
                free.put(name, Math.min(left, now));
            }
            var order =
                    names.stream()
                            .sorted(
                                    Comparator.<String>comparingLong(n -> -free.get(n))
                                            .thenComparing(name -> name))
                            .toList();
            for (var name : order) {
                long count = Math.min(left, free.get(name));
                take(part, name, count);
                left -= count;
            }
            for (var name : order) {
                long count = Math.min(left, slots.get(name) - free.get(name));
                take(part, name, count);
                left -= count;
            }
        }

        private View view() {
            return question.view();
        }

        private boolean all(List<String> names) {
            byChoice().forEach(part -> fill(part, names, left(part)));
            return parts().stream().allMatch(part -> left(part) == 0);
        }

        private boolean anywhere() {
            if (question.wish() == Wish.TRUST_FIRST && onTrustedFirst()) {
                return true;
            }
            clear();
            return all(List.copyOf(nodes.keySet()));
        }

        private boolean onTrustedFirst() {
            clear();
            for (var part : byChoice()) {
                for (boolean suspect : List.of(false, true)) {
                    fill(part, nodes(suspect), left(part));
                }
            }
            return parts().stream().allMatch(part -> left(part) == 0);
        }

        private List<String> nodes(boolean suspect) {
            return nodes.values().stream()
                    .filter(node -> suspect == (node.trust() == Node.Trust.SUSPECT))
                    .map(Node::name)
                    .toList();
        }

        private SortedMap<String, List<String>> domains() {
            var domains = new TreeMap<String, List<String>>();
            for (var node : nodes.values()) {
                var domain = domain(node.name());
                if (domain != null) {
                    domains.computeIfAbsent(domain, _ -> new ArrayList<>()).add(node.name());
                }
            }
            return domains;
        }

        private @Nullable String domain(String node) {
            var key = question.topology().key();
            return key == null ? node : nodes.get(node).labels().get(key);
        }

        private List<String> outside() {
            return nodes.keySet().stream().filter(name -> domain(name) == null).toList();
        }

        private boolean inOneDomain() {
            clear();
            var holding =
                    domains().entrySet().stream()
                            .filter(d ->
                                    parts().stream()
                                            .allMatch(part ->
                                                    slots(part, d.getValue(), view())
                                                            >= part.pods()))
                            .sorted(Comparator.comparingLong(domain -> rank(domain.getValue())))
                            .toList();
            for (var domain : holding) {
                clear();
                if (all(domain.getValue())) {
                    return true;
                }
            }
            return false;
        }

        private long rank(List<String> names) {
            return parts().stream()
                    .mapToLong(part ->
                            question.waits()
                                    ? -Math.min(part.pods(), slots(part, names, View.NOW))
                                    : slots(part, names, view()) - part.pods())
                    .sum();
        }

        private boolean inFewDomains() {
            clear();
            if (question.topology().key() == null && (parts().size() == 1 || question.waits())) {
                return false;
            }
            var open = new TreeMap<>(domains());
            var sums = new TreeMap<String, List<Long>>();
            open.forEach((name, names) ->
                    sums.put(
                            name,
                            parts().stream().map(part -> slots(part, names, view())).toList()));
            while (true) {
                long left = parts().stream().mapToLong(this::left).sum();
                var next =
                        open.keySet().stream()
                                .filter(name -> held(sums.get(name)) > 0)
                                .min(
                                        Comparator.<String>comparingLong(n -> -held(sums.get(n)))
                                                .thenComparing(n ->
                                                        held(sums.get(n)) == left
                                                                ? spare(sums.get(n))
                                                                : 0L)
                                                .thenComparing(name -> name));
                if (next.isEmpty()) {
                    return all(outside());
                }
                var names = open.remove(next.get());
                byChoice().forEach(part -> fill(part, names, left(part)));
            }
        }

        private long held(List<Long> sums) {
            long held = 0;
            for (int i = 0; i < sums.size(); i++) {
                held += Math.min(sums.get(i), left(parts().get(i)));
            }
            return held;
        }

        private long spare(List<Long> sums) {
            long spare = 0;
            for (int i = 0; i < sums.size(); i++) {
                spare += sums.get(i) - left(parts().get(i));
            }
            return spare;
        }

        private boolean evenly() {
            clear();
            var loads = new TreeMap<String, Integer>();
            var domains = domains();
            domains.keySet().forEach(name -> loads.put(name, 0));
            for (var part : byChoice()) {
                var room = new TreeMap<String, Long>();
                domains.forEach((name, names) -> room.put(name, slots(part, names, view())));
                var counts = new TreeMap<String, Integer>();
                for (int i = left(part); i > 0; i--) {
                    loads.entrySet().stream()
                            .filter(e -> counts.getOrDefault(e.getKey(), 0) < room.get(e.getKey()))
                            .min(Map.Entry.<String, Integer>comparingByValue())
                            .ifPresent(e -> {
                                counts.merge(e.getKey(), 1, Integer::sum);
                                e.setValue(e.getValue() + 1);
                            });
                }
                counts.forEach((name, count) -> fill(part, domains.get(name), count));
                fill(part, outside(), left(part));
            }
            return parts().stream().allMatch(part -> left(part) == 0);
        }

        private List<Placement> laidOut() {
            var placements = new ArrayList<Placement>();
            var byDomain =
                    Comparator.comparing(
                            this::domain, Comparator.nullsLast(Comparator.<String>naturalOrder()));
            for (var part : parts()) {
                var names =
                        pods.get(part).keySet().stream()
                                .sorted(byDomain.thenComparing(name -> name))
                                .flatMap(n -> Stream.generate(() -> n).limit(pods.get(part).get(n)))
                                .toList();
                for (int i = 0; i < names.size(); i++) {
                    var rank = new RankId(part.role(), part.first() + i);
                    placements.add(new Placement(rank, names.get(i), false));
                }
            }
            return placements;
        }
    }
}
