package dev.muster.podmanager.kubernetes;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.filter.FilteringParserDelegate;
import com.fasterxml.jackson.core.filter.TokenFilter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.muster.podmanager.core.ApiAnswer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the API server, each sent once: over the client's connection, with its login, within
 * the rate limit. A read waits for its turn by itself; a write is sent {@link #inTurn}. Repeating
 * is the caller's business.
 */
final class ApiServer {
    /** Of a list or an object only what stands in its metadata. */
    static final String METADATA_LIST =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

    static final String METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";
    static final String WHOLE = "application/json";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String JSON = "application/json";

    private static final TokenFilter MANAGERS_LEFT_OUT =
            new TokenFilter() {
                @Override
                public @Nullable TokenFilter includeProperty(String name) {
                    return name.equals("managedFields") ? null : this;
                }

                @Override
                public boolean includeEmptyArray(boolean contentsFiltered) {
                    return true;
                }

                @Override
                public boolean includeEmptyObject(boolean contentsFiltered) {
                    return true;
                }
            };

    /** One answer: of HTTP, and the JSON in it. */
    record Reply(int code, JsonNode body, Duration retryAfter) {
        boolean isSuccess() {
            return code >= 200 && code < 300;
        }

        ApiAnswer answer() {
            return ApiAnswer.of(code, reason(), message(), causes(), retryAfter);
        }

        String reason() {
            return body.path("reason").asText("");
        }

        List<String> causes() {
            return body.path("details").path("causes").findValuesAsText("reason");
        }

        String message() {
            return body.path("message").asText("");
        }
    }

    private final KubernetesClient client;
    private final RateLimit limit;
    private final Duration timeout;
    private final Duration mostQuiet;

    /**
     * @param timeout how long an answer is waited for
     * @param mostQuiet the longest that nothing is sent because the server asked for quiet
     */
    ApiServer(KubernetesClient client, RateLimit limit, Duration timeout, Duration mostQuiet) {
        this.client = client;
        this.limit = limit;
        this.timeout = timeout;
        this.mostQuiet = mostQuiet;
    }

    /**
     * Waits until one request may be sent, then has it sent.
     *
     * @throws IOException when it is interrupted; else what {@code request} throws
     */
    <T> T inTurn(Guard.Sending<T> request) throws IOException {
        try {
            limit.enter();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        try {
            return request.send();
        } finally {
            limit.leave();
        }
    }

    Reply get(String path, Map<String, String> query, String accept) throws IOException {
        return inTurn(() -> send("GET", path + queryString(query), accept, JSON, ""));
    }

    Reply post(String path, Object body) throws IOException {
        return send("POST", path, METADATA, JSON, Serialization.asJson(body));
    }

    /**
     * Server-side apply.
     *
     * @param force fields of the body that others own become ours; else that is a conflict
     */
    Reply apply(String path, Object body, boolean force) throws IOException {
        return send(
                "PATCH",
                path + "?fieldManager=muster&force=" + force,
                METADATA,
                "application/apply-patch+yaml",
                Serialization.asJson(body));
    }

    Reply delete(String path, Object options) throws IOException {
        return send("DELETE", path, WHOLE, JSON, Serialization.asJson(options));
    }

    /**
     * @throws IOException when there is no answer: whether a write was done is then not known
     */
    private Reply send(String method, String path, String accept, String type, String body)
            throws IOException {
        try {
            var http = client.getHttpClient();
            var request =
                    http.newHttpRequestBuilder()
                            .uri(root() + path)
                            .header("Accept", accept)
                            .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (!body.isEmpty()) {
                request.method(method, type, body);
            }
            var response =
                    http.sendAsync(request.build(), String.class)
                            .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return reply(response);
        } catch (ExecutionException e) {
            throw new IOException("the API server does not answer: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new IOException("the API server did not answer within " + timeout, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private Reply reply(HttpResponse<String> response) {
        var reply = new Reply(response.code(), json(response.body()), retryAfter(response));
        if (reply.retryAfter().isPositive() && ApiAnswer.isForAll(reply.code(), reply.message())) {
            limit.pause(reply.retryAfter());
        }
        return reply;
    }

    /** What is no JSON (a proxy's page) becomes the message of a Status without a reason. */
    private static JsonNode json(String body) {
        try (var parser = withoutManagers(MAPPER.createParser(body))) {
            var read = MAPPER.<JsonNode>readTree(parser);
            return read == null ? MissingNode.getInstance() : read;
        } catch (IOException e) {
            return MAPPER.createObjectNode().put("message", body);
        }
    }

    /** Who manages which field is a large part of any object, and nothing here asks for it. */
    private static JsonParser withoutManagers(JsonParser whole) {
        return new FilteringParserDelegate(
                whole, MANAGERS_LEFT_OUT, TokenFilter.Inclusion.INCLUDE_ALL_AND_PATH, true);
    }

    /** As long as the server asks, which may be a proxy that says an hour: up to a most. */
    private Duration retryAfter(HttpResponse<String> response) {
        try {
            var header = response.header("Retry-After");
            long seconds = header == null ? 0 : Math.max(0, Long.parseLong(header));
            var asked = Duration.ofSeconds(seconds);
            return asked.compareTo(mostQuiet) < 0 ? asked : mostQuiet;
        } catch (NumberFormatException e) {
            return Duration.ZERO;
        }
    }

    private String root() {
        var url = client.getMasterUrl().toString();
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private static String queryString(Map<String, String> query) {
        return query.isEmpty()
                ? ""
                : new TreeMap<>(query)
                        .entrySet().stream()
                                .map(e -> e.getKey() + "=" + encoded(e.getValue()))
                                .collect(Collectors.joining("&", "?", ""));
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
