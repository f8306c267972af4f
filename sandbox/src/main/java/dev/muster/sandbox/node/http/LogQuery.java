package dev.muster.sandbox.node.http;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is asked of a log. Times of lines are not known, so {@code timestamps} is not obeyed, and
 * {@code since} only tells whether anything was written since.
 *
 * @param since nothing is wanted of a log that was last written before
 */
record LogQuery(
        boolean follow,
        boolean previous,
        Optional<Long> tailLines,
        Optional<Long> limitBytes,
        Optional<Instant> since) {

    /**
     * Reads the query as the API server sends it.
     *
     * @throws IllegalArgumentException when a number or a time is none
     */
    static LogQuery of(URI uri, Instant now) {
        var given = parameters(uri.getRawQuery());
        var seconds = number(given, "sinceSeconds").map(ago -> now.minus(Duration.ofSeconds(ago)));
        var time =
                Optional.ofNullable(given.get("sinceTime"))
                        .filter(text -> !text.isEmpty())
                        .map(LogQuery::time);
        return new LogQuery(
                "true".equals(given.get("follow")),
                "true".equals(given.get("previous")),
                number(given, "tailLines"),
                number(given, "limitBytes"),
                seconds.or(() -> time));
    }

    private static Instant time(String text) {
        try {
            return Instant.parse(text);
        } catch (java.time.format.DateTimeParseException e) {
            throw new IllegalArgumentException("sinceTime is no time: " + text, e);
        }
    }

    private static Optional<Long> number(Map<String, String> given, String name) {
        return Optional.ofNullable(given.get(name)).filter(v -> !v.isEmpty()).map(Long::valueOf);
    }

    private static Map<String, String> parameters(@org.jspecify.annotations.Nullable String query) {
        var all = new TreeMap<String, String>();
        for (var pair : (query == null ? "" : query).split("&", -1)) {
            var parts = pair.split("=", 2);
            var value = parts.length == 2 ? parts[1] : "";
            all.put(parts[0], URLDecoder.decode(value, StandardCharsets.UTF_8));
        }
        return all;
    }
}
