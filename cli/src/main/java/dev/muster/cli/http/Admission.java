package dev.muster.cli.http;

import dev.muster.cli.Context;
import dev.muster.cli.ExitCode;
import dev.muster.cli.Trouble;
import dev.muster.cli.text.ProblemLines;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Asks admission by HTTP, and turns its refusals into lines. */
public final class Admission {
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final Duration ANSWER = Duration.ofSeconds(15);
    private static final JsonMapper JSON = new JsonMapper();

    private final String root;
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();

    public Admission(Context context) {
        this.root = context.admission().replaceAll("/+$", "");
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

        /** The submission; empty while it has none. */
        public String uid() {
            return body.path("uid").asString("");
        }
    }

    /** Submits a job as its text stands, YAML or JSON. */
    public Answer submit(String text) {
        var json = text.stripLeading().startsWith("{");
        return send(
                request("/v1/jobs")
                        .header("Content-Type", json ? "application/json" : "application/yaml")
                        .POST(BodyPublishers.ofString(text)));
    }

    /** Cancels the newest submission of the name. */
    public Answer cancel(String namespace, String name) {
        var path = "/v1/jobs/" + encoded(namespace) + "/" + encoded(name);
        return send(request(path).DELETE());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(root + path))
                .timeout(ANSWER)
                .header("Accept", "application/json, application/problem+json");
    }

    private Answer send(HttpRequest.Builder request) {
        try {
            var response = client.send(request.build(), BodyHandlers.ofString());
            var answer = new Answer(response.statusCode(), body(response.body()));
            if (response.statusCode() >= 300) {
                throw refusal(answer);
            }
            return answer;
        } catch (IOException e) {
            throw Trouble.failed("admission does not answer at " + root + ": is the system up?", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw Trouble.failed("interrupted", e);
        }
    }

    private static JsonNode body(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            return JsonNodeFactory.instance.objectNode();
        }
    }

    private Trouble refusal(Answer answer) {
        var lines = new ArrayList<String>();
        var body = answer.body();
        var detail = body.path("detail").asString(body.path("title").asString(""));
        lines.add(detail.isEmpty() ? "admission answered " + answer.status() : detail);
        for (var problem : body.path("problems")) {
            lines.add(
                    "  "
                            + ProblemLines.line(
                                    problem.path("path").asString(""),
                                    problem.path("given").asString(""),
                                    problem.path("message").asString("")));
        }
        int exitCode =
                switch (answer.status()) {
                    case 404 -> ExitCode.NOT_FOUND;
                    case 400, 409, 413, 415, 422 -> ExitCode.REFUSED;
                    default -> ExitCode.FAILED;
                };
        return new Trouble(exitCode, List.copyOf(lines), null);
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
