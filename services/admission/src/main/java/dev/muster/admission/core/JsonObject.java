package dev.muster.admission.core;

import dev.muster.schemas.contract.Paths;
import dev.muster.schemas.demand.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One JSON object of a request with the path at which it stands; a member of the wrong type is
 * reported, and then reads as absent.
 */
record JsonObject(String path, Map<String, ?> members, Problems problems) {

    boolean has(String key) {
        return members.get(key) != null;
    }

    String at(String key) {
        return Paths.field(path, key);
    }

    /** The empty object where there is none. */
    JsonObject object(String key) {
        var member = members.get(key);
        return new JsonObject(
                at(key), member == null ? Map.of() : asObject(at(key), member), problems);
    }

    List<JsonObject> objects(String key) {
        var found = new ArrayList<JsonObject>();
        var list = list(key);
        for (int i = 0; i < list.size(); i++) {
            var here = at(key) + "[" + i + "]";
            found.add(new JsonObject(here, asObject(here, list.get(i)), problems));
        }
        return found;
    }

    @Nullable String text(String key) {
        var member = members.get(key);
        if (member == null || member instanceof String) {
            return (String) member;
        }
        problems.add(at(key), member, "must be a string");
        return null;
    }

    @Nullable Long whole(String key) {
        var member = members.get(key);
        if (member == null) {
            return null;
        }
        if (member instanceof Long || member instanceof Integer) {
            return ((Number) member).longValue();
        }
        problems.add(at(key), String.valueOf(member), "must be a whole number");
        return null;
    }

    List<String> texts(String key) {
        var found = new ArrayList<String>();
        for (var element : list(key)) {
            if (element instanceof String text) {
                found.add(text);
            } else {
                problems.add(at(key), String.valueOf(element), "must hold strings only");
            }
        }
        return found;
    }

    SortedMap<String, String> textsByKey(String key) {
        var found = new TreeMap<String, String>();
        object(key)
                .members
                .forEach((name, value) -> {
                    if (value instanceof String text) {
                        found.put(name, text);
                    } else {
                        problems.add(
                                Paths.field(at(key), name),
                                String.valueOf(value),
                                "must be a string");
                    }
                });
        return found;
    }

    /** Quantities by resource; Kubernetes takes numbers for strings here. */
    SortedMap<String, Quantity> quantities(String key) {
        var found = new TreeMap<String, Quantity>();
        object(key)
                .members
                .forEach((resource, value) -> {
                    var quantity =
                            value instanceof String || value instanceof Number
                                    ? Quantity.parse(value.toString())
                                    : null;
                    if (quantity == null) {
                        problems.add(
                                Paths.field(at(key), resource),
                                String.valueOf(value),
                                Quantity.ALLOWED);
                    } else {
                        found.put(resource, quantity);
                    }
                });
        return found;
    }

    private List<?> list(String key) {
        var member = members.get(key);
        if (member == null || member instanceof List) {
            return member == null ? List.of() : (List<?>) member;
        }
        problems.add(at(key), member, "must be a list");
        return List.of();
    }

    @SuppressWarnings("unchecked") // the keys of what was parsed from JSON are strings
    private Map<String, ?> asObject(String here, @Nullable Object member) {
        if (member instanceof Map<?, ?> map) {
            return (Map<String, ?>) map;
        }
        problems.add(here, String.valueOf(member), "must be an object");
        return Map.of();
    }
}
