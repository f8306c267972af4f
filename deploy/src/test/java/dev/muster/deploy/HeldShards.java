package dev.muster.deploy;

import dev.muster.sandbox.service.ServiceProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The shards whose Leases a watcher has, as it says itself. */
final class HeldShards {
    private static final Pattern HOLDS = Pattern.compile("\"holds\":\\[([0-9,]*)]");
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private HeldShards() {}

    /** None, too, when it does not answer. */
    static SortedSet<Integer> of(ServiceProcess watcher) {
        var held = new TreeSet<Integer>();
        var found = HOLDS.matcher(health(watcher));
        if (found.find() && !found.group(1).isEmpty()) {
            for (var shard : found.group(1).split(",", -1)) {
                held.add(Integer.valueOf(shard));
            }
        }
        return held;
    }

    private static String health(ServiceProcess watcher) {
        var health = URI.create(watcher.url() + "/actuator/health");
        var request = HttpRequest.newBuilder(health).timeout(PATIENCE).build();
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
