package dev.muster.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.muster.deploy.HostLists.Deleted;
import dev.muster.deploy.HostLists.Ended;
import dev.muster.deploy.HostLists.Event;
import dev.muster.deploy.HostLists.Listed;
import dev.muster.deploy.HostLists.Made;
import dev.muster.deploy.HostLists.Over;
import dev.muster.deploy.HostLists.Told;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What {@link HostLists} judges, as the API server's audit log has it. */
final class HostListEvents {
    private static final Set<String> ENDED = Set.of("Succeeded", "Failed");
    private static final String LISTS = "-hosts";
    private static final String TOLD = "muster.dev/hosts";

    /** By uid. */
    private final Map<String, Pod> pods = new HashMap<>();

    /** Uids of those of which nothing more is told. */
    private final Set<String> left = new HashSet<>();

    private final List<Event> events = new ArrayList<>();

    private HostListEvents() {}

    private record Pod(String job, String role) {
        private boolean isLauncher() {
            return role.equals("launcher");
        }

        private boolean isWorker() {
            return role.equals("worker");
        }
    }

    static List<Event> of(Path audit, String namespace) {
        var read = new HostListEvents();
        Audit.events(audit, "\"namespace\":\"" + namespace + "\"").stream()
                .filter(event -> event.at("/objectRef/namespace").asText().equals(namespace))
                .filter(event -> event.at("/responseStatus/code").asInt() < 300)
                .forEach(read::take);
        return read.events;
    }

    private void take(JsonNode event) {
        switch (event.at("/objectRef/resource").asText()) {
            case "pods" -> takePod(event);
            case "configmaps" -> takeList(event);
            default -> {}
        }
    }

    private void takeList(JsonNode event) {
        var name = event.at("/objectRef/name").asText();
        // Each write has all of it, and is answered with metadata alone.
        var data = event.at("/requestObject/data");
        if (name.endsWith(LISTS) && data.has("version")) {
            events.add(
                    new Listed(
                            done(event),
                            name.substring(0, name.length() - LISTS.length()),
                            Long.parseLong(data.get("version").asText().strip()),
                            hosts(data.get("hosts").asText())));
        }
    }

    /** The names of pods in a list of hosts. */
    static Set<String> hosts(String list) {
        return list.lines()
                .map(host -> host.substring(0, host.indexOf('.')))
                .collect(Collectors.toUnmodifiableSet());
    }

    private void takePod(JsonNode event) {
        var body = event.at("/responseObject");
        var uid = body.at("/metadata/uid").asText(body.at("/details/uid").asText());
        var does = event.at("/verb").asText() + " " + event.at("/objectRef/subresource").asText();
        if (does.equals("create ")) {
            make(event, uid);
        }
        var pod = pods.get(uid);
        if (pod == null) {
            return;
        }
        switch (does) {
            case "create ", "patch ", "update " -> {
                var told = body.at("/metadata/annotations").path(TOLD);
                if (pod.isLauncher() && !told.isMissingNode()) {
                    events.add(new Told(done(event), pod.job(), Long.parseLong(told.asText())));
                }
            }
            case "patch status", "update status" -> {
                if (ENDED.contains(body.at("/status/phase").asText()) && left.add(uid)) {
                    events.add(
                            pod.isLauncher()
                                    ? new Over(done(event), pod.job())
                                    : new Ended(done(event), pod.job(), uid));
                }
            }
            case "delete " -> {
                if (left.add(uid)) {
                    events.add(
                            pod.isLauncher()
                                    ? new Over(asked(event), pod.job())
                                    : new Deleted(asked(event), pod.job(), uid));
                }
            }
            default -> {}
        }
    }

    private void make(JsonNode event, String uid) {
        var labels = event.at("/responseObject/metadata/labels");
        var pod =
                new Pod(
                        labels.path("muster.dev/job").asText(),
                        labels.path("muster.dev/role").asText());
        if (pod.isWorker() || pod.isLauncher()) {
            pods.put(uid, pod);
        }
        if (pod.isWorker()) {
            var name = event.at("/responseObject/metadata/name").asText();
            events.add(new Made(done(event), pod.job(), name, uid));
        }
    }

    private static Instant asked(JsonNode event) {
        return Instant.parse(event.at("/requestReceivedTimestamp").asText());
    }

    private static Instant done(JsonNode event) {
        return Instant.parse(event.at("/stageTimestamp").asText());
    }
}
