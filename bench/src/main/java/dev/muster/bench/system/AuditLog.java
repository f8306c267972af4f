package dev.muster.bench.system;

import dev.muster.cli.CommandFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the API server wrote down of who did what: the judge of what the cluster was asked for. */
public record AuditLog(Path file) {
    private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete");

    // What was done and by whom stands before the objects, the moment behind them.
    private static final Pattern ADDRESS = Pattern.compile("\"requestURI\":\"([^\"]*)\"");
    private static final Pattern VERB = Pattern.compile("\"verb\":\"([a-z]+)\"");
    private static final Pattern AGENT = Pattern.compile("\"userAgent\":\"([^\"]*)\"");
    private static final Pattern MOMENT = Pattern.compile("\"stageTimestamp\":\"([^\"]*)\"");

    /** When pods were bound to nodes, in their order. */
    public List<Instant> bindings() {
        try (var lines = lines()) {
            return lines.filter(line -> first(ADDRESS, line).endsWith("/binding"))
                    .map(line -> Instant.parse(last(MOMENT, line)))
                    .sorted()
                    .toList();
        }
    }

    /**
     * How often our services wrote objects of namespaces, leases aside. They are known by their
     * client, since on pretended nodes they have the administrator's account.
     */
    public long writesOfServices() {
        try (var lines = lines()) {
            return lines.filter(line -> WRITES.contains(first(VERB, line)))
                    .filter(line -> first(AGENT, line).startsWith("fabric8"))
                    .filter(line -> isOfJobs(first(ADDRESS, line)))
                    .count();
        }
    }

    private static boolean isOfJobs(String address) {
        return address.contains("/namespaces/")
                && !address.contains("/leases")
                && !address.endsWith("/status");
    }

    private Stream<String> lines() {
        try {
            return Files.lines(file);
        } catch (IOException e) {
            throw CommandFailedException.failed("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static String first(Pattern pattern, String line) {
        var found = pattern.matcher(line);
        return found.find() ? found.group(1) : "";
    }

    private static String last(Pattern pattern, String line) {
        return pattern.matcher(line).results().map(found -> found.group(1)).reduce("", (_, b) -> b);
    }
}
