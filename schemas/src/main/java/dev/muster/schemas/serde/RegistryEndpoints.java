package dev.muster.schemas.serde;

import dev.muster.schemas.serde.RegistryConfig.Endpoint;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registry's addresses: asks one after the other until one answers, and waits for them. */
final class RegistryEndpoints implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RegistryEndpoints.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private static final String JSON = "application/vnd.schemaregistry.v1+json";

    private final RegistryConfig config;
    private final HttpClient http;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile int lastGood;

    /** What one address said, or why it said nothing. */
    private sealed interface Attempt {
        record Answered(HttpResponse<String> response) implements Attempt {}

        record Silent(String why, @Nullable IOException cause) implements Attempt {}
    }

    RegistryEndpoints(RegistryConfig config) {
        this.config = config;
        var builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(config.connect());
        if (config.ssl() != null) {
            builder.sslContext(config.ssl());
        }
        http = builder.build();
    }

    /**
     * Asks until an address answers with anything but "not now".
     *
     * @param path behind the root, with its slash
     * @param body null: GET, else POST
     * @throws RegistryUnavailableException when none has answered within the patience
     */
    HttpResponse<String> ask(String path, @Nullable String body) {
        var begin = System.nanoTime();
        var pause = FIRST_PAUSE;
        for (var round = 1; ; round++) {
            switch (askEach(path, body)) {
                case Attempt.Answered(var response) -> {
                    if (round > 1) {
                        log.atInfo().addKeyValue("url", config.endpoints()).log("registry is back");
                    }
                    return response;
                }
                case Attempt.Silent(var why, var cause) -> {
                    var waited = Duration.ofNanos(System.nanoTime() - begin);
                    if (waited.plus(pause).compareTo(config.patience()) > 0) {
                        throw unavailable(why, cause);
                    }
                    if (round == 1) {
                        log.atWarn()
                                .addKeyValue("url", config.endpoints())
                                .addKeyValue("why", why)
                                .addKeyValue("patience", config.patience())
                                .log("waiting for the schema registry");
                    }
                    rest(pause);
                    pause = pause.multipliedBy(2);
                    pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
                }
            }
        }
    }

    /** One round over the addresses, beginning with the one that answered last. */
    private Attempt askEach(String path, @Nullable String body) {
        var count = config.endpoints().size();
        var first = lastGood;
        Attempt attempt = new Attempt.Silent("no address", null);
        for (var i = 0; i < count; i++) {
            var at = (first + i) % count;
            attempt = askOne(config.endpoints().get(at), path, body);
            if (attempt instanceof Attempt.Answered) {
                lastGood = at;
                return attempt;
            }
        }
        return attempt;
    }

    private Attempt askOne(Endpoint endpoint, String path, @Nullable String body) {
        var request =
                HttpRequest.newBuilder(URI.create(endpoint.root() + path))
                        .timeout(config.answer())
                        .header("Accept", JSON + ", application/json");
        if (body != null) {
            request.header("Content-Type", JSON).POST(BodyPublishers.ofString(body));
        }
        if (endpoint.authorization() != null) {
            request.header("Authorization", endpoint.authorization());
        }
        try {
            var response = http.send(request.build(), BodyHandlers.ofString());
            return notNow(response.statusCode())
                    ? new Attempt.Silent(endpoint + " answers " + response.statusCode(), null)
                    : new Attempt.Answered(response);
        } catch (IOException e) {
            return new Attempt.Silent(endpoint + ": " + reason(e), e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static boolean notNow(int status) {
        return status >= 500 || status == 429 || status == 408;
    }

    private static String reason(IOException e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    RegistryUnavailableException unavailable(String why, @Nullable IOException cause) {
        var message = "no schema registry answers at " + config.endpoints() + ": " + why;
        return cause == null
                ? new RegistryUnavailableException(message)
                : new RegistryUnavailableException(message, cause);
    }

    private void rest(Duration pause) {
        try {
            if (closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new RegistryUnavailableException("closed while waiting for the registry");
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        http.shutdownNow();
        http.close();
    }
}
