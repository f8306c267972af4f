package dev.muster.cli.http;

import dev.muster.cli.http.Admission.Answer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLHandshakeException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Sends requests, and the same one again while nobody says what became of it. */
final class Sender {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration CONNECT = Duration.ofSeconds(3);

    /** How often what stays late is asked for; each takes some seconds. */
    private static final int TIMES = 3;

    private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();
    private final Duration patience;
    private final Duration pause;

    /**
     * @param patience for how long a request is sent again
     * @param pause in between
     */
    Sender(Duration patience, Duration pause) {
        this.patience = patience;
        this.pause = pause;
    }

    /** Nobody answered. */
    static final class UnansweredException extends IOException {
        private static final long serialVersionUID = 1;

        private final boolean reached;

        private UnansweredException(IOException cause, boolean reached) {
            super(cause);
            this.reached = reached;
        }

        /** Whether the request may have come to somebody. */
        boolean mayHaveReachedSomebody() {
            return reached;
        }
    }

    /**
     * Sends a request with a key, by which a repeat is known.
     *
     * @return the last answer, which may be that nobody could take the request
     */
    Answer send(HttpRequest request) throws UnansweredException, InterruptedException {
        var end = System.nanoTime() + patience.toNanos();
        var late = 0;
        var reached = false;
        while (true) {
            try {
                var answer = once(request);
                // Also one that it could not take may be written down.
                reached = true;
                if (answer.isLate() && ++late < TIMES) {
                    continue;
                }
                if (!isOfNobody(answer) || System.nanoTime() > end) {
                    return answer;
                }
            } catch (UnansweredException e) {
                reached |= e.mayHaveReachedSomebody();
                if (!reached || System.nanoTime() > end) {
                    throw new UnansweredException(e, reached);
                }
            }
            LockSupport.parkNanos(Math.min(pause.toNanos(), patience.toNanos()));
        }
    }

    /** Admission could not take it, or a proxy says that nobody answered it. */
    private static boolean isOfNobody(Answer answer) {
        return switch (answer.status()) {
            case 503, 504 -> true;
            // With an outcome it is admission's own word.
            case 502 -> !answer.body().has("outcome");
            default -> false;
        };
    }

    /** Sends a request that changes nothing. */
    Answer once(HttpRequest request) throws UnansweredException, InterruptedException {
        try {
            var response = client.send(request, BodyHandlers.ofString());
            return new Answer(response.statusCode(), body(response.body()));
        } catch (ConnectException | HttpConnectTimeoutException | SSLHandshakeException e) {
            throw new UnansweredException(e, false);
        } catch (IOException e) {
            throw new UnansweredException(e, true);
        }
    }

    private static JsonNode body(String text) {
        try {
            return JSON.readTree(text);
        } catch (JacksonException e) {
            return JsonNodeFactory.instance.objectNode();
        }
    }
}
