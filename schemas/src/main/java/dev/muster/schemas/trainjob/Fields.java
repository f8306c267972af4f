package dev.muster.schemas.trainjob;

import dev.muster.schemas.contract.Limits;
import dev.muster.schemas.contract.Paths;
import dev.muster.v1.Problem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import tools.jackson.databind.JsonNode;

/**
 * The fields of one object that the schema has passed, each handed on only if it is there.
 *
 * @param problems where to add what only shows while reading
 */
record Fields(JsonNode object, String path, List<Problem> problems) {

    boolean has(String name) {
        return object.has(name);
    }

    String text(String name) {
        return object.path(name).asString();
    }

    void text(String name, Consumer<String> to) {
        if (has(name)) {
            to.accept(text(name));
        }
    }

    void number(String name, IntConsumer to) {
        if (has(name)) {
            to.accept(object.path(name).asInt());
        }
    }

    boolean isTrue(String name) {
        return object.path(name).asBoolean(false);
    }

    void flag(String name, Consumer<Boolean> to) {
        if (has(name)) {
            to.accept(object.path(name).asBoolean());
        }
    }

    void decimal(String name, Consumer<BigDecimal> to) {
        if (has(name)) {
            to.accept(object.path(name).decimalValue());
        }
    }

    /** In milliseconds. */
    void duration(String name, LongConsumer to) {
        text(
                name,
                text ->
                        GoDuration.millis(text)
                                .ifPresentOrElse(to, () -> add(name, text, Limits.TOO_LONG)));
    }

    /** {@code RoleSucceeded} in YAML is {@code ROLE_SUCCEEDED} in the contract. */
    <E extends Enum<E>> void constant(String name, Class<E> type, Consumer<E> to) {
        text(name, text -> to.accept(constant(type, text)));
    }

    static <E extends Enum<E>> E constant(Class<E> type, String text) {
        var upper = text.replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
        return Enum.valueOf(type, upper);
    }

    void object(String name, Consumer<Fields> to) {
        if (has(name)) {
            to.accept(new Fields(object.path(name), Paths.field(path, name), problems));
        }
    }

    <T> void list(String name, Function<Fields, T> read, Consumer<List<T>> to) {
        if (has(name)) {
            var items = new ArrayList<T>();
            for (var item : object.path(name)) {
                var at = Paths.item(Paths.field(path, name), items.size());
                items.add(read.apply(new Fields(item, at, problems)));
            }
            to.accept(items);
        }
    }

    void strings(String name, Consumer<List<String>> to) {
        if (has(name)) {
            to.accept(object.path(name).valueStream().map(Fields::plain).toList());
        }
    }

    /** In the order of the text. */
    void texts(String name, Consumer<Map<String, String>> to) {
        if (has(name)) {
            var map = new LinkedHashMap<String, String>();
            object.path(name)
                    .properties()
                    .forEach(field -> map.put(field.getKey(), plain(field.getValue())));
            to.accept(map);
        }
    }

    /** Quantities by resource, as the contract counts them. */
    void amounts(String name, Consumer<Map<String, Long>> to) {
        object(
                name,
                resources -> {
                    var amounts = new TreeMap<String, Long>();
                    for (var field : resources.object().properties()) {
                        var text = plain(field.getValue());
                        Amount.parse(field.getKey(), text)
                                .ifPresentOrElse(
                                        units -> amounts.put(field.getKey(), units),
                                        () -> resources.add(field.getKey(), text, "is too large"));
                    }
                    to.accept(amounts);
                });
    }

    void numbers(String name, Consumer<Map<String, Integer>> to) {
        object(
                name,
                numbers -> {
                    var map = new TreeMap<String, Integer>();
                    numbers.object()
                            .properties()
                            .forEach(field -> map.put(field.getKey(), field.getValue().asInt()));
                    to.accept(map);
                });
    }

    /** A scalar as its text; 2.0E10 as 20000000000, which Kubernetes can read. */
    static String plain(JsonNode value) {
        return value.isNumber() ? value.decimalValue().toPlainString() : value.asString();
    }

    void add(String name, String given, String message) {
        problems.add(
                Problem.newBuilder()
                        .setPath(name.isEmpty() ? path : Paths.field(path, name))
                        .setGiven(given)
                        .setMessage(message)
                        .build());
    }
}
