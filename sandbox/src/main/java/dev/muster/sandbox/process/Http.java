package dev.muster.sandbox.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks parts over HTTP whether they are ready. */
public final class Http {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    private Http() {}

    /** Whether the address answers 200 now. */
    public static boolean ok(String url) {
        return status(HttpRequest.newBuilder(URI.create(url))) == 200;
    }

    /** The status of the answer, or 0 when there is none. */
    public static int status(HttpRequest.Builder request) {
        return status(CLIENT, request);
    }

    /** The same through a client of the caller's. */
    public static int status(HttpClient client, HttpRequest.Builder request) {
        try {
            return client.send(
                            request.timeout(Duration.ofSeconds(5)).build(),
                            HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PartFailedException("interrupted while waiting for an answer", e);
        }
    }
}
