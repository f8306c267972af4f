package dev.muster.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** From when to when each pod lived, as the API server's audit log has it. */
final class PodLives {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final Map<String, Life> byUid = new LinkedHashMap<>();
    private final Set<String> ended = new HashSet<>();

    private PodLives() {}

    /**
     * One pod, whatever its name.
     *
     * @param rank {@code job/role/index} by its labels
     * @param until its end or its last deletion; {@link Instant#MAX} while it lives
     * @param gone its last deletion; {@link Instant#MAX} while it is there
     */
    record Life(String rank, int attempt, String uid, Instant from, Instant until, Instant gone) {
        private Life ending(Instant at) {
            return new Life(rank, attempt, uid, from, at, gone);
        }

        private Life leaving(Instant at) {
            return new Life(rank, attempt, uid, from, until, at);
        }
    }

    /** The pods of each rank in a namespace, the oldest first. */
    static Map<String, List<Life>> byRank(Path audit, String namespace) {
        var lives = new PodLives();
        Audit.events(audit, "\"namespace\":\"" + namespace + "\"").stream()
                .filter(event -> event.at("/objectRef/resource").asText().equals("pods"))
                .filter(event -> event.at("/objectRef/namespace").asText().equals(namespace))
                .filter(event -> event.at("/responseStatus/code").asInt() < 300)
                .forEach(lives::take);
        var byRank = new TreeMap<String, List<Life>>();
        lives.byUid.values().stream()
                .sorted(Comparator.comparing(Life::from))
                .forEach(life ->
                        byRank.computeIfAbsent(life.rank(), _ -> new ArrayList<>()).add(life));
        return byRank;
    }

    private void take(JsonNode event) {
        var pod = event.at("/responseObject");
        var at = Instant.parse(event.at("/stageTimestamp").asText());
        var uid = pod.at("/metadata/uid").asText(pod.at("/details/uid").asText());
        switch (event.at("/verb").asText() + " " + event.at("/objectRef/subresource").asText()) {
            case "create " ->
                    byUid.put(
                            uid,
                            new Life(rank(pod), attempt(pod), uid, at, Instant.MAX, Instant.MAX));
            case "patch status", "update status" -> {
                if (ENDED.contains(pod.at("/status/phase").asText()) && ended.add(uid)) {
                    byUid.computeIfPresent(uid, (_, life) -> life.ending(at));
                }
            }
            case "delete " -> {
                // The last one counts: the first only asks a living pod to end.
                byUid.computeIfPresent(uid, (_, life) -> life.leaving(at));
                if (!ended.contains(uid)) {
                    byUid.computeIfPresent(uid, (_, life) -> life.ending(at));
                }
            }
            default -> {}
        }
    }

    private static int attempt(JsonNode pod) {
        return pod.at("/metadata/labels").path("muster.dev/attempt").asInt();
    }

    private static String rank(JsonNode pod) {
        var labels = pod.at("/metadata/labels");
        return labels.path("muster.dev/job").asText()
                + "/"
                + labels.path("muster.dev/role").asText()
                + "/"
                + labels.path("muster.dev/index").asText();
    }
}
