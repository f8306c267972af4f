package dev.muster.coordinator.core.placement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The nodes by the value of a label, kept until a node comes, goes or looks different. */
final class Domains {
    private static final int KEYS = 32;

    /** Nodes that lie together, by name. */
    static final class Domain {
        private final String name;
        private final int[] nodes;

        private Domain(String name, int[] nodes) {
            this.name = name;
            this.nodes = nodes;
        }

        /** The value of the label that its nodes have, or the name of the one node that it is. */
        String name() {
            return name;
        }

        /** Not to be written to. */
        int[] nodes() {
            return nodes;
        }
    }

    /** All nodes, cut into domains. */
    static final class Cut {
        private final List<Domain> all;
        private final int[] outside;

        private Cut(List<Domain> all, int[] outside) {
            this.all = all;
            this.outside = outside;
        }

        /** By name. */
        List<Domain> all() {
            return all;
        }

        /** Nodes that have no such label. Not to be written to. */
        int[] outside() {
            return outside;
        }
    }

    private final Rooms rooms;
    private final Map<String, Cut> byKey = new LinkedHashMap<>();
    private @Nullable Cut byNode;
    private long seen;

    Domains(Rooms rooms) {
        this.rooms = rooms;
    }

    Cut of(@Nullable String key) {
        if (seen != rooms.looks().count() || byKey.size() > KEYS) {
            byKey.clear();
            byNode = null;
            seen = rooms.looks().count();
        }
        if (key != null) {
            return byKey.computeIfAbsent(key, this::cut);
        }
        if (byNode == null) {
            var all = new ArrayList<Domain>();
            for (int id : rooms.nodes()) {
                all.add(new Domain(rooms.get(id).name, new int[] {id}));
            }
            byNode = new Cut(all, new int[0]);
        }
        return byNode;
    }

    private Cut cut(String key) {
        var outside = IntStream.builder();
        var byValue = new TreeMap<String, IntStream.Builder>();
        for (int id : rooms.nodes()) {
            var value = value(id, key);
            (value == null ? outside : byValue.computeIfAbsent(value, _ -> IntStream.builder()))
                    .add(id);
        }
        var all = new ArrayList<Domain>();
        byValue.forEach((value, ids) -> all.add(new Domain(value, ids.build().toArray())));
        return new Cut(all, outside.build().toArray());
    }

    /** The domain of a node; null: it is in none. */
    @Nullable String value(int id, String key) {
        var node = rooms.get(id).node;
        return node == null ? null : node.labels().get(key);
    }
}
