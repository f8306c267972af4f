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

    @Test
    void anAnswerThatAsksForNoQuietHoldsNobodyUp() throws IOException {
        assertThat(api.get("/version", Map.of(), ApiServer.WHOLE).retryAfter()).isZero();
        assertThat(bucket.take(NOON)).isZero();
    }
}
