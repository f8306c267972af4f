package dev.muster.cli.http;

import dev.muster.cli.CommandFailedException;
import dev.muster.cli.Context;
import dev.muster.cli.ExitCode;
import dev.muster.cli.SettingKind;
import dev.muster.cli.text.ProblemLines;
import dev.muster.schemas.trainjob.SettingsDocument;
import dev.muster.schemas.trainjob.SettingsForm.PoolSetting;
import dev.muster.schemas.trainjob.SettingsForm.QueueSetting;
import dev.muster.schemas.trainjob.SettingsForm.Setting;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks admission by HTTP, and turns its refusals into lines. */
public final class Admission {
    private static final String KEY = "Idempotency-Key";

    /** Unless admission has another name for it: then nobody reads this one. */
    private static final String ACTOR = "X-Muster-Actor";

    /** For how long it may be away: as long as another one takes to be ready, and some. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration ANSWER = Duration.ofSeconds(15);
    private static final int NOT_FOUND = 404;
    private static final JsonMapper JSON = new JsonMapper();

    private final String root;
    private final @Nullable String requestId;
    private final String again;
    private final Sender sender;

    public Admission(Context context) {
        this(context, null, "with");
    }

    /**
     * @param requestId of a change that was sent before, and is not to be done twice; null: each
     *     has an id of its own
     * @param again how the same command is given again, up to where {@code --request-id} follows
     */
    public Admission(Context context, @Nullable String requestId, String again) {
        this(context, requestId, again, new Sender(PATIENCE, PAUSE));
    }

    Admission(Context context, @Nullable String requestId, String again, Sender sender) {
        this(context.admission().replaceAll("/+$", ""), requestId, again, sender);
    }

    private Admission(String root, @Nullable String requestId, String again, Sender sender) {
        this.root = root;
        this.requestId = requestId;
        this.again = again;
        this.sender = sender;
    }

    /** The same, for a part of the command that is given again in another way. */
    public Admission again(String how) {
        return new Admission(root, requestId, how, sender);
    }

    /**
     * What admission answered, other than a refusal.
     *
     * @param status of HTTP
     */
    public record Answer(int status, JsonNode body) {
        /**
         * True where the answer is still to come: the request was taken, nobody decided in time.
         */
        public boolean isLate() {
            return status == 202;
        }

        /** True where a living job of that name and content was there already. */
        public boolean isDuplicate() {
            return "DUPLICATE".equalsIgnoreCase(body.path("outcome").asString(""));
        }

        /** What is odd about the request, though it was taken. */
        public List<String> warnings() {
            return problems(body.path("warnings"));
        }

        /** One sentence for people, or nothing. */
        public String message() {
            return body.path("message").asString("");
        }

        /** Of a change of many jobs: how many of what. */
        public Map<String, Long> counts() {
            var counts = new TreeMap<String, Long>();
            body.path("counts")
                    .properties()
                    .forEach(count -> counts.put(count.getKey(), count.getValue().asLong()));
            return counts;
        }

        /** The key by which the request was made. */
        public String requestId() {
            return body.path("requestId").asString("");
        }

        /** The submission; empty while it has none. */
        public String uid() {
            return body.path("uid").asString("");
        }
    }

    /**
     * Sets one queue or pool.
     *
     * @param keep whether one that is there stays as it is
     */
    public Answer put(Setting setting, boolean keep) {
        var path = path(SettingKind.of(setting)) + "/" + encoded(setting.name());
        JsonNode document = JSON.valueToTree(SettingsDocument.of(setting));
        var request =
                request(path + (keep ? "?keep=true" : ""))
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofString(document.toString()));
        // An answer is known by name and id, and a pool may have the name of a queue.
        return switch (setting) {
            case QueueSetting _ -> send(request, "");
            case PoolSetting _ -> send(request, "/pool");
        };
    }

    /**
     * Changes what a merge patch names of a queue or pool, and nothing else.
     *
     * @param create whether it is made if it is not there
     */
    public Answer change(SettingKind kind, String name, JsonNode patch, boolean create) {
        var path = path(kind) + "/" + encoded(name);
        return send(
                request(path + (create ? "?create=true" : ""))
                        .header("Content-Type", "application/merge-patch+json")
                        .method("PATCH", BodyPublishers.ofString(patch.toString())));
    }

    /** One queue or pool as it is, empty where there is none. */
    public Optional<JsonNode> find(SettingKind kind, String name) {
        var answer = read(path(kind) + "/" + encoded(name));
        if (answer.status() == NOT_FOUND) {
            return Optional.empty();
        }
        return Optional.of(taken(answer, List.of()).body());
    }

    /** All queues or pools, by name. */
    public List<JsonNode> all(SettingKind kind) {
        return taken(read(path(kind)), List.of()).body().path("items").valueStream().toList();
    }

    /**
     * Deletes a queue.
     *
     * @param drain whether it may still have jobs: then it goes with the last
     */
    public Answer deleteQueue(String name, boolean drain) {
        var path = path(SettingKind.QUEUE) + "/" + encoded(name);
        return send(request(path + (drain ? "?drain=true" : "")).DELETE());
    }

    /**
     * Changes the newest submission of the name.
     *
     * @param verb as in the address: {@code hold}, {@code release} …
     * @param more what the change needs beside
     */
    public Answer change(String namespace, String name, String verb, JsonNode more) {
        return change(namespace, name, "", verb, more);
    }

    /**
     * The same of one submission.
     *
     * @param uid empty: the newest
     */
    public Answer change(String namespace, String name, String uid, String verb, JsonNode more) {
        var path = "/v1/jobs/" + encoded(namespace) + "/" + encoded(name) + "/" + verb;
        return post(uid.isEmpty() ? path : path + "?uid=" + encoded(uid), more);
    }

    /** Changes many jobs of a queue or pool. */
    public Answer changeMany(SettingKind of, String name, JsonNode change) {
        return post(path(of) + "/" + encoded(name) + "/jobs:change", change);
    }

    private Answer post(String path, JsonNode body) {
        return post(path, "application/json", body.toString());
    }

    private Answer post(String path, String type, String text) {
        return send(request(path).header("Content-Type", type).POST(BodyPublishers.ofString(text)));
    }

    /** Of a change that was taken, and not answered in time. */
    public CommandFailedException late(String sent) {
        return CommandFailedException.failed(
                sent
                        + " was sent, but nobody answered in time"
                        + (requestId == null ? "" : ": " + unclear(requestId)),
                null);
    }

    /** What to do where nobody knows whether a change was done. */
    private String unclear(String requestId) {
        return "whether it was done is not known; the same command "
                + again
                + " --request-id "
                + requestId
                + " does it at most once";
    }

    /** Submits a job as its text stands, YAML or JSON. */
    public Answer submit(String text) {
        var json = text.stripLeading().startsWith("{");
        return post("/v1/jobs", json ? "application/json" : "application/yaml", text);
    }

    /** Submits an ended submission once more. */
    public Answer retry(String namespace, String name, String uid) {
        var path = "/v1/jobs/" + encoded(namespace) + "/" + encoded(name) + "/retry?uid=";
        return post(path + encoded(uid), JSON.createObjectNode());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(root + path))
                .timeout(ANSWER)
                .header("Accept", "application/json, application/problem+json")
                .header(ACTOR, Actor.HERE);
    }

    /**
     * Sends a change, which is not to be done twice: again, by the same key, while the answer is
     * late or nobody answers.
     */
    private Answer send(HttpRequest.Builder builder) {
        return send(builder, "");
    }

    /**
     * The same of a part of a command.
     *
     * @param part what its key has behind the command's id
     */
    private Answer send(HttpRequest.Builder builder, String part) {
        var id = requestId == null ? UUID.randomUUID().toString() : requestId;
        var unclear = List.of("  " + unclear(id));
        var request = builder.header(KEY, id + part).build();
        try {
            return taken(sender.send(request), unclear);
        } catch (Sender.UnansweredException e) {
            throw unanswered(e, e.mayHaveReachedSomebody() ? unclear : List.of());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private Answer read(String path) {
        try {
            return sender.once(request(path).GET().build());
        } catch (Sender.UnansweredException e) {
            throw unanswered(e, List.of());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private CommandFailedException unanswered(IOException cause, List<String> unclear) {
        var lines =
                new ArrayList<>(
                        List.of("admission does not answer at " + root + ": is the system up?"));
        lines.addAll(unclear);
        return new CommandFailedException(ExitCode.FAILED, lines, cause);
    }

    private static CommandFailedException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return CommandFailedException.failed("interrupted", e);
    }

    private static Answer taken(Answer answer, List<String> unclear) {
        if (answer.status() >= 300) {
            throw refusal(answer, unclear);
        }
        return answer;
    }

    private static CommandFailedException refusal(Answer answer, List<String> unclear) {
        var body = answer.body();
        var detail = body.path("detail").asString(body.path("title").asString(""));
        var problems = problems(body.path("problems"));
        var lines = new ArrayList<String>();
        lines.add(
                detail.isEmpty()
                        ? "admission answered " + answer.status()
                        : said(detail, problems));
        problems.forEach(problem -> lines.add("  " + problem));
        if (answer.status() >= 500) {
            lines.addAll(unclear);
        }
        int exitCode =
                switch (answer.status()) {
                    case NOT_FOUND -> ExitCode.NOT_FOUND;
                    case 400, 409, 413, 415, 422 -> ExitCode.REFUSED;
                    default -> ExitCode.FAILED;
                };
        return new CommandFailedException(exitCode, List.copyOf(lines), null);
    }

    /** One problem alone says itself all that the detail says of it. */
    private static String said(String detail, List<String> problems) {
        if (problems.isEmpty()) {
            return detail;
        }
        boolean isRepeated = problems.size() == 1 && problems.getFirst().startsWith(detail);
        return isRepeated ? "refused:" : "refused, " + detail + ":";
    }

    private static List<String> problems(JsonNode list) {
        var lines = new ArrayList<String>();
        for (var problem : list) {
            lines.add(
                    ProblemLines.line(
                            problem.path("path").asString(""),
                            problem.path("given").asString(""),
                            problem.path("message").asString("")));
        }
        return List.copyOf(lines);
    }

    private static String path(SettingKind kind) {
        return "/v1/" + kind.word() + "s";
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
