package dev.muster.podmanager.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.podmanager.core.TokenBucket;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiServerTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final FakeApiServer server = new FakeApiServer();
    private final TokenBucket bucket = new TokenBucket(10, 10, NOON);
    private final ApiServer api = server.api(new RateLimit(bucket, 1, InstantSource.fixed(NOON)));

    ApiServerTest() throws IOException {}

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"3, 3", "3600, 30", "9223372036854775807, 30", "0, 0", "-1, 0", "tomorrow, 0"})
    void quietIsKeptForAsLongAsTheServerAsksButNoLongerThanAnythingWaits(String asked, long kept)
            throws IOException {
        server.answers(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", asked);
            FakeApiServer.answer(exchange, 429, "{}");
        });

        var reply = api.get("/version", Map.of(), ApiServer.WHOLE);

        assertThat(reply.retryAfter()).isEqualTo(Duration.ofSeconds(kept));
        assertThat(bucket.take(NOON)).isEqualTo(Duration.ofSeconds(kept));
    }

    /** It is of one job; whoever waits for another would wait for nothing. */
    @ParameterizedTest
    @CsvSource({"429", "403", "500"})
    void whatAWebhookPutsOffHoldsNobodyElseUp(int code) throws IOException {
        server.answers(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "20");
            var message = "admission webhook \\\"scans\\\" denied the request: not yet";
            FakeApiServer.answer(exchange, code, "{\"message\": \"%s\"}".formatted(message));
        });

        var reply = api.get("/version", Map.of(), ApiServer.WHOLE);

        assertThat(reply.retryAfter()).isEqualTo(Duration.ofSeconds(20));
        assertThat(bucket.take(NOON)).isZero();
    }

    @Test
    void whoManagesWhichFieldIsNotKept() throws IOException {
        var pod =
                """
                {"metadata": {"name": "%s", "managedFields": [{"manager": "kwok",
                "fieldsV1": {"f:status": {}}}], "labels": {}, "finalizers": [], "uid": "u-1"}}
                """;
        var items = "[%s, %s]".formatted(pod.formatted("a"), pod.formatted("b"));
        server.answers(exchange ->
                FakeApiServer.answer(
                        exchange, 200, "{\"metadata\": {}, \"items\": %s}".formatted(items)));

        var body = api.get("/api/v1/pods", Map.of(), ApiServer.METADATA_LIST).body();

        var read =
                "{\"metadata\":{\"name\":\"%s\",\"labels\":{},\"finalizers\":[],\"uid\":\"u-1\"}}";
        assertThat(body.toString())
                .isEqualTo(
                        "{\"metadata\":{},\"items\":[%s,%s]}"
                                .formatted(read.formatted("a"), read.formatted("b")));
    }

    /** As a proxy answers, or nobody. */
    @Test
    void whatIsNoJsonIsAMessage() throws IOException {
        server.answers(exchange -> FakeApiServer.answer(exchange, 502, "<html>bad gateway"));
        assertThat(api.get("/version", Map.of(), ApiServer.WHOLE).message())
                .isEqualTo("<html>bad gateway");
        server.answers(exchange -> FakeApiServer.answer(exchange, 200, ""));
        assertThat(api.get("/version", Map.of(), ApiServer.WHOLE).message()).isEmpty();
    }

    @Test
    void anAnswerThatAsksForNoQuietHoldsNobodyUp() throws IOException {
        assertThat(api.get("/version", Map.of(), ApiServer.WHOLE).retryAfter()).isZero();
        assertThat(bucket.take(NOON)).isZero();
    }
}
